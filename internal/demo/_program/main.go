// A user's program: it knows the tools of the reference server as Go methods
// and calls them over the transport and in the protocol version of its flags.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"time"

	"github.com/mcpgen/mcpgen/mcp"

	"demo/reference"
)

func main() {
	log.SetFlags(0)
	command := flag.String("command", "", "program to run as the server")
	url := flag.String("http", "", "address of the server")
	version := flag.String("version", "", "protocol version")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var transport mcp.Transport = mcp.Command(*command)
	if *url != "" {
		transport = mcp.HTTP(*url)
	}
	if err := run(ctx, transport, *version); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, transport mcp.Transport, version string) error {
	client, err := reference.Connect(ctx, transport, mcp.WithVersions(version))
	if err != nil {
		return err
	}
	if err := callAll(ctx, client); err != nil {
		return errors.Join(err, client.Close())
	}
	return client.Close()
}

func callAll(ctx context.Context, client *reference.Client) error {
	sum, err := client.Add(ctx, reference.AddArgs{A: 20, B: 22})
	if err != nil {
		return err
	}
	fmt.Printf("    client.Add(ctx, AddArgs{A: 20, B: 22}) = %v\n", sum.Output.Sum)

	home := reference.Address{Street: "12 St James's Square", City: "London", Country: "GB"}
	order, err := client.PlaceOrder(ctx, reference.PlaceOrderArgs{
		Customer: reference.PlaceOrderArgsCustomer{Name: "Ada", Address: home},
		Lines: []reference.PlaceOrderArgsLinesItem{
			{Product: "tea", Quantity: 3, Price: reference.Money{Amount: 4.5, Currency: reference.MoneyCurrencyEUR}},
		},
	})
	if err != nil {
		return err
	}
	fmt.Printf("    client.PlaceOrder(ctx, … 3 × tea) = %v %s, to %s\n", order.Output.Total.Amount, order.Output.Total.Currency, order.Output.To.City)

	drawn, err := client.DrawShape(ctx, reference.DrawShapeArgs{Shape: &reference.Rectangle{Width: 3, Height: 4}})
	if err != nil {
		return err
	}
	switch shape := drawn.Output.Shape.(type) {
	case *reference.Rectangle:
		fmt.Printf("    client.DrawShape(ctx, … &Rectangle{3, 4}) = a rectangle %v × %v of area %v\n", shape.Width, shape.Height, drawn.Output.Area)
	default:
		return fmt.Errorf("draw_shape: unexpected %T", shape)
	}

	greeting, err := client.Greet(ctx, reference.GreetArgs{Name: "Ada", Loud: new(true)})
	if err != nil {
		return err
	}
	for _, block := range greeting.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			fmt.Printf("    client.Greet(ctx, … \"Ada\", Loud: true) = %q\n", text.Text)
		}
	}

	_, err = client.Fail(ctx, reference.FailArgs{Message: new("out of tea")})
	failed, ok := errors.AsType[*mcp.ToolError](err)
	if !ok {
		return fmt.Errorf("fail: want a *mcp.ToolError, got %v", err)
	}
	fmt.Printf("    client.Fail(ctx, …) = *mcp.ToolError: %v\n", failed)
	return nil
}
