// Typescript calls a server on the TypeScript SDK v2 through its generated client.
package main

import (
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp"

	"example.test/caller/typescript"
)

func main() {
	ctx, cancel := limited()
	defer cancel()
	transport, opts := opened()
	client := must(typescript.Connect(ctx, transport, opts...))
	defer client.Close()

	fmt.Println(must(client.Multiply(ctx, typescript.MultiplyArgs{A: 6, B: 7})).Output.Product)
	fmt.Println(text(must(client.JoinWords(ctx, typescript.JoinWordsArgs{Words: []string{"a", "ü"}, Separator: new("-")}))))

	circle := must(client.Measure(ctx, typescript.MeasureArgs{Shape: &typescript.MeasureArgsShapeCircle{Radius: 2}}))
	fmt.Println(circle.Output.Area, circle.Output.Unit)
	rectangle := must(client.Measure(ctx, typescript.MeasureArgs{
		Shape: &typescript.MeasureArgsShapeRectangle{Width: 2, Height: 3.5}, Unit: new(typescript.MeasureArgsUnitIn),
	}))
	fmt.Println(rectangle.Output.Area, rectangle.Output.Unit)

	person := must(client.DescribePerson(ctx, typescript.DescribePersonArgs{Person: typescript.DescribePersonArgsPerson{
		Name: "Ada", Age: new(int64(36)), Tags: map[string]string{"a": "b"},
	}}))
	fmt.Println(person.Output.Summary, person.Output.TagCount)
	person = must(client.DescribePerson(ctx, typescript.DescribePersonArgs{Person: typescript.DescribePersonArgsPerson{Name: "Bob"}}))
	fmt.Println(person.Output.Summary, person.Output.TagCount)

	_, err := client.Refuse(ctx)
	var refused *mcp.ToolError
	fmt.Println(errors.As(err, &refused), text(refused.Result))
}
