package golang

// The typed fake server of --fake.

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// fake prints
//
//	func NewFake(tools Tools) mcp.Transport {
//		return mcptest.NewFake(
//			mcptest.Tool(&GetSumTool, tools.GetSum),
//			…
//		)
//	}
func (c *clientPrinter) fake() {
	var handlers []jen.Code
	for _, op := range c.pkg.Ops {
		if op.Kind != model.Tool {
			continue
		}
		name := "Tool"
		if op.Args == nil {
			name = "ToolNoArgs"
		}
		if op.Output != nil {
			name += "Output"
		}
		handlers = append(handlers, jen.Qual(mcptestPath, name).Call(jen.Op("&").Id(c.specVar(op)), jen.Id("tools").Dot(c.table.Method(op))))
	}
	c.main.add([]jen.Code{
		comment("NewFake returns a transport to a server in this process whose tools are those of tools: for tests."),
		jen.Func().Id("NewFake").Params(jen.Id("tools").Id("Tools")).Qual(mcpPath, "Transport").Block(
			jen.Return(jen.Qual(mcptestPath, "NewFake").Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, handlers...))),
	}, []string{"NewFake"})
}
