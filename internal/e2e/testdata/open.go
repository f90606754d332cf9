package main

// What the programs of all servers share: reaching the server that the arguments name, and printing.

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/mcpgen/mcpgen/mcp"
)

// opened is how the arguments say the server is reached: "stdio COMMAND ARG… VERSION" or
// "http URL VERSION"; an empty version leaves the choice to the runtime.
func opened() (mcp.Transport, []mcp.Option) {
	last := len(os.Args) - 1
	var opts []mcp.Option
	if version := os.Args[last]; version != "" {
		opts = append(opts, mcp.WithVersions(version))
	}
	if os.Args[1] == "http" {
		return mcp.HTTP(os.Args[2]), opts
	}
	return mcp.Command(os.Args[2], os.Args[3:last]...), opts
}

func limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 30*time.Second)
}

// must ends the program where a call fails that should not.
func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return v
}

// text is the text of the first block.
func text(result *mcp.CallToolResult) string {
	if block, ok := result.Content[0].(*mcp.TextContent); ok {
		return block.Text
	}
	return fmt.Sprintf("%T", result.Content[0])
}
