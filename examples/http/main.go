// Http calls a server over Streamable HTTP: once in the newest protocol version that both sides know, once
// in a version of the older era, which opens a session first. The calls look the same.
//
//	go run ./examples/http [address]
package main

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"os"
	"time"

	"github.com/mcpgen/mcpgen"
	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, addresses []string) error {
	if len(addresses) == 0 {
		server := refserver.New(refserver.Options{})
		defer server.Close()
		web := httptest.NewServer(server.HTTPHandler())
		defer web.Close()
		addresses = []string{web.URL}
	}
	if err := greet(ctx, addresses[0]); err != nil {
		return err
	}
	return greet(ctx, addresses[0], mcp.WithVersions(mcp.Version20251125))
}

func greet(ctx context.Context, address string, opts ...mcp.Option) error {
	client, err := mcpgen.Connect(ctx, mcp.HTTP(address, mcp.WithHeader("X-Greeter", "example")), opts...)
	if err != nil {
		return err
	}
	defer client.Close()

	greeting, err := client.Greet(ctx, mcpgen.GreetArgs{Name: "Ada", Greeting: new("Good morning")}, mcp.WithTimeout(10*time.Second))
	if err != nil {
		return err
	}
	fmt.Println("in version", client.Conn().Session().Version)
	for _, block := range greeting.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			fmt.Println("  " + text.Text)
		}
	}
	return nil
}
