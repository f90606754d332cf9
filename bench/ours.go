package main

import (
	"context"
	"errors"
	"io"

	"github.com/mcpgen/mcpgen/bench/jsonengines"
	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// This runtime, called as generated code calls it.

type ours struct{ client *mcp.Client }

func openOurs(ctx context.Context, t target) (session, error) {
	return connectOurs(ctx, t, mcp.WithVersions(t.version()))
}

func openOursUnpinned(ctx context.Context, t target) (session, error) {
	return connectOurs(ctx, t)
}

func connectOurs(ctx context.Context, t target, opts ...mcp.Option) (session, error) {
	var transport mcp.Transport
	if t.url != "" {
		transport = mcp.HTTP(t.url, mcp.WithRoundTripper(newHTTPTransport()))
	} else {
		command := mcp.Command(t.command[0], t.command[1:]...)
		command.Stderr = io.Discard
		transport = command
	}
	client, err := mcp.Connect(ctx, transport, append(opts, mcp.WithMaxMessageSize(64<<20))...)
	if err != nil {
		return nil, err
	}
	return &ours{client}, nil
}

type sumArgs struct{ A, B int64 }

func (x *sumArgs) writeJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"a":`)
	w.Int64(x.A)
	w.Member(`"b":`)
	w.Int64(x.B)
	w.EndObject()
}

const rowsSchema = `{"type":"object","required":["rows"],"properties":{"rows":{"type":"array"}}}`

var (
	sumTool = mcp.ToolSpec[sumArgs, jsonengines.Sum]{
		Name:         "sum",
		InputSchema:  `{"type":"object","required":["a","b"],"properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}`,
		OutputSchema: `{"type":"object","required":["sum","unit"],"properties":{"sum":{"type":"integer"},"unit":{"type":"string"}}}`,
		WriteArgs:    (*sumArgs).writeJSON,
		ReadOutput:   (*jsonengines.Sum).ReadJSON,
		CheckOutput:  func(*jsonengines.Sum, *jsonwire.Validator) {},
	}
	rowsTool = mcp.ToolSpec[mcp.NoArgs, jsonengines.Rows]{
		Name: "rows", InputSchema: `{"type":"object"}`, OutputSchema: rowsSchema,
		ReadOutput:  (*jsonengines.Rows).ReadJSON,
		CheckOutput: func(*jsonengines.Rows, *jsonwire.Validator) {},
	}
	textTools = map[string]*mcp.ToolSpec[mcp.NoArgs, mcp.NoOutput]{
		"text1":    {Name: "text1", InputSchema: `{"type":"object"}`},
		"text16":   {Name: "text16", InputSchema: `{"type":"object"}`},
		"progress": {Name: "progress", InputSchema: `{"type":"object"}`},
	}
)

// Sum calls the tool "sum".
func (s *ours) Sum(ctx context.Context, a, b int64) (jsonengines.Sum, error) {
	result, err := sumTool.Call(ctx, s.client, sumArgs{a, b})
	if err != nil {
		return jsonengines.Sum{}, err
	}
	return result.Output, nil
}

// Text calls a tool that answers with one text.
func (s *ours) Text(ctx context.Context, tool string) (string, error) {
	result, err := textTools[tool].CallResult(ctx, s.client, mcp.NoArgs{})
	if err != nil {
		return "", err
	}
	if text, ok := result.Content[0].(*mcp.TextContent); ok && len(result.Content) == 1 {
		return text.Text, nil
	}
	return "", errors.New("not one text")
}

// Rows calls the tool "rows".
func (s *ours) Rows(ctx context.Context) ([]jsonengines.Row, error) {
	result, err := rowsTool.Call(ctx, s.client, mcp.NoArgs{})
	if err != nil {
		return nil, err
	}
	return result.Output.Rows, nil
}

// List lists all tools.
func (s *ours) List(ctx context.Context) ([]string, error) {
	tools, err := s.client.ListTools(ctx)
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	return names, err
}

// Progress calls the tool "progress".
func (s *ours) Progress(ctx context.Context) (int, error) {
	n := 0
	_, err := textTools["progress"].CallResult(ctx, s.client, mcp.NoArgs{}, mcp.WithProgress(func(p mcp.Progress) {
		if int(p.Progress) == n+1 {
			n++
		}
	}))
	return n, err
}

// Close ends the session.
func (s *ours) Close() error { return s.client.Close() }
