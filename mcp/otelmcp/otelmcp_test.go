package otelmcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/mcptest"
	"github.com/mcpgen/mcpgen/mcp/otelmcp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type rig struct {
	*mcp.Client
	script *mcptest.Script
	spans  *tracetest.SpanRecorder
	tracer trace.Tracer
}

// open connects to a script in a version, with spans kept by a recorder.
func open(t *testing.T, version string, opts []otelmcp.Option, steps ...mcptest.Step) *rig {
	t.Helper()
	r := &rig{spans: tracetest.NewSpanRecorder()}
	provider := sdk.NewTracerProvider(sdk.WithSpanProcessor(r.spans))
	r.tracer = provider.Tracer("test")
	r.script = mcptest.NewScript(append([]mcptest.Step{mcptest.Handshake(version)}, steps...)...)
	c, err := mcp.Connect(t.Context(), r.script, mcp.WithVersions(version),
		mcp.WithInterceptor(otelmcp.Interceptor(append(opts, otelmcp.WithTracerProvider(provider))...)))
	if err != nil {
		t.Fatal(err)
	}
	r.Client = c
	t.Cleanup(func() {
		if err := errors.Join(c.Close(), r.script.Done(), provider.Shutdown(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return r
}

// last is the newest span as text: name, kind, status, attributes.
func (r *rig) last(t *testing.T) map[string]string {
	t.Helper()
	ended := r.spans.Ended()
	if len(ended) == 0 {
		t.Fatal("there is no span")
	}
	s := ended[len(ended)-1]
	got := map[string]string{"": s.Name() + ", " + s.SpanKind().String() + ", " + s.Status().Code.String()}
	for _, a := range s.Attributes() {
		got[string(a.Key)] = a.Value.String()
	}
	if got["jsonrpc.request.id"] == "" {
		t.Error("the span has no request id")
	}
	delete(got, "jsonrpc.request.id")
	return got
}

var versions = []string{mcp.Version20260728, mcp.Version20251125, mcp.Version20241105}

func TestRequestsBecomeSpans(t *testing.T) {
	for _, version := range versions {
		r := open(t, version, []otelmcp.Option{otelmcp.WithAttributes(attribute.String("network.transport", "pipe"))},
			mcptest.Expect("tools/call", mcptest.Result(`{"content":[]}`)),
			mcptest.Expect("tools/call", mcptest.Result(`{"content":[],"isError":true}`)),
			mcptest.Expect("tools/call", mcptest.Fail(mcp.CodeInvalidParams, strings.Repeat("ü", 300))),
			mcptest.Expect("prompts/get", mcptest.Result(`{"messages":[]}`)),
			mcptest.Expect("resources/read", mcptest.Result(`{"contents":[]}`)),
			mcptest.Expect("tools/list", mcptest.Result(`{"tools":[]}`)),
		)
		ctx := t.Context()
		want := func(more ...string) {
			t.Helper()
			w := map[string]string{"network.transport": "pipe", "mcp.protocol.version": version}
			for i := 0; i < len(more); i += 2 {
				w[more[i]] = more[i+1]
			}
			if diff := cmp.Diff(w, r.last(t)); diff != "" {
				t.Errorf("%s: %s", version, diff)
			}
		}
		call := []string{"mcp.method.name", "tools/call", "gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "add"}
		if _, err := r.CallTool(ctx, "add", map[string]any{"secret": 1}); err != nil {
			t.Fatal(err)
		}
		want(append(call, "", "tools/call add, client, Unset")...)
		if _, err := r.CallTool(ctx, "add", nil); err != nil {
			t.Fatal(err)
		}
		want(append(call, "", "tools/call add, client, Error", "error.type", "tool_error")...)
		if _, err := r.CallTool(ctx, "add", nil); !errors.Is(err, mcp.ErrInvalidParams) {
			t.Fatal(err)
		}
		want(append(call, "", "tools/call add, client, Error", "error.type", "-32602", "rpc.response.status_code", "-32602")...)
		spans := r.spans.Ended()
		if text := spans[len(spans)-1].Status().Description; len(text) > 210 || !strings.HasSuffix(text, "ü…") {
			t.Errorf("the description has %d bytes: %q", len(text), text)
		}
		if _, err := r.GetPrompt(ctx, "hello", nil); err != nil {
			t.Fatal(err)
		}
		want("", "prompts/get hello, client, Unset", "mcp.method.name", "prompts/get", "gen_ai.prompt.name", "hello")
		if _, err := r.ReadResource(ctx, "file:///a"); err != nil {
			t.Fatal(err)
		}
		want("", "resources/read, client, Unset", "mcp.method.name", "resources/read", "mcp.resource.uri", "file:///a")
		if _, err := r.ListTools(ctx); err != nil {
			t.Fatal(err)
		}
		want("", "tools/list, client, Unset", "mcp.method.name", "tools/list")
	}
}

func TestFailuresWithoutAnAnswerHaveATypeToo(t *testing.T) {
	never := make(chan struct{})
	r := open(t, mcp.Version20251125, nil,
		mcptest.Expect("tools/call", mcptest.Later(never)),
		mcptest.Expect("tools/call", mcptest.Later(never)),
		mcptest.Expect("tools/call", mcptest.HangUp(errors.New("power cut"))),
	)
	_, err := r.CallTool(t.Context(), "slow", nil, mcp.WithTimeout(10*time.Millisecond))
	if got := r.last(t)["error.type"]; got != "timeout" {
		t.Errorf("%v has the type %s", err, got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err = r.CallTool(ctx, "slow", nil)
	if got := r.last(t)["error.type"]; got != "cancelled" {
		t.Errorf("%v has the type %s", err, got)
	}
	_, err = r.CallTool(t.Context(), "last", nil)
	if got := r.last(t)["error.type"]; got != "mcp.TransportError" {
		t.Errorf("%v has the type %s", err, got)
	}
}

// One span covers all messages that a call takes.
func TestRetriesAreWithinTheSpan(t *testing.T) {
	r := open(t, mcp.Version20260728, nil,
		mcptest.Expect("tools/call", mcptest.Result(`{"resultType":"input_required","requestState":"s"}`)),
		mcptest.Expect("tools/call", mcptest.Result(`{"resultType":"complete","content":[]}`)),
	)
	if _, err := r.CallTool(t.Context(), "add", nil); err != nil {
		t.Fatal(err)
	}
	if n := len(r.spans.Ended()); n != 1 || len(r.spans.Started()) != 1 {
		t.Errorf("there are %d spans", n)
	}
	sent := r.calls()
	if len(sent) != 2 || sent[0]["traceparent"] == "" || sent[0]["traceparent"] != sent[1]["traceparent"] {
		t.Errorf("the messages carry %v", sent)
	}
}

// calls are the _meta members of the tool calls that the server has received, texts only.
func (r *rig) calls() (list []map[string]string) {
	for _, m := range r.script.Received() {
		if m.Method != "tools/call" {
			continue
		}
		var params struct {
			Meta map[string]any `json:"_meta"`
		}
		if err := json.Unmarshal(m.Params, &params); err != nil {
			panic(err)
		}
		meta := map[string]string{}
		for key, value := range params.Meta {
			if text, ok := value.(string); ok {
				meta[key] = text
			}
		}
		list = append(list, meta)
	}
	return list
}

// C-035
func TestTraceContextTravelsInMeta(t *testing.T) {
	for _, version := range versions {
		answer := mcptest.Expect("tools/call", mcptest.Result(`{"content":[]}`))
		r := open(t, version, nil, answer, answer)
		state, err := trace.ParseTraceState("rojo=00f067aa0ba902b7")
		if err != nil {
			t.Fatal(err)
		}
		member, err := baggage.NewMember("user", "7")
		if err != nil {
			t.Fatal(err)
		}
		bag, err := baggage.New(member)
		if err != nil {
			t.Fatal(err)
		}
		remote := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: true})
		ctx := baggage.ContextWithBaggage(trace.ContextWithSpanContext(t.Context(), remote), bag)
		if _, err := r.CallTool(ctx, "add", nil); err != nil {
			t.Fatal(err)
		}
		span := r.spans.Ended()[0]
		if span.Parent().SpanID() != remote.SpanID() || span.SpanContext().TraceID() != remote.TraceID() {
			t.Errorf("%s: the span is no child of the caller's", version)
		}
		meta := r.calls()[0]
		if want := "00-" + remote.TraceID().String() + "-" + span.SpanContext().SpanID().String() + "-01"; meta["traceparent"] != want {
			t.Errorf("%s: traceparent is %s, want %s", version, meta["traceparent"], want)
		}
		if meta["tracestate"] != "rojo=00f067aa0ba902b7" || meta["baggage"] != "user=7" {
			t.Errorf("%s: _meta is %v", version, meta)
		}
		// The caller's own context wins.
		own := "00-" + strings.Repeat("a", 32) + "-" + strings.Repeat("b", 16) + "-00"
		if _, err := r.CallTool(ctx, "add", nil, mcp.WithTraceContext(mcp.TraceContext{Parent: own})); err != nil {
			t.Fatal(err)
		}
		if got := r.calls()[1]["traceparent"]; got != own {
			t.Errorf("%s: traceparent is %s", version, got)
		}
	}
}

func TestAnotherPropagatorIsUsed(t *testing.T) {
	r := open(t, mcp.Version20260728, []otelmcp.Option{otelmcp.WithPropagator(propagation.NewCompositeTextMapPropagator())},
		mcptest.Expect("tools/call", mcptest.Result(`{"content":[]}`)))
	if _, err := r.CallTool(t.Context(), "add", nil); err != nil {
		t.Fatal(err)
	}
	if meta := r.calls()[0]; meta["traceparent"] != "" {
		t.Errorf("_meta is %v", meta)
	}
}

// The global provider may be set after the client was made.
func TestTheGlobalProviderIsTheDefault(t *testing.T) {
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20260728), mcptest.Expect("tools/call", mcptest.Result(`{"content":[]}`)))
	c, err := mcp.Connect(t.Context(), script, mcp.WithInterceptor(otelmcp.Interceptor()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	spans := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	defer otel.SetTracerProvider(before)
	otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSpanProcessor(spans)))
	if _, err := c.CallTool(t.Context(), "add", nil); err != nil {
		t.Fatal(err)
	}
	ended := spans.Ended()
	if !slices.ContainsFunc(ended, func(s sdk.ReadOnlySpan) bool {
		return s.Name() == "tools/call add" && s.InstrumentationScope().Name == otelmcp.ScopeName && s.Status().Code == codes.Unset
	}) {
		t.Errorf("there are %d spans", len(ended))
	}
}
