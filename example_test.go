package mcpgen_test

// What calling through a generated client looks like, against its typed fake server, so that every
// example runs anywhere.

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/mcpgen/mcpgen"
	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/mcptest"
)

// shop is a test double: a server with some of the tools. The embedded interface stands for the rest.
type shop struct{ mcpgen.Tools }

func (shop) Add(_ context.Context, args mcpgen.AddArgs, _ ...mcp.CallOption) (*mcp.ToolResult[mcpgen.AddOutput], error) {
	return &mcp.ToolResult[mcpgen.AddOutput]{Output: mcpgen.AddOutput{Sum: args.A + args.B}}, nil
}

func (shop) Greet(_ context.Context, args mcpgen.GreetArgs, _ ...mcp.CallOption) (*mcp.CallToolResult, error) {
	text := "Hello, " + args.Name
	if args.Greeting != nil {
		text = *args.Greeting + ", " + args.Name
	}
	return &mcp.CallToolResult{Content: []mcp.ContentBlock{&mcp.TextContent{Text: text}}}, nil
}

func (shop) CheckStock(_ context.Context, args mcpgen.CheckStockArgs, _ ...mcp.CallOption) (*mcp.ToolResult[mcpgen.CheckStockOutput], error) {
	if args.Product == "" {
		return nil, errors.New("which product?")
	}
	return &mcp.ToolResult[mcpgen.CheckStockOutput]{Output: &mcpgen.CheckStockOutputWithReason{Reason: "sold out"}}, nil
}

func (shop) CountDown(ctx context.Context, args mcpgen.CountDownArgs, _ ...mcp.CallOption) (*mcp.CallToolResult, error) {
	for i := range args.Steps {
		mcptest.ReportProgress(ctx, mcp.Progress{Progress: float64(i + 1), Total: float64(args.Steps)})
	}
	return &mcp.CallToolResult{}, nil
}

func Example() {
	ctx := context.Background()
	client, err := mcpgen.Connect(ctx, mcpgen.NewFake(shop{})) // or mcp.Command(…), mcp.HTTP(…)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	sum, err := client.Add(ctx, mcpgen.AddArgs{A: 20, B: 22})
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(sum.Output.Sum)
	// Output: 42
}

// Optional arguments are pointers; new makes one from a value.
func ExampleClient_Greet() {
	ctx := context.Background()
	client, err := mcpgen.Connect(ctx, mcpgen.NewFake(shop{}))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	greeting, err := client.Greet(ctx, mcpgen.GreetArgs{Name: "Ada", Greeting: new("Good morning")})
	if err != nil {
		log.Print(err)
		return
	}
	for _, block := range greeting.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			fmt.Println(text.Text)
		}
	}
	// Output: Good morning, Ada
}

// A union is an interface, and a type switch reads it.
func ExampleClient_CheckStock() {
	ctx := context.Background()
	client, err := mcpgen.Connect(ctx, mcpgen.NewFake(shop{}))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	stock, err := client.CheckStock(ctx, mcpgen.CheckStockArgs{Product: "tea"})
	if err != nil {
		log.Print(err)
		return
	}
	switch left := stock.Output.(type) {
	case mcpgen.CheckStockOutputInt:
		fmt.Println(left, "left")
	case *mcpgen.CheckStockOutputWithReason:
		fmt.Println("none:", left.Reason)
	case *mcpgen.UnknownCheckStockOutput:
		fmt.Printf("something newer: %s\n", left.Raw)
	}

	_, err = client.CheckStock(ctx, mcpgen.CheckStockArgs{})
	if failed, ok := errors.AsType[*mcp.ToolError](err); ok {
		fmt.Println(failed)
	}
	// Output:
	// none: sold out
	// tool "check_stock": which product?
}

// Options of a call follow its arguments.
func ExampleClient_CountDown() {
	ctx := context.Background()
	client, err := mcpgen.Connect(ctx, mcpgen.NewFake(shop{}))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	_, err = client.CountDown(ctx, mcpgen.CountDownArgs{Steps: 2}, mcp.WithProgress(func(p mcp.Progress) {
		fmt.Println(p.Progress, "of", p.Total)
	}))
	if err != nil {
		log.Print(err)
	}
	// Output:
	// 1 of 2
	// 2 of 2
}

// Code that calls tools depends on the interface Tools, which the client and every double have.
func ExampleTools() {
	total := func(ctx context.Context, tools mcpgen.Tools, prices ...float64) (sum float64, err error) {
		for _, price := range prices {
			result, err := tools.Add(ctx, mcpgen.AddArgs{A: sum, B: price})
			if err != nil {
				return 0, err
			}
			sum = result.Output.Sum
		}
		return sum, nil
	}
	fmt.Println(total(context.Background(), shop{}, 1, 2.5, 3))
	// Output: 6.5 <nil>
}
