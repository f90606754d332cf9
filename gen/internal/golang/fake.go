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
//			mcptest.Tool(GetSumTool, (*GetSumArgs).ReadJSON, tools.GetSum),
//			…
//		)
//	}
func (c *clientPrinter) fake() {
	var handlers []jen.Code
	for _, op := range c.pkg.Ops {
		if op.Kind != model.Tool {
			continue
		}
		name, args := "Tool", []jen.Code{jen.Op("&").Id(c.specVar(op))}
		if op.Args != nil {
			args = append(args, c.codec(op.Args, "read"))
		} else {
			name = "ToolNoArgs"
		}
		if op.Output != nil {
			name += "Output"
			args = append(args, c.codec(op.Output, "write"))
		}
		args = append(args, jen.Id("tools").Dot(c.table.Method(op)))
		handlers = append(handlers, jen.Qual(mcptestPath, name).Call(args...))
	}
	c.main.add([]jen.Code{
		comment("NewFake returns a transport to a server in this process whose tools are those of tools: for tests."),
		jen.Func().Id("NewFake").Params(jen.Id("tools").Id("Tools")).Qual(mcpPath, "Transport").Block(
			jen.Return(jen.Qual(mcptestPath, "NewFake").Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, handlers...))),
	}, []string{"NewFake"})
}
