package golang

// Type declarations and the methods that every declared type has.

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// typeDecl prints the declaration itself, without codec methods.
func (p *printer) typeDecl(d *model.Decl) []jen.Code {
	name := p.table.Type(d)
	doc := p.declDoc(d)
	if d.Bare {
		return nil
	}
	if d.Alias {
		return []jen.Code{doc, jen.Type().Id(name).Op("=").Add(p.goType(d.Type, d.In))}
	}
	switch t := d.Type.(type) {
	case *model.Struct:
		return []jen.Code{doc, jen.Type().Id(name).Struct(p.structFields(t, d.In)...)}
	case *model.Tuple:
		return []jen.Code{doc, jen.Type().Id(name).Struct(p.tupleFields(t, d.In)...)}
	case *model.Enum:
		return p.enumDecl(d, t, doc)
	case *model.Union:
		return []jen.Code{doc, jen.Type().Id(name).Interface(
			jen.Id("is"+name).Params(),
			jen.Id("WriteJSON").Params(jen.Id("w").Op("*").Qual(wirePath, "Writer")),
			jen.Id("ValidateJSON").Params(jen.Id("v").Op("*").Qual(wirePath, "Validator")),
		)}
	}
	return []jen.Code{doc, jen.Type().Id(name).Add(p.goType(d.Type, d.In))}
}

// declDoc is the comment above a declaration.
func (p *printer) declDoc(d *model.Decl) jen.Code {
	doc := d.Doc
	lead := ""
	if u, ok := d.Type.(*model.Union); ok && !d.Alias && !d.Bare {
		alternatives := p.alternatives(d, u)
		if doc.Text == "" {
			lead = p.table.Type(d) + " is " + alternatives
		} else {
			doc.Notes = append(slices.Clone(doc.Notes), "It is "+alternatives)
		}
	}
	return p.docComment(p.table.Type(d), doc, lead)
}

// alternatives lists the arms of a union as they are used in a type switch.
func (p *printer) alternatives(d *model.Decl, u *model.Union) string {
	var names []string
	for _, a := range u.Arms {
		name := p.table.Type(a.Decl)
		if pointerArm(a) {
			name = "*" + name
		}
		names = append(names, name)
	}
	return "one of " + strings.Join(names, ", ") + ", or *Unknown" + p.table.Type(d) + "."
}

// docComment is a comment: lead in our own words, the foreign text, our notes.
func (p *printer) docComment(name string, doc model.Doc, lead string) jen.Code {
	var paragraphs []string
	switch {
	case doc.Own && doc.Text != "":
		paragraphs = append(paragraphs, name+" "+doc.Text)
	case doc.Text != "":
		if lead != "" {
			paragraphs = append(paragraphs, lead)
		}
		paragraphs = append(paragraphs, doc.Text)
	case lead != "":
		paragraphs = append(paragraphs, lead)
	}
	for _, n := range doc.Notes {
		if len(paragraphs) == 0 {
			paragraphs = append(paragraphs, n)
			continue
		}
		paragraphs[len(paragraphs)-1] += "\n" + n
	}
	lines := commentLines(paragraphs...)
	if doc.Deprecated {
		if len(lines) > 0 {
			lines = append(lines, "//")
		}
		lines = append(lines, "// Deprecated: the server says so.")
		if doc.Own {
			lines[len(lines)-1] = "// Deprecated: the protocol says so."
		}
	}
	return lineComments(lines)
}

func (p *printer) structFields(s *model.Struct, in bool) []jen.Code {
	var out []jen.Code
	for _, f := range s.Fields {
		if _, ok := f.Type.(*model.Const); ok {
			continue
		}
		name := p.table.Field(f)
		field := jen.Null()
		if doc := p.docComment(name, f.Doc, ""); doc != nil {
			field.Add(doc).Line()
		}
		field.Id(name).Add(p.fieldType(f, in))
		option := ""
		switch {
		case presenceOf(f) == three:
			option = "omitzero"
		case !f.Required || f.EmptyAbsent:
			option = "omitempty"
		}
		if t := tag(f.Raw, option); t != nil {
			field.Add(t)
		}
		out = append(out, field)
	}
	if s.Extra != nil {
		extra := jen.Null()
		extra.Comment("Extra holds the members that have no field of their own.").Line()
		value := jen.Qual(jsonPath, "RawMessage")
		if _, ok := s.Extra.(*model.Untyped); !ok {
			value = p.goType(s.Extra, in)
		}
		out = append(out, extra.Id("Extra").Map(jen.String()).Add(value).Op("`json:\"-\"`"))
	}
	return out
}

func (p *printer) tupleFields(t *model.Tuple, in bool) []jen.Code {
	var out []jen.Code
	for i := range t.Items {
		field := jen.Null()
		if i < len(t.Docs) {
			if doc := p.docComment(itemField(i), t.Docs[i], ""); doc != nil {
				field.Add(doc).Line()
			}
		}
		out = append(out, field.Id(itemField(i)).Add(p.itemType(t, i, in)))
	}
	if t.Rest != nil {
		out = append(out, jen.Comment("Rest holds the further items.").Line().Id("Rest").Index().Add(p.goType(t.Rest, in)))
	}
	return out
}

// enumDecl prints the named type and one constant per value.
func (p *printer) enumDecl(d *model.Decl, e *model.Enum, doc jen.Code) []jen.Code {
	name := p.table.Type(d)
	base, value := jen.String(), func(v model.EnumValue) jen.Code { return text(v.Text) }
	switch e.Base {
	case model.IntEnum:
		base, value = jen.Int64(), func(v model.EnumValue) jen.Code { return jen.Op(v.Literal) }
	case model.MixedEnum:
		value = func(v model.EnumValue) jen.Code { return text(v.Literal) }
		if doc == nil {
			what := "one of several JSON values, held as JSON text."
			if len(e.Values) == 1 {
				what = "always the same JSON value, held as JSON text."
			}
			doc = comment(name + " is " + what)
		}
	}
	var consts []jen.Code
	for i, v := range e.Values {
		c := jen.Null()
		id := p.table.Const(d, i)
		if v.Doc != "" {
			c.Add(comment(id + " " + v.Doc)).Line()
		}
		consts = append(consts, c.Id(id).Id(name).Op("=").Add(value(v)))
	}
	return []jen.Code{doc, jen.Type().Id(name).Add(base), jen.Comment("Values of " + name + ".").Line().Const().Defs(consts...)}
}

// codecs prints the methods of a declared type.
func (p *printer) codecs(d *model.Decl) []jen.Code {
	switch t := d.Type.(type) {
	case *model.Union:
		if d.Alias {
			return nil
		}
		return p.unionCodecs(d, t)
	}
	switch {
	case d.Bare:
		return p.bareCodecs(d)
	case d.Alias:
		return nil
	}
	switch t := d.Type.(type) {
	case *model.Struct:
		return append([]jen.Code{p.writeStruct(d, t), p.readStruct(d, t), p.validateMethod(d)}, p.jsonMethods(d, true)...)
	case *model.Tuple:
		return append([]jen.Code{p.writeTuple(d, t), p.readTuple(d, t), p.validateMethod(d)}, p.jsonMethods(d, true)...)
	case *model.Enum:
		out := []jen.Code{p.writeScalar(d), p.validateMethod(d)}
		if t.Base == model.MixedEnum {
			return append(out, append([]jen.Code{p.readScalar(d)}, p.jsonMethods(d, false)...)...)
		}
		return append(out, p.validateOnly(d))
	}
	return append([]jen.Code{p.writeScalar(d), p.readScalar(d), p.validateMethod(d)}, p.jsonMethods(d, false)...)
}

// underlying is the value behind a defined type, converted to its plain type.
func (p *printer) underlying(d *model.Decl, byPointer bool) expr {
	return func() *jen.Statement {
		x := jen.Id("x")
		if byPointer {
			x = jen.Op("*").Id("x")
		}
		switch d.Type.(type) {
		case *model.Enum:
			return x
		}
		typ := p.goType(d.Type, d.In)
		return jen.Parens(typ).Call(x)
	}
}

// writeScalar prints WriteJSON for a defined type that is no struct.
func (p *printer) writeScalar(d *model.Decl) jen.Code {
	x := func() *jen.Statement { return jen.Id("x") }
	if _, ok := d.Type.(*model.Enum); ok {
		return p.writeMethod(d, false, p.write(&model.Ref{Decl: d}, x, d.In, false, 0))
	}
	body := p.write(d.Type, x, d.In, false, 0)
	switch resolve(d.Type).(type) {
	case *model.Slice, *model.Map:
	default:
		body = p.write(d.Type, p.underlying(d, false), d.In, false, 0)
	}
	return p.writeMethod(d, false, body)
}

// readScalar prints ReadJSON for a defined type that is no struct.
func (p *printer) readScalar(d *model.Decl) jen.Code {
	x := func() *jen.Statement { return jen.Op("*").Id("x") }
	if _, ok := d.Type.(*model.Enum); ok {
		return p.readMethod(d, p.read(&model.Ref{Decl: d}, x, d.In, 0))
	}
	if e := p.readExpr(d.Type, d.In); e != nil {
		return p.readMethod(d, []jen.Code{x().Op("=").Id(p.table.Type(d)).Call(e)})
	}
	v := func() *jen.Statement { return jen.Id("v") }
	body := []jen.Code{jen.Var().Id("v").Add(p.goType(d.Type, d.In))}
	body = append(body, p.read(d.Type, v, d.In, 0)...)
	return p.readMethod(d, append(body, x().Op("=").Id("v")))
}

// jsonMethods prints MarshalJSON, UnmarshalJSON and Validate, one statement each.
func (p *printer) jsonMethods(d *model.Decl, byPointer bool) []jen.Code {
	name := p.table.Type(d)
	x := jen.Id("x")
	if byPointer {
		x = jen.Op("&").Id("x")
	}
	return []jen.Code{
		jen.Func().Params(jen.Id("x").Id(name)).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Return(jen.Qual(wirePath, "Marshal").Call(x))),
		jen.Func().Params(jen.Id("x").Op("*").Id(name)).Id("UnmarshalJSON").Params(jen.Id("data").Index().Byte()).Error().Block(
			jen.Return(jen.Qual(wirePath, "Unmarshal").Call(jen.Id("data"), jen.Id("x")))),
		p.validateOnly(d),
	}
}

func (p *printer) validateOnly(d *model.Decl) jen.Code {
	name := p.table.Type(d)
	x := jen.Id("x")
	switch d.Type.(type) {
	case *model.Struct, *model.Tuple:
		x = jen.Op("&").Id("x")
	}
	return jen.Func().Params(jen.Id("x").Id(name)).Id("Validate").Params().Error().Block(
		jen.Return(jen.Qual(wirePath, "Validate").Call(x)))
}

// bareCodecs prints the three functions that stand in for methods on a type
// that cannot have them.
func (p *printer) bareCodecs(d *model.Decl) []jen.Code {
	name := p.table.Type(d)
	typ := func() *jen.Statement { return jen.Id("x").Op("*").Add(p.goType(d.Type, d.In)) }
	x := func() *jen.Statement { return jen.Parens(jen.Op("*").Id("x")) }
	out := []jen.Code{
		jen.Func().Id("write"+name).Params(typ(), jen.Id("w").Op("*").Qual(wirePath, "Writer")).Block(p.write(d.Type, x, d.In, false, 0)...),
		jen.Func().Id("read"+name).Params(typ(), jen.Id("r").Op("*").Qual(wirePath, "Reader")).Block(p.bareRead(d)...),
	}
	return append(out, p.bareCheck(d))
}

func (p *printer) bareRead(d *model.Decl) []jen.Code {
	if e := p.readExpr(d.Type, d.In); e != nil {
		return []jen.Code{jen.Op("*").Id("x").Op("=").Add(e)}
	}
	body := []jen.Code{jen.Var().Id("v").Add(p.goType(d.Type, d.In))}
	body = append(body, p.read(d.Type, func() *jen.Statement { return jen.Id("v") }, d.In, 0)...)
	return append(body, jen.Op("*").Id("x").Op("=").Id("v"))
}
