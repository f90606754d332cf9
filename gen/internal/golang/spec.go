package golang

// Descriptors: what calling, starting as a task and faking a tool share.

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// entries are the fields of a composite literal, in order.
type entries []jen.Code

func (e *entries) add(name string, value jen.Code) {
	*e = append(*e, jen.Id(name).Op(":").Add(value))
}

func (c *clientPrinter) spec(out *Output, op *model.Operation) {
	if op.Kind == model.Tool {
		c.schemaVars(out, op)
	}
	name := c.specVar(op)
	out.later(func() []jen.Code {
		return []jen.Code{
			comment(fmt.Sprintf("%s describes the %s %s.", name, kindNouns[op.Kind], quoteName(op.Raw))),
			jen.Var().Id(name).Op("=").Add(c.specLiteral(op)),
		}
	}, []string{name})
}

func (c *clientPrinter) specLiteral(op *model.Operation) *jen.Statement {
	switch op.Kind {
	case model.Tool:
		return c.toolSpec(op)
	case model.Prompt:
		return c.promptSpec(op)
	}
	return c.resourceSpec(op)
}

func (c *clientPrinter) args(op *model.Operation) *jen.Statement {
	if t := c.argsType(op); t != nil {
		return t
	}
	return jen.Qual(mcpPath, "NoArgs")
}

func literal(typ *jen.Statement, e entries) *jen.Statement {
	return typ.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, e...)
}

// toolSpec prints mcp.ToolSpec[Args, Output]{ToolInfo: mcp.ToolInfo{…}}.
func (c *clientPrinter) toolSpec(op *model.Operation) *jen.Statement {
	var e entries
	e.add("Name", text(op.Raw))
	if op.Title != "" {
		e.add("Title", text(op.Title))
	}
	e.add("InputSchema", c.schemaText(op.InputSchema))
	if op.OutputSchema != nil {
		e.add("OutputSchema", c.schemaText(op.OutputSchema))
	}
	e.add("Fingerprint", text(op.Fingerprint))
	if len(op.Headers) > 0 {
		var list []jen.Code
		for _, h := range op.Headers {
			list = append(list, jen.Values(jen.Id("Name").Op(":").Add(text(h.Name)),
				jen.Id("Path").Op(":").Index().String().Values(texts(h.Path)...)))
		}
		e.add("Headers", jen.Index().Qual(mcpPath, "HeaderBinding").Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, list...))
	}
	if op.ReadOnly {
		e.add("ReadOnly", jen.True())
	}
	if op.Idempotent {
		e.add("Idempotent", jen.True())
	}
	fields := []jen.Code{jen.Id("ToolInfo").Op(":").Add(literal(jen.Qual(mcpPath, "ToolInfo"), e))}
	for _, part := range []struct {
		name string
		decl *model.Decl
	}{{"Args", op.Args}, {"Output", op.Output}} {
		if part.decl != nil && !isCodec(part.decl) {
			fields = append(fields, jen.Id(part.name).Op(":").Add(c.codecOf(part.decl)))
		}
	}
	typ := jen.Qual(mcpPath, "ToolSpec").Types(c.args(op), c.outputType(op))
	if len(fields) > 1 {
		return literal(typ, fields)
	}
	return typ.Values(fields...)
}

// isCodec tells whether pointers to the type have all methods of a codec.
func isCodec(d *model.Decl) bool {
	ref, ok := resolve(&model.Ref{Decl: d}).(*model.Ref)
	if !ok || ref.Decl.Bare {
		return false
	}
	d = ref.Decl
	switch t := d.Type.(type) {
	case *model.Union:
		return false
	case *model.Enum:
		return t.Base == model.MixedEnum
	}
	return true
}

// codecOf prints a function that makes the codec of a type without methods:
//
//	func(x *T) jsonwire.Codec { return jsonwire.CodecOf(x, writeT, readT, checkT) }
func (c *clientPrinter) codecOf(d *model.Decl) *jen.Statement {
	name := c.table.Type(d)
	x := jen.Id("x").Op("*").Add(c.goType(&model.Ref{Decl: d}, d.In))
	write, read, check := jen.Id("write"+name), jen.Id("read"+name), jen.Id("check"+name)
	if !d.Bare {
		write = jen.Func().Params(x.Clone(), jen.Id("w").Op("*").Qual(wirePath, "Writer")).Block(jen.Id("w").Dot("Value").Call(jen.Op("*").Id("x")))
		read = jen.Func().Params(x.Clone(), jen.Id("r").Op("*").Qual(wirePath, "Reader")).Block(jen.Op("*").Id("x").Op("=").Id("Read" + name).Call(jen.Id("r")))
		value := jen.Id("v").Dot("Value").Call(jen.Op("*").Id("x"))
		if c.fullCheck(d) {
			value = jen.Id("check"+name).Call(jen.Id("v"), jen.Op("*").Id("x"))
		}
		check = jen.Func().Params(x.Clone(), jen.Id("v").Op("*").Qual(wirePath, "Validator")).Block(value)
	}
	return jen.Func().Params(x).Qual(wirePath, "Codec").Block(
		jen.Return(jen.Qual(wirePath, "CodecOf").Call(jen.Id("x"), write, read, check)))
}

// schemaText is the schema as a literal, or the constant that holds it.
func (c *clientPrinter) schemaText(s *model.Schema) jen.Code {
	if s.Used {
		return jen.Id(c.textConst(s))
	}
	return text(s.Text)
}

func (c *clientPrinter) textConst(s *model.Schema) string {
	return c.table.Var("Text", c.schemaVar(s), false)
}

// schemaVars prints the text and the compiled form of a schema that some type
// is checked against as a whole.
func (c *clientPrinter) schemaVars(out *Output, op *model.Operation) {
	for _, s := range []*model.Schema{op.InputSchema, op.OutputSchema} {
		if s == nil || !s.Used {
			continue
		}
		name, txt := c.schemaVar(s), c.textConst(s)
		out.add([]jen.Code{
			jen.Const().Id(txt).Op("=").Add(text(s.Text)),
			jen.Var().Id(name).Op("=").Qual(mcpPath, "NewSchema").Call(jen.Id(txt)),
		}, []string{txt, name})
	}
}

// promptSpec prints mcp.PromptSpec[Args]{…}.
func (c *clientPrinter) promptSpec(op *model.Operation) *jen.Statement {
	var e entries
	e.add("Name", text(op.Raw))
	if op.Args != nil {
		e.add("WriteArgs", jen.Parens(jen.Op("*").Id(c.table.Type(op.Args))).Dot("WriteJSON"))
	}
	return literal(jen.Qual(mcpPath, "PromptSpec").Types(c.args(op)), e)
}

// resourceSpec prints mcp.ResourceSpec[Args]{…}; Expand hands the variables of
// the template to the runtime.
func (c *clientPrinter) resourceSpec(op *model.Operation) *jen.Statement {
	var e entries
	e.add("Name", text(op.Raw))
	e.add("URITemplate", text(op.URITemplate))
	if op.Args != nil {
		s := op.Args.Type.(*model.Struct)
		var body []jen.Code
		for _, f := range s.Fields {
			x := jen.Id("x").Dot(c.table.Field(f))
			set, value := "Set", x.Clone()
			if _, list := f.Type.(*model.Slice); list {
				set = "SetList"
			} else if !f.Required {
				value = jen.Op("*").Add(x.Clone())
			}
			call := jen.Id("v").Dot(set).Call(text(f.Raw), value)
			if !f.Required {
				call = jen.If(x.Clone().Op("!=").Nil()).Block(call)
			}
			body = append(body, call)
		}
		e.add("Expand", jen.Func().Params(jen.Id("x").Op("*").Id(c.table.Type(op.Args)), jen.Id("v").Op("*").Qual(mcpPath, "URIValues")).Block(body...))
	}
	return literal(jen.Qual(mcpPath, "ResourceSpec").Types(c.args(op)), e)
}
