package mcp

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
)

// C-102 C-103 C-104 C-105 C-106
func TestEventStreamParsing(t *testing.T) {
	for _, test := range []struct{ stream, want string }{
		{"data: a\n\n", "[:a]"},
		{"data: a\r\rdata: b\r\n\r\ndata:c\n\n", "[:a][:b][:c]"},
		{"\ufeffdata: a\n\n", "[:a]"},
		{"\ufeff\ufeffdata: a\n\n", ""},
		{": comment\n:\r\ndata: a\n: x\ndata: b\n\n", "[:a\nb]"},
		{"data:  two\n\n", "[: two]"},
		{"data\n\n", ""},
		{"data\ndata\n\n", "[:\n]"},
		{"event: x\ndata: a\n\ndata: b\n\n", "[x:a][:b]"},
		{"event: x\n\ndata: b\n\n", "[:b]"},
		{"data: cut", ""},
		{"data: cut\n", ""},
		{"data: a\n\ndata: cut\n", "[:a]"},
		{"unknown: 1\nDATA: x\ndata: a\n\n", "[:a]"},
	} {
		for name, wrap := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "byte": iotest.OneByteReader, "half": iotest.HalfReader, "dataerr": iotest.DataErrReader} {
			r := newEventReader(wrap(strings.NewReader(test.stream)), 1000)
			var got strings.Builder
			for {
				e, err := r.next()
				if err != nil {
					if err != io.EOF {
						t.Errorf("%q: %v", test.stream, err)
					}
					break
				}
				fmt.Fprintf(&got, "[%s:%s]", e.name, e.data)
			}
			if got.String() != test.want {
				t.Errorf("%s %q: got %q, want %q", name, test.stream, got.String(), test.want)
			}
		}
	}
}

// C-106 C-095
func TestEventIDsAndRetry(t *testing.T) {
	for _, test := range []struct {
		stream, id string
		retry      time.Duration
	}{
		{"id: 1\ndata: a\n\n", "1", -1},
		{"id: 1\n\n", "1", -1},
		{"id: 1\n\nid: a\x00b\n\n", "1", -1},
		{"id: 1\n\nid:\n\n", "", -1},
		{"retry: 500\n\n", "", 500 * time.Millisecond},
		{"retry: 5x\n\nretry: -1\n\nretry: +1\n\nretry:\n\n", "", -1},
	} {
		r := newEventReader(strings.NewReader(test.stream), 1000)
		for {
			if _, err := r.next(); err != nil {
				break
			}
		}
		if r.lastID != test.id || r.retry != test.retry {
			t.Errorf("%q: id %q, retry %v", test.stream, r.lastID, r.retry)
		}
	}
}

// C-352
func TestEventBeyondTheLimit(t *testing.T) {
	for _, long := range []string{strings.Repeat("x", 100_000), strings.Repeat("x\ndata: ", 10_000)} {
		r := newEventReader(iotest.HalfReader(strings.NewReader("data: {\"id\":7,"+long+"\n\ndata: next\n\n")), 20_000)
		e, err := r.next()
		if !errors.Is(err, ErrTooLarge) || !strings.HasPrefix(string(e.data), `{"id":7,`) {
			t.Fatalf("got %.50q, %v", e.data, err)
		}
		if e, err = r.next(); err != nil || string(e.data) != "next" {
			t.Fatalf("got %.50q, %v", e.data, err)
		}
		if len(r.buf) > 200_000 {
			t.Fatalf("buffered %d", len(r.buf))
		}
	}
}

// oldServer is a server of the HTTP+SSE transport.
type oldServer struct {
	endpoint string // sent as the endpoint event's data
	script   script
	answers  chan string
	posts    atomic.Int64
	after    func(w http.ResponseWriter) // answers a POST
}

func (s *oldServer) respond(w http.ResponseWriter, r *http.Request, m message) {
	switch {
	case r.Method == http.MethodGet:
		if s.endpoint == "none" {
			sse(w, ": ping\n\n")
			<-r.Context().Done()
			return
		}
		sse(w, "event: endpoint\ndata:"+s.endpoint+"\n\n")
		for {
			select {
			case answer := <-s.answers:
				sse(w, data(answer))
			case <-r.Context().Done():
				return
			}
		}
	case r.URL.Path == "/api/m":
		s.posts.Add(1)
		for _, answer := range s.script(m) {
			s.answers <- answer
		}
		if s.after != nil {
			s.after(w)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func newOldServer(endpoint string, s script) *oldServer {
	return &oldServer{endpoint: endpoint, script: s, answers: make(chan string, 100)}
}

// C-134 C-135 C-137 B051
func TestB033EndpointsAreResolved(t *testing.T) {
	for _, endpoint := range []string{" /api/m?s=1", "/api/m?s=1", " m?s=1", " ../api/m?s=1", " %s/api/m?s=1"} {
		old := newOldServer(endpoint, legacy(Version20241105, alwaysOK))
		server := newHTTPServer(t, old.respond)
		old.endpoint = strings.ReplaceAll(endpoint, "%s", server.URL)
		c := connect(t, HTTP(server.URL+"/api/sse?k=1"))
		checkOK(t, c)
		if v := c.Session().Version; v != Version20241105 || old.posts.Load() != 3 {
			t.Errorf("%s: version %s, %d posts", endpoint, v, old.posts.Load())
		}
		for _, x := range server.exchanges() {
			if x.header.Get("Mcp-Session-Id") != "" {
				t.Error("a session id was sent")
			}
		}
	}
	old := newOldServer(" http://127.0.0.1:1/api/m", alwaysOK)
	if _, err := Connect(t.Context(), HTTP(newHTTPServer(t, old.respond).URL)); err == nil || !strings.Contains(err.Error(), "another origin") {
		t.Fatalf("got %v", err)
	}
}

func TestB032NoEndpointEvent(t *testing.T) {
	server := newHTTPServer(t, newOldServer("none", nil).respond)
	_, err := Connect(t.Context(), HTTP(server.URL, WithEndpointTimeout(50*time.Millisecond)))
	if err == nil || !strings.Contains(err.Error(), "no endpoint event") || !strings.Contains(err.Error(), "405") {
		t.Fatalf("got %v", err)
	}
}

// C-138
func TestB051OnlyTheRightSignalsLeadToTheOldTransport(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		gets   bool
	}{
		{404, "", true}, {405, "", true}, {400, "plain", true},
		{401, "", false}, {500, "", false}, {404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"x"}}`, false},
	} {
		got := false
		server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, _ message) {
			got = got || r.Method == http.MethodGet
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})
		_, err := Connect(t.Context(), HTTP(server.URL))
		if err == nil || got != test.gets {
			t.Errorf("%d %q: GET %v, %v", test.status, test.body, got, err)
		}
		got = false
		if _, err = Connect(t.Context(), HTTP(server.URL, WithoutSSEFallback())); err == nil || got {
			t.Errorf("%d: GET %v, %v", test.status, got, err)
		}
	}
}

func TestB034BrokenPostResponsesDoNotMatter(t *testing.T) {
	old := newOldServer("/api/m", legacy(Version20241105, alwaysOK))
	old.after = func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "10")
		w.WriteHeader(http.StatusAccepted)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	server := newHTTPServer(t, old.respond)
	checkOK(t, connect(t, HTTP(server.URL, WithSSEOnly())))
}

// C-136
func TestEndOfTheOldStreamEndsTheSession(t *testing.T) {
	end := make(chan struct{})
	old := newOldServer("/api/m", legacy(Version20241105, func(message) []string { close(end); return nil }))
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if r.Method == http.MethodGet {
			ctx, cancel := contextUntil(r.Context(), end)
			defer cancel()
			r = r.WithContext(ctx)
		}
		old.respond(w, r, m)
	})
	c := connect(t, HTTP(server.URL, WithSSEOnly()))
	if _, err := c.CallTool(t.Context(), "x", nil); !errors.As(err, new(*TransportError)) {
		t.Fatalf("got %v", err)
	}
	if _, err := c.CallTool(t.Context(), "x", nil); !errors.As(err, new(*TransportError)) {
		t.Fatalf("got %v", err)
	}
}

func TestB034AnswerOnTheStreamAfterTheLostPost(t *testing.T) {
	var calls atomic.Int64
	old := newOldServer("/api/m", legacy(Version20241105, func(m message) []string {
		calls.Add(1)
		if strings.Contains(m.raw, "lost") {
			return nil
		}
		return alwaysOK(m)
	}))
	old.after = func(w http.ResponseWriter) {
		if calls.Load() > 0 {
			panic(http.ErrAbortHandler) // no status at all
		}
		w.WriteHeader(http.StatusAccepted)
	}
	server := newHTTPServer(t, old.respond)
	c := connect(t, HTTP(server.URL, WithSSEOnly()))
	checkOK(t, c)
	if _, err := c.CallTool(t.Context(), "lost", nil, WithTimeout(100*time.Millisecond)); !errors.As(err, new(*TimeoutError)) {
		t.Errorf("got %v", err)
	}
	if posts := strings.Count(strings.Join(server.rec.methods(), " "), methodCallTool); posts != 2 {
		t.Errorf("%d POSTs of two calls", posts)
	}
}
