package mcp

// Requirements of the checklist on what servers offer: logs, completions, resources, prompts and tools.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// paramsSent returns the params of the last message of method.
func paramsSent(t *testing.T, rec *recorder, method string) (text string) {
	t.Helper()
	rec.await(t, method)
	for _, m := range rec.all() {
		if m.Method == method {
			text = string(m.Params)
		}
	}
	return text
}

// C-212: only where the server declares logging; it may log unasked either way.
func TestLogLevelIsSetOnlyWhereItCanBe(t *testing.T) {
	c, rec := answering(t, Version20251125, func(m message) []string { return []string{m.result(`{}`)} })
	if err := c.SetLogLevel(t.Context(), v20260728.LoggingLevelWarning); err != nil {
		t.Fatal(err)
	}
	if got := paramsSent(t, rec, methodSetLevel); got != `{"level":"warning"}` {
		t.Errorf("sent %s", got)
	}
	transport, rec := pipe(t, func(m message) []string {
		if m.Method == methodInitialize {
			return []string{m.result(strings.Replace(leg(Version20251125), `"logging":{},`, "", 1))}
		}
		return legacy(Version20251125, func(m message) []string {
			return []string{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"unasked"}}`, m.result(okResult)}
		})(m)
	})
	heard := make(chan Notification, 1)
	c = connect(t, transport, WithNotificationHandler(func(n Notification) { heard <- n }))
	if err := c.SetLogLevel(t.Context(), "debug"); !errors.As(err, new(*UnsupportedError)) {
		t.Errorf("got %v", err)
	}
	checkOK(t, c)
	if n := <-heard; n.Method != "notifications/message" {
		t.Errorf("heard %v", n)
	}
	if got := fmt.Sprint(rec.methods()); strings.Contains(got, methodSetLevel) {
		t.Errorf("sent %s", got)
	}
}

// C-213: asked for request by request, and an error if the server does not know the level.
func TestStatelessRequestsOptInToLogs(t *testing.T) {
	c, rec := answering(t, Version20260728, func(m message) []string {
		if level := m.meta()["io.modelcontextprotocol/logLevel"]; level != nil && string(level) != `"debug"` {
			return []string{m.failure(-32602, "no such level", "")}
		}
		return []string{m.result(okResult)}
	})
	checkOK(t, c)
	if _, err := c.CallTool(t.Context(), "x", nil, WithLogLevel("debug")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CallTool(t.Context(), "x", nil, WithLogLevel("loud")); !errors.Is(err, ErrInvalidParams) {
		t.Errorf("got %v", err)
	}
	calls := rec.calls()
	if calls[0].meta()["io.modelcontextprotocol/logLevel"] != nil || string(calls[1].meta()["io.modelcontextprotocol/logLevel"]) != `"debug"` {
		t.Errorf("sent %s and %s", calls[0].Params, calls[1].Params)
	}
	if got := fmt.Sprint(rec.methods()); strings.Contains(got, methodSetLevel) {
		t.Errorf("sent %s", got)
	}
}

// C-214 C-215: every level and every kind of data arrives, on the stream of a request too.
func TestLogMessagesArrive(t *testing.T) {
	levels := []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "made up"}
	data := []string{`"text"`, `{"a":[1]}`, `[]`, `7`, `true`, `null`, `""`, `1e400`, `{}`}
	s := func(m message) (out []string) {
		for i := range levels {
			out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"logger":"l","data":%s}}`, levels[i], data[i]))
		}
		return append(out, m.result(okResult))
	}
	onPipe, _ := pipe(t, legacy(Version20251125, s))
	for name, transport := range map[string]Transport{
		"pipe": onPipe, "http": HTTP(newHTTPServer(t, sseScript(modern(s))).URL),
	} {
		heard := make(chan Notification, len(levels))
		c := connect(t, transport, WithNotificationHandler(func(n Notification) { heard <- n }))
		checkOK(t, c)
		for i := range levels {
			n := <-heard
			var p v20260728.LoggingMessageNotificationParams
			if err := jsonwire.Unmarshal(n.Params, &p); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if string(p.Level) != levels[i] || string(p.Data) != data[i] || *p.Logger != "l" {
				t.Errorf("%s: got %+v", name, p)
			}
		}
	}
}

// C-216 C-351 C-353: no credential and no session id in logs and errors; a peer's text has no power there.
func TestLogsAndErrorsAreClean(t *testing.T) {
	const evil = "\x1b[2Jpwned\r\n%s%n \u202etxt"
	var gone atomic.Bool
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if gone.Load() {
			http.Error(w, "no such session", http.StatusNotFound)
			return
		}
		if m.Method == methodInitialize {
			w.Header().Set("Mcp-Session-Id", "sess-secret")
		}
		text, _ := json.Marshal(evil)
		jsonScript(legacy(Version20251125, func(m message) []string {
			return []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s}}`, m.ID, text)}
		}))(w, r, m)
	})
	var log lockedBuilder
	c := connect(t, HTTP(server.URL, WithHeader("Authorization", "Bearer tok-secret")),
		WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))), WithVersions(sessionVersions...))
	_, err := c.CallTool(t.Context(), "x", nil)
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\r\n\u202e") || !strings.Contains(err.Error(), "%s%n") {
		t.Errorf("got %q", err)
	}
	gone.Store(true) // the session is lost
	if _, lost := c.CallTool(t.Context(), "x", nil); lost == nil {
		t.Error("no error")
	} else {
		err = errors.Join(err, lost)
	}
	server.CloseClientConnections()
	server.Close()
	if _, err2 := c.CallTool(t.Context(), "x", nil); err2 == nil {
		t.Error("no error")
	} else {
		err = errors.Join(err, err2)
	}
	_ = c.Close()
	if last := server.exchanges()[2]; last.header.Get("Mcp-Session-Id") != "sess-secret" || last.header.Get("Authorization") == "" {
		t.Errorf("the server saw %v", last.header)
	}
	if text := log.String() + err.Error(); strings.Contains(text, "secret") {
		t.Errorf("told %s", text)
	}
}

// C-217 C-218
func TestCompletionsAreAskedForAsTheVersionHasThem(t *testing.T) {
	for _, version := range []string{Version20241105, Version20250326, Version20250618, Version20251125, Version20260728} {
		c, rec := answering(t, version, func(m message) []string {
			if strings.Contains(m.raw, "none") {
				return []string{m.failure(-32601, "no completions", "")}
			}
			return []string{m.result(`{"completion":{"values":["a","b"],"total":1000,"hasMore":true}}`)}
		})
		ask := Completion{Ref: PromptRef("p"), Argument: "x", Value: "a", Context: map[string]string{"k": "v"}}
		got, err := c.Complete(t.Context(), ask)
		if err != nil {
			t.Fatal(err)
		}
		if x := got.Completion; len(x.Values) != 2 || *x.Total != 1000 || !*x.HasMore {
			t.Errorf("%s: got %+v", version, x)
		}
		want := `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"x","value":"a"}`
		if version >= Version20250618 {
			want += `,"context":{"arguments":{"k":"v"}}`
		}
		if sent := paramsSent(t, rec, methodComplete); !strings.HasPrefix(sent, want) || strings.Contains(sent, "context") != (version >= Version20250618) {
			t.Errorf("%s: sent %s", version, sent)
		}
		ask.Ref = TemplateRef("a:{x}")
		if _, err := c.Complete(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		if sent := paramsSent(t, rec, methodComplete); !strings.HasPrefix(sent, `{"ref":{"type":"ref/resource","uri":"a:{x}"}`) {
			t.Errorf("%s: sent %s", version, sent)
		}
		ask.Value = "none"
		if _, err := c.Complete(t.Context(), ask); !errors.Is(err, ErrMethodNotFound) {
			t.Errorf("%s: %v", version, err)
		}
	}
	// Few and many: what is optional may be missing, and no server is held to the 100.
	c, _ := answering(t, Version20251125, func(m message) []string {
		if strings.Contains(m.raw, "many") {
			return []string{m.result(`{"completion":{"values":["x"` + strings.Repeat(`,"x"`, 149) + `]}}`)}
		}
		return []string{m.result(`{"completion":{"values":[]}}`)}
	})
	for value, want := range map[string]int{"many": 150, "few": 0} {
		got, err := c.Complete(t.Context(), Completion{Ref: PromptRef("p"), Argument: "x", Value: value})
		if err != nil || len(got.Completion.Values) != want || got.Completion.Total != nil || got.Completion.HasMore != nil {
			t.Errorf("%s: %+v, %v", value, got, err)
		}
	}
}

// C-219 C-220 C-221 C-226 C-227
func TestResourcesAreTakenAsTheyCome(t *testing.T) {
	for _, version := range []string{Version20241105, Version20251125, Version20260728} {
		c, rec := answering(t, version, func(m message) []string {
			switch {
			case m.Method == methodListResources:
				return []string{m.result(`{"resources":[{"uri":"a:big","name":"big","size":1099511627776,"annotations":{"audience":["user","robot"],"priority":7,"lastModified":"yesterday"}},{"uri":"a:b","name":"b"}]}`)}
			case m.Method == methodListTemplates:
				return []string{m.result(`{"resourceTemplates":[{"uriTemplate":"a:{x}","name":"t"}]}`)}
			case strings.Contains(m.raw, "a:empty"):
				return []string{m.result(`{"contents":[]}`)}
			}
			return []string{m.result(`{"contents":[{"uri":"a:b/1","text":"t"},{"uri":"a:b/2","mimeType":"image/png","blob":"+/8="},{"uri":"a:b/3","blob":"not base64!"}]}`)}
		})
		list, err := c.ListResources(t.Context())
		if err != nil || len(list) != 2 || *list[0].Size != 1<<40 {
			t.Fatalf("%s: %+v, %v", version, list, err)
		}
		if a := list[0].Annotations; a == nil || fmt.Sprint(a.Audience) != "[user robot]" || *a.Priority != 7 || *a.LastModified != "yesterday" {
			t.Errorf("%s: annotations %+v", version, a)
		}
		if templates, err := c.ListResourceTemplates(t.Context()); err != nil || len(templates) != 1 || templates[0].URITemplate != "a:{x}" {
			t.Errorf("%s: %+v, %v", version, templates, err)
		}
		got, err := c.ReadResource(t.Context(), "a:b")
		if err != nil || len(got.Contents) != 3 {
			t.Fatalf("%s: %+v, %v", version, got, err)
		}
		if sent := paramsSent(t, rec, methodReadResource); !strings.HasPrefix(sent, `{"uri":"a:b"`) {
			t.Errorf("%s: sent %s", version, sent)
		}
		text, ok := got.Contents[0].(*TextResourceContents)
		if !ok || text.URI != "a:b/1" || text.Text != "t" {
			t.Errorf("%s: %+v", version, got.Contents[0])
		}
		for i, want := range map[int]string{1: "+/8=", 2: "not base64!"} {
			if blob, ok := got.Contents[i].(*BlobResourceContents); !ok || blob.Blob != want {
				t.Errorf("%s: %+v", version, got.Contents[i])
			}
		}
		if got, err := c.ReadResource(t.Context(), "a:empty"); err != nil || got.Contents == nil || len(got.Contents) != 0 {
			t.Errorf("%s: %+v, %v", version, got, err)
		}
	}
}

// C-188 C-225: an address that a server names is not fetched.
func TestAddressesOfAServerAreNotFetched(t *testing.T) {
	canary := newHTTPServer(t, func(http.ResponseWriter, *http.Request, message) { t.Error("fetched") })
	c, rec := answering(t, Version20260728, func(m message) []string {
		if m.Method == methodReadResource {
			return []string{m.result(`{"contents":[{"uri":"` + canary.URL + `","text":"by the server"}]}`)}
		}
		if m.param("inputResponses") == "" {
			return []string{m.result(`{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url","message":"Go","url":"` + canary.URL + `/x"}}}}`)}
		}
		return []string{m.result(`{"content":[{"type":"text","text":"ok"},{"type":"resource_link","uri":"` + canary.URL + `","name":"n","icons":[{"src":"` + canary.URL + `/i.png"}]}]}`)}
	}, WithURLElicitation(func(_ context.Context, req *URLRequest) (*ElicitResult, error) {
		if req.Params.URL != canary.URL+"/x" {
			t.Errorf("asked %s", req.Params.URL)
		}
		return ElicitAccept(nil), nil
	}))
	if got, err := c.ReadResource(t.Context(), canary.URL); err != nil || got.Contents[0].(*TextResourceContents).Text != "by the server" {
		t.Fatalf("%v, %v", got, err)
	}
	checkOK(t, c)
	if len(rec.calls()) != 2 {
		t.Errorf("%d calls", len(rec.calls()))
	}
}

// C-238
func TestARequiredArgumentOfAPromptIsMissed(t *testing.T) {
	for _, check := range []bool{true, false} {
		var opts []Option
		if !check {
			opts = append(opts, WithoutCapabilityChecks())
		}
		transport, rec := pipe(t, modern(func(m message) []string {
			if m.Method == methodListPrompts {
				return []string{m.result(`{"prompts":[{"name":"p","arguments":[{"name":"a/b","required":true},{"name":"c"}]},{"name":"q"}]}`)}
			}
			return []string{m.result(`{"messages":[]}`)}
		}))
		c := connect(t, transport, opts...)
		get := func(name string, arguments map[string]string) error {
			_, err := c.GetPrompt(t.Context(), name, arguments)
			return err
		}
		if err := get("p", nil); err != nil {
			t.Errorf("before a list: %v", err)
		}
		if _, err := c.ListPrompts(t.Context()); err != nil {
			t.Fatal(err)
		}
		err := get("p", map[string]string{"c": "1"})
		var invalid *ValidationError
		if check && (!errors.As(err, &invalid) || invalid.Rule != "required" || invalid.Pointer != "/a~1b" || !strings.Contains(err.Error(), `prompt "p"`)) || !check && err != nil {
			t.Errorf("without the argument: %v", err)
		}
		if err := errors.Join(get("p", map[string]string{"a/b": ""}), get("q", nil), get("unlisted", nil)); err != nil {
			t.Error(err)
		}
		want := 4
		if !check {
			want = 5
		}
		if n := strings.Count(fmt.Sprint(rec.methods()), methodGetPrompt); n != want {
			t.Errorf("%d requests", n)
		}
	}
}

// C-238 C-239 C-241
func TestPromptsAreTakenAsTheyCome(t *testing.T) {
	const messages = `{"role":"user","content":{"type":"text","text":"t"}},{"role":"assistant","content":{"type":"image","data":"AA==","mimeType":"image/png"}},` +
		`{"role":"user","content":{"type":"audio","data":"AA==","mimeType":"audio/wav"}},{"role":"user","content":{"type":"resource","resource":{"uri":"a:b","text":"x"}}},` +
		`{"role":"user","content":{"type":"resource_link","uri":"a:b","name":"n"}},{"role":"user","content":{"type":"hologram","beam":[1]}}`
	for _, version := range []string{Version20241105, Version20250326, Version20251125, Version20260728} {
		c, rec := answering(t, version, func(m message) []string {
			switch {
			case m.Method == methodListPrompts:
				return []string{m.result(`{"prompts":[{"name":"p","arguments":[{"name":"a","required":true},{"name":"b"}]}]}`)}
			case m.param("name") != `"p"` || m.param("arguments") == `{"a":""}`:
				return []string{m.failure(-32602, "unknown prompt or missing argument", "")}
			}
			return []string{m.result(`{"messages":[` + messages + `]}`)}
		})
		list, err := c.ListPrompts(t.Context())
		if err != nil || len(list) != 1 || len(list[0].Arguments) != 2 || !*list[0].Arguments[0].Required || list[0].Arguments[1].Required != nil {
			t.Fatalf("%s: %+v, %v", version, list, err)
		}
		got, err := c.GetPrompt(t.Context(), "p", map[string]string{"a": "1", "b": "<é>"})
		if err != nil {
			t.Fatal(err)
		}
		if sent := paramsSent(t, rec, methodGetPrompt); !strings.HasPrefix(sent, `{"name":"p","arguments":{"a":"1","b":"<é>"}`) {
			t.Errorf("%s: sent %s", version, sent)
		}
		var kinds []string
		for _, m := range got.Messages {
			kinds = append(kinds, string(m.Role)+strings.TrimPrefix(fmt.Sprintf(" %T", m.Content), " *v20260728."))
		}
		if text := strings.Join(kinds, " "); text != "userTextContent assistantImageContent userAudioContent userEmbeddedResource userResourceLink userUnknownContentBlock" {
			t.Errorf("%s: got %s", version, text)
		}
		if x, ok := got.Messages[5].Content.(*UnknownContentBlock); !ok || string(x.Raw) != `{"type":"hologram","beam":[1]}` {
			t.Errorf("%s: got %v", version, got.Messages[5].Content)
		}
		for name, arguments := range map[string]map[string]string{"p": {"a": ""}, "q": {"a": "1"}} {
			if _, err := c.GetPrompt(t.Context(), name, arguments); !errors.Is(err, ErrInvalidParams) {
				t.Errorf("%s: %s: %v", version, name, err)
			}
		}
	}
}

// C-244 C-248: content may be empty or of an unknown kind, and text stays text.
func TestContentIsNotGuessedAt(t *testing.T) {
	for _, version := range []string{Version20241105, Version20250618, Version20260728} {
		content := `[]`
		c, _ := answering(t, version, func(m message) []string { return []string{m.result(`{"content":` + content + `}`)} })
		if got, err := c.CallTool(t.Context(), "x", nil); err != nil || len(got.Content) != 0 {
			t.Errorf("%s: %+v, %v", version, got, err)
		}
		content = `[{"type":"text","text":"{\"n\":7}"},{"type":"hologram","beam":[1]},{"type":"image","data":7}]`
		got, err := c.CallTool(t.Context(), "x", nil)
		if err != nil || len(got.Content) != 3 || len(got.StructuredContent) != 0 {
			t.Fatalf("%s: %+v, %v", version, got, err)
		}
		for i, want := range map[int]string{1: `{"type":"hologram","beam":[1]}`, 2: `{"type":"image","data":7}`} {
			if x, ok := got.Content[i].(*UnknownContentBlock); !ok || string(x.Raw) != want {
				t.Errorf("%s: got %v", version, got.Content[i])
			}
		}
	}
}

// C-253: what a tool says of itself makes no call happen twice.
func TestAnnotationsAloneRetryNothing(t *testing.T) {
	handler, calls := flaky(busy(503, "0"))
	c := connect(t, Handler(handler))
	list, err := c.ListTools(t.Context())
	if err != nil || !*list[0].Annotations.ReadOnlyHint || list[1].Annotations != nil {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := c.CallTool(t.Context(), "safe", nil); err == nil || calls.Load() != 1 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}

// C-255 C-260: any name can be listed and called, in the server's order.
func TestToolsOfAnyNameAreCalled(t *testing.T) {
	odd := []string{"z.last", "a-first", "Ä ö", "a/b", "日本", strings.Repeat("n", 200), "A-First", "x\ty", "=?base64?x?="}
	server := newHTTPServer(t, jsonScript(modern(func(m message) []string {
		if m.Method != methodListTools {
			return alwaysOK(m)
		}
		var list []string
		for _, name := range odd {
			text, _ := json.Marshal(name)
			list = append(list, `{"name":`+string(text)+`,"inputSchema":{"type":"object"}}`)
		}
		return []string{m.result(`{"tools":[` + strings.Join(list, ",") + `]}`)}
	})))
	c := connect(t, HTTP(server.URL))
	list, err := c.ListTools(t.Context())
	if err != nil || names(list) != strings.Join(odd, " ") {
		t.Fatalf("got %s, %v", names(list), err)
	}
	for _, name := range odd {
		if _, err := c.CallTool(t.Context(), name, nil); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		all := server.exchanges()
		var sent string
		if err := json.Unmarshal([]byte(all[len(all)-1].param("name")), &sent); err != nil || sent != name || all[len(all)-1].header.Get("Mcp-Name") == "" {
			t.Errorf("%q: sent %q", name, sent)
		}
	}
}

// C-258: an interceptor sees a call before it is made, may stop it, and sees its result.
func TestInterceptorsApproveCalls(t *testing.T) {
	refused := errors.New("not approved")
	var seen []string
	c, rec := answering(t, Version20260728, alwaysOK, WithInterceptor(func(next Invoker) Invoker {
		return func(ctx context.Context, req *Request) error {
			w := jsonwire.NewWriter(nil)
			req.Params.WriteJSON(w)
			seen = append(seen, string(w.Bytes()))
			if strings.Contains(string(w.Bytes()), "danger") {
				return refused
			}
			err := next(ctx, req)
			if req.Result == nil {
				t.Error("no result to look at")
			}
			return err
		}
	}))
	checkOK(t, c)
	if _, err := c.CallTool(t.Context(), "delete", map[string]string{"what": "danger"}); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	if len(rec.calls()) != 1 || len(seen) != 2 || !strings.Contains(seen[0], `"arguments":{"a":1}`) {
		t.Errorf("%d calls, seen %v", len(rec.calls()), seen)
	}
}

// C-269: that an answer has become stale makes the client ask for nothing.
func TestStaleAnswersAreNotPolledFor(t *testing.T) {
	s := newCacheServer(minuteHints)
	inBubble(t, s.answer, []Option{WithCache(nil)}, func(t *testing.T, c *Client, rec *recorder) {
		firstTool(t, c)
		before := len(rec.all())
		time.Sleep(24 * time.Hour) // the bubble's time
		synctest.Wait()
		if n := len(rec.all()); n != before {
			t.Errorf("%d messages in a day", n-before)
		}
		if got := firstTool(t, c); got != "t2" {
			t.Errorf("got %s", got)
		}
	})
}

// C-284: tasks are not declared for requests of the server, and a request that wants one is answered plainly.
func TestRequestsOfTheServerAreNoTasks(t *testing.T) {
	transport, rec := pipe(t, asking(Version20251125, `"method":"elicitation/create","params":{"task":{"ttl":1000},"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}`))
	c := connect(t, transport, enterName("Ada"), sayHello(), WithVersions(Version20251125))
	reply, err := c.CallTool(t.Context(), "t", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(parseMessage([]byte(resultText(reply))).Result); got != `{"action":"accept","content":{"name":"Ada"}}` {
		t.Errorf("answered %s", got)
	}
	if sent := rec.await(t, methodInitialize).param("capabilities"); strings.Contains(sent, "tasks") {
		t.Errorf("declared %s", sent)
	}
}

// C-352: only so many requests of a server are worked on at once.
func TestRequestsOfTheServerAreBounded(t *testing.T) {
	const extra = 10
	var mu sync.Mutex
	var call message
	refused, answered := 0, 0
	full := make(chan struct{})
	transport, _ := pipe(t, legacy(Version20251125, func(m message) (out []string) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case m.Method == methodCallTool:
			call = m
			for i := range maxServed + extra {
				out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}`, i))
			}
			return out
		case m.Error != nil:
			if refused++; refused == extra {
				close(full)
			}
		default:
			answered++
		}
		if answered == maxServed {
			return []string{call.result(okResult)}
		}
		return nil
	}))
	c := connect(t, transport, WithElicitation(func(ctx context.Context, _ *FormRequest) (*ElicitResult, error) {
		<-full
		return ElicitDecline(), nil
	}))
	checkOK(t, c)
	if refused != extra || answered != maxServed {
		t.Errorf("%d refused, %d answered", refused, answered)
	}
}

// C-155: the token of a call that is made again is another one; a late report about the first is nobody's.
func TestEachRoundHasItsOwnProgressToken(t *testing.T) {
	first := ""
	c, rec := answering(t, Version20260728, func(m message) []string {
		if m.Method != methodCallTool {
			return alwaysOK(m)
		}
		if first == "" {
			first = m.token()
			return []string{progress(first, 1), m.result(`{"resultType":"input_required","inputRequests":{"k":` + askName + `}}`)}
		}
		return []string{progress(first, 99), progress(m.token(), 2), m.result(okResult)}
	}, enterName("Ada"))
	var got []float64
	if _, err := c.CallTool(t.Context(), "t", nil, WithProgress(func(p Progress) { got = append(got, p.Progress) })); err != nil {
		t.Fatal(err)
	}
	if calls := rec.calls(); len(calls) != 2 || calls[0].token() == "" || calls[0].token() == calls[1].token() || fmt.Sprint(got) != "[1 2]" {
		t.Errorf("%d calls, progress %v", len(calls), got)
	}
}

// C-174: what came of input is not kept, whether a handler or the caller gave it; nor is the question.
func TestWhatInputLedToIsNotKept(t *testing.T) {
	s := newCacheServer(minuteHints)
	s.next = func(m message) []string {
		if m.Method == methodReadResource && m.param("inputResponses") == "" && m.param("requestState") == "" {
			return []string{m.result(`{"resultType":"input_required","inputRequests":{"k":` + askName + `},"requestState":"s"` + minuteHints + `}`)}
		}
		return nil
	}
	transport, _ := pipe(t, s.answer)
	c := connect(t, transport, WithCache(nil), enterName("Ada"))
	byHand := []CallOption{WithInputResponses(map[string]any{"k": ElicitDecline()}), WithRequestState(json.RawMessage(`"s"`))}
	for i, opts := range [][]CallOption{nil, nil, byHand, byHand, byHand[1:], nil} {
		before := s.count("resources/read a:b")
		if _, err := c.ReadResource(t.Context(), "a:b", opts...); err != nil {
			t.Fatal(err)
		}
		want := 2
		if opts != nil {
			want = 1
		}
		if n := s.count("resources/read a:b") - before; n != want {
			t.Errorf("read %d asked %d times, want %d", i, n, want)
		}
	}
}

// C-208: what the protocol deprecates says so, and works (see TestTheReferenceServerGetsItsInput).
func TestDeprecatedFeaturesSayWhatTheyAre(t *testing.T) {
	deprecated := map[string]string{"sampling.go": "WithSampling", "roots.go": "WithRoots", "calloption.go": "WithLogLevel", "call.go": "SetLogLevel"}
	for name, function := range deprecated {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == function {
				found = strings.Contains(strings.ReplaceAll(f.Doc.Text(), "\n", " "), "MCP 2026-07-28 deprecates")
			}
		}
		if !found {
			t.Errorf("%s does not say that it is deprecated", function)
		}
	}
}

// C-299: the token of a call ends with the task that it becomes, and polls have none.
func TestProgressEndsWhereATaskOfTheExtensionBegins(t *testing.T) {
	called := ""
	polled := 0
	s := modern(func(m message) []string {
		switch m.Method {
		case methodCallTool:
			called = m.token()
			return []string{progress(called, 1), m.result(created(""))}
		case methodGetTask:
			if m.token() != "" {
				t.Errorf("poll with a token: %s", m.raw)
			}
			if polled++; polled == 1 {
				return []string{progress(called, 99), m.result(flat("working", ""))}
			}
			return []string{progress(called, 99), m.result(flat("completed", cake))}
		}
		return []string{m.result(`{"resultType":"complete"}`)}
	})
	inBubble(t, s, nil, func(t *testing.T, c *Client, _ *recorder) {
		var got []float64
		if _, err := c.CallTool(t.Context(), "x", nil, WithProgress(func(p Progress) { got = append(got, p.Progress) })); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != "[1]" || polled != 2 {
			t.Errorf("progress %v after %d polls", got, polled)
		}
	})
}

func init() {
	children["surroundings"] = func() {
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(m message) []string {
			dir, _ := os.Getwd()
			text, _ := json.Marshal(fmt.Sprintf("%q %s %q", os.Args[2:], filepath.Base(dir), os.Getenv("CHECKLIST_SECRET")))
			return []string{m.result(`{"content":[{"type":"text","text":` + string(text) + `}]}`)}
		}), nil)
	}
}

// C-350
func TestCommandsRunWithoutAShell(t *testing.T) {
	t.Setenv("CHECKLIST_SECRET", "1")
	dir := filepath.Join(t.TempDir(), "work dir")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"$(touch pwned)", "; exit 9", "*", "a b", `"`, "`id`", ""}
	transport := child(t, "surroundings")
	transport.Args = append(transport.Args, args...)
	transport.NoInherit, transport.Dir = true, dir
	result, err := connect(t, transport).CallTool(t.Context(), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%q %s %q", args, "work dir", ""); resultText(result) != want {
		t.Errorf("got  %s\nwant %s", resultText(result), want)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("made %v, %v", left, err)
	}
}

// C-154: in 2025-11-25 the token of a call stays valid until the task has ended, but no longer.
func TestProgressGoesOnWhileATaskOfASessionRuns(t *testing.T) {
	for name, call := range map[string]func(ctx context.Context, c *Client, reports CallOption) error{
		"plain": func(ctx context.Context, c *Client, reports CallOption) error {
			_, err := c.CallTool(ctx, "must", nil, reports)
			return err
		},
		"started": func(ctx context.Context, c *Client, reports CallOption) error {
			task, err := c.Tasks().Start(ctx, "must", nil, reports)
			if err == nil {
				_, err = task.Await(ctx)
			}
			return err
		},
	} {
		asked, polled := "", 0
		inner := coreServer(allTasks, gives(okResult), "working", "working", "completed")
		s := func(m message) []string {
			switch {
			case m.Method == methodCallTool && m.param("task") != "":
				asked = m.token()
				return append([]string{progress(asked, 1)}, inner(m)...)
			case m.Method == methodGetTask:
				polled++
				return append([]string{progress(asked, polled+1)}, inner(m)...)
			case m.Method == methodPing:
				return []string{progress(asked, 99), m.result("{}")}
			}
			return inner(m)
		}
		inBubble(t, s, []Option{WithVersions(Version20251125)}, func(t *testing.T, c *Client, _ *recorder) {
			var got []float64
			if err := call(t.Context(), c, WithProgress(func(p Progress) { got = append(got, p.Progress) })); err != nil {
				t.Fatal(err)
			}
			if err := c.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if fmt.Sprint(got) != "[1 2 3 4]" {
				t.Errorf("%s: progress %v", name, got)
			}
			if left := len(c.current.pending.tasks); left > 0 {
				t.Errorf("%s: %d tokens are left", name, left)
			}
		})
	}
}

// C-216: a server that talks too much fills neither the log nor the memory.
func TestTalkativeServersAreBounded(t *testing.T) {
	const many = 3 * notificationBound
	transport, _ := pipe(t, legacy(Version20251125, func(m message) (out []string) {
		for i := range many {
			out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, i), `{"jsonrpc":"1.0"}`)
		}
		return append(out, m.result(okResult))
	}))
	var log lockedBuilder
	release, heard := make(chan struct{}), make(chan string, many)
	c := connect(t, transport, WithLogger(slog.New(slog.NewTextHandler(&log, nil))), WithNotificationHandler(func(n Notification) {
		<-release
		heard <- string(n.Params)
	}))
	checkOK(t, c)
	close(release)
	count := 0
	for last := ""; !strings.HasSuffix(last, fmt.Sprintf(`"data":%d}`, many-1)); count++ {
		last = <-heard
	}
	if count > 2*notificationBound || count < notificationBound { // one batch at work and one that waits
		t.Errorf("%d messages were kept", count)
	}
	if lines := strings.Count(log.String(), "\n"); lines == 0 || lines > 30 {
		t.Errorf("%d lines were logged", lines)
	}
}

// C-219 C-238: what a server does not declare is not asked for.
func TestListsNeedTheirCapability(t *testing.T) {
	for _, version := range []string{Version20241105, Version20251125, Version20260728} {
		transport, rec := pipe(t, func(m message) []string {
			switch {
			case m.Method == methodDiscover && version == Version20260728:
				return []string{m.result(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)}
			case m.Method == methodInitialize:
				return []string{m.result(`{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"f","version":"0"}}`)}
			}
			return legacy(version, alwaysOK)(m)
		})
		c := connect(t, transport)
		_, e1 := c.ListResources(t.Context())
		_, e2 := c.ListResourceTemplates(t.Context())
		_, e3 := c.ReadResource(t.Context(), "a:b")
		_, e4 := c.ListPrompts(t.Context())
		_, e5 := c.GetPrompt(t.Context(), "p", nil)
		for i, err := range []error{e1, e2, e3, e4, e5} {
			if !errors.As(err, new(*UnsupportedError)) {
				t.Errorf("%s: %d: %v", version, i, err)
			}
		}
		if got := fmt.Sprint(rec.methods()); strings.Contains(got, "resources/") || strings.Contains(got, "prompts/") {
			t.Errorf("%s: sent %s", version, got)
		}
	}
}

// C-277: polls follow the server's interval as it changes, without a notification.
func TestPollsOfASessionTaskFollowItsInterval(t *testing.T) {
	inner := coreServer(allTasks, gives(okResult), "working", "working", "completed")
	polls := 0
	s := func(m message) []string {
		answers := inner(m)
		if m.Method == methodGetTask {
			polls++
			answers[0] = strings.Replace(answers[0], `"pollInterval":200`, fmt.Sprintf(`"pollInterval":%d`, 1000*polls), 1)
		}
		return answers
	}
	inBubble(t, s, []Option{WithVersions(Version20251125)}, func(t *testing.T, c *Client, _ *recorder) {
		started := time.Now()
		if _, err := c.CallTool(t.Context(), "must", nil); err != nil {
			t.Fatal(err)
		}
		if took := since(started); took != 3200*time.Millisecond || polls != 3 {
			t.Errorf("%d polls took %v", polls, took)
		}
	})
}

// C-352: how deep a message may be nested.
func TestDeepMessagesFailOneCall(t *testing.T) {
	depth := 100_000
	c, _ := answering(t, Version20251125, func(m message) []string {
		return []string{m.result(`{"content":[],"structuredContent":{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}}`)}
	})
	if _, err := c.CallTool(t.Context(), "x", nil); err == nil || !strings.Contains(err.Error(), "nest") && !strings.Contains(err.Error(), "deep") && !strings.Contains(err.Error(), "depth") {
		t.Errorf("got %v", err)
	}
	depth = 100
	if _, err := c.CallTool(t.Context(), "x", nil); err != nil {
		t.Error(err)
	}
}
