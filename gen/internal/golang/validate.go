package golang

// ValidateJSON: what the schema says beyond the Go type.

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// fullCheck tells whether the declaration is judged by the whole schema.
func (p *printer) fullCheck(d *model.Decl) bool {
	return len(d.Dynamic) > 0 && d.Schema != nil && !p.protocol
}

// schemaVar is the variable of a compiled schema.
func (p *printer) schemaVar(s *model.Schema) string {
	name, ok := p.schemas[s]
	if !ok {
		p.mustPrepare()
		name = p.table.Var("Schema", s.Key, false)
		p.schemas[s] = name
	}
	return name
}

// validateMethod prints ValidateJSON.
func (p *printer) validateMethod(d *model.Decl) jen.Code {
	name := p.table.Type(d)
	recv := jen.Id("x").Id(name)
	byPointer := false
	switch d.Type.(type) {
	case *model.Struct, *model.Tuple:
		recv, byPointer = jen.Id("x").Op("*").Id(name), true
	}
	body := p.declChecks(d, byPointer)
	if len(body) == 0 {
		recv = jen.Id(name)
		if byPointer {
			recv = jen.Op("*").Id(name)
		}
		return jen.Func().Params(recv).Id("ValidateJSON").Params(jen.Op("*").Qual(wirePath, "Validator")).Block()
	}
	return jen.Func().Params(recv).Id("ValidateJSON").Params(jen.Id("v").Op("*").Qual(wirePath, "Validator")).Block(body...)
}

func (p *printer) declChecks(d *model.Decl, byPointer bool) []jen.Code {
	if p.fullCheck(d) {
		return []jen.Code{jen.Id(p.schemaVar(d.Schema)).Dot("Check").Call(jen.Id("v"), text(d.Pointer), jen.Id("x"))}
	}
	switch t := d.Type.(type) {
	case *model.Struct:
		return p.structChecks(d, t)
	case *model.Tuple:
		return p.tupleChecks(d, t)
	case *model.Enum:
		return p.enumChecks(d, t)
	}
	x := func() *jen.Statement { return jen.Id("x") }
	switch resolve(d.Type).(type) {
	case *model.Slice, *model.Map:
		return p.check(d.Type, x, d.In, 0)
	}
	return p.check(d.Type, p.underlying(d, false), d.In, 0)
}

func (p *printer) bareCheck(d *model.Decl) jen.Code {
	name := p.table.Type(d)
	x := func() *jen.Statement { return jen.Parens(jen.Op("*").Id("x")) }
	var body []jen.Code
	if p.fullCheck(d) {
		body = []jen.Code{jen.Id(p.schemaVar(d.Schema)).Dot("Check").Call(jen.Id("v"), text(d.Pointer),
			jen.Qual(wirePath, "AppendFunc").Call(jen.Func().Params(jen.Id("w").Op("*").Qual(wirePath, "Writer")).Block(
				jen.Id("write"+name).Call(jen.Id("x"), jen.Id("w")))))}
	} else {
		body = p.check(d.Type, x, d.In, 0)
	}
	params := []jen.Code{jen.Id("x").Op("*").Add(p.goType(d.Type, d.In)), jen.Id("v").Op("*").Qual(wirePath, "Validator")}
	return jen.Func().Id("check" + name).Params(params...).Block(body...)
}

func (p *printer) structChecks(d *model.Decl, s *model.Struct) []jen.Code {
	var out []jen.Code
	for _, f := range s.Fields {
		if _, ok := f.Type.(*model.Const); ok {
			continue
		}
		out = append(out, p.fieldChecks(f, d.In)...)
	}
	if s.Extra != nil {
		x := func() *jen.Statement { return jen.Id("x").Dot("Extra") }
		if _, ok := s.Extra.(*model.Untyped); !ok {
			out = append(out, p.memberChecks(s.Extra, x, d.In, 0, nil)...)
		}
	}
	return out
}

// fieldChecks prints
//
//	v.Enter("name")
//	…
//	v.Leave()
//
// around the checks of a field, and nothing where there are none.
func (p *printer) fieldChecks(f *model.Field, in bool) []jen.Code {
	x := func() *jen.Statement { return jen.Id("x").Dot(p.table.Field(f)) }
	value := x
	mode := presenceOf(f)
	switch mode {
	case pointer, boxed:
		if !p.hasMethods(f.Type) {
			value = func() *jen.Statement { return jen.Op("*").Add(x()) }
		}
		if _, enum := p.enumOf(f.Type); enum {
			value = x
		}
	case three:
		value = func() *jen.Statement { return jen.Id("e") }
	}
	checks := p.check(f.Type, value, in, 0)
	if len(checks) == 0 {
		return nil
	}
	switch {
	case mode == three:
		checks = []jen.Code{jen.If(jen.List(jen.Id("e"), jen.Id("ok")).Op(":=").Add(x()).Dot("Get").Call(), jen.Id("ok")).Block(within(f.Raw, checks)...)}
		return checks
	case f.EmptyAbsent:
		return []jen.Code{jen.If(x().Op("!=").Lit("")).Block(within(f.Raw, checks)...)}
	case mode == plain && f.Nullable, mode == pointer, mode == boxed, mode == nilValue:
		return []jen.Code{jen.If(x().Op("!=").Nil()).Block(within(f.Raw, checks)...)}
	}
	return within(f.Raw, checks)
}

func within(raw string, checks []jen.Code) []jen.Code {
	out := append([]jen.Code{jen.Id("v").Dot("Enter").Call(text(raw))}, checks...)
	return append(out, jen.Id("v").Dot("Leave").Call())
}

func (p *printer) enumOf(t model.Type) (*model.Enum, bool) {
	ref, ok := resolve(t).(*model.Ref)
	if !ok {
		return nil, false
	}
	e, ok := ref.Decl.Type.(*model.Enum)
	return e, ok
}

// checks tells whether values of a declaration need any check, through all
// that they contain.
func (p *printer) checks(d *model.Decl) bool {
	if known, ok := p.checked[d]; ok {
		return known
	}
	p.mustPrepare()
	p.checked[d] = true // while it is being found out: recursion must not lose a check
	if p.fullCheck(d) {
		return true
	}
	need := false
	if _, union := d.Type.(*model.Union); union {
		need = true
	} else {
		need = len(p.declChecks(d, false)) > 0
	}
	p.checked[d] = need
	return need
}

// check prints the checks of a value of type t.
func (p *printer) check(t model.Type, x expr, in bool, depth int) []jen.Code {
	switch t := resolve(t).(type) {
	case *model.String:
		return p.stringChecks(t.Rules, x)
	case *model.Int:
		return p.intChecks(t, x)
	case *model.Float:
		return p.floatChecks(t.Rules, x)
	case *model.Slice:
		return p.sliceChecks(t, x, in, depth)
	case *model.Map:
		return p.mapChecks(t, x, in, depth)
	case *model.Nullable:
		value := x
		if _, enum := p.enumOf(t.Elem); !nilable(t.Elem) && !p.hasMethods(t.Elem) && !enum {
			value = func() *jen.Statement { return jen.Op("*").Add(x()) }
		}
		if inner := p.check(t.Elem, value, in, depth); len(inner) > 0 {
			return []jen.Code{jen.If(x().Op("!=").Nil()).Block(inner...)}
		}
	case *model.Ref:
		return p.refChecks(t, x, in, depth)
	}
	return nil
}

func (p *printer) refChecks(t *model.Ref, x expr, in bool, depth int) []jen.Code {
	d := t.Decl
	if d.Bare {
		return p.check(d.Type, x, in, depth)
	}
	if _, ok := d.Type.(*model.Union); ok {
		if p.fullCheck(d) {
			return []jen.Code{jen.Id("check"+p.table.Type(d)).Call(jen.Id("v"), x())}
		}
		return []jen.Code{jen.Id("v").Dot("Value").Call(x())}
	}
	if !p.checks(d) {
		return nil
	}
	return []jen.Code{x().Dot("ValidateJSON").Call(jen.Id("v"))}
}

func (p *printer) stringChecks(r model.StringRules, x expr) []jen.Code {
	var out []jen.Code
	v := func(method string, args ...jen.Code) {
		out = append(out, jen.Id("v").Dot(method).Call(append([]jen.Code{x()}, args...)...))
	}
	if r.MinLength != nil && *r.MinLength > 0 {
		v("MinLength", jen.Lit(*r.MinLength))
	}
	if r.MaxLength != nil {
		v("MaxLength", jen.Lit(*r.MaxLength))
	}
	for _, pattern := range r.Patterns {
		v("Pattern", p.pattern(pattern))
	}
	if r.Format != "" {
		v("Format", text(r.Format))
	}
	return out
}

// sliceChecks prints the bounds and a loop over the elements.
func (p *printer) sliceChecks(t *model.Slice, x expr, in bool, depth int) []jen.Code {
	var out []jen.Code
	if t.Rules.MinItems != nil && *t.Rules.MinItems > 0 {
		out = append(out, jen.Id("v").Dot("MinItems").Call(jen.Len(x()), jen.Lit(*t.Rules.MinItems)))
	}
	if t.Rules.MaxItems != nil {
		out = append(out, jen.Id("v").Dot("MaxItems").Call(jen.Len(x()), jen.Lit(*t.Rules.MaxItems)))
	}
	if t.Rules.Unique {
		unique := "UniqueJSON"
		switch e := resolve(t.Elem).(type) {
		case *model.Bool, *model.String, *model.Float:
			unique = "Unique"
		case *model.Int:
			if e.Size != model.BigInt {
				unique = "Unique"
			}
		}
		out = append(out, jen.Qual(wirePath, unique).Call(jen.Id("v"), x()))
	}
	i := loopVar(depth)
	item := func() *jen.Statement { return x().Index(jen.Id(i)) }
	if inner := p.check(t.Elem, item, in, depth+1); len(inner) > 0 {
		body := append([]jen.Code{jen.Id("v").Dot("Index").Call(jen.Id(i))}, inner...)
		body = append(body, jen.Id("v").Dot("Leave").Call())
		out = append(out, jen.For(jen.Id(i).Op(":=").Range().Add(x())).Block(body...))
	}
	return out
}

func (p *printer) mapChecks(t *model.Map, x expr, in bool, depth int) []jen.Code {
	var out []jen.Code
	if t.Rules.MinProperties != nil && *t.Rules.MinProperties > 0 {
		out = append(out, jen.Id("v").Dot("MinProperties").Call(jen.Len(x()), jen.Lit(*t.Rules.MinProperties)))
	}
	if t.Rules.MaxProperties != nil {
		out = append(out, jen.Id("v").Dot("MaxProperties").Call(jen.Len(x()), jen.Lit(*t.Rules.MaxProperties)))
	}
	key := jen.Id("key" + suffix(depth))
	keys := p.stringChecks(t.Keys, func() *jen.Statement { return jen.Id("key" + suffix(depth)) })
	if t.Closed && len(t.Patterns) == 1 {
		keys = append(keys, jen.Id("v").Dot("KeyPattern").Call(key, p.pattern(t.Patterns[0])))
	}
	return append(out, p.memberChecks(t.Value, x, in, depth, keys)...)
}

// memberChecks prints a loop over the members of a map, in sorted order.
func (p *printer) memberChecks(value model.Type, x expr, in bool, depth int, keys []jen.Code) []jen.Code {
	key, elem := "key"+suffix(depth), "e"+suffix(depth)
	inner := p.check(value, func() *jen.Statement { return jen.Id(elem) }, in, depth+1)
	if len(inner)+len(keys) == 0 {
		return nil
	}
	body := []jen.Code{jen.Id("v").Dot("Enter").Call(jen.Id(key))}
	body = append(body, keys...)
	if len(inner) > 0 {
		body = append(body, jen.Id(elem).Op(":=").Add(x()).Index(jen.Id(key)))
		body = append(body, inner...)
	}
	body = append(body, jen.Id("v").Dot("Leave").Call())
	return []jen.Code{jen.For(jen.List(jen.Id("_"), jen.Id(key)).Op(":=").Range().Qual(wirePath, "SortedKeys").Call(x())).Block(body...)}
}

func (p *printer) tupleChecks(d *model.Decl, t *model.Tuple) []jen.Code {
	var out []jen.Code
	for i, item := range t.Items {
		x := func() *jen.Statement { return jen.Id("x").Dot(itemField(i)) }
		if n := threeItem(t, i); n != nil {
			e := func() *jen.Statement { return jen.Id("e") }
			if inner := p.check(n.Elem, e, d.In, 0); len(inner) > 0 {
				body := append([]jen.Code{jen.Id("v").Dot("Index").Call(jen.Lit(i))}, inner...)
				out = append(out, jen.If(jen.List(jen.Id("e"), jen.Id("ok")).Op(":=").Add(x()).Dot("Get").Call(), jen.Id("ok")).
					Block(append(body, jen.Id("v").Dot("Leave").Call())...))
			}
			continue
		}
		elem := item
		if _, null := item.(*model.Nullable); i >= t.Min && !null {
			elem = &model.Nullable{Elem: item}
		}
		if inner := p.check(elem, x, d.In, 0); len(inner) > 0 {
			out = append(out, jen.Id("v").Dot("Index").Call(jen.Lit(i)))
			out = append(out, inner...)
			out = append(out, jen.Id("v").Dot("Leave").Call())
		}
	}
	if t.Rest != nil {
		x := func() *jen.Statement { return jen.Id("x").Dot("Rest") }
		out = append(out, p.check(&model.Slice{Elem: t.Rest}, x, d.In, 0)...)
		if n := t.Rules.MaxItems; n != nil {
			out = append(out, jen.Id("v").Dot("MaxItems").Call(jen.Len(x()).Op("+").Lit(len(t.Items)), jen.Lit(*n)))
		}
		if n := t.Rules.MinItems; n != nil && *n > len(t.Items) {
			out = append(out, jen.Id("v").Dot("MinItems").Call(jen.Len(x()).Op("+").Lit(len(t.Items)), jen.Lit(*n)))
		}
	}
	return out
}
