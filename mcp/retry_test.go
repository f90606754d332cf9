package mcp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// flaky answers tools/call with each of replies in turn and then succeeds; everything else at once.
func flaky(replies ...http.HandlerFunc) (http.Handler, *atomic.Int32) {
	calls := &atomic.Int32{}
	fine := jsonScript(modern(func(m message) []string {
		if m.Method == methodListTools {
			return []string{m.result(`{"tools":[{"name":"safe","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"unsafe","inputSchema":{"type":"object"}}]}`)}
		}
		return []string{m.result(okResult)}
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := parseMessage(body)
		if m.Method == methodCallTool {
			if n := int(calls.Add(1)); n <= len(replies) {
				replies[n-1](w, r)
				return
			}
		}
		fine(w, r, m)
	}), calls
}

func busy(status int, after string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(status)
	}
}

// busyInRPC says so with a JSON-RPC error in the body.
func busyInRPC(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Retry-After", "2")
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"busy"}}`)
}

// B043
func TestRetriesKeepTheServersTime(t *testing.T) {
	longest := 1500 * time.Millisecond
	for name, test := range map[string]struct {
		replies     []http.HandlerFunc
		tool        string
		policy      RetryPolicy
		calls       int
		least, most time.Duration
		fails       bool
	}{
		"429, seconds":           {[]http.HandlerFunc{busy(429, "3")}, "safe", RetryPolicy{}, 2, 3 * time.Second, 3 * time.Second, false},
		"503, date":              {[]http.HandlerFunc{busy(503, "Sat, 01 Jan 2000 00:00:07 GMT")}, "safe", RetryPolicy{}, 2, 7 * time.Second, 7 * time.Second, false},
		"503 with an error":      {[]http.HandlerFunc{busyInRPC}, "safe", RetryPolicy{}, 2, 2 * time.Second, 2 * time.Second, false},
		"503, no word":           {[]http.HandlerFunc{busy(503, ""), busy(503, "")}, "safe", RetryPolicy{}, 3, 750 * time.Millisecond, longest, false},
		"an hour":                {[]http.HandlerFunc{busy(429, "3600")}, "safe", RetryPolicy{}, 1, 0, 0, true},
		"longer than any count":  {[]http.HandlerFunc{busy(429, "99999999999999999999")}, "safe", RetryPolicy{}, 1, 0, 0, true},
		"too often":              {[]http.HandlerFunc{busy(429, "1"), busy(429, "1"), busy(429, "1")}, "safe", RetryPolicy{}, 3, 2 * time.Second, 2 * time.Second, true},
		"all pauses together":    {[]http.HandlerFunc{busy(429, "40"), busy(429, "40")}, "safe", RetryPolicy{}, 2, 40 * time.Second, 40 * time.Second, true},
		"another status":         {[]http.HandlerFunc{busy(500, "1")}, "safe", RetryPolicy{}, 1, 0, 0, true},
		"a tool with effects":    {[]http.HandlerFunc{busy(429, "1")}, "unsafe", RetryPolicy{}, 1, 0, 0, true},
		"the caller's own word":  {[]http.HandlerFunc{busy(429, "1")}, "unsafe", RetryPolicy{Idempotent: true}, 2, time.Second, time.Second, false},
		"a tool nobody listed":   {[]http.HandlerFunc{busy(429, "1")}, "unlisted", RetryPolicy{}, 1, 0, 0, true},
		"gateway":                {[]http.HandlerFunc{busy(502, "")}, "safe", RetryPolicy{}, 1, 0, 0, true},
		"gateway, may be twice":  {[]http.HandlerFunc{busy(502, "")}, "safe", RetryPolicy{Idempotent: true, Backoff: time.Second}, 2, 500 * time.Millisecond, time.Second, false},
		"two at most":            {[]http.HandlerFunc{busy(429, "1"), busy(429, "1")}, "safe", RetryPolicy{MaxAttempts: 2}, 2, time.Second, time.Second, true},
		"a date that has passed": {[]http.HandlerFunc{busy(503, "Fri, 31 Dec 1999 00:00:00 GMT")}, "safe", RetryPolicy{}, 2, 250 * time.Millisecond, 500 * time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler, calls := flaky(test.replies...)
				c, err := Connect(t.Context(), Handler(handler))
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = c.Close() }()
				if _, err := c.ListTools(t.Context()); err != nil {
					t.Fatal(err)
				}
				started := time.Now()
				_, err = c.CallTool(t.Context(), test.tool, nil, WithRetry(test.policy))
				took := time.Since(started)
				if (err != nil) != test.fails || int(calls.Load()) != test.calls || took < test.least || took > test.most {
					t.Errorf("%v after %d calls and %v", err, calls.Load(), took)
				}
			})
		})
	}
}

func TestRetriesEndWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, calls := flaky(busy(429, "3"), busy(429, "3"))
		c, err := Connect(t.Context(), Handler(handler))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		short, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var te *TransportError
		started := time.Now()
		_, err = c.CallTool(short, "t", nil, WithRetry(RetryPolicy{Idempotent: true}))
		if !errors.As(err, &te) || te.Status != 429 || time.Since(started) != 0 {
			t.Errorf("error is %v after %v", err, time.Since(started))
		}
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		if _, err = c.CallTool(ctx, "t", nil, WithRetry(RetryPolicy{Idempotent: true})); !errors.Is(err, context.Canceled) || calls.Load() != 2 {
			t.Errorf("error is %v after %d calls", err, calls.Load())
		}
	})
}

// B043: a server that nobody reached has done nothing; one that took the request perhaps has.
func TestOnlyUndeliveredRequestsAreRetried(t *testing.T) {
	dial := &TransportError{Err: &net.OpError{Op: "dial", Err: errors.New("connection refused")}}
	reset := &TransportError{Err: &net.OpError{Op: "read", Err: errors.New("connection reset")}}
	for _, test := range []struct {
		err                  error
		reads, mayBeRepeated bool
	}{
		{dial, true, true},
		{reset, false, true},
		{&TransportError{Err: ErrNoAnswer, Status: 200}, false, true},
		{&TransportError{Status: 504}, false, true},
		{&TransportError{Err: ErrClosed}, false, false},
		{&TransportError{Err: ErrTooLarge}, false, false},
		{&TimeoutError{}, false, false},
		{&RPCError{Code: -32000}, false, false},
		{&RPCError{Code: -32000, Status: 429}, true, true},
		{&InputRequiredError{Err: dial}, false, false},
		{&ToolError{}, false, false},
	} {
		req := &Request{Method: methodCallTool, repeatable: true}
		if got := (&RetryPolicy{}).covers(req, test.err); got != test.reads {
			t.Errorf("%v: %v", test.err, got)
		}
		if got := (&RetryPolicy{Idempotent: true}).covers(&Request{Method: "x/y"}, test.err); got != test.mayBeRepeated {
			t.Errorf("%v, idempotent: %v", test.err, got)
		}
		for _, method := range []string{"x/y", methodCallTool, methodUpdateTask, methodSubscribe} {
			if (&RetryPolicy{}).covers(&Request{Method: method}, test.err) {
				t.Errorf("%s is retried", method)
			}
		}
	}
}

// A generated tool brings its own word, until a list says otherwise.
func TestARetryGoesByTheToolsNewestWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, calls := flaky(busy(429, "1"), busy(429, "1"))
		c, err := Connect(t.Context(), Handler(handler))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		spec := &ToolSpec[NoArgs, NoOutput]{ToolInfo: ToolInfo{Name: "unsafe", Idempotent: true}}
		if _, err := spec.CallResult(t.Context(), c, NoArgs{}, WithRetry(RetryPolicy{MaxAttempts: 3})); err != nil || calls.Load() != 3 {
			t.Errorf("%v after %d calls", err, calls.Load())
		}
		calls.Store(0)
		if _, err := c.ListTools(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := spec.CallResult(t.Context(), c, NoArgs{}, WithRetry(RetryPolicy{})); err == nil || calls.Load() != 1 {
			t.Errorf("%v after %d calls", err, calls.Load())
		}
	})
}

// C-035
func TestTraceContextGoesIntoMeta(t *testing.T) {
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	transport, rec := pipe(t, modern(alwaysOK))
	c := connect(t, transport)
	trace := TraceContext{Parent: parent, State: "a=1,b@c=2", Baggage: "k=v;p=1"}
	if _, err := c.CallTool(t.Context(), "t", nil, WithTraceContext(trace)); err != nil {
		t.Fatal(err)
	}
	own := WithMeta(map[string]any{"traceparent": "mine"})
	for _, opts := range [][]CallOption{{own, WithTraceContext(trace)}, {WithTraceContext(trace), own}, nil} {
		if _, err := c.CallTool(t.Context(), "t", nil, opts...); err != nil {
			t.Fatal(err)
		}
	}
	calls := rec.calls()
	meta := calls[0].meta()
	if string(meta["traceparent"]) != `"`+parent+`"` || string(meta["tracestate"]) != `"a=1,b@c=2"` || string(meta["baggage"]) != `"k=v;p=1"` {
		t.Errorf("_meta is %s", calls[0].raw)
	}
	for _, m := range calls[1:3] {
		if string(m.meta()["traceparent"]) != `"mine"` {
			t.Errorf("_meta is %s", m.raw)
		}
	}
	if strings.Contains(calls[3].raw, "trace") || strings.Contains(calls[3].raw, "baggage") {
		t.Errorf("a call without a trace says %s", calls[3].raw)
	}
	for _, bad := range []TraceContext{
		{Parent: strings.ToUpper(parent)}, {Parent: "ff" + parent[2:]}, {Parent: parent + "-x"}, {Parent: parent[:54]},
		{Parent: "00-" + strings.Repeat("0", 32) + parent[35:]}, {Parent: parent[:36] + strings.Repeat("0", 16) + parent[52:]},
		{State: "a=1"}, {Parent: parent, State: "a"}, {Parent: parent, State: "a=" + strings.Repeat("x", 600)}, {Parent: parent, State: "a=\n"}, {Baggage: "=v"},
	} {
		if _, err := c.CallTool(t.Context(), "t", nil, WithTraceContext(bad)); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if n := len(rec.calls()); n != 4 {
		t.Errorf("%d calls", n)
	}
}
