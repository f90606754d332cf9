package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcpgen/mcpgen/bench/jsonengines"
)

// mcp-go at its best: no continuous listening, typed output from the raw bytes
// that it keeps of structured content.

type mcpGo struct {
	client  *client.Client
	reports atomic.Int64
}

func openMCPGo(ctx context.Context, t target) (session, error) {
	return connectMCPGo(ctx, t, t.version())
}

func openMCPGoUnpinned(ctx context.Context, t target) (session, error) {
	return connectMCPGo(ctx, t, "")
}

func connectMCPGo(ctx context.Context, t target, version string) (session, error) {
	var wire transport.Interface
	if t.url != "" {
		h, err := transport.NewStreamableHTTP(t.url, transport.WithHTTPBasicClient(newHTTPClient()))
		if err != nil {
			return nil, err
		}
		wire = h
	} else {
		wire = transport.NewStdio(t.command[0], nil, t.command[1:]...)
	}
	var opts []client.ClientOption
	if version != "" {
		opts = append(opts, client.WithProtocolVersion(version))
	}
	s := &mcpGo{client: client.NewClient(wire, opts...)}
	if err := s.client.Start(ctx); err != nil {
		return nil, err
	}
	s.client.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == "notifications/progress" {
			s.reports.Add(1)
		}
	})
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = version
	hello.Params.ClientInfo = mcp.Implementation{Name: "bench", Version: "1.0.0"}
	if _, err := s.client.Initialize(ctx, hello); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *mcpGo) call(ctx context.Context, p mcp.CallToolParams) (*mcp.CallToolResult, error) {
	result, err := s.client.CallTool(ctx, mcp.CallToolRequest{Params: p})
	if err == nil && result.IsError {
		err = errors.New("the tool reports an error")
	}
	return result, err
}

// Sum calls the tool "sum".
func (s *mcpGo) Sum(ctx context.Context, a, b int64) (sum jsonengines.Sum, err error) {
	result, err := s.call(ctx, mcp.CallToolParams{Name: "sum", Arguments: sumArguments{a, b}})
	if err != nil {
		return sum, err
	}
	return sum, json.Unmarshal(result.RawStructuredContent, &sum)
}

// Text calls a tool that answers with one text.
func (s *mcpGo) Text(ctx context.Context, tool string) (string, error) {
	result, err := s.call(ctx, mcp.CallToolParams{Name: tool})
	if err != nil {
		return "", err
	}
	if text, ok := result.Content[0].(mcp.TextContent); ok && len(result.Content) == 1 {
		return text.Text, nil
	}
	return "", errors.New("not one text")
}

// Rows calls the tool "rows".
func (s *mcpGo) Rows(ctx context.Context) (rowSet, error) {
	result, err := s.call(ctx, mcp.CallToolParams{Name: "rows"})
	if err != nil {
		return nil, err
	}
	var rows jsonengines.Rows
	err = json.Unmarshal(result.RawStructuredContent, &rows)
	return plainRows(rows.Rows), err
}

// List lists all tools.
func (s *mcpGo) List(ctx context.Context) ([]string, error) {
	result, err := s.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	names := make([]string, len(result.Tools))
	for i := range names {
		names[i] = result.Tools[i].Name
	}
	return names, nil
}

// Progress calls the tool "progress".
func (s *mcpGo) Progress(ctx context.Context) (int, error) {
	before := s.reports.Load()
	if _, err := s.call(ctx, mcp.CallToolParams{Name: "progress", Meta: &mcp.Meta{ProgressToken: "7"}}); err != nil {
		return 0, err
	}
	return awaitReports(&s.reports, before), nil
}

// Close ends the session.
func (s *mcpGo) Close() error { return s.client.Close() }
