package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// asking plays a session-era server that asks request (method and params, with the id it is given)
// during a tool call and gives the client's answer as the tool's text.
func asking(version, request string) script {
	var mu sync.Mutex
	var call message
	return legacy(version, func(m message) []string {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case m.Method == methodCallTool:
			call = m
			return []string{`{"jsonrpc":"2.0","id":"q",` + request + `}`}
		case m.Method == "":
			text, _ := json.Marshal(m.raw)
			return []string{call.result(`{"content":[{"type":"text","text":` + string(text) + `}]}`)}
		}
		return nil
	})
}

// answerTo returns what the client answers to request.
func answerTo(t *testing.T, version, request string, opts ...Option) (result, failure string) {
	t.Helper()
	transport, _ := pipe(t, asking(version, request))
	c := connect(t, transport, append(opts, WithVersions(version))...)
	reply, err := c.CallTool(t.Context(), "t", nil)
	if err != nil {
		t.Fatal(err)
	}
	m := parseMessage([]byte(resultText(reply)))
	if string(m.ID) != `"q"` {
		t.Errorf("answer is %s", m.raw)
	}
	return string(m.Result), string(m.Error)
}

// asRequest drops the outer braces of an input request.
func asRequest(text string) string { return text[1 : len(text)-1] }

// C-175 C-178 C-179 C-180 C-196 C-197 C-205 C-209
func TestOlderServersAreAnsweredByTheSameHandlers(t *testing.T) {
	visit := WithURLElicitation(func(_ context.Context, req *URLRequest) (*ElicitResult, error) {
		if req.Server.Name != "fake" || req.Host != "example.com" || req.Method != "" {
			t.Errorf("asked %+v", req)
		}
		return ElicitAccept(map[string]any{"leak": 1}), nil
	})
	reject := WithSampling(func(context.Context, *SamplingRequest) (*CreateMessageResult, error) { return nil, ErrUserRejected })
	fail := WithRoots(func(context.Context, *RootsRequest) ([]Root, error) { return nil, errors.New("disk on fire") })
	panics := WithRoots(func(context.Context, *RootsRequest) ([]Root, error) { panic("oops") })
	for name, test := range map[string]struct {
		version, request string
		opts             []Option
		result, failure  string // failure: the code
	}{
		"form":               {Version20250618, askName, []Option{enterName("Ada")}, `{"action":"accept","content":{"name":"Ada"}}`, ""},
		"page":               {Version20251125, askPage, []Option{visit}, `{"action":"accept"}`, ""},
		"model":              {Version20241105, askText, []Option{sayHello()}, `{"content":{"type":"text","text":"hello"},"model":"m","role":"assistant"}`, ""},
		"roots":              {Version20241105, askRoots, []Option{WithRootList(Root{URI: "file:///w"})}, `{"roots":[{"uri":"file:///w"}]}`, ""},
		"no roots":           {Version20251125, askRoots, []Option{WithRootList()}, `{"roots":[]}`, ""},
		"undeclared roots":   {Version20251125, askRoots, nil, "", "-32601"},
		"undeclared model":   {Version20251125, askText, nil, "", "-32601"},
		"form too early":     {Version20250326, askName, []Option{enterName("Ada")}, "", "-32601"},
		"page to forms only": {Version20251125, askPage, []Option{enterName("Ada")}, "", "-32602"},
		"form to pages only": {Version20251125, askName, []Option{visit}, "", "-32602"},
		"page too early":     {Version20250618, askPage, []Option{enterName("Ada"), visit}, "", "-32602"},
		"bad page":           {Version20251125, strings.Replace(askPage, "https:", "file:", 1), []Option{visit}, "", "-32602"},
		"nested form":        {Version20251125, `{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}}`, []Option{enterName("x")}, "", "-32602"},
		"no params":          {Version20251125, `{"method":"elicitation/create"}`, []Option{enterName("x")}, "", "-32602"},
		"bad answer":         {Version20251125, askName, []Option{enter(map[string]any{"name": 7})}, "", "-32603"},
		"rejected":           {Version20251125, askText, []Option{reject}, "", "-1"},
		"failed":             {Version20251125, askRoots, []Option{fail}, "", "-32603"},
		"panic":              {Version20251125, askRoots, []Option{panics}, "", "-32603"},
		"bad root": {Version20251125, askRoots, []Option{WithRoots(func(context.Context, *RootsRequest) ([]Root, error) {
			return []Root{{URI: "https://example.com"}}, nil
		})}, "", "-32603"},
	} {
		t.Run(name, func(t *testing.T) {
			result, failure := answerTo(t, test.version, asRequest(test.request), test.opts...)
			if result != test.result || test.failure != "" && !strings.Contains(failure, `"code":`+test.failure+`,`) || test.failure == "" && failure != "" {
				t.Errorf("answer is %s %s", result, failure)
			}
		})
	}
}

// C-143 C-145: a request that the server no longer wants answered is not, and its handler's context ends.
func TestACancelledRequestEndsItsHandler(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var call message
	transport, rec := pipe(t, legacy(Version20251125, func(m message) []string {
		mu.Lock()
		defer mu.Unlock()
		switch m.Method {
		case methodCallTool:
			call = m
			return []string{`{"jsonrpc":"2.0","id":7,` + asRequest(askName) + `}`}
		case methodPing:
			return []string{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, m.result(`{}`), call.result(okResult)}
		}
		return nil
	}))
	c := connect(t, transport, WithElicitation(func(ctx context.Context, _ *FormRequest) (*ElicitResult, error) {
		close(started)
		<-ctx.Done()
		close(ended)
		return ElicitCancel(), nil
	}))
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), "t", nil)
		done <- err
	}()
	<-started
	if err := c.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-ended
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for _, m := range rec.all() {
		if m.Method == "" {
			t.Errorf("answered %s", m.raw)
		}
	}
}

// A server of the stateless era may not ask by requests of its own: no handler runs (C-019).
func TestStatelessServersAskOnlyInResults(t *testing.T) {
	transport, _ := pipe(t, modern(func(m message) []string {
		return []string{`{"jsonrpc":"2.0","id":7,` + asRequest(askName) + `}`, m.result(okResult)}
	}))
	c := connect(t, transport, WithElicitation(func(context.Context, *FormRequest) (*ElicitResult, error) {
		t.Error("asked")
		return ElicitCancel(), nil
	}))
	checkOK(t, c)
}

// C-210
func TestChangedRootsAreAnnouncedWhereThatExists(t *testing.T) {
	roots := WithRoots(func(context.Context, *RootsRequest) ([]Root, error) { return nil, nil })
	transport, rec := pipe(t, legacy(Version20241105, alwaysOK))
	if err := connect(t, transport, roots).RootsChanged(t.Context()); err != nil {
		t.Fatal(err)
	}
	rec.await(t, methodRootsChanged)

	transport, rec = pipe(t, modern(alwaysOK))
	c := connect(t, transport, roots)
	if err := c.RootsChanged(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkOK(t, c)
	for _, method := range rec.methods() {
		if method == methodRootsChanged {
			t.Error("announced to a server that has no such notification")
		}
	}
	transport, _ = pipe(t, modern(alwaysOK))
	if connect(t, transport, WithRootList()).RootsChanged(t.Context()) == nil {
		t.Error("a fixed list changed")
	}
}

// B106: a server that asks on its own stream as soon as the first call arrives is heard, since the
// stream is there before the call.
func TestQuestionsOnTheServersOwnStreamAreHeard(t *testing.T) {
	streams, reply := make(chan http.ResponseWriter, 1), make(chan message, 1)
	var writing sync.Mutex
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		w.Header().Set(headerSession, "s1")
		switch {
		case r.Method == http.MethodGet:
			writing.Lock()
			streams <- w
			sse(w, ": hello\n\n")
			writing.Unlock()
			<-r.Context().Done()
		case m.Method == methodCallTool:
			select {
			case stream := <-streams:
				writing.Lock()
				sse(stream, data(`{"jsonrpc":"2.0","id":3,`+asRequest(askText)+`}`))
				writing.Unlock()
			default:
				t.Error("the call came before the stream")
				close(reply)
			}
			if answer := <-reply; string(answer.Result) != `{"content":{"type":"text","text":"hello"},"model":"m","role":"assistant"}` {
				t.Errorf("answered %s", answer.raw)
			}
			jsonScript(alwaysOK)(w, r, m)
		case m.Method == "" && r.Method == http.MethodPost:
			reply <- m
			w.WriteHeader(http.StatusAccepted)
		default:
			jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
		}
	})
	checkOK(t, connect(t, HTTP(server.URL), sayHello()))
}
