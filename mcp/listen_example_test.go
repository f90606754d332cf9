package mcp_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

// Listen to changes and read a resource again when it has some; in between, its contents come from
// the cache.
func ExampleClient_Listen() {
	server := refserver.New(refserver.Options{})
	defer func() { _ = server.Close() }()

	ctx := context.Background()
	client, err := mcp.Connect(ctx, mcp.Handler(server.HTTPHandler()), mcp.WithCache(nil))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()

	const uri = "ref://state/counter"
	changes, err := client.Listen(ctx, mcp.ListenFilter{Tools: true, URIs: []string{uri}}, mcp.WithRelisten())
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = changes.Close() }()

	if _, err := client.CallTool(ctx, "touch_resource", map[string]any{"uri": uri}); err != nil {
		log.Fatal(err)
	}
	for event, err := range changes.All() {
		if err != nil {
			log.Fatal(err)
		}
		switch event := event.(type) {
		case mcp.ResourceUpdated:
			result, err := client.ReadResource(ctx, event.URI)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(event.URI, "has", len(result.Contents), "part")
			return
		case mcp.ToolsChanged, mcp.EventsMissed:
			fmt.Println("list the tools again")
		}
	}
	// Output: ref://state/counter has 1 part
}
