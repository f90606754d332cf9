package e2e

import (
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/internal/peers"
	"github.com/mcpgen/mcpgen/mcp"
)

// The official server has a tool that runs only as a task of 2025-11-25 (C-275).
func TestTaskOfTheOfficialServer(t *testing.T) {
	const tool = "simulate-research-query"
	for name, open := range map[string]func(t *testing.T) mcp.Transport{
		"stdio": func(t *testing.T) mcp.Transport { return command(peers.Everything(t)) },
		"http":  func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.EverythingHTTP(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			client := connect(t, open(t))
			ctx := limited(t)
			tools, err := client.ListTools(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(tools, func(tool mcp.Tool) bool { return tool.Name == "simulate-research-query" }) {
				t.Fatal("the server has no such tool any more")
			}
			if ok, err := client.Tasks().ServerSupports(ctx); !ok || err != nil {
				t.Fatalf("supports tasks: %v, %v", ok, err)
			}
			task, err := client.Tasks().Start(ctx, tool, map[string]any{"topic": "tea", "ambiguous": false})
			if err != nil {
				t.Fatal(err)
			}
			if task.ID == "" || task.Status != mcp.TaskWorking {
				t.Errorf("started as %+v", task.TaskState)
			}
			if task, err = task.Await(ctx); err != nil {
				t.Fatal(err)
			}
			result, err := task.Result()
			if err != nil || task.Status != mcp.TaskCompleted || text(t, result.CallToolResult) == "" {
				t.Errorf("ended as %+v: %v", task.TaskState, err)
			}
		})
	}
}
