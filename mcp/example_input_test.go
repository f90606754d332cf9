package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"

	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

// exampleServer is a server in this process, in place of a command or an address.
func exampleServer() (transport mcp.Transport, stop func()) {
	server := refserver.New(refserver.Options{})
	return mcp.Handler(server.HTTPHandler()), func() { _ = server.Close() }
}

func print(result *mcp.CallToolResult) {
	for _, block := range result.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			fmt.Println(text.Text)
		}
	}
}

// A server asks the user in the middle of a tool call; the form's fields arrive as types, and what
// the answer leaves out gets the form's defaults.
func ExampleWithElicitation() {
	ctx := context.Background()
	transport, stop := exampleServer()
	defer stop()

	ask := func(_ context.Context, req *mcp.FormRequest) (*mcp.ElicitResult, error) {
		fmt.Printf("tool %s asks: %s\n", req.Name, req.Params.Message)
		for _, key := range req.Params.RequestedSchema.Required {
			if field, ok := req.Params.RequestedSchema.Properties[key].(*mcp.StringSchema); ok {
				fmt.Printf("%s must have at least %d character\n", *field.Title, *field.MinLength)
			}
		}
		return mcp.ElicitAccept(map[string]any{"name": "Ada", "age": 36}), nil
	}
	client, err := mcp.Connect(ctx, transport, mcp.WithElicitation(ask))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	result, err := client.CallTool(ctx, "ask_form", map[string]any{"message": "Who are you?"})
	if err != nil {
		log.Fatal(err)
	}
	print(result)
	// Output:
	// tool ask_form asks: Who are you?
	// Name must have at least 1 character
	// {"age":36,"country":"de","name":"Ada","spam":false}
}

// The user sees host and URL before anything is opened; accepting means consent, and the server says
// later whether the visit was of use.
func ExampleWithURLElicitation() {
	ctx := context.Background()
	transport, stop := exampleServer()
	defer stop()

	visit := func(_ context.Context, req *mcp.URLRequest) (*mcp.ElicitResult, error) {
		fmt.Printf("%s\nopen %s at %s? suspicious: %v\n", req.Params.Message, req.Params.URL, req.Host, req.Suspicious)
		return mcp.ElicitDecline(), nil
	}
	client, err := mcp.Connect(ctx, transport, mcp.WithURLElicitation(visit))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	result, err := client.CallTool(ctx, "ask_consent", map[string]any{"page": "terms"})
	if err != nil {
		log.Fatal(err)
	}
	print(result)
	// Output:
	// Please read and accept terms
	// open https://refserver.invalid/consent/terms at refserver.invalid? suspicious: false
	// the user chose to decline
}

// A server borrows the client's model.
func ExampleWithSampling() {
	ctx := context.Background()
	transport, stop := exampleServer()
	defer stop()

	model := func(_ context.Context, req *mcp.SamplingRequest) (*mcp.CreateMessageResult, error) {
		last := req.Params.Messages[len(req.Params.Messages)-1]
		if text, ok := last.Content.(*mcp.TextContent); ok {
			fmt.Printf("continue %q in %d tokens\n", text.Text, req.Params.MaxTokens)
		}
		return &mcp.CreateMessageResult{Model: "toy-1", Content: &mcp.TextContent{Text: "there was a gopher"}}, nil
	}
	client, err := mcp.Connect(ctx, transport, mcp.WithSampling(model))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	result, err := client.CallTool(ctx, "ask_model", map[string]any{"prompt": "Once upon a time"})
	if err != nil {
		log.Fatal(err)
	}
	print(result)
	// Output:
	// continue "Once upon a time" in 100 tokens
	// the model said: there was a gopher
}

// A fixed list of directories that the server may work in.
func ExampleWithRootList() {
	ctx := context.Background()
	transport, stop := exampleServer()
	defer stop()

	client, err := mcp.Connect(ctx, transport, mcp.WithRootList(mcp.Root{URI: "file:///home/ada/project"}))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	result, err := client.CallTool(ctx, "list_roots", nil)
	if err != nil {
		log.Fatal(err)
	}
	print(result)
	// Output: {"roots":[{"uri":"file:///home/ada/project"}]}
}

// A call that nobody can answer for just now is finished later.
func ExampleInputRequiredError() {
	ctx := context.Background()
	transport, stop := exampleServer()
	defer stop()

	// The handler declares the capability; WithoutInputHandlers keeps it out of this call.
	nobody := func(context.Context, *mcp.FormRequest) (*mcp.ElicitResult, error) {
		return nil, errors.New("no user at hand")
	}
	client, err := mcp.Connect(ctx, transport, mcp.WithElicitation(nobody))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	_, err = client.CallTool(ctx, "ask_form", nil, mcp.WithoutInputHandlers())
	var open *mcp.InputRequiredError
	if !errors.As(err, &open) {
		log.Fatal(err)
	}
	questions, err := open.Requests()
	if err != nil {
		log.Fatal(err)
	}
	answers := map[string]any{}
	for key, question := range questions {
		if ask, ok := question.(*mcp.ElicitRequest); ok {
			fmt.Println(ask.Params.(*mcp.ElicitRequestFormParams).Message)
			answers[key] = mcp.ElicitDecline()
		}
	}
	result, err := client.CallTool(ctx, "ask_form", nil, open.Retry(answers))
	if err != nil {
		log.Fatal(err)
	}
	print(result)
	// Output:
	// Please introduce yourself.
	// the user chose to decline
}

// A read that may be repeated waits as long as a busy server says.
func ExampleWithRetry() {
	ctx := context.Background()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	nobody := "http://" + listener.Addr().String()
	_ = listener.Close()

	client, err := mcp.Connect(ctx, mcp.HTTP(nobody), mcp.WithVersions(mcp.Version20260728))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	_, err = client.ListTools(ctx, mcp.WithRetry(mcp.RetryPolicy{MaxAttempts: 2, Backoff: 1}))
	var unreachable *mcp.TransportError
	fmt.Println(errors.As(err, &unreachable))
	// Output: true
}
