// Pinned speaks protocol version 2025-11-25 and no other, in the types of that version's own package.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/generated/v20251125"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	server := refserver.New(refserver.Options{})
	defer server.Close()
	conn, err := mcp.Connect(ctx, mcp.Handler(server.HTTPHandler()), mcp.WithVersions(v20251125.Version))
	if err != nil {
		return err
	}
	defer conn.Close()

	// Each request of the version is a function; the connection is what it is sent through.
	list, err := v20251125.ListTools(ctx, conn, &v20251125.PaginatedRequestParams{})
	if err != nil {
		return err
	}
	fmt.Println("tools:", len(list.Tools) > 0)

	result, err := v20251125.CallTool(ctx, conn, &v20251125.CallToolRequestParams{
		Name:      "add",
		Arguments: map[string]json.RawMessage{"a": json.RawMessage(`20`), "b": json.RawMessage(`22`)},
	})
	if err != nil {
		return err
	}
	for _, block := range result.Content {
		if text, ok := block.(*v20251125.TextContent); ok {
			fmt.Println(text.Text)
		}
	}
	return nil
}
