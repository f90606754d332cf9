package mcp

// Requirements of the checklist that no other test shows.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const bareRoots = `"method":"roots/list"}`

// C-018 C-092: servers of sessions ask and tell on their own stream, with no call under way, and on that
// of a call before its answer. What they are answered comes in POSTs of its own.
func TestSessionsAskOnEveryStream(t *testing.T) {
	answers := make(chan message, 2)
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		switch {
		case r.Method == http.MethodGet:
			holdStream(w, r, data(`{"jsonrpc":"2.0","id":"own",`+bareRoots)+data(`{"jsonrpc":"2.0","method":"test/own"}`))
		case m.Method == methodCallTool:
			sse(w, data(`{"jsonrpc":"2.0","id":"call",`+bareRoots)+data(`{"jsonrpc":"2.0","method":"test/call"}`))
			answers <- <-answers // only then
			sse(w, data(m.result(okResult)))
		case m.Method == "" && len(m.ID) > 0:
			answers <- m
			w.WriteHeader(http.StatusAccepted)
		default:
			jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
		}
	})
	told := make(chan string, 4)
	c := connect(t, HTTP(server.URL), WithVersions(sessionVersions...), WithRootList(Root{URI: "file:///w"}),
		WithNotificationHandler(func(n Notification) { told <- n.Method }))
	want := func(id, method string) {
		t.Helper()
		if m := <-answers; string(m.ID) != `"`+id+`"` || string(m.Result) != `{"roots":[{"uri":"file:///w"}]}` {
			t.Errorf("answered %s", m.raw)
		}
		if got := <-told; got != method {
			t.Errorf("heard of %s", got)
		}
	}
	want("own", "test/own")
	checkOK(t, c)
	want("call", "test/call")
}

// C-093: an answer is the answer wherever it comes, once.
func TestAnswersMayComeOnAnotherStream(t *testing.T) {
	a, b := make(chan message, 1), make(chan message, 1)
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		switch {
		case r.Method == http.MethodGet && r.Header.Get(headerLastEvent) == "a1":
			other := <-b
			again := data(other.result(`{"content":[{"type":"text","text":"again"}]}`))
			sse(w, "id: a2\n"+data(other.result(okResult))+again+data((<-a).result(okResult))+again)
		case strings.Contains(m.raw, `"name":"a"`):
			a <- m
			sse(w, "id: a1\nretry: 1\ndata:\n\n")
		case strings.Contains(m.raw, `"name":"b"`):
			sse(w, ": hi\n\n")
			b <- m
			holdOpen(r)
		default:
			jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
		}
	})
	c := connect(t, HTTP(server.URL), WithVersions(sessionVersions...))
	failed := make(chan error, 2)
	for _, name := range []string{"a", "b"} {
		go func() {
			result, err := c.CallTool(t.Context(), name, nil)
			if err == nil && resultText(result) != "ok" {
				err = fmt.Errorf("%s got %q", name, resultText(result))
			}
			failed <- err
		}()
	}
	if err := errors.Join(<-failed, <-failed); err != nil {
		t.Fatal(err)
	}
	checkOK(t, c)
}

// C-098: the client holds several streams, and progress of a call may come on any of them.
func TestProgressMayComeOnAnotherStream(t *testing.T) {
	tokens, seen := make(chan string, 1), make(chan struct{})
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		switch {
		case r.Method == http.MethodGet:
			sse(w, ": hi\n\n")
			select {
			case token := <-tokens:
				holdStream(w, r, data(progress(token, 1)))
			case <-r.Context().Done():
			}
		case m.Method == methodCallTool:
			tokens <- m.token()
			select {
			case <-seen:
			case <-time.After(10 * time.Second):
			}
			sse(w, data(m.result(okResult)))
		default:
			jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
		}
	})
	c := connect(t, HTTP(server.URL), WithVersions(sessionVersions...), WithNotificationHandler(func(Notification) {}))
	count := 0
	if _, err := c.CallTool(t.Context(), "x", nil, WithProgress(func(Progress) { count++; close(seen) })); err != nil || count != 1 {
		t.Errorf("%d reports, %v", count, err)
	}
}

// C-101: the limit of a given client would cut streams.
func TestTimeoutOfAnHTTPClientCutsNoStream(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, _ *http.Request, m message) {
		sse(w, ": hi\n\n")
		time.Sleep(100 * time.Millisecond)
		sse(w, data(m.result(okResult)))
	}))
	checkOK(t, connect(t, HTTP(server.URL, WithHTTPClient(&http.Client{Timeout: 20 * time.Millisecond}))))
}

// C-114 C-147
func TestTaskRequestsAreRoutedByTheirTask(t *testing.T) {
	server := newHTTPServer(t, jsonScript(taskServer("", strings.Replace(flat("working", ""), "t 1", "Tâche", 1))))
	c := connect(t, HTTP(server.URL))
	_, e1 := c.Tasks().Get(t.Context(), "Tâche")
	e2 := c.Tasks().Update(t.Context(), "Tâche", map[string]any{"q": map[string]any{}})
	e3 := c.Tasks().Cancel(t.Context(), "Tâche")
	if err := errors.Join(e1, e2, e3); err != nil {
		t.Fatal(err)
	}
	var sent []string
	for _, x := range server.exchanges() {
		if sent = append(sent, x.Method); x.Method != methodDiscover && x.header.Get("Mcp-Name") != "=?base64?VMOiY2hl?=" {
			t.Errorf("%s: %v", x.Method, x.header)
		}
	}
	if want := []string{methodDiscover, methodGetTask, methodUpdateTask, methodCancelTask}; !slices.Equal(sent, want) {
		t.Errorf("sent %v", sent)
	}
}

// C-115 C-116
func TestUnsafeHeaderValuesAreEncoded(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "a b": "a b", "~!": "~!", "=?base64?x": "=?base64?x", "x=?base64?y?=": "x=?base64?y?=", "=?BASE64?eA==?=": "=?BASE64?eA==?=",
		" a": "=?base64?IGE=?=", "a ": "=?base64?YSA=?=", "\ta": "=?base64?CWE=?=", "a\t": "=?base64?YQk=?=", "a\tb": "=?base64?YQli?=",
		"a\r\nb": "=?base64?YQ0KYg==?=", "\x00": "=?base64?AA==?=", "\x7f": "=?base64?fw==?=", "ÿþ": "=?base64?w7/Dvg==?=", "~~>": "~~>",
		"=?base64?eA==?=": "=?base64?PT9iYXNlNjQ/ZUE9PT89?=", "=?base64??=": "=?base64?PT9iYXNlNjQ/Pz0=?=",
	} {
		if got := encodeHeader(value); got != want {
			t.Errorf("%q: got %q", value, got)
		}
	}
}

// C-128
func TestHeaderNamesHaveNoCaseAndValuesDo(t *testing.T) {
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if m.Method == methodInitialize {
			w.Header()["mCP-sESSION-iD"] = []string{"aBc"} // written as it is
		}
		jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
	})
	c := connect(t, HTTP(server.URL), WithVersions(sessionVersions...))
	checkOK(t, c)
	all := server.exchanges()
	if got := all[len(all)-1].header.Get(headerSession); got != "aBc" {
		t.Errorf("the session is %q", got)
	}
	server = newHTTPServer(t, jsonScript(modern(alwaysOK)))
	if _, err := connect(t, HTTP(server.URL)).CallTool(t.Context(), "TooL", nil); err != nil {
		t.Fatal(err)
	}
	all = server.exchanges()
	if h := all[len(all)-1].header; h.Get(headerMethod) != "tools/call" || h.Get(headerName) != "TooL" {
		t.Errorf("headers %v", h)
	}
}

// C-133: what the generator knew of headers serves until a list says better.
func TestGeneratedHeadersServeUntilAList(t *testing.T) {
	server := newHTTPServer(t, jsonScript(modern(func(m message) []string {
		if m.Method == methodListTools {
			return []string{m.result(`{"tools":[{"name":"bake_cake","inputSchema":{"type":"object","properties":{"burn":{"type":"string","x-mcp-header":"New"}}}}]}`)}
		}
		return []string{m.result(`{"content":[],"structuredContent":{"layers":1}}`)}
	})))
	c := connect(t, HTTP(server.URL))
	tool := cakeTool
	tool.Headers = []HeaderBinding{{Name: "Old", Path: []string{"burn"}}}
	for _, want := range []string{"never|", "|never"} {
		if _, err := tool.Call(t.Context(), c, cakeArgs{Layers: 1}); err != nil {
			t.Fatal(err)
		}
		all := server.exchanges()
		if h := all[len(all)-1].header; h.Get("Mcp-Param-Old")+"|"+h.Get("Mcp-Param-New") != want {
			t.Errorf("want %s in %v", want, h)
		}
		if _, err := c.ListTools(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// C-144: a stateless server calls off subscriptions only.
func TestStatelessServersCallOffSubscriptionsOnly(t *testing.T) {
	off := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	heard := make(chan message, 1)
	listening := listenScript(heard)
	var listen string
	transport, _ := pipe(t, func(m message) []string {
		if m.Method == methodCallTool {
			return []string{off(string(m.ID)), off("999"), off(`"` + listen + `"`), off("null"), m.result(okResult)}
		}
		return listening(m)
	})
	c := connect(t, transport)
	s, m := listenAcked(t, c, heard, ListenFilter{Tools: true})
	listen = string(m.ID)
	checkOK(t, c)
	if s.Reason() != EndNone {
		t.Fatalf("ended as %q", s.Reason())
	}
	m.push(off(listen))
	waitDone(t, s)
	if s.Reason() != EndCancelled {
		t.Errorf("ended as %q", s.Reason())
	}
}

// C-146
func TestSessionTasksAreNotCalledOffAsRequests(t *testing.T) {
	inBubble(t, coreServer(allTasks, gives(okResult), "working"), []Option{WithVersions(Version20251125)}, func(t *testing.T, c *Client, rec *recorder) {
		if _, err := c.ListTools(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond) // between two polls
		defer cancel()
		if _, err := c.CallTool(ctx, "must", nil); !errors.As(err, new(*TimeoutError)) {
			t.Errorf("got %v", err)
		}
		if m := rec.await(t, methodCancelTask); !strings.Contains(string(m.Params), `"taskId":"t 1"`) {
			t.Errorf("sent %s", m.Params)
		}
		if slices.Contains(rec.methods(), methodCancelled) {
			t.Error("sent notifications/cancelled for a task")
		}
	})
}

// C-146: one who leaves before the server has named the task has it cancelled as soon as it does.
func TestLateSessionTasksAreCancelled(t *testing.T) {
	s := coreServer(allTasks, gives(okResult), "working")
	script := func(m message) []string {
		if m.Method == methodCallTool {
			time.Sleep(time.Minute) // of the fake clock
		}
		return s(m)
	}
	inBubble(t, script, []Option{WithVersions(Version20251125)}, func(t *testing.T, c *Client, rec *recorder) {
		if _, err := c.ListTools(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.CallTool(t.Context(), "must", nil, WithTimeout(time.Second)); !errors.As(err, new(*TimeoutError)) {
			t.Errorf("got %v", err)
		}
		time.Sleep(2 * time.Minute) // of the fake clock
		if m := rec.await(t, methodCancelTask); !strings.Contains(string(m.Params), `"taskId":"t 1"`) {
			t.Errorf("sent %s", m.Params)
		}
		if slices.Contains(rec.methods(), methodCancelled) {
			t.Error("sent notifications/cancelled for a task")
		}
	})
}

// C-029 C-034: what results say of their server is not needed and changes nothing, and reserved keys of
// _meta pass through whatever they hold.
func TestMetaOfResultsChangesNothing(t *testing.T) {
	for _, meta := range []string{
		`{}`, `null`, `{"io.modelcontextprotocol/serverInfo":{"name":"evil","version":"9"}}`,
		`{"io.modelcontextprotocol/future":[1,{"a":null}],"progressToken":{},"dev.mcp/x":false,"a b c":1}`,
	} {
		c, rec := answering(t, Version20260728, func(m message) []string {
			return []string{m.result(`{"content":[{"type":"text","text":"ok"}],"_meta":` + meta + `}`)}
		})
		before := c.Session()
		raw, err := c.RawCall(t.Context(), methodCallTool, appender(map[string]any{"name": "x"}))
		if err != nil || !strings.Contains(string(raw), meta) {
			t.Errorf("%s: got %s, %v", meta, raw, err)
		}
		checkOK(t, c)
		result, err := c.CallTool(t.Context(), "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(meta, "future") && string(result.Meta.Extra["io.modelcontextprotocol/future"]) != `[1,{"a":null}]` {
			t.Errorf("kept %s", result.Meta.Extra)
		}
		if got := c.Session(); got.Server.Name != before.Server.Name || got.Version != before.Version {
			t.Errorf("%s: the session is now %+v", meta, got)
		}
		if got := fmt.Sprint(rec.methods()); got != "[server/discover tools/call tools/call tools/call]" {
			t.Errorf("%s: sent %s", meta, got)
		}
	}
}

// C-039
func TestListsFetchNothing(t *testing.T) {
	var asked atomic.Int64
	icons := newHTTPServer(t, func(http.ResponseWriter, *http.Request, message) { asked.Add(1) })
	icon := `"icons":[{"src":"` + icons.URL + `/i.png","mimeType":"image/png"}]`
	c, rec := answering(t, Version20260728, func(m message) []string {
		return []string{m.result(`{"tools":[{"name":"t","inputSchema":{"type":"object"},` + icon + `}],"prompts":[{"name":"p",` + icon + `}],"resources":[{"name":"r","uri":"` + icons.URL + `/r",` + icon + `}],"resourceTemplates":[{"name":"r","uriTemplate":"` + icons.URL + `/{r}",` + icon + `}]}`)}
	})
	tools, e1 := c.ListTools(t.Context())
	_, e2 := c.ListPrompts(t.Context())
	_, e3 := c.ListResources(t.Context())
	_, e4 := c.ListResourceTemplates(t.Context())
	if err := errors.Join(e1, e2, e3, e4); err != nil {
		t.Fatal(err)
	}
	if len(tools) != 1 || len(tools[0].Icons) != 1 || tools[0].Icons[0].Src != icons.URL+"/i.png" {
		t.Errorf("got %+v", tools)
	}
	if got := fmt.Sprint(rec.methods()); asked.Load() != 0 || got != "[server/discover tools/list prompts/list resources/list resources/templates/list]" {
		t.Errorf("fetched %d, sent %s", asked.Load(), got)
	}
}

// C-066: extensions have prefixed ids, are advertised as objects, and a server that does not have one
// is used without, or the error says so.
func TestExtensionsNeedBothSides(t *testing.T) {
	for _, id := range []string{"", "tasks", "/tasks", "a..b/x", "1a/x", "a b/x"} {
		if _, err := Connect(t.Context(), unrecorded(modern(alwaysOK)), WithExtension(id, emptyObject{})); err == nil || !strings.Contains(err.Error(), "malformed") {
			t.Errorf("%q: %v", id, err)
		}
	}
	c, rec := answering(t, Version20260728, alwaysOK, WithExtension("com.example/x", emptyObject{}))
	checkOK(t, c)
	if got := string(rec.await(t, methodCallTool).meta()[metaCapabilities]); !strings.Contains(got, `"com.example/x":{}`) {
		t.Errorf("capabilities %s", got)
	}
	if ok, err := c.Tasks().ServerSupports(t.Context()); ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	task, err := c.Tasks().Start(t.Context(), "x", nil)
	if err != nil || !task.Ended() || task.ID != "" {
		t.Errorf("no plain result: %+v, %v", task, err)
	}
	c, _ = answering(t, Version20260728, func(m message) []string { return []string{m.result(created(""))} }, WithoutTasks())
	if _, err := c.CallTool(t.Context(), "x", nil); !errors.As(err, new(*InvalidResultError)) {
		t.Errorf("a task that was not offered: %v", err)
	}
}

// spying is a transport of an application: it counts the connections and keeps what is sent.
type spying struct {
	Transport
	opened atomic.Int64
	sent   func(out *Outgoing)
}

type spyingConn struct {
	Conn
	spy *spying
}

func (s *spying) Open(ctx context.Context, in Receiver) (Conn, error) {
	s.opened.Add(1)
	conn, err := s.Transport.Open(ctx, in)
	return spyingConn{conn, s}, err
}

func (c spyingConn) Send(ctx context.Context, out *Outgoing) error {
	if c.spy.sent != nil {
		c.spy.sent(out)
	}
	return c.Conn.Send(ctx, out)
}

// C-077: one process serves unrelated calls side by side, whatever becomes of each.
func TestOneProcessServesUnrelatedCalls(t *testing.T) {
	spy := &spying{Transport: child(t, "modern")}
	c := connect(t, spy)
	failed := make(chan error, 20)
	for i := range 20 {
		go func() {
			ctx, cancel := context.WithCancel(t.Context())
			if i%2 == 0 {
				cancel()
			}
			defer cancel()
			_, err := c.CallTool(ctx, "x", map[string]int{"conversation": i})
			if i%2 == 0 && errors.Is(err, context.Canceled) {
				err = nil
			}
			failed <- err
		}()
	}
	for range 20 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	if _, err := c.CallTool(t.Context(), "x", nil); err != nil {
		t.Error(err)
	}
	if n := spy.opened.Load(); n != 1 {
		t.Errorf("%d processes", n)
	}
}

// C-081: byte streams of the application's own are framed as stdio is, and transports of its own get
// whole messages with all that a request is about.
func TestOwnTransportsKeepMessagesAsTheyAre(t *testing.T) {
	var sent []string
	var lines lockedBuilder
	spy := &spying{Transport: DialStream(func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		go func() {
			serveLines(io.TeeReader(theirs, &lines), theirs, modern(alwaysOK), nil)
			_ = theirs.Close()
		}()
		return ours, nil
	})}
	spy.sent = func(out *Outgoing) {
		sent = append(sent, string(out.Data))
		if out.Method == methodCallTool && (out.Name != "x\ny" || out.ID == 0 || out.Version != Version20260728 || !out.Stateless) {
			t.Errorf("sent %+v", out)
		}
	}
	c := connect(t, spy)
	if _, err := c.CallTool(t.Context(), "x\ny", map[string]string{"a\r\n": "b\n"}, WithMeta(map[string]any{"com.example/k": "v\n"})); err != nil {
		t.Fatal(err)
	}
	if want := strings.Join(sent, "\n") + "\n"; len(sent) != 2 || lines.String() != want || strings.Count(want, "\n") != 2 || !strings.Contains(want, `"com.example/k":"v\n"`) {
		t.Errorf("on the stream is %q", lines.String())
	}
}

// C-052: the first request need not be server/discover, and any request may meet -32022.
func TestAnyRequestMayMeetTheVersionError(t *testing.T) {
	for _, test := range []struct {
		supported, sent string
		good            bool
		opts            []Option
	}{
		{`["2026-07-28"]`, "[tools/call tools/call]", true, []Option{WithVersions(Version20260728)}},
		{`["2025-11-25"]`, "[tools/call]", false, []Option{WithVersions(Version20260728)}},
		{`["2027-01-01"]`, "[server/discover tools/call]", false, nil},
		{`["2025-11-25"]`, "[server/discover tools/call initialize notifications/initialized tools/call]", true, nil},
	} {
		refused := false
		s := modern(alwaysOK)
		transport, rec := pipe(t, func(m message) []string {
			switch {
			case m.Method == methodInitialize || m.Method == methodInitialized:
				return legacy(Version20251125, alwaysOK)(m)
			case m.Method == methodCallTool && !refused:
				refused = true
				return []string{m.failure(CodeUnsupportedVersion, "no", `{"supported":`+test.supported+`,"requested":"2026-07-28"}`)}
			}
			return s(m)
		})
		c := connect(t, transport, test.opts...)
		_, err := c.CallTool(t.Context(), "x", nil)
		if (err == nil) != test.good || !test.good && !errors.As(err, new(*VersionError)) {
			t.Errorf("%s: %v", test.supported, err)
		}
		if got := fmt.Sprint(rec.methods()); got != test.sent {
			t.Errorf("%s: sent %s", test.supported, got)
		}
	}
}
