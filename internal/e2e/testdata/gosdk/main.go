// Gosdk calls a server on the official Go SDK through its generated client.
package main

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp"

	"example.test/caller/gosdk"
)

func main() {
	ctx, cancel := limited()
	defer cancel()
	transport, opts := opened()
	client := must(gosdk.Connect(ctx, transport, opts...))
	defer client.Close()

	fmt.Println(must(client.Multiply(ctx, gosdk.MultiplyArgs{A: 1.5, B: -4})).Output.Product)

	words := must(client.SplitText(ctx, gosdk.SplitTextArgs{Text: "a,b,ü", Separator: mcp.Value(","), Upper: new(true)}))
	fmt.Printf("%q %d\n", words.Output.Words, words.Output.Count)
	words = must(client.SplitText(ctx, gosdk.SplitTextArgs{Text: "x y", Separator: mcp.Null[string]()}))
	fmt.Printf("%q %d\n", words.Output.Words, words.Output.Count)

	route := must(client.PlanRoute(ctx, gosdk.PlanRouteArgs{
		Stops: []gosdk.PlanRouteArgsStopsItem{{Name: "A", Lat: 1.25, Lon: -3}, {Name: "B", Lat: 2, Lon: 4}}, Round: new(true),
	}))
	for _, leg := range route.Output.Legs {
		fmt.Println(leg.From.Name, leg.To.Name, leg.To.Lat, leg.To.Lon)
	}
	fmt.Println(route.Output.Notes)

	sum := must(client.Tally(ctx, gosdk.TallyArgs{Counts: map[string]int64{"a": 9007199254740990, "b": 1}, Extra: mcp.Value[int64](-2)}))
	fmt.Println(sum.Output.Total)
	fmt.Println(text(must(client.DescribeTime(ctx, gosdk.DescribeTimeArgs{At: "2026-02-28T23:30:00Z", Hours: 1}))))

	var steps []float64
	counted := must(client.CountSlowly(ctx, gosdk.CountSlowlyArgs{Steps: 3}, mcp.WithProgress(func(p mcp.Progress) { steps = append(steps, p.Progress) })))
	fmt.Println(counted.Output.Total, steps)

	_, err := client.Refuse(ctx)
	var refused *mcp.ToolError
	fmt.Println(errors.As(err, &refused), text(refused.Result))
	_, err = client.PlanRoute(ctx, gosdk.PlanRouteArgs{})
	fmt.Println(errors.As(err, &refused), text(refused.Result))
}
