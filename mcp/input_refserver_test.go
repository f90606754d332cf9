package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

// reached is a way to a reference server, by name.
func reached(t *testing.T, way string, options refserver.Options) mcp.Transport {
	t.Helper()
	server := refserver.New(options)
	t.Cleanup(func() { _ = server.Close() })
	switch way {
	case "http":
		h := httptest.NewServer(server.HTTPHandler())
		t.Cleanup(h.Close)
		return mcp.HTTP(h.URL)
	case "handler":
		return mcp.Handler(server.HTTPHandler())
	}
	return mcp.DialStream(func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		go func() {
			_ = server.ServeStdio(context.Background(), theirs, theirs)
			_ = theirs.Close()
		}()
		return ours, nil
	})
}

// user answers whatever a server asks, and notes what that was.
type user struct {
	mu    sync.Mutex
	asked []string
}

func (u *user) note(what string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked = append(u.asked, what)
}

func (u *user) options() []mcp.Option {
	return []mcp.Option{
		mcp.WithElicitation(func(_ context.Context, req *mcp.FormRequest) (*mcp.ElicitResult, error) {
			u.note("form for " + req.Server.Name)
			content := map[string]any{}
			for key, field := range req.Params.RequestedSchema.Properties {
				switch f := field.(type) {
				case *mcp.BooleanSchema:
					if f.Default == nil {
						content[key] = true
					}
				case *mcp.StringSchema:
					if f.Format == nil {
						content[key] = "xyzzy"
					}
				case *mcp.UntitledSingleSelectEnumSchema:
					content[key] = f.Enum[0]
				case *mcp.UntitledMultiSelectEnumSchema:
					content[key] = f.Items.Enum[:1]
				}
			}
			return mcp.ElicitAccept(content), nil
		}),
		mcp.WithURLElicitation(func(_ context.Context, req *mcp.URLRequest) (*mcp.ElicitResult, error) {
			u.note("page at " + req.Host)
			return mcp.ElicitAccept(nil), nil
		}),
		mcp.WithSampling(func(_ context.Context, req *mcp.SamplingRequest) (*mcp.CreateMessageResult, error) {
			u.note("model")
			return &mcp.CreateMessageResult{Model: "toy", Content: &mcp.TextContent{Text: "and so on"}}, nil
		}),
		mcp.WithRoots(func(context.Context, *mcp.RootsRequest) ([]mcp.Root, error) {
			u.note("roots")
			return []mcp.Root{{URI: "file:///work"}}, nil
		}),
	}
}

func client(t *testing.T, transport mcp.Transport, opts ...mcp.Option) *mcp.Client {
	t.Helper()
	c, err := mcp.Connect(t.Context(), transport, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func textOf(t *testing.T, result *mcp.CallToolResult) string {
	t.Helper()
	var b strings.Builder
	for _, block := range result.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	if result.IsError != nil && *result.IsError {
		t.Errorf("tool error: %s", b.String())
	}
	return b.String()
}

// C-164 C-175 C-185 C-191 C-209: one set of handlers serves every version over every transport.
func TestTheReferenceServerGetsItsInput(t *testing.T) {
	for _, version := range refserver.AllVersions() {
		for _, way := range []string{"stdio", "http", "handler"} {
			t.Run(version+" "+way, func(t *testing.T) {
				u := &user{}
				c := client(t, reached(t, way, refserver.Options{}), append(u.options(), mcp.WithVersions(version))...)
				call := func(tool string, arguments map[string]any) string {
					t.Helper()
					result, err := c.CallTool(t.Context(), tool, arguments)
					if err != nil {
						t.Fatal(err)
					}
					return textOf(t, result)
				}
				if got := call("ask_model", map[string]any{"prompt": "Once"}); got != "the model said: and so on" {
					t.Errorf("ask_model: %s", got)
				}
				if got := call("list_roots", nil); !strings.Contains(got, "file:///work") {
					t.Errorf("list_roots: %s", got)
				}
				if version < refserver.V20250618 {
					return
				}
				var form map[string]any
				if err := json.Unmarshal([]byte(call("ask_form", nil)), &form); err != nil || form["name"] != "xyzzy" || form["spam"] != false {
					t.Errorf("ask_form: %v, %v", form, err)
				}
				if version >= refserver.V20251125 && form["country"] != "de" {
					t.Errorf("the default is not filled in: %v", form)
				}
				if got := call("ask_everything", nil); !strings.Contains(got, "value xyzzy") || !strings.Contains(got, "sure true") {
					t.Errorf("ask_everything: %s", got)
				}
				if version != refserver.V20251125 { // where the tool only runs as a task that is asked for
					if got := call("conduct_survey", map[string]any{"topic": "Go"}); got != "opinion about Go: good" {
						t.Errorf("conduct_survey: %s", got)
					}
				}
				if version >= refserver.V20251125 {
					if got := call("ask_consent", map[string]any{"page": "terms"}); got != "consent to terms was given" {
						t.Errorf("ask_consent: %s", got)
					}
					if !slices.Contains(u.asked, "page at refserver.invalid") {
						t.Errorf("asked %v", u.asked)
					}
				}
				if version < refserver.V20260728 && !slices.Contains(u.asked, "form for refserver") {
					t.Errorf("asked %v", u.asked)
				}
			})
		}
	}
}

// C-192 C-193: the call comes back when the server says that the visit is over.
func TestTheReferenceServerHasAPageVisitedFirst(t *testing.T) {
	u := &user{}
	c := client(t, reached(t, "stdio", refserver.Options{}), append(u.options(), mcp.WithVersions(mcp.Version20251125))...)
	result, err := c.CallTool(t.Context(), "ask_consent", map[string]any{"page": "terms", "how": "error"})
	if err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, result); !strings.Contains(got, "was given") || len(u.asked) != 1 {
		t.Errorf("%s, asked %v", got, u.asked)
	}
}

// C-162: prompts and resources take rounds too.
func TestPromptsAndResourcesTakeRounds(t *testing.T) {
	u := &user{}
	c := client(t, reached(t, "handler", refserver.Options{}), u.options()...)
	prompts, err := c.ListPrompts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	resources, err := c.ListResources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range prompts {
		arguments := map[string]string{}
		for _, a := range p.Arguments {
			arguments[a.Name] = "x"
		}
		if _, err := c.GetPrompt(t.Context(), p.Name, arguments); err != nil {
			t.Errorf("prompt %s: %v", p.Name, err)
		}
	}
	for _, r := range resources {
		if _, err := c.ReadResource(t.Context(), r.URI); err != nil {
			t.Errorf("resource %s: %v", r.URI, err)
		}
	}
	if len(u.asked) == 0 {
		t.Error("nothing was asked")
	}
}

// B114: without a user the call fails at once, and can be finished by hand.
func TestTheReferenceServerIsAnsweredByHand(t *testing.T) {
	silent := func(context.Context, *mcp.FormRequest) (*mcp.ElicitResult, error) {
		return nil, errors.New("nobody there")
	}
	c := client(t, reached(t, "http", refserver.Options{}), mcp.WithElicitation(silent))
	_, err := c.CallTool(t.Context(), "ask_form", nil)
	var open *mcp.InputRequiredError
	if !errors.As(err, &open) || !strings.Contains(err.Error(), "nobody there") {
		t.Fatalf("error is %v", err)
	}
	answer := mcp.ElicitAccept(map[string]any{"name": "Ada"})
	result, err := c.CallTool(t.Context(), "ask_form", nil, open.Retry(map[string]any{"form": answer}))
	if err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, result); !strings.Contains(got, "Ada") {
		t.Error(got)
	}
}
