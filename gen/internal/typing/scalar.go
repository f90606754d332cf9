package typing

// Strings, numbers, booleans, enums and constants.

import (
	"math"
	"math/big"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func (b *Builder) scalar(f *jsonschema.Node, p place, types jsonschema.TypeSet) model.Type {
	switch types {
	case jsonschema.String:
		if typ := formatType(f, p.root.Formats); typ != nil {
			return typ
		}
		return &model.String{Rules: b.stringRules(f, p), Format: f.Format}
	case jsonschema.Integer:
		rules := numberRules(f)
		return &model.Int{Size: intSize(rules), Rules: rules}
	case jsonschema.Number:
		return &model.Float{Rules: numberRules(f)}
	default:
		return &model.Bool{}
	}
}

// formats are the Go types for string formats, by the name that opts in.
var formats = map[string]struct{ option, typ string }{
	"date-time": {"time", "Time"},
	"uuid":      {"uuid", "UUID"},
}

// formatType is the type of the runtime for a format that was opted in; bounds
// and patterns on the text keep it a string.
func formatType(f *jsonschema.Node, opted []string) model.Type {
	typ, ok := formats[f.Format]
	if !ok || !contains(opted, typ.option) || f.MinLength != nil || f.MaxLength != nil || len(f.Patterns) > 0 {
		return nil
	}
	return &model.External{Path: "github.com/mcpgen/mcpgen/mcp", Name: typ.typ}
}

func (b *Builder) stringRules(f *jsonschema.Node, p place) model.StringRules {
	rules := model.StringRules{MinLength: f.MinLength, MaxLength: f.MaxLength, Patterns: f.Patterns}
	if f.Format != "" && p.root.Schema != nil && p.root.Schema.AssertFormat {
		rules.Format = f.Format
	}
	return rules
}

func numberRules(f *jsonschema.Node) model.NumberRules {
	return model.NumberRules{
		Minimum: f.Minimum, Maximum: f.Maximum,
		ExclusiveMinimum: f.ExclusiveMinimum, ExclusiveMaximum: f.ExclusiveMaximum,
		MultipleOf: f.MultipleOf,
	}
}

var (
	minInt64  = big.NewRat(math.MinInt64, 1)
	maxInt64  = big.NewRat(math.MaxInt64, 1)
	maxUint64 = new(big.Rat).SetInt(new(big.Int).SetUint64(math.MaxUint64))
)

// intSize picks the smallest Go type that holds what the bounds allow; without
// bounds that is int64.
func intSize(r model.NumberRules) model.IntSize {
	low, high := bound(r.Minimum, r.ExclusiveMinimum), bound(r.Maximum, r.ExclusiveMaximum)
	switch {
	case low != nil && low.Cmp(minInt64) < 0, high != nil && high.Cmp(maxUint64) > 0:
		return model.BigInt
	case high != nil && high.Cmp(maxInt64) > 0:
		if low != nil && low.Sign() >= 0 {
			return model.Uint64
		}
		return model.BigInt
	}
	return model.Int64
}

func bound(texts ...string) *big.Rat {
	for _, t := range texts {
		if t == "" || len(t) > 400 {
			continue
		}
		if r, ok := new(big.Rat).SetString(t); ok {
			return r
		}
	}
	return nil
}

// enum makes the type of a node with enum or const. Null is left out: it is
// the caller's nullable.
func (b *Builder) enum(f, t *jsonschema.Node, p place) model.Type {
	b.dynamic(p, f.Dynamic...)
	if f.Const != nil {
		if f.Enum != nil {
			b.dynamic(p, "enum")
		}
		return &model.Const{Literal: string(f.Const.Compact())}
	}
	values := enumValues(f)
	if len(values) == 0 {
		if hasNull(f.Enum) {
			return &model.Const{Literal: "null"}
		}
		b.note(p, t, false, "enum allows no value of the stated type")
		b.dynamic(p, "enum")
		return &model.Untyped{}
	}
	if onlyBools(values) && len(values) == 2 {
		return &model.Bool{}
	}
	d, _ := b.declare(p, t)
	d.Type = &model.Enum{Base: enumBase(values), Values: values}
	return &model.Ref{Decl: d}
}

// enumValues are the values that the stated types leave, without null and
// without repetition, in schema order.
func enumValues(f *jsonschema.Node) []model.EnumValue {
	var out []model.EnumValue
	seen := map[string]bool{}
	for _, v := range f.Enum {
		if v.Kind == jsonschema.NullValue || f.Types != 0 && f.Types&valueTypes(v) == 0 {
			continue
		}
		e := enumValue(v)
		if !seen[e.Literal] {
			seen[e.Literal] = true
			out = append(out, e)
		}
	}
	return out
}

func enumValue(v *jsonschema.Value) model.EnumValue {
	e := model.EnumValue{Literal: string(v.Compact()), Text: v.Text}
	switch v.Kind {
	case jsonschema.NumberValue:
		if r := bound(v.Text); r != nil && r.IsInt() && len(r.Num().String()) < 40 {
			e.Literal = r.Num().String()
		}
		e.Text = e.Literal
	case jsonschema.ArrayValue, jsonschema.ObjectValue:
		e.Text = e.Literal
	}
	return e
}

func valueTypes(v *jsonschema.Value) jsonschema.TypeSet {
	switch v.Kind {
	case jsonschema.BoolValue:
		return jsonschema.Boolean
	case jsonschema.NumberValue:
		if r := bound(v.Text); r != nil && r.IsInt() {
			return jsonschema.Integer | jsonschema.Number
		}
		return jsonschema.Number
	case jsonschema.StringValue:
		return jsonschema.String
	case jsonschema.ArrayValue:
		return jsonschema.Array
	case jsonschema.ObjectValue:
		return jsonschema.Object
	}
	return jsonschema.Null
}

func enumBase(values []model.EnumValue) model.EnumBase {
	strs, ints := 0, 0
	for _, v := range values {
		switch {
		case strings.HasPrefix(v.Literal, `"`):
			strs++
		case isInt64(v.Literal):
			ints++
		}
	}
	switch len(values) {
	case strs:
		return model.StringEnum
	case ints:
		return model.IntEnum
	}
	return model.MixedEnum
}

func isInt64(text string) bool {
	r := bound(text)
	return r != nil && r.IsInt() && r.Cmp(minInt64) >= 0 && r.Cmp(maxInt64) <= 0
}

func onlyBools(values []model.EnumValue) bool {
	for _, v := range values {
		if v.Literal != "true" && v.Literal != "false" {
			return false
		}
	}
	return true
}

// constEnum declares an enum of one value, for a constant that needs a field.
func (b *Builder) constEnum(c *model.Const, n *jsonschema.Node, p place) model.Type {
	t := n.Target()
	if t != n {
		p = b.target(p, t)
	}
	if d := b.decls[p.key]; d != nil && !d.Alias {
		return &model.Ref{Decl: d}
	}
	key := p
	if d := b.decls[p.key]; d != nil { // an alias of the constant
		key = p.under(t, "#value", "Value")
		key.exact = false
	}
	d, _ := b.declare(key, t)
	v := model.EnumValue{Literal: c.Literal, Text: c.Literal}
	if f := b.flatten(p, t); f != nil && f.Const != nil {
		v = enumValue(f.Const)
	}
	values := []model.EnumValue{v}
	d.Type = &model.Enum{Base: enumBase(values), Values: values}
	return &model.Ref{Decl: d}
}
