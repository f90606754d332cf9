package mcptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"github.com/mcpgen/mcpgen"
	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/mcptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var versions = []string{mcp.Version20260728, mcp.Version20251125, mcp.Version20241105}

// double answers some tools of the reference server; the rest panics.
type double struct {
	mcpgen.Tools
	started   chan struct{}
	cancelled chan error
}

func (double) Add(_ context.Context, args mcpgen.AddArgs, _ ...mcp.CallOption) (*mcp.ToolResult[mcpgen.AddOutput], error) {
	return &mcp.ToolResult[mcpgen.AddOutput]{Output: mcpgen.AddOutput{Sum: args.A + args.B}}, nil
}

func (double) ListColours(context.Context, ...mcp.CallOption) (*mcp.ToolResult[[]string], error) {
	return &mcp.ToolResult[[]string]{
		Output:         []string{"red"},
		CallToolResult: &mcp.CallToolResult{Content: []mcp.ContentBlock{&mcp.TextContent{Text: "one colour"}}},
	}, nil
}

func (double) LookUpWord(context.Context, mcpgen.LookUpWordArgs, ...mcp.CallOption) (*mcp.ToolResult[*string], error) {
	return &mcp.ToolResult[*string]{}, nil
}

func (double) AskModel(_ context.Context, args mcpgen.AskModelArgs, _ ...mcp.CallOption) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.ContentBlock{&mcp.TextContent{Text: args.Prompt}}}, nil
}

func (double) AskEverything(context.Context, ...mcp.CallOption) (*mcp.CallToolResult, error) {
	return nil, &mcp.RPCError{Code: -32000, Message: "nobody to ask", Data: json.RawMessage(`{"who":"user"}`)}
}

func (double) Fail(context.Context, mcpgen.FailArgs, ...mcp.CallOption) (*mcp.ToolResult[mcpgen.FailOutput], error) {
	return nil, &mcp.ToolError{Result: &mcp.CallToolResult{Content: []mcp.ContentBlock{&mcp.TextContent{Text: "out of tea"}}}}
}

func (double) Greet(context.Context, mcpgen.GreetArgs, ...mcp.CallOption) (*mcp.CallToolResult, error) {
	return nil, errors.New("no voice")
}

func (double) WriteLog(context.Context, mcpgen.WriteLogArgs, ...mcp.CallOption) (*mcp.ToolResult[mcpgen.WriteLogOutput], error) {
	return nil, nil
}

func (d double) CountDown(ctx context.Context, args mcpgen.CountDownArgs, _ ...mcp.CallOption) (*mcp.CallToolResult, error) {
	mcptest.ReportProgress(ctx, mcp.Progress{Progress: 1, Total: 2, Message: "one"})
	mcptest.ReportProgress(ctx, mcp.Progress{Progress: 2})
	if d.started == nil {
		return &mcp.CallToolResult{}, nil
	}
	close(d.started)
	<-ctx.Done()
	d.cancelled <- ctx.Err()
	return nil, ctx.Err()
}

// connect opens a client to a fake in one version.
func connect(t *testing.T, tools mcpgen.Tools, version string) *mcpgen.Client {
	t.Helper()
	client, err := mcpgen.Connect(t.Context(), mcpgen.NewFake(tools), mcp.WithVersions(version))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return client
}

// eachVersion runs test against a fake in both eras.
func eachVersion(t *testing.T, test func(t *testing.T, client *mcpgen.Client)) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) { test(t, connect(t, double{}, version)) })
	}
}

func text(t *testing.T, result *mcp.CallToolResult) string {
	t.Helper()
	if len(result.Content) != 1 {
		t.Fatalf("%d content blocks", len(result.Content))
	}
	return result.Content[0].(*mcp.TextContent).Text
}

func TestFakeCarriesArgumentsAndResults(t *testing.T) {
	eachVersion(t, func(t *testing.T, client *mcpgen.Client) {
		ctx := t.Context()
		sum, err := client.Add(ctx, mcpgen.AddArgs{A: 20, B: 22})
		if err != nil {
			t.Fatal(err)
		}
		if sum.Output.Sum != 42 || text(t, sum.CallToolResult) != `{"sum":42}` || string(sum.StructuredContent) != `{"sum":42}` {
			t.Errorf("add = %+v", sum)
		}
		colours, err := client.ListColours(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(colours.Output) != "[red]" || text(t, colours.CallToolResult) != "one colour" {
			t.Errorf("list_colours = %+v", colours)
		}
		model, err := client.AskModel(ctx, mcpgen.AskModelArgs{Prompt: "line\nline \u2028"})
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, model); got != "line\nline \u2028" {
			t.Errorf("ask_model = %q", got)
		}
		word, err := client.LookUpWord(ctx, mcpgen.LookUpWordArgs{Word: "x"})
		if err != nil || word.Output != nil || string(word.StructuredContent) != "null" {
			t.Errorf("look_up_word = %+v, %v", word, err)
		}
	})
}

func TestFakeListsWhatTheClientWasGeneratedFrom(t *testing.T) {
	eachVersion(t, func(t *testing.T, client *mcpgen.Client) {
		if err := client.Verify(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestFakeReportsTheErrorsOfItsDouble(t *testing.T) {
	eachVersion(t, func(t *testing.T, client *mcpgen.Client) {
		ctx := t.Context()
		_, err := client.Fail(ctx, mcpgen.FailArgs{})
		if failed, ok := errors.AsType[*mcp.ToolError](err); !ok || text(t, failed.Result) != "out of tea" {
			t.Errorf("fail: %v", err)
		}
		_, err = client.Greet(ctx, mcpgen.GreetArgs{Name: "Ada"})
		if failed, ok := errors.AsType[*mcp.ToolError](err); !ok || text(t, failed.Result) != "no voice" {
			t.Errorf("greet: %v", err)
		}
		_, err = client.AskEverything(ctx)
		if rpc, ok := errors.AsType[*mcp.RPCError](err); !ok || rpc.Code != -32000 || rpc.Message != "nobody to ask" || string(rpc.Data) != `{"who":"user"}` {
			t.Errorf("ask_everything: %v", err)
		}
		_, err = client.WriteLog(ctx, mcpgen.WriteLogArgs{})
		if !errors.Is(err, mcp.ErrInvalidParams) {
			t.Errorf("write_log at no level: %v", err)
		}
		_, err = client.WriteLog(ctx, mcpgen.WriteLogArgs{Level: "info"})
		if !errors.Is(err, mcp.ErrInternal) || !strings.Contains(err.Error(), "neither a result nor an error") {
			t.Errorf("write_log: %v", err)
		}
		_, err = client.IsEven(ctx, mcpgen.IsEvenArgs{})
		if !errors.Is(err, mcp.ErrInternal) || !strings.Contains(err.Error(), `double of tool "is_even" panicked`) {
			t.Errorf("is_even: %v", err)
		}
	})
}

func TestFakeRefusesWhatDoesNotFit(t *testing.T) {
	eachVersion(t, func(t *testing.T, client *mcpgen.Client) {
		ctx, conn := t.Context(), client.Conn()
		for name, args := range map[string]any{
			"add":       map[string]any{"a": "one", "b": 2},
			"ask_model": nil,
			"no-op":     nil,
		} {
			_, err := conn.CallTool(ctx, name, args)
			if !errors.Is(err, mcp.ErrInvalidParams) {
				t.Errorf("%s(%v): %v", name, args, err)
			}
		}
		if _, err := mcp.Call[json.RawMessage](ctx, conn, "vendor/method", nil); !errors.Is(err, mcp.ErrMethodNotFound) {
			t.Errorf("vendor/method: %v", err)
		}
	})
}

func TestFakeNegotiates(t *testing.T) {
	client, err := mcpgen.Connect(t.Context(), mcpgen.NewFake(double{}))
	if err != nil {
		t.Fatal(err)
	}
	if s := client.Conn().Session(); s.Version != mcp.Version20260728 {
		t.Errorf("version %s", s.Version)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}

func TestFakeSendsProgress(t *testing.T) {
	eachVersion(t, func(t *testing.T, client *mcpgen.Client) {
		var got []mcp.Progress
		_, err := client.CountDown(t.Context(), mcpgen.CountDownArgs{Steps: 1}, mcp.WithProgress(func(p mcp.Progress) { got = append(got, p) }))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 2 || got[0] != (mcp.Progress{Progress: 1, Total: 2, Message: "one"}) || got[1].Progress != 2 {
			t.Errorf("progress %v", got)
		}
	})
}

func TestCancellingReachesTheDouble(t *testing.T) {
	for _, version := range versions {
		synctest.Test(t, func(t *testing.T) {
			d := double{started: make(chan struct{}), cancelled: make(chan error, 1)}
			client, err := mcpgen.Connect(t.Context(), mcpgen.NewFake(d), mcp.WithVersions(version))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-d.started
				cancel()
			}()
			if _, err := client.CountDown(ctx, mcpgen.CountDownArgs{Steps: 1}); !errors.Is(err, context.Canceled) {
				t.Errorf("count_down: %v", err)
			}
			if err := <-d.cancelled; !errors.Is(err, context.Canceled) {
				t.Errorf("the double's context: %v", err)
			}
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestProtocolErrorsOfTheDoublePass(t *testing.T) {
	fake := mcptest.NewFake(mcptest.ToolNoArgs(&mcpgen.AskEverythingTool, func(context.Context, ...mcp.CallOption) (*mcp.CallToolResult, error) {
		return nil, fmt.Errorf("wrapped: %w", &jsonrpc.Error{Code: -32001, Message: "plain"})
	}))
	conn, err := mcp.Connect(t.Context(), fake)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = conn.CallTool(t.Context(), "ask_everything", nil)
	if rpc, ok := errors.AsType[*mcp.RPCError](err); !ok || rpc.Code != -32001 {
		t.Errorf("ask_everything: %v", err)
	}
}
