// Everything calls @modelcontextprotocol/server-everything through its generated client.
package main

import (
	"fmt"

	"github.com/mcpgen/mcpgen/mcp"

	"example.test/caller/everything"
)

func main() {
	ctx, cancel := limited()
	defer cancel()
	transport, opts := opened()
	client := must(everything.Connect(ctx, transport, opts...))
	defer client.Close()

	fmt.Println(text(must(client.Echo(ctx, everything.EchoArgs{Message: "ü <&> \u2028"}))))
	fmt.Println(text(must(client.GetSum(ctx, everything.GetSumArgs{A: 1.5, B: -4}))))

	weather := must(client.GetStructuredContent(ctx, everything.GetStructuredContentArgs{
		Location: everything.GetStructuredContentArgsLocationLosAngeles,
	}))
	fmt.Println(weather.Output.Temperature, weather.Output.Conditions, weather.Output.Humidity)

	annotated := must(client.GetAnnotatedMessage(ctx, everything.GetAnnotatedMessageArgs{
		MessageType: everything.GetAnnotatedMessageArgsMessageTypeError, IncludeImage: new(true),
	}))
	first := annotated.Content[0].(*mcp.TextContent)
	image := annotated.Content[1].(*mcp.ImageContent)
	fmt.Println(first.Text, *first.Annotations.Priority, first.Annotations.Audience, image.MIMEType)

	links := must(client.GetResourceLinks(ctx, everything.GetResourceLinksArgs{Count: new(2.0)}))
	for _, block := range links.Content[1:] {
		link := block.(*mcp.ResourceLink)
		fmt.Println(link.Name, *link.MIMEType)
	}

	reference := must(client.GetResourceReference(ctx, everything.GetResourceReferenceArgs{
		ResourceType: new(everything.GetResourceReferenceArgsResourceTypeBlob), ResourceID: new(3.0),
	}))
	embedded := reference.Content[1].(*mcp.EmbeddedResource)
	fmt.Println(text(reference), embedded.Resource.(*mcp.BlobResourceContents).URI)

	steps := 0
	long := must(client.TriggerLongRunningOperation(ctx, everything.TriggerLongRunningOperationArgs{
		Duration: new(0.05), Steps: new(2.0),
	}, mcp.WithProgress(func(mcp.Progress) { steps++ })))
	fmt.Println(text(long), steps)

	prompt := must(client.PromptArgsPrompt(ctx, everything.PromptArgsPromptArgs{City: "Kyoto", State: new("Kansai")}))
	fmt.Println(prompt.Messages[0].Content.(*mcp.TextContent).Text)

	read := must(client.ResourceDynamicTextResource(ctx, everything.ResourceDynamicTextResourceArgs{ResourceID: "7"}))
	fmt.Println(read.Contents[0].(*mcp.TextResourceContents).URI)
}
