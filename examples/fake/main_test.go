package main

import (
	"context"
	"errors"
	"testing"

	"github.com/mcpgen/mcpgen"
	"github.com/mcpgen/mcpgen/mcp"
)

// shop is the double: it has one of the tools. The embedded interface stands for all others.
type shop struct {
	mcpgen.Tools
	stock mcpgen.CheckStockOutput
	err   error
}

func (s shop) CheckStock(_ context.Context, args mcpgen.CheckStockArgs, _ ...mcp.CallOption) (*mcp.ToolResult[mcpgen.CheckStockOutput], error) {
	return &mcp.ToolResult[mcpgen.CheckStockOutput]{Output: s.stock}, s.err
}

func TestStatus(t *testing.T) {
	for want, double := range map[string]shop{
		"3 × tea":          {stock: mcpgen.CheckStockOutputInt(3)},
		"no tea: sold out": {stock: &mcpgen.CheckStockOutputWithReason{Reason: "sold out"}},
		`the shop is closed: tool "check_stock": it is Sunday`: {err: errors.New("it is Sunday")},
		"the shop cannot be reached":                           {err: &mcp.RPCError{Code: mcp.CodeInternal}},
	} {
		// Arguments and answers travel as JSON: the test also covers what the wire does to them.
		client, err := mcpgen.Connect(t.Context(), mcpgen.NewFake(double))
		if err != nil {
			t.Fatal(err)
		}
		if got := status(t.Context(), client, "tea"); got != want {
			t.Errorf("status = %q, want %q", got, want)
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}
}
