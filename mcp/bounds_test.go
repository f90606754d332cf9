package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Nothing of what a handler, a writer or a broken server does may hold up a call or Close.

func report(m message, n int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, m.ID, n)
}

// Progress that comes after a timeout has struck must not start it again.
func TestProgressAfterATimeoutBlocksNobody(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, r *http.Request, m message) {
		if strings.Contains(m.raw, "progressToken") {
			var text strings.Builder
			for n := range 30 {
				text.WriteString(data(report(m, n)))
			}
			sse(w, text.String())
		}
		<-r.Context().Done()
	}))
	c := connect(t, HTTP(server.URL))
	ctx, stop := context.WithCancel(t.Context())
	var others sync.WaitGroup
	others.Go(func() {
		for ctx.Err() == nil { // their timeouts keep the table's timer running
			_, _ = c.CallTool(ctx, "other", nil, WithTimeout(5*time.Millisecond))
		}
	})
	_, err := c.CallTool(t.Context(), "t", nil, WithTimeout(20*time.Millisecond), WithProgressResetsTimeout(time.Minute),
		WithProgress(func(Progress) { time.Sleep(25 * time.Millisecond) }))
	if !errors.As(err, new(*TimeoutError)) {
		t.Errorf("got %v", err)
	}
	stop()
	others.Wait()
}

// Who gives up does not wait for the handler, and it is not called any more.
func TestNoProgressAfterTheCallHasReturned(t *testing.T) {
	for _, version := range []string{Version20260728, Version20251125} {
		synctest.Test(t, func(t *testing.T) {
			transport, _ := pipe(t, onlyCalls(version, func(m message) []string {
				var lines []string
				for n := range 20 {
					lines = append(lines, report(m, n))
				}
				return lines
			}))
			c, err := Connect(t.Context(), transport, WithVersions(version))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			var begun atomic.Int64
			started := time.Now()
			_, err = c.CallTool(t.Context(), "t", nil, WithTimeout(50*time.Millisecond), WithProgress(func(Progress) {
				begun.Add(1)
				time.Sleep(20 * time.Millisecond)
			}))
			if took := time.Since(started); !errors.As(err, new(*TimeoutError)) || took != 50*time.Millisecond {
				t.Errorf("%s: %v after %v", version, err, took)
			}
			before := begun.Load()
			time.Sleep(time.Second)
			if after := begun.Load(); after != before || before != 3 {
				t.Errorf("%s: %d reports before, %d after", version, before, after)
			}
		})
	}
}

// onlyCalls answers the handshake of a version and leaves tools/call to next.
func onlyCalls(version string, next script) script {
	if version == Version20260728 {
		return modern(next)
	}
	return legacy(version, next)
}

func TestASlowProgressHandlerDoesNotDelayTheEndOverHTTP(t *testing.T) {
	release := make(chan struct{})
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, r *http.Request, m message) {
		sse(w, data(report(m, 1)))
		<-r.Context().Done()
	}))
	c := connect(t, HTTP(server.URL))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := c.CallTool(ctx, "t", nil, WithProgress(func(Progress) {
		cancel()
		<-release // a handler that came back only after the call would wait for ever
	}))
	close(release)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// C-113 C-114: what a request is about is in a header however the request was made.
func TestAnyRequestIsNamed(t *testing.T) {
	server := newHTTPServer(t, jsonScript(modern(func(m message) []string {
		if m.Method == methodListTools {
			return []string{m.result(`{"tools":[{"name":"Tür","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}`)}
		}
		return alwaysOK(m)
	})))
	c := connect(t, HTTP(server.URL))
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Fatal(err)
	}
	args := map[string]any{"name": "Tür", "arguments": map[string]any{"region": "eu"}}
	_, e1 := Call[CallToolResult](t.Context(), c, methodCallTool, args)
	_, e2 := c.RawCall(t.Context(), methodReadResource, appender(map[string]any{"uri": "a:b"}))
	e3 := c.CallRPC(t.Context(), methodGetPrompt, appender(map[string]any{"name": "p"}), nil)
	_, e4 := Call[json.RawMessage](t.Context(), c, methodGetTask, map[string]any{"taskId": "7"})
	_, e5 := Call[json.RawMessage](t.Context(), c, methodReadResource, map[string]any{"uri": 7})
	if err := errors.Join(e1, e2, e3, e4, e5); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range server.exchanges() {
		if x.Method != methodDiscover && x.Method != methodListTools {
			got = append(got, x.Method+" "+x.header.Get("Mcp-Name")+x.header.Get("Mcp-Param-Region"))
		}
	}
	if text := strings.Join(got, ", "); text != "tools/call "+encodeHeader("Tür")+"eu, resources/read a:b, prompts/get p, tasks/get 7, resources/read " {
		t.Errorf("headers are %s", text)
	}
}

func TestUnvalidatedTaskIsReadWhole(t *testing.T) {
	c, _ := answering(t, Version20260728, func(m message) []string {
		return []string{m.result(`{"content":[],"structuredContent":{"city":"Rome","extra":1,"temp":21}}`)}
	})
	spec := ToolSpec[NoArgs, weather]{ToolInfo: ToolInfo{Name: "weather"}}
	task, err := spec.Start(t.Context(), c, NoArgs{}, WithoutOutputValidation())
	if err != nil {
		t.Fatal(err)
	}
	if result, err := task.Result(); err != nil || result.Output != (weather{"Rome", 21}) {
		t.Errorf("got %+v, %v", result, err)
	}
	task, err = spec.Start(t.Context(), c, NoArgs{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := task.Result(); !errors.As(err, new(*OutputError)) {
		t.Errorf("validated: %v", err)
	}
}

// halfBroken is a stream that can be read from but, once broken, not written to.
type halfBroken struct {
	net.Conn
	broken *atomic.Bool
	empty  *atomic.Int64
}

func (h halfBroken) Write(p []byte) (int, error) {
	if len(p) == 0 {
		h.empty.Add(1)
	}
	if h.broken.Load() {
		return 0, io.ErrClosedPipe
	}
	return h.Conn.Write(p)
}

// A connection that cannot be written to has failed, and the next call has another.
func TestAStreamWithABrokenWriteSideIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		var empty atomic.Int64
		dials := 0
		transport := DialStream(func(context.Context) (io.ReadWriteCloser, error) {
			dials++
			ours, theirs := net.Pipe()
			go func() {
				serveLines(theirs, theirs, modern(alwaysOK), nil)
				_ = theirs.Close()
			}()
			return halfBroken{ours, &broken, &empty}, nil
		})
		c, err := Connect(t.Context(), transport, WithRestart())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		var many sync.WaitGroup
		for range 16 {
			many.Go(func() {
				for range 50 {
					if _, err := c.CallTool(t.Context(), "t", nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		many.Wait()
		if n := empty.Load(); n > 0 {
			t.Errorf("%d writes of nothing", n)
		}
		broken.Store(true)
		started := time.Now()
		if _, err = c.CallTool(t.Context(), "t", nil); !errors.Is(err, io.ErrClosedPipe) || time.Since(started) > 2*brokenWait {
			t.Errorf("%v after %v", err, time.Since(started))
		}
		broken.Store(false)
		if _, err := c.CallTool(t.Context(), "t", nil); err != nil || dials != 2 {
			t.Errorf("%d dials, %v", dials, err)
		}
	})
}

func TestA401OnResumingIsTheEnd(t *testing.T) {
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			w.WriteHeader(http.StatusUnauthorized)
		case m.Method == methodCallTool:
			sse(w, "id: 1\nretry: 1\ndata:\n\n")
		default:
			jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
		}
	})
	c := connect(t, HTTP(server.URL), WithVersions(Version20251125))
	_, err := c.CallTool(t.Context(), "t", nil)
	var auth *AuthError
	if !errors.As(err, &auth) || auth.Code != "invalid_token" {
		t.Errorf("got %v", err)
	}
	gets := 0
	for _, x := range server.exchanges() {
		if x.Method == "" {
			gets++
		}
	}
	if gets > 2 { // one of them may be the server's own stream
		t.Errorf("%d requests without a message", gets)
	}
}

// A body beyond the limit shows its own beginning and nothing of earlier ones.
func TestALongBodyShowsOnlyItself(t *testing.T) {
	var used []*buffer
	for range 50 {
		b := takeBuffer()
		b.b = append(b.b, strings.Repeat("SECRET", 600)...)
		used = append(used, b)
	}
	for _, b := range used {
		b.release()
	}
	for _, length := range []int64{-1, 1500, 1 << 20} {
		resp := &http.Response{ContentLength: length, Body: io.NopCloser(strings.NewReader(strings.Repeat("x", 1500)))}
		b := takeBuffer()
		out, err := readBody(resp, b.b, 1000)
		if !errors.Is(err, ErrTooLarge) || strings.Trim(string(out), "x") != "" {
			t.Errorf("%d: %q, %v", length, out[:min(len(out), 30)], err)
		}
		b.release()
	}
}
