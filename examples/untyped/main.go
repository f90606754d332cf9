// Untyped lists the tools of any server and calls one by name: what a program does that learns of its
// tools only while it runs.
//
//	go run ./examples/untyped [tool arguments [server command]]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/mcpgen/mcpgen/mcp"
)

func main() {
	args := os.Args[1:]
	if len(args) < 2 {
		args = []string{"add", `{"a":20,"b":22}`}
	}
	if len(args) < 3 {
		args = append(args, "go", "run", "github.com/mcpgen/mcpgen/internal/refserver/cmd/refserver")
	}
	if err := run(context.Background(), args[0], args[1], args[2:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, tool, arguments string, command []string) error {
	conn, err := mcp.Connect(ctx, mcp.Command(command[0], command[1:]...))
	if err != nil {
		return err
	}
	defer conn.Close()

	for t, err := range conn.Tools(ctx) { // reads page after page, as far as the loop goes
		if err != nil {
			return err
		}
		if t.Name == tool && t.Description != nil {
			fmt.Printf("%s: %s\n", t.Name, *t.Description)
		}
	}
	result, err := conn.CallTool(ctx, tool, json.RawMessage(arguments))
	if err != nil {
		return err
	}
	if result.IsError != nil && *result.IsError {
		fmt.Println("the tool failed:")
	}
	for _, block := range result.Content {
		switch c := block.(type) {
		case *mcp.TextContent:
			fmt.Println("text:", c.Text)
		case *mcp.UnknownContentBlock:
			fmt.Printf("something newer: %s\n", c.Raw)
		default:
			fmt.Printf("%T\n", c)
		}
	}
	if result.StructuredContent != nil {
		fmt.Printf("structured: %s\n", result.StructuredContent)
	}
	return nil
}
