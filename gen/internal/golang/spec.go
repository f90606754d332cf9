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
	out.later(func(*printer) []jen.Code {
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

// toolSpec prints mcp.ToolSpec[Args, Output]{…}.
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
	if op.Args != nil {
		e.add("WriteArgs", c.codec(op.Args, "write"))
		e.add("CheckArgs", c.codec(op.Args, "check"))
	}
	if op.Output != nil {
		e.add("ReadOutput", c.codec(op.Output, "read"))
		e.add("CheckOutput", c.codec(op.Output, "check"))
	}
	return literal(jen.Qual(mcpPath, "ToolSpec").Types(c.args(op), c.outputType(op)), e)
}

// codec is the function that writes, reads or checks a declared type through a
// pointer: a method expression where there is one.
func (c *clientPrinter) codec(d *model.Decl, verb string) jen.Code {
	name := c.table.Type(d)
	if d.Bare {
		return jen.Id(verb + name)
	}
	method := map[string]string{"write": "WriteJSON", "read": "ReadJSON", "check": "ValidateJSON"}[verb]
	if _, union := d.Type.(*model.Union); !union {
		return jen.Parens(jen.Op("*").Id(name)).Dot(method)
	}
	x := jen.Id("x").Op("*").Id(name)
	switch verb {
	case "write":
		return jen.Func().Params(x, jen.Id("w").Op("*").Qual(wirePath, "Writer")).Block(jen.Id("w").Dot("Value").Call(jen.Op("*").Id("x")))
	case "read":
		return jen.Func().Params(x, jen.Id("r").Op("*").Qual(wirePath, "Reader")).Block(jen.Op("*").Id("x").Op("=").Id("Read" + name).Call(jen.Id("r")))
	}
	check := jen.Id("v").Dot("Value").Call(jen.Op("*").Id("x"))
	if c.fullCheck(d) {
		check = jen.Id("check"+name).Call(jen.Id("v"), jen.Op("*").Id("x"))
	}
	return jen.Func().Params(x, jen.Id("v").Op("*").Qual(wirePath, "Validator")).Block(check)
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
		e.add("WriteArgs", c.codec(op.Args, "write"))
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
