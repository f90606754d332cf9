package golang

// ReadJSON: filling a value from a reader.

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// readStruct prints
//
//	func (x *T) ReadJSON(r *jsonwire.Reader) {
//		*x = T{}
//		var seen uint64
//		for r.BeginObject(); r.NextMember(); {
//			switch string(r.Key()) {
//			case "name":
//				…
//				seen |= 1 << 0
//			default:
//				r.Extra(&x.Extra)
//			}
//		}
//		if seen != 1 {
//			r.Missing(seen, "name")
//		}
//	}
func (p *printer) readStruct(d *model.Decl, s *model.Struct) jen.Code {
	required := requiredFields(s)
	bits := map[*model.Field]int{}
	for i, f := range required {
		bits[f] = i
	}
	var cases []jen.Code
	for _, f := range s.Fields {
		body := p.readField(f, d.In)
		if i, ok := bits[f]; ok {
			body = append(body, seenVar(i/64).Op("|=").Lit(1).Op("<<").Lit(i%64))
		}
		cases = append(cases, jen.Case(text(f.Raw)).Block(body...))
	}
	cases = append(cases, jen.Default().Block(p.readExtra(s.Extra, d.In)...))
	body := []jen.Code{jen.Op("*").Id("x").Op("=").Id(p.table.Type(d)).Values()}
	for _, f := range s.Fields {
		if f.Default != "" {
			body = append(body, jen.Id("x").Dot(p.table.Field(f)).Op("=").Op(f.Default))
		}
	}
	for i := 0; i < len(required); i += 64 {
		body = append(body, jen.Var().Add(seenVar(i/64)).Uint64())
	}
	loop := []jen.Code{jen.Switch(jen.String().Call(jen.Id("r").Dot("Key").Call())).Block(cases...)}
	if len(s.Fields) == 0 {
		loop = p.readExtra(s.Extra, d.In)
	}
	body = append(body, jen.For(jen.Id("r").Dot("BeginObject").Call(), jen.Id("r").Dot("NextMember").Call(), jen.Empty()).Block(loop...))
	for i := 0; i < len(required); i += 64 {
		body = append(body, missing(required[i:min(i+64, len(required))], i/64))
	}
	return p.readMethod(d, body)
}

func (p *printer) readMethod(d *model.Decl, body []jen.Code) jen.Code {
	return jen.Func().Params(jen.Id("x").Op("*").Id(p.table.Type(d))).Id("ReadJSON").
		Params(jen.Id("r").Op("*").Qual(wirePath, "Reader")).Block(body...)
}

func requiredFields(s *model.Struct) []*model.Field {
	var out []*model.Field
	for _, f := range s.Fields {
		if f.Required && !f.Tolerated {
			out = append(out, f)
		}
	}
	return out
}

func seenVar(i int) *jen.Statement { return jen.Id("seen" + suffix(i)) }

// missing prints if seen != 3 { r.Missing(seen, "a", "b") }.
func missing(fields []*model.Field, i int) jen.Code {
	args := []jen.Code{seenVar(i)}
	for _, f := range fields {
		args = append(args, text(f.Raw))
	}
	all := uint64(1)<<len(fields) - 1
	return jen.If(seenVar(i).Op("!=").Add(hex(all))).Block(jen.Id("r").Dot("Missing").Call(args...))
}

func (p *printer) readField(f *model.Field, in bool) []jen.Code {
	if c, ok := f.Type.(*model.Const); ok {
		return []jen.Code{jen.Id("r").Dot("Const").Call(text(c.Literal))}
	}
	x := func() *jen.Statement { return jen.Id("x").Dot(p.table.Field(f)) }
	isNull := jen.Id("r").Dot("Null").Call()
	switch presenceOf(f) {
	case plain:
		body := p.read(f.Type, x, in, 0)
		if f.EmptyAbsent {
			body = append(body, jen.If(x().Op("==").Lit("")).Block(
				jen.Id("r").Dot("Fail").Call(jen.Lit("enum"), jen.Lit("the empty string is not one of the allowed values"))))
		}
		return body
	case boxed:
		return p.readPointer(f.Type, x, in)
	case three:
		if scalar := scalarName(f.Type); scalar != "" && !f.Boxed {
			return []jen.Code{jen.Id("r").Dot("Nullable" + scalar).Call(jen.Op("&").Add(x()))}
		}
		if p.pointerMethods(f.Type) && !f.Boxed {
			return []jen.Code{jen.Qual(wirePath, "ReadNullable").Call(jen.Id("r"), jen.Op("&").Add(x()))}
		}
		// if r.Null() { x.F.SetNull() } else { … }
		return []jen.Code{jen.If(isNull).Block(x().Dot("SetNull").Call()).Else().Block(p.readThree(f, x, in)...)}
	}
	var body []jen.Code
	if presenceOf(f) == pointer {
		body = p.readPointer(f.Type, x, in)
	} else {
		body = p.read(f.Type, x, in, 0)
	}
	switch _, untyped := resolve(f.Type).(*model.Untyped); {
	case untyped:
	case f.Nullable:
		return []jen.Code{jen.If(isNull).Block(x().Op("=").Nil()).Else().Block(body...)}
	case f.NullTolerated && !f.Required:
		return []jen.Code{jen.If(jen.Op("!").Add(isNull)).Block(body...)}
	}
	return body
}

// readThree prints x.F.Set(…).
func (p *printer) readThree(f *model.Field, x expr, in bool) []jen.Code {
	t := f.Type
	if f.Boxed {
		return []jen.Code{
			jen.Id("v").Op(":=").New(p.goType(t, in)), jen.Id("v").Dot("ReadJSON").Call(jen.Id("r")), x().Dot("Set").Call(jen.Id("v")),
		}
	}
	if e := p.readExpr(t, in); e != nil {
		return []jen.Code{x().Dot("Set").Call(e)}
	}
	v := func() *jen.Statement { return jen.Id("v") }
	body := []jen.Code{jen.Var().Id("v").Add(p.goType(t, in))}
	body = append(body, p.read(t, v, in, 0)...)
	return append(body, x().Dot("Set").Call(jen.Id("v")))
}

// readPointer prints x = new(…), read in place where the type has a method.
func (p *printer) readPointer(t model.Type, x expr, in bool) []jen.Code {
	if e := p.readExpr(t, in); e != nil {
		return []jen.Code{x().Op("=").New(e)}
	}
	out := []jen.Code{x().Op("=").New(p.goType(t, in))}
	if p.hasMethods(t) {
		return append(out, x().Dot("ReadJSON").Call(jen.Id("r")))
	}
	return append(out, p.read(t, func() *jen.Statement { return jen.Parens(jen.Op("*").Add(x())) }, in, 0)...)
}

// readExpr is the expression that reads a value of t, or nil where that takes
// statements.
func (p *printer) readExpr(t model.Type, in bool) *jen.Statement {
	r := func(method string) *jen.Statement { return jen.Id("r").Dot(method).Call() }
	switch t := resolve(t).(type) {
	case *model.Bool:
		return r("Bool")
	case *model.String:
		return r("String")
	case *model.Int:
		return r(intMethod(t))
	case *model.Float:
		return r("Float64")
	case *model.Untyped:
		if in {
			return r("Any")
		}
		return r("Raw")
	case *model.Ref:
		switch e := t.Decl.Type.(type) {
		case *model.Enum:
			typ := jen.Id(p.table.Type(t.Decl))
			switch e.Base {
			case model.StringEnum:
				return typ.Call(r("String"))
			case model.IntEnum:
				return typ.Call(r("Int64"))
			}
			return typ.Call(r("Raw"))
		case *model.Union:
			return jen.Id("Read" + p.table.Type(t.Decl)).Call(jen.Id("r"))
		}
		if t.Decl.Bare {
			return p.readExpr(t.Decl.Type, in)
		}
	}
	return nil
}

// read prints the statements that set x to the next value.
func (p *printer) read(t model.Type, x expr, in bool, depth int) []jen.Code {
	if e := p.readExpr(t, in); e != nil {
		return []jen.Code{x().Op("=").Add(e)}
	}
	switch t := resolve(t).(type) {
	case *model.Slice:
		return p.readSlice(t, x, in, depth)
	case *model.Map:
		return p.readMap(t, x, in, depth)
	case *model.Nullable:
		return p.readNullable(t, x, in, depth)
	case *model.Ref:
		if t.Decl.Bare {
			return p.read(t.Decl.Type, x, in, depth)
		}
		return []jen.Code{x().Dot("ReadJSON").Call(jen.Id("r"))}
	case *model.External:
		return []jen.Code{x().Dot("ReadJSON").Call(jen.Id("r"))}
	}
	panic("read: no such type")
}

// readSlice prints
//
//	x = []T{}
//	for r.BeginArray(); r.NextElement(); {
//		x = append(x, …)
//	}
func (p *printer) readSlice(t *model.Slice, x expr, in bool, depth int) []jen.Code {
	typ := p.goType(t, in)
	loop := p.readElement(t.Elem, x, in, depth)
	return []jen.Code{
		x().Op("=").Add(typ).Values(),
		jen.For(jen.Id("r").Dot("BeginArray").Call(), jen.Id("r").Dot("NextElement").Call(), jen.Empty()).Block(loop...),
	}
}

func (p *printer) readElement(elem model.Type, x expr, in bool, depth int) []jen.Code {
	grown := jen.Qual(wirePath, "Grow").Call(jen.Id("r"), x())
	if e := p.readExpr(elem, in); e != nil {
		return []jen.Code{x().Op("=").Append(grown, e)}
	}
	if p.pointerMethods(elem) {
		// read in place: x = append(…, T{}); x[len(x)-1].ReadJSON(r)
		return []jen.Code{
			x().Op("=").Append(grown, p.goType(elem, in).Values()),
			x().Index(jen.Len(x()).Op("-").Lit(1)).Dot("ReadJSON").Call(jen.Id("r")),
		}
	}
	e := func() *jen.Statement { return jen.Id("e" + suffix(depth)) }
	body := []jen.Code{jen.Var().Add(e()).Add(p.goType(elem, in))}
	body = append(body, p.read(elem, e, in, depth+1)...)
	return append(body, x().Op("=").Append(grown, e()))
}

// readMap prints
//
//	x = map[string]T{}
//	for r.BeginObject(); r.NextMember(); {
//		key := r.KeyString()
//		x[key] = …
//	}
func (p *printer) readMap(t *model.Map, x expr, in bool, depth int) []jen.Code {
	return []jen.Code{
		x().Op("=").Add(p.goType(t, in)).Values(),
		jen.For(jen.Id("r").Dot("BeginObject").Call(), jen.Id("r").Dot("NextMember").Call(), jen.Empty()).
			Block(p.readMember(t.Value, x, in, depth)...),
	}
}

func (p *printer) readMember(value model.Type, x expr, in bool, depth int) []jen.Code {
	key := "key" + suffix(depth)
	body := []jen.Code{jen.Id(key).Op(":=").Id("r").Dot("KeyString").Call()}
	if e := p.readExpr(value, in); e != nil {
		return append(body, x().Index(jen.Id(key)).Op("=").Add(e))
	}
	e := func() *jen.Statement { return jen.Id("e" + suffix(depth)) }
	body = append(body, jen.Var().Add(e()).Add(p.goType(value, in)))
	body = append(body, p.read(value, e, in, depth+1)...)
	return append(body, x().Index(jen.Id(key)).Op("=").Add(e()))
}

func (p *printer) readNullable(t *model.Nullable, x expr, in bool, depth int) []jen.Code {
	var body []jen.Code
	if nilable(t.Elem) {
		body = p.read(t.Elem, x, in, depth)
	} else {
		body = p.readPointer(t.Elem, x, in)
	}
	return []jen.Code{jen.If(jen.Op("!").Id("r").Dot("Null").Call()).Block(body...)}
}

// readExtra prints what happens to a member that has no field.
func (p *printer) readExtra(extra model.Type, in bool) []jen.Code {
	x := func() *jen.Statement { return jen.Id("x").Dot("Extra") }
	switch extra.(type) {
	case nil:
		return []jen.Code{jen.Id("r").Dot("Unknown").Call()}
	case *model.Untyped:
		return []jen.Code{jen.Id("r").Dot("Extra").Call(jen.Op("&").Add(x()))}
	}
	out := []jen.Code{jen.If(x().Op("==").Nil()).Block(x().Op("=").Map(jen.String()).Add(p.goType(extra, in)).Values())}
	return append(out, p.readMember(extra, x, in, 0)...)
}

// readTuple prints a switch over the position.
func (p *printer) readTuple(d *model.Decl, t *model.Tuple) jen.Code {
	var cases []jen.Code
	for i, item := range t.Items {
		x := func() *jen.Statement { return jen.Id("x").Dot(itemField(i)) }
		var body []jen.Code
		if n := threeItem(t, i); n != nil {
			body = []jen.Code{jen.If(jen.Id("r").Dot("Null").Call()).Block(x().Dot("SetNull").Call()).Else().
				Block(p.readThree(&model.Field{Type: n.Elem}, x, d.In)...)}
		} else if _, null := item.(*model.Nullable); i >= t.Min && !nilable(item) && !null {
			body = p.readPointer(item, x, d.In)
		} else {
			body = p.read(item, x, d.In, 0)
		}
		cases = append(cases, jen.Case(jen.Lit(i)).Block(body...))
	}
	rest := []jen.Code{jen.Id("r").Dot("Fail").Call(jen.Lit("items"), jen.Lit("the array has too many items"))}
	if t.Rest != nil {
		rest = p.readElement(t.Rest, func() *jen.Statement { return jen.Id("x").Dot("Rest") }, d.In, 0)
	}
	cases = append(cases, jen.Default().Block(rest...))
	body := []jen.Code{
		jen.Op("*").Id("x").Op("=").Id(p.table.Type(d)).Values(),
		jen.Id("n").Op(":=").Lit(0),
		jen.For(jen.Id("r").Dot("BeginArray").Call(), jen.Id("r").Dot("NextElement").Call(), jen.Id("n").Op("++")).Block(
			jen.Switch(jen.Id("n")).Block(cases...)),
	}
	if t.Min > 0 {
		body = append(body, jen.If(jen.Id("n").Op("<").Lit(t.Min)).Block(
			jen.Id("r").Dot("Fail").Call(jen.Lit("minItems"), jen.Lit("the array has too few items"))))
	}
	return p.readMethod(d, body)
}
