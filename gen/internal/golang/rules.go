package golang

// The checks of scalars: enums and the bounds of numbers, as exact as the schema.

import (
	"math/big"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func (p *printer) enumChecks(d *model.Decl, e *model.Enum) []jen.Code {
	if e.Open {
		return nil
	}
	if e.Base == model.MixedEnum {
		args := []jen.Code{jen.Qual(jsonPath, "RawMessage").Call(jen.Id("x"))}
		for _, v := range e.Values {
			args = append(args, text(v.Literal))
		}
		return []jen.Code{jen.Id("v").Dot("EnumJSON").Call(args...)}
	}
	var names []jen.Code
	for i := range e.Values {
		names = append(names, jen.Id(p.table.Const(d, i)))
	}
	shown := jen.String().Call(jen.Id("x"))
	if e.Base == model.IntEnum {
		shown = jen.Qual("strconv", "FormatInt").Call(jen.Int64().Call(jen.Id("x")), jen.Lit(10))
	}
	return []jen.Code{jen.Switch(jen.Id("x")).Block(
		jen.Case(names...),
		jen.Default().Block(jen.Id("v").Dot("Enum").Call(shown)),
	)}
}

func (p *printer) intChecks(t *model.Int, x expr) []jen.Code {
	r := t.Rules
	if t.Size == model.BigInt {
		out := []jen.Code{jen.Id("v").Dot("IntegerNumber").Call(x())}
		return append(out, textChecks(r, x)...)
	}
	low, high := intBound(r.Minimum, r.ExclusiveMinimum, true), intBound(r.Maximum, r.ExclusiveMaximum, false)
	var out []jen.Code
	kind, lowest, highest := "Int", minInt, maxInt
	if t.Size == model.Uint64 {
		kind, lowest, highest = "Uint", new(big.Int), maxUint
	}
	if low != nil && low.Cmp(lowest) > 0 {
		out = append(out, jen.Id("v").Dot("Min"+kind).Call(x(), jen.Op(low.String())))
	}
	if high != nil && high.Cmp(highest) < 0 {
		out = append(out, jen.Id("v").Dot("Max"+kind).Call(x(), jen.Op(high.String())))
	}
	for _, of := range r.MultipleOf {
		if n, err := strconv.ParseInt(of, 10, 64); err == nil && t.Size == model.Int64 {
			out = append(out, jen.Id("v").Dot("MultipleOfInt").Call(x(), jen.Op(strconv.FormatInt(n, 10))))
			continue
		}
		format, arg := "FormatInt", jen.Int64().Call(x())
		if t.Size == model.Uint64 {
			format, arg = "FormatUint", jen.Uint64().Call(x())
		}
		out = append(out, jen.Id("v").Dot("MultipleOf").Call(jen.Qual("strconv", format).Call(arg, jen.Lit(10)), text(of)))
	}
	return out
}

var (
	minInt, _  = new(big.Int).SetString("-9223372036854775808", 10)
	maxInt, _  = new(big.Int).SetString("9223372036854775807", 10)
	maxUint, _ = new(big.Int).SetString("18446744073709551615", 10)
)

// intBound is the inclusive integer bound that an inclusive and an exclusive
// decimal bound make together; nil for none.
func intBound(inclusive, exclusive string, low bool) *big.Int {
	var best *big.Int
	for i, s := range []string{inclusive, exclusive} {
		rat, ok := new(big.Rat).SetString(s)
		if s == "" || len(s) > 400 || !ok {
			continue
		}
		n := new(big.Int).Div(rat.Num(), rat.Denom()) // floor
		switch {
		case low && (!rat.IsInt() || i == 1):
			n.Add(n, big.NewInt(1))
		case !low && i == 1 && rat.IsInt():
			n.Sub(n, big.NewInt(1))
		}
		if best == nil || low && n.Cmp(best) > 0 || !low && n.Cmp(best) < 0 {
			best = n
		}
	}
	return best
}

func (p *printer) floatChecks(r model.NumberRules, x expr) []jen.Code {
	var out []jen.Code
	for _, c := range []struct{ method, bound string }{
		{"MinFloat", r.Minimum}, {"MaxFloat", r.Maximum},
		{"ExclusiveMinFloat", r.ExclusiveMinimum}, {"ExclusiveMaxFloat", r.ExclusiveMaximum},
	} {
		if f, err := strconv.ParseFloat(c.bound, 64); c.bound != "" && err == nil {
			out = append(out, jen.Id("v").Dot(c.method).Call(x(), jen.Op(strconv.FormatFloat(f, 'g', -1, 64))))
		}
	}
	for _, of := range r.MultipleOf {
		out = append(out, jen.Id("v").Dot("MultipleOfFloat").Call(x(), text(of)))
	}
	return out
}

func textChecks(r model.NumberRules, x expr) []jen.Code {
	var out []jen.Code
	for _, c := range []struct{ method, bound string }{
		{"MinNumber", r.Minimum}, {"MaxNumber", r.Maximum},
		{"ExclusiveMinNumber", r.ExclusiveMinimum}, {"ExclusiveMaxNumber", r.ExclusiveMaximum},
	} {
		if c.bound != "" {
			out = append(out, jen.Id("v").Dot(c.method).Call(x(), text(c.bound)))
		}
	}
	for _, of := range r.MultipleOf {
		out = append(out, jen.Id("v").Dot("MultipleOf").Call(jen.String().Call(x()), text(of)))
	}
	return out
}

// hex prints a bit mask.
func hex(n uint64) *jen.Statement {
	if n < 10 {
		return jen.Op(strconv.FormatUint(n, 10))
	}
	return jen.Op("0x" + strconv.FormatUint(n, 16))
}
