package main

import (
	"context"
	"fmt"

	"github.com/mcpgen/mcpgen/bench/jsonengines"
)

// A contestant opens sessions with the tiny server; a session does the few
// things that are measured. Every method returns what a user wants to have in
// hand (typed values, one string, a count), so that no contestant can leave the
// last step of decoding to somebody else.

// target is a tiny server: a URL, or a command that speaks stdio.
type target struct {
	url     string
	command []string
	era     string // "2025" or "2026"
}

// version is the protocol version of the target's era.
func (t target) version() string {
	if t.era == "2026" {
		return "2026-07-28"
	}
	return "2025-11-25"
}

type contestant struct {
	name string
	open func(ctx context.Context, t target) (session, error)
	// unpinned opens a session without being told the version.
	unpinned func(ctx context.Context, t target) (session, error)
}

type session interface {
	// Sum calls the tool "sum" and returns its typed output.
	Sum(ctx context.Context, a, b int64) (jsonengines.Sum, error)
	// Text calls a tool that answers with one text.
	Text(ctx context.Context, tool string) (string, error)
	// Rows calls the tool "rows" and returns its typed output.
	Rows(ctx context.Context) (rowSet, error)
	// List lists all tools and returns their names.
	List(ctx context.Context) ([]string, error)
	// Progress calls the tool "progress" and returns how many reports came.
	Progress(ctx context.Context) (int, error)
	Close() error
}

// A rowSet is typed rows in whatever struct the contestant fills.
type rowSet interface {
	len() int
	id(i int) int64
	plain() []jsonengines.Row
}

type plainRows []jsonengines.Row

func (p plainRows) len() int                 { return len(p) }
func (p plainRows) id(i int) int64           { return p[i].ID }
func (p plainRows) plain() []jsonengines.Row { return p }

// contestants are measured in this order, rotated each round. The first is what
// the others are divided by.
var contestants = []contestant{
	{name: "floor", open: openFloor, unpinned: openFloorUnpinned},
	{name: "mcpgen", open: openOurs, unpinned: openOursUnpinned},
	{name: "go-sdk", open: openGoSDK, unpinned: openGoSDKUnpinned},
	{name: "mcp-go", open: openMCPGo, unpinned: openMCPGoUnpinned},
}

func contestantNamed(name string) (contestant, error) {
	for _, c := range contestants {
		if c.name == name {
			return c, nil
		}
	}
	return contestant{}, fmt.Errorf("no contestant is called %q", name)
}

// toolCount, rowCount and progressCount are what the tiny server has.
const (
	toolCount     = 1000
	rowCount      = 10_000
	progressCount = 10_000
)
