package golang

// WriteJSON: appending a value to the output.

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// member is the literal that starts a member: `"name":`.
func member(raw string) string {
	return jsonString(raw) + ":"
}

// writeStruct prints
//
//	func (x *T) WriteJSON(w *jsonwire.Writer) {
//		if x == nil { … }
//		w.BeginObject()
//		…
//		w.EndObject()
//	}
func (p *printer) writeStruct(d *model.Decl, s *model.Struct) jen.Code {
	body := []jen.Code{nilReceiver(), jen.Id("w").Dot("BeginObject").Call()}
	var declared []string
	for _, f := range s.Fields {
		body = append(body, p.writeField(f, d.In)...)
		declared = append(declared, f.Raw)
	}
	if s.Extra != nil {
		body = append(body, p.writeExtra(s.Extra, d.In, declared)...)
	}
	body = append(body, jen.Id("w").Dot("EndObject").Call())
	return p.writeMethod(d, true, body)
}

// nilReceiver prints if x == nil { w.Null(); return }.
func nilReceiver() jen.Code {
	return jen.If(jen.Id("x").Op("==").Nil()).Block(jen.Id("w").Dot("Null").Call(), jen.Return())
}

func (p *printer) writeMethod(d *model.Decl, byPointer bool, body []jen.Code) jen.Code {
	name := p.table.Type(d)
	recv := jen.Id("x").Id(name)
	if byPointer {
		recv = jen.Id("x").Op("*").Id(name)
	}
	return jen.Func().Params(recv).Id("WriteJSON").Params(jen.Id("w").Op("*").Qual(wirePath, "Writer")).Block(body...)
}

func (p *printer) writeField(f *model.Field, in bool) []jen.Code {
	if c, ok := f.Type.(*model.Const); ok {
		return []jen.Code{jen.Id("w").Dot("Member").Call(text(member(f.Raw) + c.Literal))}
	}
	if short := p.shortMember(f); short != nil {
		return []jen.Code{short}
	}
	x := func() *jen.Statement { return jen.Id("x").Dot(p.table.Field(f)) }
	name := jen.Id("w").Dot("Member").Call(text(member(f.Raw)))
	null := jen.Id("w").Dot("Null").Call()
	switch presenceOf(f) {
	case plain, boxed:
		if f.EmptyAbsent {
			return []jen.Code{jen.If(x().Op("!=").Lit("")).Block(append([]jen.Code{name}, p.write(f.Type, x, in, false, 0)...)...)}
		}
		return append([]jen.Code{name}, p.write(f.Type, x, in, presenceOf(f) == boxed, 0)...)
	case three:
		// if v, ok := x.F.Get(); ok { … } else if x.F.IsNull() { … }
		v := func() *jen.Statement { return jen.Id("v") }
		return []jen.Code{jen.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Add(x()).Dot("Get").Call(), jen.Id("ok")).Block(
			append([]jen.Code{name}, p.write(f.Type, v, in, false, 0)...)...,
		).Else().If(x().Dot("IsNull").Call()).Block(name, null)}
	}
	value := x
	byPointer := presenceOf(f) == pointer
	if byPointer && !p.hasMethods(f.Type) {
		value = func() *jen.Statement { return jen.Op("*").Add(x()) }
	}
	write := p.write(f.Type, value, in, byPointer, 0)
	if f.Required {
		return []jen.Code{name, jen.If(x().Op("==").Nil()).Block(null).Else().Block(write...)}
	}
	return []jen.Code{jen.If(x().Op("!=").Nil()).Block(append([]jen.Code{name}, write...)...)}
}

// scalarName is the part of a method name that stands for a type; "" for none.
func scalarName(t model.Type) string {
	switch t := resolve(t).(type) {
	case *model.Bool:
		return "Bool"
	case *model.String:
		return "String"
	case *model.Float:
		return "Float64"
	case *model.Int:
		if t.Size == model.Int64 {
			return "Int64"
		}
	}
	return ""
}

// shortMember prints a whole member in one call, for the shapes that the
// runtime has a method for: w.OptionalString(`"name":`, x.Name).
func (p *printer) shortMember(f *model.Field) jen.Code {
	if f.EmptyAbsent || f.Boxed {
		return nil
	}
	x := jen.Id("x").Dot(p.table.Field(f))
	name := text(member(f.Raw))
	scalar := scalarName(f.Type)
	mode := presenceOf(f)
	switch {
	case scalar != "" && mode == plain:
		return jen.Id("w").Dot(scalar+"Member").Call(name, x)
	case scalar != "" && mode == pointer && !f.Required:
		return jen.Id("w").Dot("Optional"+scalar).Call(name, x)
	case scalar != "" && mode == three:
		return jen.Id("w").Dot("Nullable"+scalar).Call(name, jen.Op("&").Add(x))
	case p.pointerMethods(f.Type) && mode == pointer && !f.Required:
		return jen.Id("w").Dot("OptionalMember").Call(name, x.Clone().Op("!=").Nil(), x)
	case p.pointerMethods(f.Type) && mode == three:
		return jen.Qual(wirePath, "NullableMember").Call(jen.Id("w"), name, jen.Op("&").Add(x))
	}
	return nil
}

// pointerMethods tells whether a pointer to t reads and writes itself.
func (p *printer) pointerMethods(t model.Type) bool {
	ref, ok := resolve(t).(*model.Ref)
	if !ok {
		return false
	}
	switch ref.Decl.Type.(type) {
	case *model.Struct, *model.Tuple:
		return true
	}
	return false
}

// hasMethods tells whether values of t are written by a method of their own.
func (p *printer) hasMethods(t model.Type) bool {
	switch t := resolve(t).(type) {
	case *model.External:
		return true
	case *model.Ref:
		switch t.Decl.Type.(type) {
		case *model.Enum:
			return false
		}
		return !t.Decl.Bare
	}
	return false
}

// expr makes a fresh copy of an expression each time it is printed.
type expr func() *jen.Statement

var loopVars = []string{"i", "j", "k", "l", "m", "n"}

func loopVar(depth int) string {
	if depth < len(loopVars) {
		return loopVars[depth]
	}
	return "i" + strconv.Itoa(depth)
}

// write prints the statements that append the value x of type t. pointed says
// that x is a pointer to the value (for types with methods it makes no
// difference).
func (p *printer) write(t model.Type, x expr, in, pointed bool, depth int) []jen.Code {
	call := func(method string, arg jen.Code) []jen.Code {
		return []jen.Code{jen.Id("w").Dot(method).Call(arg)}
	}
	switch t := resolve(t).(type) {
	case *model.Bool:
		return call("Bool", x())
	case *model.String:
		return call("String", x())
	case *model.Int:
		return call(intMethod(t), x())
	case *model.Float:
		return call("Float64", x())
	case *model.Untyped:
		if in {
			return call("Any", x())
		}
		return call("Raw", x())
	case *model.Slice:
		return p.writeSlice(t, x, in, depth)
	case *model.Map:
		return p.writeMap(t, x, in, depth)
	case *model.Nullable:
		return p.writeNullable(t, x, in, depth)
	case *model.External:
		return []jen.Code{x().Dot("WriteJSON").Call(jen.Id("w"))}
	case *model.Ref:
		return p.writeRef(t, x, in, depth)
	}
	panic("write: no such type")
}

func intMethod(t *model.Int) string {
	switch t.Size {
	case model.Uint64:
		return "Uint64"
	case model.BigInt:
		return "Number"
	}
	return "Int64"
}

func (p *printer) writeRef(t *model.Ref, x expr, in bool, depth int) []jen.Code {
	switch e := t.Decl.Type.(type) {
	case *model.Enum:
		switch e.Base {
		case model.StringEnum:
			return []jen.Code{jen.Id("w").Dot("String").Call(jen.String().Call(x()))}
		case model.IntEnum:
			return []jen.Code{jen.Id("w").Dot("Int64").Call(jen.Int64().Call(x()))}
		}
		return []jen.Code{jen.Id("w").Dot("Raw").Call(jen.Qual(jsonPath, "RawMessage").Call(x()))}
	case *model.Union:
		return []jen.Code{jen.Id("w").Dot("Value").Call(x())}
	}
	if t.Decl.Bare {
		return p.write(t.Decl.Type, x, in, false, depth)
	}
	return []jen.Code{x().Dot("WriteJSON").Call(jen.Id("w"))}
}

// writeSlice prints
//
//	w.BeginArray()
//	for i := range x {
//		w.Element()
//		…
//	}
//	w.EndArray()
func (p *printer) writeSlice(t *model.Slice, x expr, in bool, depth int) []jen.Code {
	i := loopVar(depth)
	item := func() *jen.Statement { return x().Index(jen.Id(i)) }
	body := append([]jen.Code{jen.Id("w").Dot("Element").Call()}, p.write(t.Elem, item, in, false, depth+1)...)
	return []jen.Code{
		jen.Id("w").Dot("BeginArray").Call(),
		jen.For(jen.Id(i).Op(":=").Range().Add(x())).Block(body...),
		jen.Id("w").Dot("EndArray").Call(),
	}
}

// writeMap prints
//
//	w.BeginObject()
//	for _, k := range jsonwire.SortedKeys(x) {
//		e := x[k]
//		w.Key(k)
//		…
//	}
//	w.EndObject()
func (p *printer) writeMap(t *model.Map, x expr, in bool, depth int) []jen.Code {
	return []jen.Code{
		jen.Id("w").Dot("BeginObject").Call(),
		p.eachMember(t.Value, x, in, depth, nil),
		jen.Id("w").Dot("EndObject").Call(),
	}
}

func (p *printer) eachMember(value model.Type, x expr, in bool, depth int, skip []string) jen.Code {
	key, elem := "key"+suffix(depth), "e"+suffix(depth)
	var body []jen.Code
	if len(skip) > 0 {
		cases := texts(skip)
		body = append(body, jen.Switch(jen.Id(key)).Block(jen.Case(cases...).Block(jen.Continue())))
	}
	body = append(body,
		jen.Id(elem).Op(":=").Add(x()).Index(jen.Id(key)),
		jen.Id("w").Dot("Key").Call(jen.Id(key)))
	body = append(body, p.write(value, func() *jen.Statement { return jen.Id(elem) }, in, false, depth+1)...)
	return jen.For(jen.List(jen.Id("_"), jen.Id(key)).Op(":=").Range().Qual(wirePath, "SortedKeys").Call(x())).Block(body...)
}

func suffix(depth int) string {
	if depth == 0 {
		return ""
	}
	return strconv.Itoa(depth)
}

func (p *printer) writeNullable(t *model.Nullable, x expr, in bool, depth int) []jen.Code {
	value := x
	if !nilable(t.Elem) && !p.hasMethods(t.Elem) {
		value = func() *jen.Statement { return jen.Op("*").Add(x()) }
	}
	return []jen.Code{jen.If(x().Op("==").Nil()).Block(jen.Id("w").Dot("Null").Call()).
		Else().Block(p.write(t.Elem, value, in, true, depth)...)}
}

// writeExtra prints the members that have no field.
func (p *printer) writeExtra(extra model.Type, in bool, declared []string) []jen.Code {
	x := func() *jen.Statement { return jen.Id("x").Dot("Extra") }
	if _, ok := extra.(*model.Untyped); ok {
		return []jen.Code{jen.Id("w").Dot("Extra").Call(append([]jen.Code{x()}, texts(declared)...)...)}
	}
	return []jen.Code{p.eachMember(extra, x, in, 0, declared)}
}

// writeTuple prints the items in order; an item that may be missing ends the
// array.
func (p *printer) writeTuple(d *model.Decl, t *model.Tuple) jen.Code {
	body := []jen.Code{nilReceiver(), jen.Id("w").Dot("BeginArray").Call()}
	for i, item := range t.Items {
		x := func() *jen.Statement { return jen.Id("x").Dot(itemField(i)) }
		if i < t.Min {
			body = append(body, jen.Id("w").Dot("Element").Call())
			body = append(body, p.write(item, x, d.In, false, 0)...)
			continue
		}
		// if x.Item1 != nil { w.Element(); … } else { w.Gap(1, x.Item2 != nil || len(x.Rest) > 0) }
		if n := threeItem(t, i); n != nil {
			// if v, ok := x.Item1.Get(); ok { … } else if x.Item1.IsNull() { … } else if … { w.Gap(1) }
			stmt := jen.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Add(x()).Dot("Get").Call(), jen.Id("ok")).Block(
				append([]jen.Code{jen.Id("w").Dot("Element").Call()}, p.write(n.Elem, func() *jen.Statement { return jen.Id("v") }, d.In, false, 0)...)...,
			).Else().If(x().Dot("IsNull").Call()).Block(jen.Id("w").Dot("Element").Call(), jen.Id("w").Dot("Null").Call())
			if later := p.laterItems(t, i); later != nil {
				stmt.Else().If(later).Block(jen.Id("w").Dot("Gap").Call(jen.Lit(i)))
			}
			body = append(body, stmt)
			continue
		}
		value := x
		if !nilable(item) && !p.hasMethods(item) {
			value = func() *jen.Statement { return jen.Op("*").Add(x()) }
		}
		write := append([]jen.Code{jen.Id("w").Dot("Element").Call()}, p.write(item, value, d.In, true, 0)...)
		stmt := jen.If(x().Op("!=").Nil()).Block(write...)
		if later := p.laterItems(t, i); later != nil {
			stmt.Else().If(later).Block(jen.Id("w").Dot("Gap").Call(jen.Lit(i)))
		}
		body = append(body, stmt)
	}
	if t.Rest != nil {
		rest := p.writeSlice(&model.Slice{Elem: t.Rest}, func() *jen.Statement { return jen.Id("x").Dot("Rest") }, d.In, 0)
		body = append(body, rest[1])
	}
	body = append(body, jen.Id("w").Dot("EndArray").Call())
	return p.writeMethod(d, true, body)
}

func (p *printer) laterItems(t *model.Tuple, i int) *jen.Statement {
	var later *jen.Statement
	or := func(s *jen.Statement) {
		if later == nil {
			later = s
			return
		}
		later = later.Op("||").Add(s)
	}
	for j := i + 1; j < len(t.Items); j++ {
		if threeItem(t, j) != nil {
			or(jen.Op("!").Id("x").Dot(itemField(j)).Dot("IsAbsent").Call())
			continue
		}
		or(jen.Id("x").Dot(itemField(j)).Op("!=").Nil())
	}
	if t.Rest != nil {
		or(jen.Len(jen.Id("x").Dot("Rest")).Op(">").Lit(0))
	}
	return later
}

func itemField(i int) string { return "Item" + strconv.Itoa(i) }

// threeItem is the type of an item that may be missing and may be null; nil for
// other items.
func threeItem(t *model.Tuple, i int) *model.Nullable {
	n, ok := t.Items[i].(*model.Nullable)
	if !ok || i < t.Min {
		return nil
	}
	return n
}

// itemType is the Go type of a tuple's item; one that may be missing has a nil.
func (p *printer) itemType(t *model.Tuple, i int, in bool) *jen.Statement {
	if n := threeItem(t, i); n != nil {
		return jen.Qual(p.nullablePath(), "Nullable").Types(p.goType(n.Elem, in))
	}
	typ := p.goType(t.Items[i], in)
	if i >= t.Min && !nilable(t.Items[i]) {
		return jen.Op("*").Add(typ)
	}
	return typ
}

// jsonString writes s as a JSON string in ASCII, fit for a Go literal.
func jsonString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20:
			b.WriteString(`\u00` + string("0123456789abcdef"[r>>4]) + string("0123456789abcdef"[r&15]))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
