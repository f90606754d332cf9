// Quickstart starts a server as a child process and calls two of its tools. The typed client is package
// mcpgen, made of the reference server by go generate; yours is made of your server in the same way.
//
//	go run ./examples/quickstart [server command]
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/mcpgen/mcpgen"
	"github.com/mcpgen/mcpgen/mcp"
)

func main() {
	command := os.Args[1:]
	if len(command) == 0 {
		command = []string{"go", "run", "github.com/mcpgen/mcpgen/internal/refserver/cmd/refserver"}
	}
	if err := run(context.Background(), command); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, command []string) error {
	client, err := mcpgen.Connect(ctx, mcp.Command(command[0], command[1:]...))
	if err != nil {
		return err
	}
	defer client.Close()

	sum, err := client.Add(ctx, mcpgen.AddArgs{A: 20, B: 22})
	if err != nil {
		return err
	}
	fmt.Println("20 + 22 =", sum.Output.Sum)

	stock, err := client.CheckStock(ctx, mcpgen.CheckStockArgs{Product: "tea"})
	if err != nil {
		return err
	}
	switch left := stock.Output.(type) { // a union: the server answers with a number or with a reason
	case mcpgen.CheckStockOutputInt:
		fmt.Println("packets of tea left:", left)
	case *mcpgen.CheckStockOutputWithReason:
		fmt.Println("no tea:", left.Reason)
	}
	return nil
}
