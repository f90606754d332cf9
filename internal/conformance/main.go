// Command conformance is the client that the official conformance suite of the protocol tests. The
// suite starts it once per scenario as `conformance URL` and names the scenario in the environment:
// MCP_CONFORMANCE_SCENARIO, and MCP_CONFORMANCE_CONTEXT with the scenario's own facts as JSON.
//
// The program does what any application would: it connects with default options, so that the runtime
// finds out the version by itself, and calls. What is tested is package mcp, so nothing is patched up here.
// `make conformance` runs it against every scenario in scope; see suite_test.go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/mcpgen/mcpgen/mcp"
)

// limit is shorter than the suite's own time-out, which kills a shell and leaves its children.
const limit = 25 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	name := os.Getenv("MCP_CONFORMANCE_SCENARIO")
	if err := run(ctx, name, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "conformance: scenario %q: %v\n", name, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name string, args []string) (err error) {
	if len(args) != 1 {
		return fmt.Errorf("want one argument, the server's URL, got %d", len(args))
	}
	s, ok := scenarios[name]
	if !ok {
		return fmt.Errorf("not one of the %d scenarios in scenarios.go", len(scenarios))
	}
	facts, err := readFacts(os.Getenv("MCP_CONFORMANCE_CONTEXT"))
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	client, err := mcp.Connect(ctx, mcp.HTTP(args[0]), append(s.options, mcp.WithLogger(logger))...)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := client.Close(); err == nil {
			err = closeErr
		}
	}()
	return s.play(ctx, client, facts)
}

// facts are what the suite tells about a scenario; most scenarios have none.
type facts struct {
	ToolCalls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

func readFacts(text string) (facts, error) {
	var f facts
	if text == "" {
		return f, nil
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return f, fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
	}
	return f, nil
}
