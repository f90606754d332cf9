//lint:file-ignore SA1019 the peer offers what older versions of the protocol have

package main

// What the server has besides tools that calculate: resources, prompts, completion, log messages,
// calls that wait, and questions to the client.

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const memoPrefix = "memo://"

func addFeatures(server *mcp.Server) {
	server.AddResource(&mcp.Resource{Name: "first", URI: memoPrefix + "first", MIMEType: "text/plain"}, readMemo)
	server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "memo", URITemplate: memoPrefix + "{name}"}, readMemo)
	server.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "name", Required: true}}}, greet)
	mcp.AddTool(server, &mcp.Tool{Name: "touch_memo", Description: "Announces a change of a memo."},
		func(ctx context.Context, _ *mcp.CallToolRequest, in memo) (*mcp.CallToolResult, any, error) {
			return say("touched"), nil, server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: memoPrefix + in.Name})
		})
	mcp.AddTool(server, &mcp.Tool{Name: "log_message", Description: "Sends a log message."}, logMessage)
	mcp.AddTool(server, &mcp.Tool{Name: "wait_long", Description: "Waits until it is cancelled; waits have names."}, waitLong)
	mcp.AddTool(server, &mcp.Tool{Name: "count_cancelled", Description: "Counts the cancelled waits of a name."}, countCancelled)
	mcp.AddTool(server, &mcp.Tool{Name: "ask_name", Description: "Asks for a name."}, askName)
	mcp.AddTool(server, &mcp.Tool{Name: "ask_page", Description: "Asks the user to visit a page."}, askPage)
	mcp.AddTool(server, &mcp.Tool{Name: "ask_model", Description: "Asks the model."}, askModel)
	mcp.AddTool(server, &mcp.Tool{Name: "ask_roots", Description: "Asks for the roots."}, askRoots)
}

type memo struct {
	Name string `json:"name"`
}

func say(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func readMemo(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	name := strings.TrimPrefix(req.Params.URI, memoPrefix)
	if name == "none" {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: "memo " + name}}}, nil
}

func greet(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text := "Greet " + req.Params.Arguments["name"]
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
}

// complete suggests names; the context's title goes before them.
func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	title := ""
	if c := req.Params.Context; c != nil {
		title = c.Arguments["title"]
	}
	values := []string{}
	for _, name := range []string{"Ada", "Alan", "Grace"} {
		if strings.HasPrefix(name, req.Params.Argument.Value) {
			values = append(values, title+name)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

func logMessage(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	return say("logged"), nil, req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Logger: "gosdk", Data: "careful"})
}

var cancelled struct {
	sync.Mutex
	waits map[string]int
}

func waitLong(ctx context.Context, _ *mcp.CallToolRequest, in memo) (*mcp.CallToolResult, any, error) {
	select {
	case <-ctx.Done():
		cancelled.Lock()
		defer cancelled.Unlock()
		if cancelled.waits == nil {
			cancelled.waits = map[string]int{}
		}
		cancelled.waits[in.Name]++
		return nil, nil, ctx.Err()
	case <-time.After(time.Minute):
		return say("nobody cancelled"), nil, nil
	}
}

func countCancelled(_ context.Context, _ *mcp.CallToolRequest, in memo) (*mcp.CallToolResult, any, error) {
	cancelled.Lock()
	defer cancelled.Unlock()
	return say(fmt.Sprintf("cancelled %d", cancelled.waits[in.Name])), nil, nil
}

// ask puts one question to the client, in the way of its version, and gives the answer to tell.
func ask[R mcp.InputResponse](req *mcp.CallToolRequest, question mcp.InputRequest, tell func(R) string) (*mcp.CallToolResult, any, error) {
	const key = "answer"
	if answer, ok := req.Params.InputResponses[key].(R); ok {
		return say(tell(answer)), nil, nil
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{key: question}}, nil, nil
}

func askName(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	form := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"name": {Type: "string"}}, Required: []string{"name"}}
	question := &mcp.ElicitParams{Mode: "form", Message: "Your name?", RequestedSchema: form}
	return ask(req, question, func(r *mcp.ElicitResult) string { return fmt.Sprintf("%s %v", r.Action, r.Content["name"]) })
}

func askPage(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	question := &mcp.ElicitParams{Mode: "url", Message: "Go", URL: "https://example.com/consent", ElicitationID: "1"}
	return ask(req, question, func(r *mcp.ElicitResult) string { return "visit: " + r.Action })
}

func askModel(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	question := &mcp.CreateMessageParams{MaxTokens: 10, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "tea?"}}}}
	return ask(req, question, func(r *mcp.CreateMessageWithToolsResult) string {
		if text, ok := r.Content[0].(*mcp.TextContent); ok {
			return text.Text
		}
		return "no text"
	})
}

func askRoots(_ context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	return ask(req, &mcp.ListRootsParams{}, func(r *mcp.ListRootsResult) string {
		var uris []string
		for _, root := range r.Roots {
			uris = append(uris, root.URI)
		}
		return strings.Join(uris, " ")
	})
}
