package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// sse writes text as an event stream and flushes it.
func sse(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

func data(message string) string { return "data: " + message + "\n\n" }

// onCall answers the handshake with JSON and every tools/call with respond.
func onCall(version string, respond func(w http.ResponseWriter, r *http.Request, m message)) func(http.ResponseWriter, *http.Request, message) {
	s := legacy(version, alwaysOK)
	if version == Version20260728 {
		s = modern(alwaysOK)
	}
	return func(w http.ResponseWriter, r *http.Request, m message) {
		if m.Method == methodCallTool {
			respond(w, r, m)
			return
		}
		jsonScript(s)(w, r, m)
	}
}

// C-082 C-086 C-089 C-090
func TestB049SessionHeadersAreOnEveryRequest(t *testing.T) {
	for _, version := range sessionVersions[:3] {
		server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
			if m.Method == methodInitialize {
				w.Header().Set("Mcp-Session-Id", "s1")
			}
			jsonScript(legacy(version, func(m message) []string {
				if m.Method == methodListTools {
					return []string{m.result(`{"tools":[]}`)}
				}
				return alwaysOK(m)
			}))(w, r, m)
		})
		c := connect(t, HTTP(server.URL), WithVersions(sessionVersions...))
		checkOK(t, c)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		for i, x := range server.exchanges() {
			session, wire := x.header.Values("Mcp-Session-Id"), x.header.Values("MCP-Protocol-Version")
			if i == 0 {
				if len(session)+len(wire) != 0 {
					t.Errorf("initialize has %v %v", session, wire)
				}
				continue
			}
			if fmt.Sprint(session) != "[s1]" || version >= Version20250618 && fmt.Sprint(wire) != "["+version+"]" {
				t.Errorf("%s %s: %v %v", x.method, x.Method, session, wire)
			}
			if x.method == http.MethodPost && (x.header.Get("Content-Type") != "application/json" || x.header.Get("Accept") != acceptBoth) {
				t.Errorf("%s: %v", x.Method, x.header)
			}
		}
		if last := server.exchanges()[len(server.exchanges())-1]; last.method != http.MethodDelete {
			t.Errorf("last is %s", last.method)
		}
	}
}

// C-110 C-111 C-112 C-113 C-115
func TestStatelessHeaders(t *testing.T) {
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		w.Header().Set("Mcp-Session-Id", "ignored")
		jsonScript(modern(func(m message) []string {
			return []string{m.result(`{"tools":[],"contents":[],"messages":[],"content":[],"completion":{"values":[]}}`)}
		}))(w, r, m)
	})
	c := connect(t, HTTP(server.URL))
	_, e1 := c.ListTools(t.Context())
	_, e2 := c.CallTool(t.Context(), "tööl", nil)
	_, e3 := c.ReadResource(t.Context(), "file:///a b")
	_, e4 := c.GetPrompt(t.Context(), " padded ", nil)
	_, e5 := c.Complete(t.Context(), Completion{Ref: TemplateRef("x{y}"), Argument: "y"})
	if err := errors.Join(e1, e2, e3, e4, e5, c.Close()); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{
		methodDiscover: "-", methodListTools: "-", methodCallTool: "=?base64?dMO2w7Zs?=",
		methodReadResource: "file:///a b", methodGetPrompt: "=?base64?IHBhZGRlZCA=?=", methodComplete: "-",
	}
	for _, x := range server.exchanges() {
		name := "-"
		if v := x.header.Values("Mcp-Name"); len(v) > 0 {
			name = v[0]
		}
		if x.method != http.MethodPost || x.header.Get("Mcp-Session-Id") != "" || x.header.Get("Mcp-Method") != x.Method ||
			x.header.Get("MCP-Protocol-Version") != "2026-07-28" || name != names[x.Method] {
			t.Errorf("%s %s: %v", x.method, x.Method, x.header)
		}
	}
}

// C-083
func TestB019MediaTypesAreParsed(t *testing.T) {
	for kind, good := range map[string]bool{
		"Application/JSON; Charset=UTF-8": true, "TEXT/event-stream;charset=utf-8": true, "text/html": false, "": false,
	} {
		server := newHTTPServer(t, onCall(Version20251125, func(w http.ResponseWriter, _ *http.Request, m message) {
			w.Header()["Content-Type"] = []string{kind}
			body := m.result(okResult)
			if strings.Contains(strings.ToLower(kind), "event") {
				body = data(body)
			}
			_, _ = io.WriteString(w, body)
		}))
		_, err := connect(t, HTTP(server.URL)).CallTool(t.Context(), "x", nil)
		if (err == nil) != good {
			t.Errorf("%q: %v", kind, err)
		}
		if err != nil && !strings.Contains(err.Error(), "jsonrpc") {
			t.Errorf("no excerpt: %v", err)
		}
	}
}

// C-084
func TestB017AnyAnswerToANotificationWillDo(t *testing.T) {
	for _, respond := range []func(w http.ResponseWriter){
		func(w http.ResponseWriter) { w.WriteHeader(202) },
		func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(202)
			_, _ = io.WriteString(w, "Accepted")
		},
		func(w http.ResponseWriter) { w.Header()["Content-Type"] = nil; w.WriteHeader(200) },
		func(w http.ResponseWriter) { w.WriteHeader(204) },
		func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{}")
		},
		func(w http.ResponseWriter) { sse(w, "") },
	} {
		server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
			if m.Method == methodInitialized {
				respond(w)
				return
			}
			jsonScript(legacy(Version20250618, alwaysOK))(w, r, m)
		})
		checkOK(t, connect(t, HTTP(server.URL)))
	}
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if m.Method == methodInitialized {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}`)
			return
		}
		jsonScript(legacy(Version20250618, alwaysOK))(w, r, m)
	})
	if _, err := Connect(t.Context(), HTTP(server.URL)); err == nil {
		t.Fatal("a refused notification went unnoticed")
	}
}

// C-008 C-099 C-130
func TestErrorsInBodiesOfRefusals(t *testing.T) {
	for _, status := range []int{200, 400, 404, 413, 429, 500, 503} {
		for _, id := range []string{`"id":null,`, ``} {
			server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, _ *http.Request, _ message) {
				w.Header()["Content-Type"] = nil
				if status == 200 {
					w.Header().Set("Content-Type", "application/json")
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0",`+id+`"error":{"code":-32603,"message":"broken"}}`)
			}))
			_, err := connect(t, HTTP(server.URL)).CallTool(t.Context(), "x", nil)
			var rpc *RPCError
			if !errors.As(err, &rpc) || rpc.Code != -32603 || rpc.Status != status {
				t.Errorf("%d: %v", status, err)
			}
		}
	}
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, _ *http.Request, _ message) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(503)
		_, _ = io.WriteString(w, "<html>busy\x1b[31m</html>")
	}))
	_, err := connect(t, HTTP(server.URL)).CallTool(t.Context(), "x", nil)
	var te *TransportError
	var after *RetryAfterError
	if !errors.As(err, &te) || te.Status != 503 || !strings.Contains(te.Body, "busy") || !errors.As(err, &after) || after.After != "7" || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("got %v", err)
	}
}

// C-129
func TestUnknownMethodOfAStatelessServerIsNoLostSession(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, _ *http.Request, m message) {
		w.WriteHeader(404)
		_, _ = io.WriteString(w, m.failure(-32601, "no such method", ""))
	}))
	c := connect(t, HTTP(server.URL))
	if _, err := c.CallTool(t.Context(), "x", nil); !errors.Is(err, ErrMethodNotFound) {
		t.Fatalf("got %v", err)
	}
	if got := fmt.Sprint(server.rec.methods()); got != "[server/discover tools/call]" {
		t.Fatalf("sent %s", got)
	}
}

// sessions is a server that gives out session ids and forgets them on demand.
type sessions struct {
	mu       sync.Mutex
	current  int
	dead     bool
	inits    atomic.Int64
	deletes  []string
	deadOnly bool
}

func (s *sessions) respond(w http.ResponseWriter, r *http.Request, m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.Header.Get("Mcp-Session-Id")
	switch {
	case r.Method == http.MethodDelete:
		s.deletes = append(s.deletes, id)
		return
	case m.Method == methodInitialize:
		s.inits.Add(1)
		s.current++
		s.dead = false
		w.Header().Set("Mcp-Session-Id", fmt.Sprintf("s%d", s.current))
	case m.Method != methodDiscover && (s.dead || s.deadOnly && m.Method == methodCallTool || id != fmt.Sprintf("s%d", s.current)):
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(404)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
		return
	}
	jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
}

// C-087
func TestB044LostSessionIsOpenedAgain(t *testing.T) {
	s := &sessions{}
	server := newHTTPServer(t, s.respond)
	c := connect(t, HTTP(server.URL))
	if err := c.SetLogLevel(t.Context(), "error"); err != nil {
		t.Fatal(err)
	}
	checkOK(t, c)
	s.mu.Lock()
	s.dead = true
	s.mu.Unlock()
	checkOK(t, c)
	got := fmt.Sprint(server.rec.methods())
	want := "[server/discover initialize notifications/initialized logging/setLevel tools/call tools/call initialize notifications/initialized logging/setLevel tools/call]"
	if got != want {
		t.Fatalf("sent %s\nwant %s", got, want)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.deletes); got != "[s2]" {
		t.Fatalf("ended sessions %s", got)
	}
}

func TestB044SecondLossIsAnError(t *testing.T) {
	s := &sessions{deadOnly: true}
	server := newHTTPServer(t, s.respond)
	c := connect(t, HTTP(server.URL))
	_, err := c.CallTool(t.Context(), "x", nil)
	var te *TransportError
	if !errors.As(err, &te) || te.Status != 404 || s.inits.Load() != 2 {
		t.Fatalf("got %v after %d sessions", err, s.inits.Load())
	}
}

func TestB045OneNewSessionForAll(t *testing.T) {
	s := &sessions{}
	server := newHTTPServer(t, s.respond)
	c := connect(t, HTTP(server.URL))
	s.mu.Lock()
	s.dead = true
	s.mu.Unlock()
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			if _, err := c.CallTool(t.Context(), "x", nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := s.inits.Load(); n != 2 {
		t.Fatalf("%d sessions", n)
	}
}

// C-088
func TestNotFoundWithoutASessionIsNoLostSession(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20251125, func(w http.ResponseWriter, _ *http.Request, _ message) { w.WriteHeader(404) }))
	c := connect(t, HTTP(server.URL))
	if _, err := c.CallTool(t.Context(), "x", nil); err == nil {
		t.Fatal("no error")
	}
	if got := strings.Count(fmt.Sprint(server.rec.methods()), " initialize "); got != 1 {
		t.Fatalf("%d sessions", got)
	}
}

// C-100 C-353
func TestB127Redirects(t *testing.T) {
	other := newHTTPServer(t, jsonScript(legacy(Version20250618, alwaysOK)))
	for _, test := range []struct {
		status int
		to     string
		good   bool
	}{
		{307, "/mcp/", true}, {308, "/mcp/", true}, {302, "/mcp/", false}, {303, "/mcp/", false},
		{307, other.URL + "/x", false}, {307, "/loop", false},
	} {
		server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
			if r.URL.Path == "/mcp/" {
				jsonScript(legacy(Version20250618, alwaysOK))(w, r, m)
				return
			}
			http.Redirect(w, r, test.to, test.status)
		})
		transport := HTTP(server.URL+"/mcp", WithHeader("Authorization", "Bearer secret"))
		c, err := Connect(t.Context(), transport, WithVersions(sessionVersions...))
		if (err == nil) != test.good {
			t.Errorf("%d %s: %v", test.status, test.to, err)
		}
		if err != nil {
			continue
		}
		_, err = c.CallTool(t.Context(), "x", map[string]string{"a": strings.Repeat("a", 5<<20)})
		if err != nil {
			t.Error(err)
		}
		_ = c.Close()
	}
	if len(other.exchanges()) > 0 {
		t.Fatal("the other origin was asked")
	}
}

func TestB126UserHeaders(t *testing.T) {
	s := &sessions{}
	server := newHTTPServer(t, s.respond)
	c := connect(t, HTTP(server.URL, WithHeader("X-Tenant", "t"), WithHeader("accept", "text/plain"), WithHeader("mcp-session-id", "evil"), WithHeader("MCP-Protocol-Version", "x")))
	checkOK(t, c)
	_ = c.Close()
	for _, x := range server.exchanges() {
		if x.header.Get("X-Tenant") != "t" || x.header.Get("Accept") == "text/plain" || x.header.Get("Mcp-Session-Id") == "evil" || x.header.Get("MCP-Protocol-Version") == "x" {
			t.Errorf("%s: %v", x.Method, x.header)
		}
	}
}

func TestB094OneTimeoutPoisonsNothing(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20251125, func(w http.ResponseWriter, r *http.Request, m message) {
		if strings.Contains(m.raw, "hang") {
			<-r.Context().Done()
			return
		}
		sse(w, data(m.result(okResult)))
	}))
	c := connect(t, HTTP(server.URL))
	checkOK(t, c)
	var te *TimeoutError
	if _, err := c.CallTool(t.Context(), "hang", nil, WithTimeout(30*time.Millisecond)); !errors.As(err, &te) || te.Limit != "timeout" {
		t.Fatalf("got %v", err)
	}
	checkOK(t, c)
	// C-085
	server.rec.await(t, methodCancelled)
}

// C-131 C-132
func TestStatelessCancellationClosesTheStream(t *testing.T) {
	gone := make(chan struct{}, 2)
	entered := make(chan struct{}, 2)
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, r *http.Request, m message) {
		if strings.Contains(m.raw, "stream") {
			sse(w, ": hi\n\n")
		}
		entered <- struct{}{}
		<-r.Context().Done()
		gone <- struct{}{}
	}))
	c := connect(t, HTTP(server.URL))
	for _, tool := range []string{"headers", "stream"} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-entered
			cancel()
		}()
		if _, err := c.CallTool(ctx, tool, nil); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		<-gone
	}
	if got := fmt.Sprint(server.rec.methods()); got != "[server/discover tools/call tools/call]" {
		t.Fatalf("sent %s", got)
	}
}

func TestB066CancellationDoesNotDelayTheCaller(t *testing.T) {
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if m.Method == methodCallTool || m.Method == methodCancelled {
			<-r.Context().Done()
			return
		}
		jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
	})
	c := connect(t, HTTP(server.URL))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	started := time.Now()
	_, err := c.CallTool(ctx, "x", nil)
	var te *TimeoutError
	if !errors.As(err, &te) || te.Limit != "context deadline" {
		t.Fatalf("got %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took > 2*time.Second {
		t.Fatalf("took %v", took)
	}
}

func TestB068SilentDeleteDoesNotStallClose(t *testing.T) {
	for _, respond := range []func(http.ResponseWriter, *http.Request){
		func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(405) },
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) },
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
	} {
		s := &sessions{}
		server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
			if r.Method == http.MethodDelete {
				respond(w, r)
				return
			}
			s.respond(w, r, m)
		})
		c := connect(t, HTTP(server.URL))
		started := time.Now()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(started); took > 3*time.Second {
			t.Errorf("took %v", took)
		}
	}
}

// C-069 C-352
func TestB012LargeBodies(t *testing.T) {
	for _, form := range []string{"json", "sse"} {
		server := newHTTPServer(t, onCall(Version20251125, func(w http.ResponseWriter, _ *http.Request, m message) {
			var size int
			_, _ = fmt.Sscanf(m.raw[strings.Index(m.raw, `"size":`):], `"size":%d`, &size)
			body := m.result(`{"content":[{"type":"text","text":"` + strings.Repeat("x", size) + `"}]}`)
			if form == "sse" {
				sse(w, data(body))
				return
			}
			w.Header().Set("Content-Type", "application/json")
			if size%2 == 0 {
				w.(http.Flusher).Flush() // chunked
			}
			_, _ = io.WriteString(w, body)
		}))
		c := connect(t, HTTP(server.URL), WithMaxMessageSize(2<<20))
		for _, size := range []int{1, 65_537, 1 << 20, 1<<20 + 1} {
			result, err := c.CallTool(t.Context(), "x", map[string]int{"size": size})
			if err != nil || len(resultText(result)) != size {
				t.Fatalf("%s %d: %v", form, size, err)
			}
		}
		for _, size := range []int{3 << 20, 3<<20 + 1} {
			if _, err := c.CallTool(t.Context(), "x", map[string]int{"size": size}); !errors.Is(err, ErrTooLarge) {
				t.Fatalf("%s: got %v", form, err)
			}
		}
		if _, err := c.CallTool(t.Context(), "x", map[string]int{"size": 7}); err != nil {
			t.Fatal(err)
		}
	}
}
