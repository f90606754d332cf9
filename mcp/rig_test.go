package mcp

// The test rig: servers that are told message by message how to answer, behind a pipe, a child
// process or an HTTP endpoint, and that record what the client said.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
	"go.uber.org/goleak"
)

const childVariable = "MCP_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		runChild(name)
		return
	}
	goleak.VerifyTestMain(m)
}

// message is what the client sent, taken apart.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	raw    string
	conn   io.Writer // where a script may write before it returns
}

// push writes a line before the script's own answers and reports whether anybody still listens.
func (m message) push(line string) bool {
	_, err := io.WriteString(m.conn, line+"\n")
	return err == nil
}

func parseMessage(raw []byte) message {
	m := message{raw: string(raw)}
	_ = json.Unmarshal(raw, &m)
	return m
}

// meta returns the members of params._meta.
func (m message) meta() map[string]json.RawMessage {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &p)
	return p.Meta
}

// result and failure make an answer to m.
func (m message) result(json string) string {
	return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + json + `}`
}

func (m message) failure(code int, text, data string) string {
	if data != "" {
		data = `,"data":` + data
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q%s}}`, m.ID, code, text, data)
}

const okResult = `{"content":[{"type":"text","text":"ok"}]}`

// leg answers initialize as the cases' LEG does.
func leg(version string) string {
	return `{"protocolVersion":"` + version + `","capabilities":{"tools":{},"prompts":{},"resources":{},"logging":{},"completions":{}},"serverInfo":{"name":"fake","version":"0"}}`
}

const mod = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{},"completions":{}},"ttlMs":0,"cacheScope":"private"}`

// script answers one message with lines to send; none for silence.
type script func(m message) []string

// legacy answers the handshake of version and leaves the rest to next.
func legacy(version string, next script) script {
	return func(m message) []string {
		switch m.Method {
		case methodDiscover:
			return []string{m.failure(-32601, "method not found", "")}
		case methodInitialize:
			return []string{m.result(leg(version))}
		case methodInitialized:
			return nil
		}
		return next(m)
	}
}

// modern answers server/discover and leaves the rest to next.
func modern(next script) script {
	return func(m message) []string {
		if m.Method == methodDiscover {
			return []string{m.result(mod)}
		}
		return next(m)
	}
}

func alwaysOK(m message) []string { return []string{m.result(okResult)} }

// recorder keeps what the client sent.
type recorder struct {
	mu       sync.Mutex
	messages []message
	arrived  chan struct{}
}

func newRecorder() *recorder { return &recorder{arrived: make(chan struct{}, 1000)} }

func (r *recorder) add(m message) {
	r.mu.Lock()
	r.messages = append(r.messages, m)
	r.mu.Unlock()
	r.arrived <- struct{}{}
}

func (r *recorder) methods() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		list = append(list, m.Method)
	}
	return list
}

func (r *recorder) all() []message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]message(nil), r.messages...)
}

// await waits until a message of method has arrived.
func (r *recorder) await(t *testing.T, method string) message {
	t.Helper()
	limit := time.After(10 * time.Second)
	for {
		for _, m := range r.all() {
			if m.Method == method {
				return m
			}
		}
		select {
		case <-r.arrived:
		case <-limit:
			t.Fatalf("no %s arrived, only %v", method, r.methods())
		}
	}
}

// serveLines plays s over a byte stream.
func serveLines(r io.Reader, w io.Writer, s script, rec *recorder) {
	lines := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		m := parseMessage([]byte(strings.TrimSpace(string(line))))
		m.conn = w
		if rec != nil {
			rec.add(m)
		}
		for _, answer := range s(m) {
			if _, err := io.WriteString(w, answer+"\n"); err != nil {
				return
			}
		}
	}
}

// pipe returns a transport to s over an in-memory stream; it can be opened again.
func pipe(t *testing.T, s script) (Transport, *recorder) {
	t.Helper()
	rec := newRecorder()
	return DialStream(func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		go func() {
			serveLines(theirs, theirs, s, rec)
			_ = theirs.Close()
		}()
		return ours, nil
	}), rec
}

// unrecorded is pipe without the recorder.
func unrecorded(s script) Transport {
	return DialStream(func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		go func() {
			serveLines(theirs, theirs, s, nil)
			_ = theirs.Close()
		}()
		return ours, nil
	})
}

// readMessage takes the message of a POST, for handlers that no httpServer wraps.
func readMessage(r *http.Request) message {
	body, _ := io.ReadAll(r.Body)
	return parseMessage(body)
}

// connect connects and closes at the end of the test.
func connect(t *testing.T, transport Transport, opts ...Option) *Client {
	t.Helper()
	c, err := Connect(t.Context(), transport, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return c
}

// exchange is one HTTP request as the server saw it.
type httpExchange struct {
	method string
	header http.Header
	message
}

// httpServer plays respond on 127.0.0.1 and records every request.
type httpServer struct {
	*httptest.Server
	mu   sync.Mutex
	seen []httpExchange
	rec  *recorder
}

func (s *httpServer) exchanges() []httpExchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]httpExchange(nil), s.seen...)
}

func newHTTPServer(t *testing.T, respond func(w http.ResponseWriter, r *http.Request, m message)) *httpServer {
	t.Helper()
	s := &httpServer{rec: newRecorder()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := parseMessage(body)
		s.mu.Lock()
		s.seen = append(s.seen, httpExchange{r.Method, r.Header.Clone(), m})
		s.mu.Unlock()
		if r.Method == http.MethodPost {
			s.rec.add(m)
		}
		respond(w, r, m)
	}))
	t.Cleanup(s.Server.Close)
	return s
}

// jsonScript serves s over HTTP with JSON answers and no session.
func jsonScript(s script) func(w http.ResponseWriter, r *http.Request, m message) {
	return func(w http.ResponseWriter, r *http.Request, m message) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		answers := s(m)
		if len(answers) == 0 {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answers[0])
	}
}

// contextUntil ends with ctx or when done is closed.
func contextUntil(ctx context.Context, done chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-done:
		case <-ctx.Done():
		}
		cancel()
	}()
	return ctx, cancel
}

type appenderOf = jsonwire.Appender

// sseScript serves s over HTTP with an event stream for every request, and no session.
func sseScript(s script) func(w http.ResponseWriter, r *http.Request, m message) {
	return func(w http.ResponseWriter, r *http.Request, m message) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		answers := s(m)
		if len(answers) == 0 {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		for _, answer := range answers {
			sse(w, data(answer))
		}
	}
}

// lockedBuilder collects text from several goroutines.
type lockedBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *lockedBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuilder) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
