package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// rounds plays interim results, each the members of one, and then succeeds.
func rounds(interims ...string) script {
	var mu sync.Mutex
	n := 0
	return modern(func(m message) []string {
		mu.Lock()
		defer mu.Unlock()
		if n++; n <= len(interims) {
			return []string{m.result(`{"resultType":"input_required",` + interims[n-1] + `}`)}
		}
		return []string{m.result(okResult)}
	})
}

// calls returns the tools/call requests that rec has.
func (r *recorder) calls() (list []message) {
	for _, m := range r.all() {
		if m.Method == methodCallTool {
			list = append(list, m)
		}
	}
	return list
}

// param returns the text of a member of params; "" if absent.
func (m message) param(name string) string {
	var p map[string]json.RawMessage
	_ = json.Unmarshal(m.Params, &p)
	return string(p[name])
}

const (
	askName  = `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`
	askPage  = `{"method":"elicitation/create","params":{"mode":"url","message":"Go","url":"https://example.com/x"}}`
	askText  = `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":5}}`
	askRoots = `{"method":"roots/list"}`
)

func enter(content map[string]any) Option {
	return WithElicitation(func(context.Context, *FormRequest) (*ElicitResult, error) { return ElicitAccept(content), nil })
}

func enterName(name string) Option { return enter(map[string]any{"name": name}) }

func sayHello() Option {
	return WithSampling(func(context.Context, *SamplingRequest) (*CreateMessageResult, error) {
		return &CreateMessageResult{Model: "m", Content: &TextContent{Text: "hello"}}, nil
	})
}

// C-164 C-165 C-167 C-176 B103 B109
func TestARoundIsAnsweredAndTheRequestSentAgain(t *testing.T) {
	transport, rec := pipe(t, rounds(`"_meta":{"a":1},"content":[],"inputRequests":{"c":`+askRoots+`,"a":`+askName+`,"b":`+askText+`},"requestState":"s\u00e9"`))
	var order []string
	c := connect(t, transport,
		WithElicitation(func(_ context.Context, req *FormRequest) (*ElicitResult, error) {
			order = append(order, req.Key)
			if req.Method != methodCallTool || req.Name != "t" || req.Round != 1 || req.Version != Version20260728 {
				t.Errorf("asker is %+v", req.Asker)
			}
			return ElicitAccept(map[string]any{"name": "Ada"}), nil
		}),
		WithSampling(func(_ context.Context, req *SamplingRequest) (*CreateMessageResult, error) {
			order = append(order, req.Key)
			return &CreateMessageResult{Model: "m", Content: &TextContent{Text: "hello"}}, nil
		}),
		WithRoots(func(_ context.Context, req *RootsRequest) ([]Root, error) {
			order = append(order, req.Key)
			return []Root{{URI: "file:///w"}}, nil
		}))
	if _, err := c.CallTool(t.Context(), "t", map[string]any{"x": 1}, WithMeta(map[string]any{"k": "v"})); err != nil {
		t.Fatal(err)
	}
	calls := rec.calls()
	if len(calls) != 2 || string(calls[0].ID) == string(calls[1].ID) {
		t.Fatalf("calls are %v", calls)
	}
	want := `{"a":{"action":"accept","content":{"name":"Ada"}},"b":{"content":{"type":"text","text":"hello"},"model":"m","role":"assistant"},"c":{"roots":[{"uri":"file:///w"}]}}`
	if got := calls[1].param("inputResponses"); got != want {
		t.Errorf("inputResponses are %s", got)
	}
	if got := calls[1].param("requestState"); got != `"s\u00e9"` {
		t.Errorf("requestState is %s", got)
	}
	if strings.Join(order, "") != "abc" {
		t.Errorf("asked in the order %v", order)
	}
	for _, member := range []string{"name", "arguments", "_meta"} {
		if a, b := calls[0].param(member), calls[1].param(member); a == "" || a != b {
			t.Errorf("%s is first %s and then %s", member, a, b)
		}
	}
}

// C-165 C-166
func TestRequestStateGoesBackByteForByte(t *testing.T) {
	for _, state := range []string{`""`, `"\ud800"`, `"ü\/\u0041"`, `"{\"alg\":1}"`, `"` + strings.Repeat("x", 1<<20) + `"`} {
		transport, rec := pipe(t, rounds(`"inputRequests":{"a":`+askName+`},"requestState":`+state, `"inputRequests":{"b":`+askName+`}`))
		c := connect(t, transport, enterName("x"))
		if _, err := c.CallTool(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
		calls := rec.calls()
		if got := `"requestState":` + state; !strings.Contains(calls[1].raw, got) {
			t.Errorf("state %.40s went back otherwise", state)
		}
		if got := calls[2].param("requestState"); got != "" {
			t.Errorf("a round without state was answered with %s", got)
		}
		if got := calls[2].param("inputResponses"); !strings.HasPrefix(got, `{"b":`) || strings.Contains(got, `"a":`) {
			t.Errorf("inputResponses are %s", got)
		}
	}
}

// C-163
func TestAnEmptyRoundIsAnInvalidResult(t *testing.T) {
	for _, members := range []string{`"x":1`, `"requestState":7`, `"inputRequests":[]`, `"inputRequests":{"a":{}}`, `"inputRequests":{"a":` + askRoots + `,"a":` + askRoots + `}`} {
		transport, rec := pipe(t, rounds(members))
		c := connect(t, transport, WithRootList())
		_, err := c.CallTool(t.Context(), "t", nil)
		var invalid *InvalidResultError
		if !errors.As(err, &invalid) || len(rec.calls()) != 1 {
			t.Errorf("%s: %v after %d calls", members, err, len(rec.calls()))
		}
	}
}

// C-169 C-170
func TestARoundWithOnlyStateWaitsAndIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, rec := pipe(t, modern(func(m message) []string {
			if strings.Contains(m.raw, "endless") || m.param("requestState") != `"3"` {
				n := len(m.param("requestState"))
				state := map[int]string{0: "1", 3: "2"}[n]
				if m.param("requestState") == `"2"` {
					state = "3"
				}
				return []string{m.result(`{"resultType":"input_required","requestState":"` + state + `"}`)}
			}
			return []string{m.result(okResult)}
		}))
		c, err := Connect(t.Context(), transport)
		if err != nil {
			t.Fatal(err)
		}
		defer time.Sleep(time.Second) // of the fake clock, for the server to notice
		defer func() { _ = c.Close() }()
		started := time.Now()
		if _, err := c.CallTool(t.Context(), "busy", nil); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(started); d != 3*stateOnlyPause {
			t.Errorf("three rounds took %v", d)
		}
		for _, m := range rec.calls() {
			if m.param("inputResponses") != "" {
				t.Errorf("inputResponses in %s", m.raw)
			}
		}
		before := len(rec.calls())
		_, err = c.CallTool(t.Context(), "endless", nil)
		var open *InputRequiredError
		if !errors.As(err, &open) || open.RequestState() == nil {
			t.Fatalf("error is %v", err)
		}
		if n := len(rec.calls()) - before; n != DefaultMaxInputRounds+1 {
			t.Errorf("%d calls", n)
		}
		before = len(rec.calls())
		if _, err = c.CallTool(t.Context(), "endless", nil, WithMaxInputRounds(2)); !errors.As(err, &open) {
			t.Fatalf("error is %v", err)
		}
		if n := len(rec.calls()) - before; n != 3 {
			t.Errorf("%d calls with at most two rounds", n)
		}
		ctx, cancel := context.WithTimeout(t.Context(), stateOnlyPause/2)
		defer cancel()
		if _, err := c.CallTool(ctx, "endless", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error is %v", err)
		}
	})
}

// C-162 C-171 B111 B114
func TestNothingIsAskedIfOneRequestCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		request  string
		noneHere bool // no handler, rather than an invalid request
	}{
		"no handler":       {askText, true},
		"no handler, url":  {askPage, true},
		"foreign method":   {`{"method":"tools/call","params":{"name":"x"}}`, false},
		"ping":             {`{"method":"ping"}`, false},
		"unknown mode":     {`{"method":"elicitation/create","params":{"mode":"voice","message":"?"}}`, false},
		"nested form":      {`{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}}`, false},
		"no schema at all": {`{"method":"elicitation/create","params":{"message":"?"}}`, false},
		"no params":        {`{"method":"elicitation/create"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			transport, rec := pipe(t, rounds(`"inputRequests":{"a":`+askName+`,"b":`+test.request+`},"requestState":"s"`))
			asked := 0
			c := connect(t, transport, WithElicitation(func(context.Context, *FormRequest) (*ElicitResult, error) {
				asked++
				return ElicitDecline(), nil
			}))
			_, err := c.CallTool(t.Context(), "t", nil)
			var open *InputRequiredError
			if !errors.As(err, &open) || string(open.RequestState()) != `"s"` || !strings.Contains(err.Error(), `"b"`) {
				t.Fatalf("error is %v", err)
			}
			if errors.Is(err, ErrNoInputHandler) != test.noneHere || errors.As(err, new(*InvalidResultError)) == test.noneHere {
				t.Errorf("error is %#v", open.Err)
			}
			if asked != 0 || len(rec.calls()) != 1 {
				t.Errorf("asked %d times, called %d times", asked, len(rec.calls()))
			}
		})
	}
	t.Run("method without rounds", func(t *testing.T) {
		transport, _ := pipe(t, rounds(`"inputRequests":{"a":`+askName+`}`))
		c := connect(t, transport, WithElicitation(func(context.Context, *FormRequest) (*ElicitResult, error) {
			t.Error("asked")
			return nil, nil
		}))
		if _, err := c.ListTools(t.Context()); !errors.As(err, new(*InvalidResultError)) {
			t.Fatalf("error is %v", err)
		}
	})
}

// C-172 C-180
func TestADeclineIsAnAnswerAndAnErrorIsNot(t *testing.T) {
	transport, rec := pipe(t, rounds(`"inputRequests":{"a":`+askName+`}`))
	c := connect(t, transport, WithElicitation(func(context.Context, *FormRequest) (*ElicitResult, error) {
		declined := ElicitDecline()
		declined.Content = ElicitAccept(map[string]any{"name": "leak"}).Content
		return declined, nil
	}))
	if _, err := c.CallTool(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	if got := rec.calls()[1].param("inputResponses"); got != `{"a":{"action":"decline"}}` {
		t.Errorf("inputResponses are %s", got)
	}

	broken := errors.New("broken")
	for name, handler := range map[string]FormHandler{
		"error":        func(context.Context, *FormRequest) (*ElicitResult, error) { return nil, broken },
		"nothing":      func(context.Context, *FormRequest) (*ElicitResult, error) { return nil, nil },
		"odd action":   func(context.Context, *FormRequest) (*ElicitResult, error) { return &ElicitResult{Action: "ok"}, nil },
		"invalid form": func(context.Context, *FormRequest) (*ElicitResult, error) { return ElicitAccept(nil), nil },
	} {
		transport, rec := pipe(t, rounds(`"inputRequests":{"a":`+askName+`}`))
		c := connect(t, transport, WithElicitation(handler))
		_, err := c.CallTool(t.Context(), "t", nil)
		var open *InputRequiredError
		if !errors.As(err, &open) || len(rec.calls()) != 1 {
			t.Errorf("%s: %v after %d calls", name, err, len(rec.calls()))
		}
		if name == "error" && !errors.Is(err, broken) {
			t.Errorf("error is %v", err)
		}
		if name == "invalid form" && !errors.As(err, new(*ValidationError)) {
			t.Errorf("error is %v", err)
		}
	}
}

// C-173
func TestNothingIsSentAfterTheContextHasEnded(t *testing.T) {
	transport, rec := pipe(t, rounds(`"inputRequests":{"a":`+askName+`,"b":`+askName+`}`))
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	c := connect(t, transport, WithElicitation(func(context.Context, *FormRequest) (*ElicitResult, error) {
		asked++
		cancel()
		return ElicitAccept(map[string]any{"name": "x"}), nil
	}))
	if _, err := c.CallTool(ctx, "t", nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
	if asked != 1 || len(rec.calls()) != 1 {
		t.Errorf("asked %d times, called %d times", asked, len(rec.calls()))
	}
}

// C-168
func TestParallelCallsKeepTheirStatesApart(t *testing.T) {
	transport, rec := pipe(t, modern(func(m message) []string {
		if m.param("requestState") == "" {
			var p struct{ Arguments struct{ N int } }
			_ = json.Unmarshal(m.Params, &p)
			return []string{m.result(fmt.Sprintf(`{"resultType":"input_required","inputRequests":{"k%d":%s},"requestState":"%d"}`, p.Arguments.N, askName, p.Arguments.N))}
		}
		return []string{m.result(okResult)}
	}))
	c := connect(t, transport, enterName("x"))
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			if _, err := c.CallTool(t.Context(), "t", map[string]any{"n": n}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, m := range rec.calls() {
		if state := strings.Trim(m.param("requestState"), `"`); state != "" {
			if !strings.Contains(m.param("arguments"), `:`+state) || !strings.Contains(m.param("inputResponses"), `"k`+state+`"`) {
				t.Errorf("mixed up: %s", m.raw)
			}
		}
	}
}

// C-167 B113: a call finished by hand is sent the same way, headers included.
func TestACallIsFinishedByHand(t *testing.T) {
	server := newHTTPServer(t, jsonScript(modern(func(m message) []string {
		switch {
		case m.Method == methodListTools:
			return []string{m.result(`{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}`)}
		case m.param("requestState") == "":
			return []string{m.result(`{"resultType":"input_required","inputRequests":{"a":` + askName + `},"requestState":"\ud800"}`)}
		}
		return []string{m.result(okResult)}
	})))
	c := connect(t, HTTP(server.URL), WithElicitation(func(context.Context, *FormRequest) (*ElicitResult, error) {
		t.Error("asked")
		return nil, nil
	}))
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Fatal(err)
	}
	arguments := map[string]any{"region": "eu"}
	_, err := c.CallTool(t.Context(), "t", arguments, WithoutInputHandlers())
	var open *InputRequiredError
	if !errors.As(err, &open) || open.Err != nil {
		t.Fatalf("error is %v", err)
	}
	requests, err := open.Requests()
	if err != nil {
		t.Fatal(err)
	}
	if asked, ok := requests["a"].(*ElicitRequest); !ok || asked.Params.(*ElicitRequestFormParams).Message != "Who?" {
		t.Fatalf("requests are %v", requests)
	}
	if _, err := c.CallTool(t.Context(), "t", arguments, open.Retry(nil)); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("error without an answer is %v", err)
	}
	if _, err := c.CallTool(t.Context(), "t", arguments, open.Retry(map[string]any{"a": ElicitDecline(), "b": ElicitDecline()})); err == nil {
		t.Error("an answer too many was taken")
	}
	if _, err := c.CallTool(t.Context(), "t", arguments, open.Retry(map[string]any{"a": ElicitDecline()}), WithoutInputHandlers()); err != nil {
		t.Fatal(err)
	}
	var legs []http.Header
	for _, x := range server.exchanges() {
		if x.Method == methodCallTool {
			legs = append(legs, x.header)
			if len(legs) == 2 && (!strings.Contains(x.raw, `"requestState":"\ud800"`) || x.param("inputResponses") != `{"a":{"action":"decline"}}`) {
				t.Errorf("sent %s", x.raw)
			}
		}
	}
	for _, h := range legs {
		if h.Get("Mcp-Name") != "t" || h.Get("Mcp-Param-Region") != "eu" || h.Get("Mcp-Method") != methodCallTool {
			t.Errorf("headers are %v", h)
		}
	}
	if len(legs) != 2 {
		t.Errorf("%d calls", len(legs))
	}
}

func TestInputResponsesAreRefusedWhereTheyMeanNothing(t *testing.T) {
	transport, rec := pipe(t, legacy(Version20251125, alwaysOK))
	c := connect(t, transport)
	if _, err := c.CallTool(t.Context(), "t", nil, WithRequestState(json.RawMessage(`"s"`))); !errors.As(err, new(*UnsupportedError)) {
		t.Errorf("error is %v", err)
	}
	for _, option := range []CallOption{
		WithRequestState(json.RawMessage(`7`)), WithRequestState(json.RawMessage(`"a" "b"`)),
		WithInputResponses(map[string]any{"a": 1}), WithMaxInputRounds(0),
	} {
		if _, err := c.CallTool(t.Context(), "t", nil, option); err == nil {
			t.Error("a bad option was taken")
		}
	}
	if n := len(rec.calls()); n != 0 {
		t.Errorf("%d calls were sent", n)
	}
}

// An interceptor that asks again must not send answers that belong to an earlier request (C-168).
func TestAnInterceptorsSecondTryStartsWithoutAnswers(t *testing.T) {
	transport, rec := pipe(t, rounds(`"inputRequests":{"a":`+askName+`},"requestState":"1"`))
	twice := func(next Invoker) Invoker {
		return func(ctx context.Context, req *Request) error {
			if err := next(ctx, req); err != nil {
				return err
			}
			return next(ctx, req)
		}
	}
	c := connect(t, transport, enterName("x"), WithInterceptor(twice))
	if _, err := c.CallTool(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	if calls := rec.calls(); len(calls) != 3 || calls[2].param("requestState") != "" || calls[2].param("inputResponses") != "" {
		t.Errorf("calls are %v", calls)
	}
}
