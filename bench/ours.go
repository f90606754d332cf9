package main

import (
	"context"
	"errors"
	"io"

	"github.com/mcpgen/mcpgen/bench/jsonengines"
	"github.com/mcpgen/mcpgen/bench/tinytools"
	"github.com/mcpgen/mcpgen/mcp"
)

// This runtime under the client that mcpgen generates from the tiny server's list of tools.

type ours struct{ client *tinytools.Client }

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
	client, err := tinytools.Connect(ctx, transport, append(opts, mcp.WithMaxMessageSize(64<<20))...)
	if err != nil {
		return nil, err
	}
	return &ours{client}, nil
}

// Sum calls the tool "sum".
func (s *ours) Sum(ctx context.Context, a, b int64) (jsonengines.Sum, error) {
	result, err := s.client.Sum(ctx, tinytools.SumArgs{A: a, B: b})
	if err != nil {
		return jsonengines.Sum{}, err
	}
	return jsonengines.Sum{Sum: result.Output.Sum, Unit: result.Output.Unit}, nil
}

// Text calls a tool that answers with one text.
func (s *ours) Text(ctx context.Context, tool string) (string, error) {
	call := s.client.Text1
	if tool == "text16" {
		call = s.client.Text16
	}
	result, err := call(ctx)
	if err != nil {
		return "", err
	}
	if text, ok := result.Content[0].(*mcp.TextContent); ok && len(result.Content) == 1 {
		return text.Text, nil
	}
	return "", errors.New("not one text")
}

type generatedRows []tinytools.RowsOutputRowsItem

func (g generatedRows) len() int       { return len(g) }
func (g generatedRows) id(i int) int64 { return g[i].ID }

func (g generatedRows) plain() []jsonengines.Row {
	rows := make([]jsonengines.Row, len(g))
	for i, r := range g {
		rows[i] = jsonengines.Row{ID: r.ID, Name: r.Name, Email: r.Email, Score: r.Score, Active: r.Active, Tags: r.Tags, Note: r.Note, Created: r.Created}
	}
	return rows
}

// Rows calls the tool "rows".
func (s *ours) Rows(ctx context.Context) (rowSet, error) {
	result, err := s.client.Rows(ctx)
	if err != nil {
		return nil, err
	}
	return generatedRows(result.Output.Rows), nil
}

// List lists all tools.
func (s *ours) List(ctx context.Context) ([]string, error) {
	tools, err := s.client.Conn().ListTools(ctx)
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	return names, err
}

// Progress calls the tool "progress".
func (s *ours) Progress(ctx context.Context) (int, error) {
	n := 0
	_, err := s.client.Progress(ctx, mcp.WithProgress(func(p mcp.Progress) {
		if int(p.Progress) == n+1 {
			n++
		}
	}))
	return n, err
}

// Close ends the session.
func (s *ours) Close() error { return s.client.Close() }
