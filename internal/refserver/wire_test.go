package refserver

// Test clients that write and read raw JSON, one for each transport.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const patience = 20 * time.Second

func newServer(t *testing.T, opts Options) *Server {
	t.Helper()
	s := New(opts)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// modernMeta is the _meta of a stateless request by a client that can do everything.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`

const plainMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func initializeText(version string) string {
	return `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"t","version":"1"}}}`
}

// lines is a client on a byte stream.
type lines struct {
	t  *testing.T
	w  io.WriteCloser
	in chan string
}

func openStdio(t *testing.T, s *Server) *lines {
	t.Helper()
	fromClient, w := io.Pipe()
	r, toClient := io.Pipe()
	c := &lines{t: t, w: w, in: make(chan string, 1000)}
	served := make(chan error, 1)
	go func() {
		served <- s.ServeStdio(context.Background(), fromClient, toClient)
		_ = toClient.Close()
	}()
	go func() {
		defer close(c.in)
		sc := bufio.NewScanner(r)
		sc.Buffer(nil, 16<<20)
		for sc.Scan() {
			c.in <- sc.Text()
		}
	}()
	t.Cleanup(func() {
		_ = w.Close()
		if err := <-served; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	return c
}

func (c *lines) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.w, text+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *lines) next() value {
	c.t.Helper()
	select {
	case line := <-c.in:
		return decode(c.t, line)
	case <-time.After(patience):
		c.t.Fatal("no message came")
		return value{}
	}
}

// value is a decoded JSON value with short ways to look inside.
type value struct{ v any }

func decode(t *testing.T, text string) value {
	t.Helper()
	v, err := parse([]byte(text))
	if err != nil {
		t.Fatalf("not JSON: %q: %v", text, err)
	}
	return value{v}
}

// at follows a path of members and indexes, e.g. "result", "tools", "0", "name".
func (v value) at(path ...string) value {
	at := v.v
	for _, step := range path {
		switch x := at.(type) {
		case map[string]any:
			at = x[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(x) {
				return value{nil}
			}
			at = x[i]
		default:
			return value{nil}
		}
	}
	return value{at}
}

func (v value) String() string { return string(encode(v.v)) }

func (v value) text() string {
	s, _ := v.v.(string)
	return s
}

func (v value) wants(t *testing.T, want string, path ...string) {
	t.Helper()
	if got := v.at(path...).String(); got != want {
		t.Errorf("%s is %s, want %s, in %s", strings.Join(path, "."), got, want, v)
	}
}

// web is a client over HTTP.
type web struct {
	t       *testing.T
	url     string
	headers map[string]string
}

func openHTTP(t *testing.T, s *Server) *web {
	t.Helper()
	server := httptest.NewServer(s.HTTPHandler())
	t.Cleanup(func() {
		_ = s.Close()
		server.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return &web{t: t, url: server.URL, headers: map[string]string{}}
}

// session initializes and keeps the headers for later.
func (c *web) session(version string) {
	c.t.Helper()
	delete(c.headers, headerSession)
	resp := c.do(http.MethodPost, initializeText(version), nil)
	body := readOne(c.t, resp)
	body.wants(c.t, `"`+version+`"`, "result", "protocolVersion")
	c.headers[headerSession] = resp.Header.Get(headerSession)
	if version >= V20250618 {
		c.headers[headerVersion] = version
	}
	resp = c.do(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		c.t.Fatalf("notifications/initialized was answered with %d", resp.StatusCode)
	}
}

func (c *web) do(method, body string, headers map[string]string) *http.Response {
	c.t.Helper()
	req, err := http.NewRequest(method, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, set := range []map[string]string{c.headers, headers} {
		for k, v := range set {
			req.Header.Set(k, v)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp
}

// post sends a message and reads its JSON answer.
func (c *web) post(body string) value {
	c.t.Helper()
	return readJSON(c.t, c.do(http.MethodPost, body, nil))
}

// modern sends a stateless request with the headers that its body implies, and more.
func (c *web) modern(body string, more map[string]string) *http.Response {
	c.t.Helper()
	var m message
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		c.t.Fatal(err)
	}
	headers := map[string]string{headerVersion: V20260728, "Mcp-Method": m.Method}
	if member := nameMember(m.Method); member != "" {
		headers["Mcp-Name"] = stringAt(m.fields(), member)
	}
	for k, v := range more {
		headers[k] = v
	}
	return c.do(http.MethodPost, body, headers)
}

func readJSON(t *testing.T, resp *http.Response) value {
	t.Helper()
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.Header.Get("Content-Type"); got != "application/json" {
		t.Fatalf("status %d, Content-Type %q, body %s", resp.StatusCode, got, body)
	}
	return decode(t, string(body))
}

// readOne reads an answer that is JSON or the one event of a stream.
func readOne(t *testing.T, resp *http.Response) value {
	t.Helper()
	if resp.Header.Get("Content-Type") == "application/json" {
		return readJSON(t, resp)
	}
	return readSSE(t, resp).next()
}

// sse reads the events of a stream.
type sse struct {
	t    *testing.T
	body io.ReadCloser
	r    *bufio.Reader
}

type sseEvent struct{ id, kind, data, retry string }

func readSSE(t *testing.T, resp *http.Response) *sse {
	t.Helper()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		body, _ := io.ReadAll(resp.Body)
		t.Fatalf("status %d, Content-Type %q, body %s", resp.StatusCode, got, body)
	}
	timer := time.AfterFunc(patience, func() { _ = resp.Body.Close() })
	t.Cleanup(func() {
		timer.Stop()
		_ = resp.Body.Close()
	})
	return &sse{t, resp.Body, bufio.NewReader(resp.Body)}
}

// event reads the next event that has data; ok is false at the end of the stream.
func (s *sse) event() (ev sseEvent, ok bool) {
	for {
		line, err := s.r.ReadBytes('\n')
		if err != nil {
			return ev, false
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		name, val, _ := strings.Cut(string(line), ": ")
		switch {
		case len(line) == 0 && ev.data != "":
			return ev, true
		case len(line) == 0:
		case name == "id":
			ev.id = val
		case name == "event":
			ev.kind = val
		case name == "data":
			ev.data = val
		case name == "retry":
			ev.retry = val
		}
	}
}

// lastID reads to the end of a stream that carries no messages and returns its last event id.
func (s *sse) lastID() (id string) {
	s.t.Helper()
	for {
		line, err := s.r.ReadString('\n')
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			s.t.Fatalf("the stream was not lost: it carries %s", data)
		}
		if after, ok := strings.CutPrefix(line, "id: "); ok {
			id = strings.TrimSpace(after)
		}
		if err != nil {
			return id
		}
	}
}

func (s *sse) next() value {
	s.t.Helper()
	ev, ok := s.event()
	if !ok {
		s.t.Fatal("the stream ended early")
	}
	return decode(s.t, ev.data)
}
