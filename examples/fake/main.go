// Fake shows code that can be tested without a server: it depends on the generated interface Tools. The
// program hands it a client of the real server; main_test.go, a client of a typed fake.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen"
	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

func main() {
	ctx := context.Background()
	server := refserver.New(refserver.Options{})
	defer server.Close()
	client, err := mcpgen.Connect(ctx, mcp.Handler(server.HTTPHandler()))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	fmt.Println(status(ctx, client, "tea"))
}

// status says in one line whether a product can be ordered. A shop that does not answer is no reason to
// fail.
func status(ctx context.Context, shop mcpgen.Tools, product string) string {
	stock, err := shop.CheckStock(ctx, mcpgen.CheckStockArgs{Product: product})
	if failed, ok := errors.AsType[*mcp.ToolError](err); ok {
		return "the shop is closed: " + failed.Error()
	}
	if err != nil {
		return "the shop cannot be reached"
	}
	switch left := stock.Output.(type) {
	case mcpgen.CheckStockOutputInt:
		return fmt.Sprintf("%d × %s", left, product)
	case *mcpgen.CheckStockOutputWithReason:
		return fmt.Sprintf("no %s: %s", product, left.Reason)
	}
	return "who knows"
}
