package main

// What the client does in each scenario. The suite's server watches; a call that fails fails the
// scenario, unless the scenario is about what the client must not do.

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp"
)

type scenario struct {
	options []mcp.Option
	play    func(ctx context.Context, c *mcp.Client, f facts) error
}

var scenarios = map[string]scenario{
	"initialize":               {play: listDeclaredTools},
	"request-metadata":         {play: listDeclaredTools},
	"json-schema-ref-no-deref": {play: listTools},

	"tools_call": {play: listThenCall("add_numbers", map[string]any{"a": 5, "b": 3})},
	"sse-retry":  {play: listThenCall("test_reconnection", map[string]any{})},

	"http-standard-headers":     {play: useOneOfEach},
	"http-custom-headers":       {play: makeToolCalls},
	"http-invalid-tool-headers": {play: callAllTools},

	"json-schema-2020-12-preservation": {play: echoSchema},

	"elicitation-sep1034-client-defaults": {
		options: []mcp.Option{mcp.WithElicitation(acceptDefaults)},
		play:    listThenCall("test_client_elicitation_defaults", map[string]any{}),
	},
	"sep-2322-client-request-state": {
		options: []mcp.Option{mcp.WithElicitation(confirm)},
		play:    echoStates,
	},
}

func listTools(ctx context.Context, c *mcp.Client, _ facts) error {
	_, err := c.ListTools(ctx)
	return err
}

// listDeclaredTools lists the tools of a server that may have none.
func listDeclaredTools(ctx context.Context, c *mcp.Client, f facts) error {
	err := listTools(ctx, c, f)
	var undeclared *mcp.UnsupportedError
	if errors.As(err, &undeclared) {
		return nil
	}
	return err
}

func listThenCall(tool string, arguments map[string]any) func(context.Context, *mcp.Client, facts) error {
	return func(ctx context.Context, c *mcp.Client, f facts) error {
		if err := listTools(ctx, c, f); err != nil {
			return err
		}
		return call(ctx, c, tool, arguments)
	}
}

// call calls a tool; a tool that reports an error is an error here.
func call(ctx context.Context, c *mcp.Client, tool string, arguments any) error {
	result, err := c.CallTool(ctx, tool, arguments)
	if err != nil {
		return err
	}
	if result.IsError != nil && *result.IsError {
		return &mcp.ToolError{Tool: tool, Result: result}
	}
	return nil
}

// useOneOfEach calls, reads and gets the first of every list.
func useOneOfEach(ctx context.Context, c *mcp.Client, _ facts) error {
	tools, err := c.ListTools(ctx)
	if err != nil {
		return err
	}
	resources, err := c.ListResources(ctx)
	if err != nil {
		return err
	}
	prompts, err := c.ListPrompts(ctx)
	if err != nil {
		return err
	}
	if len(tools) == 0 || len(resources) == 0 || len(prompts) == 0 {
		return fmt.Errorf("the server lists %d tools, %d resources, %d prompts; want one of each", len(tools), len(resources), len(prompts))
	}
	if err := call(ctx, c, tools[0].Name, map[string]any{}); err != nil {
		return err
	}
	if _, err := c.ReadResource(ctx, resources[0].URI); err != nil {
		return err
	}
	_, err = c.GetPrompt(ctx, prompts[0].Name, nil)
	return err
}

// makeToolCalls makes the calls that the scenario prescribes.
func makeToolCalls(ctx context.Context, c *mcp.Client, f facts) error {
	if err := listTools(ctx, c, f); err != nil {
		return err
	}
	if len(f.ToolCalls) == 0 {
		return errors.New("the scenario names no tool calls")
	}
	for i, want := range f.ToolCalls {
		if err := call(ctx, c, want.Name, want.Arguments); err != nil {
			return fmt.Errorf("call %d: %w", i, err)
		}
	}
	return nil
}

// callAllTools calls every tool that the runtime did not leave out.
func callAllTools(ctx context.Context, c *mcp.Client, _ facts) error {
	tools, err := c.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, tool := range tools {
		if err := call(ctx, c, tool.Name, map[string]any{"region": "us-west1"}); err != nil {
			return err
		}
	}
	return nil
}

// echoSchema sends a tool's input schema back to the server that listed it.
func echoSchema(ctx context.Context, c *mcp.Client, _ facts) error {
	tools, err := c.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, tool := range tools {
		if tool.Name == "json_schema_2020_12_tool" {
			return call(ctx, c, "json_schema_echo", map[string]any{"schema": tool.InputSchema})
		}
	}
	return errors.New("the server lists no tool json_schema_2020_12_tool")
}

// acceptDefaults accepts every form and fills in nothing: the runtime adds the defaults.
func acceptDefaults(context.Context, *mcp.FormRequest) (*mcp.ElicitResult, error) {
	return mcp.ElicitAccept(nil), nil
}

// confirm answers the forms of the scenario about input in several rounds.
func confirm(context.Context, *mcp.FormRequest) (*mcp.ElicitResult, error) {
	return mcp.ElicitAccept(map[string]any{"confirmed": true}), nil
}

// echoStates makes calls that need input, and one beside them that does not.
func echoStates(ctx context.Context, c *mcp.Client, f facts) error {
	if err := listTools(ctx, c, f); err != nil {
		return err
	}
	beside := make(chan error)
	go func() { beside <- call(ctx, c, "test_mrtr_unrelated", map[string]any{}) }()
	err := call(ctx, c, "test_mrtr_echo_state", map[string]any{})
	if err = errors.Join(err, <-beside); err != nil {
		return err
	}
	for _, tool := range []string{"test_mrtr_no_state", "test_mrtr_no_result_type"} {
		if err := call(ctx, c, tool, map[string]any{}); err != nil {
			return err
		}
	}
	return nil
}
