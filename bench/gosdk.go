package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/bench/jsonengines"
)

// The official Go SDK at its best: no standing GET stream, no logging, no event
// limit. Its client has no typed output, so the tree it decodes into is walked
// by hand, which is cheaper than encoding it again.

type goSDK struct {
	session *mcp.ClientSession
	reports atomic.Int64
}

func openGoSDK(ctx context.Context, t target) (session, error) {
	return connectGoSDK(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: t.version()})
}

func openGoSDKUnpinned(ctx context.Context, t target) (session, error) {
	return connectGoSDK(ctx, t, nil)
}

func connectGoSDK(ctx context.Context, t target, opts *mcp.ClientSessionOptions) (session, error) {
	s := &goSDK{}
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{},
		Logger:         slog.New(slog.DiscardHandler),
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
			s.reports.Add(1)
		},
	})
	var transport mcp.Transport
	if t.url != "" {
		transport = &mcp.StreamableClientTransport{Endpoint: t.url, HTTPClient: newHTTPClient(), DisableStandaloneSSE: true, MaxEventSize: -1}
	} else {
		cmd := exec.Command(t.command[0], t.command[1:]...)
		cmd.Stderr = io.Discard
		transport = &mcp.CommandTransport{Command: cmd}
	}
	var err error
	s.session, err = client.Connect(ctx, transport, opts)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *goSDK) call(ctx context.Context, p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	result, err := s.session.CallTool(ctx, p)
	if err == nil && result.IsError {
		err = errors.New("the tool reports an error")
	}
	return result, err
}

// Sum calls the tool "sum".
func (s *goSDK) Sum(ctx context.Context, a, b int64) (jsonengines.Sum, error) {
	result, err := s.call(ctx, &mcp.CallToolParams{Name: "sum", Arguments: sumArguments{a, b}})
	if err != nil {
		return jsonengines.Sum{}, err
	}
	m, _ := result.StructuredContent.(map[string]any)
	sum, ok := m["sum"].(float64)
	unit, ok2 := m["unit"].(string)
	if !ok || !ok2 {
		return jsonengines.Sum{}, errors.New("no sum")
	}
	return jsonengines.Sum{Sum: int64(sum), Unit: unit}, nil
}

type sumArguments struct {
	A int64 `json:"a"`
	B int64 `json:"b"`
}

// Text calls a tool that answers with one text.
func (s *goSDK) Text(ctx context.Context, tool string) (string, error) {
	result, err := s.call(ctx, &mcp.CallToolParams{Name: tool})
	if err != nil {
		return "", err
	}
	if text, ok := result.Content[0].(*mcp.TextContent); ok && len(result.Content) == 1 {
		return text.Text, nil
	}
	return "", errors.New("not one text")
}

// Rows calls the tool "rows".
func (s *goSDK) Rows(ctx context.Context) (rowSet, error) {
	result, err := s.call(ctx, &mcp.CallToolParams{Name: "rows"})
	if err != nil {
		return nil, err
	}
	m, _ := result.StructuredContent.(map[string]any)
	list, _ := m["rows"].([]any)
	rows := make([]jsonengines.Row, len(list))
	for i := range list {
		if rows[i], err = rowOf(list[i]); err != nil {
			return nil, err
		}
	}
	return plainRows(rows), nil
}

func rowOf(v any) (jsonengines.Row, error) {
	m, _ := v.(map[string]any)
	id, ok1 := m["id"].(float64)
	name, ok2 := m["name"].(string)
	email, ok3 := m["email"].(string)
	score, ok4 := m["score"].(float64)
	active, ok5 := m["active"].(bool)
	created, ok6 := m["created"].(string)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 {
		return jsonengines.Row{}, errors.New("a row lacks a member")
	}
	r := jsonengines.Row{ID: int64(id), Name: name, Email: email, Score: score, Active: active, Created: created}
	if tags, ok := m["tags"].([]any); ok {
		r.Tags = make([]string, len(tags))
		for i := range tags {
			r.Tags[i], _ = tags[i].(string)
		}
	}
	if note, ok := m["note"].(string); ok {
		r.Note = &note
	}
	return r, nil
}

// List lists all tools.
func (s *goSDK) List(ctx context.Context) ([]string, error) {
	result, err := s.session.ListTools(ctx, nil)
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
func (s *goSDK) Progress(ctx context.Context) (int, error) {
	before := s.reports.Load()
	p := &mcp.CallToolParams{Name: "progress"}
	p.SetProgressToken("7")
	if _, err := s.call(ctx, p); err != nil {
		return 0, err
	}
	return awaitReports(&s.reports, before), nil
}

// awaitReports waits for reports that a peer still handles when the call has
// returned.
func awaitReports(n *atomic.Int64, before int64) int {
	for deadline := time.Now().Add(5 * time.Second); n.Load()-before < progressCount && time.Now().Before(deadline); {
		time.Sleep(20 * time.Microsecond)
	}
	return int(n.Load() - before)
}

// Close ends the session.
func (s *goSDK) Close() error { return s.session.Close() }
