package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// answering returns a legacy pipe whose server answers every call with what answers makes of it.
func answering(t *testing.T, version string, answers script, opts ...Option) (*Client, *recorder) {
	t.Helper()
	s := legacy(version, answers)
	if version == Version20260728 {
		s = modern(answers)
	}
	transport, rec := pipe(t, s)
	return connect(t, transport, opts...), rec
}

// C-001
func TestMessagesWithoutJSONRPC2AreDropped(t *testing.T) {
	c, _ := answering(t, Version20251125, func(m message) []string {
		return []string{
			strings.Replace(m.result(`{"content":[{"type":"text","text":"bad"}]}`), `"2.0"`, `"1.0"`, 1),
			`{"id":` + string(m.ID) + `,"result":{"content":[]}}`,
			`"text"`, `17`, "\"\xff\xfe\"", `{"jsonrpc":"2.0"`,
			m.result(okResult),
		}
	})
	checkOK(t, c)
	checkOK(t, c)
}

// C-002 C-003 C-004
func TestIDsAreIntegersAndNeverReused(t *testing.T) {
	c, rec := answering(t, Version20251125, func(m message) []string {
		if strings.Contains(m.raw, "silent") {
			return nil
		}
		return []string{m.result(okResult)}
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 10 {
				checkOK(t, c)
			}
			_, _ = c.CallTool(t.Context(), "silent", nil, WithTimeout(time.Millisecond))
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, m := range rec.all() {
		if len(m.ID) == 0 {
			continue
		}
		if seen[string(m.ID)] || strings.ContainsAny(string(m.ID), `".`) || string(m.ID) == "null" {
			t.Fatalf("id %s is not fresh or not an integer", m.ID)
		}
		seen[string(m.ID)] = true
	}
}

// C-005
func TestIDsMatchByTypeToo(t *testing.T) {
	c, _ := answering(t, Version20251125, func(m message) []string {
		wrong := m
		wrong.ID = json.RawMessage(`"` + string(m.ID) + `"`)
		return []string{wrong.result(`{"content":[{"type":"text","text":"wrong"}]}`), m.result(okResult)}
	})
	checkOK(t, c)
}

// C-006
func TestResponseHasExactlyOneOfResultAndError(t *testing.T) {
	for _, tail := range []string{
		`}`,
		`,"result":{},"error":{"code":1,"message":"x"}}`,
		`,"error":{"code":1,"message":"x"},"result":{}}`,
		`,"result":7}`,
		`,"result":null}`,
		`,"error":"x"}`,
	} {
		c, _ := answering(t, Version20251125, func(m message) []string {
			return []string{`{"jsonrpc":"2.0","id":` + string(m.ID) + tail}
		})
		_, err := c.CallTool(t.Context(), "x", nil, WithTimeout(5*time.Second))
		if !errors.As(err, new(*InvalidResultError)) {
			t.Errorf("%s: got %v", tail, err)
		}
	}
}

// C-007 C-262
func TestUnknownMembersAreKept(t *testing.T) {
	c, _ := answering(t, Version20260728, func(m message) []string {
		return []string{strings.Replace(m.result(`{"content":[{"type":"text","text":"ok","new":1},{"type":"video","x":2}],"future":[3],"_meta":{"a/b":4}}`), `"jsonrpc"`, `"extra":{},"jsonrpc"`, 1)}
	})
	result, err := c.CallTool(t.Context(), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(result)
	for _, want := range []string{`"new":1`, `{"type":"video","x":2}`, `"future":[3]`, `"a/b":4`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is lost in %s", want, text)
		}
	}
}

// C-008
func TestB095ErrorWithoutIDOnASharedStream(t *testing.T) {
	c, _ := answering(t, Version20251125, func(m message) []string {
		return []string{
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
			`{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`,
			m.result(okResult),
		}
	})
	checkOK(t, c)
}

// C-009 C-010 C-012 C-013 C-014
func TestErrorsKeepCodeMessageAndData(t *testing.T) {
	for _, test := range []struct {
		code   int
		target error
	}{
		{-32700, ErrParse}, {-32600, ErrInvalidRequest}, {-32601, ErrMethodNotFound}, {-32602, ErrInvalidParams},
		{-32603, ErrInternal}, {-32002, ErrResourceNotFound}, {-32042, ErrURLElicitationRequired},
		{-32021, ErrMissingCapability}, {-32050, nil}, {7, nil},
	} {
		for _, data := range []string{``, `{"a":[1]}`, `[1,2]`, `"x"`, `9007199254740993`, `null`} {
			c, _ := answering(t, Version20251125, func(m message) []string { return []string{m.failure(test.code, "no", data)} })
			_, err := c.CallTool(t.Context(), "x", nil)
			var rpc *RPCError
			if !errors.As(err, &rpc) || rpc.Code != int64(test.code) || rpc.Message != "no" || string(rpc.Data) != data {
				t.Fatalf("%d %s: got %#v", test.code, data, err)
			}
			if test.target != nil && !errors.Is(err, test.target) {
				t.Errorf("%d: not %v", test.code, test.target)
			}
		}
	}
}

// C-013
func TestUnknownResourceOfBothEras(t *testing.T) {
	for _, code := range []int{-32002, -32602} {
		c, _ := answering(t, Version20260728, func(m message) []string { return []string{m.failure(code, "no", `{"uri":"x:y"}`)} })
		if _, err := c.ReadResource(t.Context(), "x:y"); !errors.Is(err, ErrResourceNotFound) {
			t.Errorf("%d: got %v", code, err)
		}
		if _, err := c.CallTool(t.Context(), "x", nil); code == -32602 && errors.Is(err, ErrResourceNotFound) {
			t.Error("invalid params of a tool is no missing resource")
		}
	}
}

// C-012 C-030
func TestMissingCapabilityNamesWhatIsMissing(t *testing.T) {
	c, rec := answering(t, Version20260728, func(m message) []string {
		return []string{m.failure(-32021, "no", `{"requiredCapabilities":{"sampling":{}}}`)}
	})
	_, err := c.CallTool(t.Context(), "x", nil)
	var rpc *RPCError
	if !errors.As(err, &rpc) || string(rpc.RequiredCapabilities()) != `{"sampling":{}}` {
		t.Fatalf("got %v", err)
	}
	if got := fmt.Sprint(rec.methods()); got != "[server/discover tools/call]" {
		t.Fatalf("sent %s", got)
	}
}

// C-015 C-139
func TestTimeoutIsNoServerError(t *testing.T) {
	c, rec := answering(t, Version20251125, func(message) []string { return nil })
	_, err := c.CallTool(t.Context(), "x", nil, WithTimeout(20*time.Millisecond))
	var te *TimeoutError
	if !errors.As(err, &te) || te.Limit != "timeout" || te.After != 20*time.Millisecond || !errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*RPCError)) {
		t.Fatalf("got %v", err)
	}
	// C-141
	cancelled := rec.await(t, methodCancelled)
	call := rec.await(t, methodCallTool)
	if !strings.Contains(string(cancelled.Params), `"requestId":`+string(call.ID)+`,`) {
		t.Fatalf("cancelled %s, called %s", cancelled.Params, call.ID)
	}
}

// C-016
func TestNotificationsAreNotAnswered(t *testing.T) {
	c, rec := answering(t, Version20251125, func(m message) []string {
		return []string{`{"jsonrpc":"2.0","method":"notifications/unknown"}`, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}`, m.result(okResult)}
	})
	checkOK(t, c)
	checkOK(t, c)
	for _, m := range rec.all() {
		if m.Method == "" {
			t.Fatalf("answered %s", m.raw)
		}
		if strings.HasPrefix(m.Method, "notifications/") && len(m.ID) > 0 {
			t.Fatalf("notification with id: %s", m.raw)
		}
	}
}

// C-017 C-148
func TestB085ServerRequestsAreAnsweredWithTheirOwnID(t *testing.T) {
	ids := []string{`"abc"`, `0`, `-1`, `9223372036854775807`, `18446744073709551616`, `""`, `"x7"`}
	answers := make(chan message, 100)
	c, _ := answering(t, Version20251125, func(m message) []string {
		if m.Method == "" {
			answers <- m
			return nil
		}
		var out []string
		for _, id := range ids {
			out = append(out, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`)
		}
		out = append(out,
			`{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":5,"method":""}`,
			`{"jsonrpc":"2.0","id":7,"method":"no/such"}`,
			m.result(okResult))
		return out
	})
	checkOK(t, c)
	got := map[string]string{}
	for range len(ids) + 2 {
		select {
		case m := <-answers:
			got[string(m.ID)] = string(m.Result) + string(m.Error)
		case <-time.After(10 * time.Second):
			t.Fatalf("only %v", got)
		}
	}
	for _, id := range ids {
		if got[id] != "{}" {
			t.Errorf("ping %s: %q", id, got[id])
		}
	}
	// B088
	for _, id := range []string{"5", "7"} {
		if !strings.Contains(got[id], "-3260") {
			t.Errorf("%s: %q", id, got[id])
		}
	}
}

// C-019
func TestStatelessServerMayNotAsk(t *testing.T) {
	c, rec := answering(t, Version20260728, func(m message) []string {
		return []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, m.result(okResult)}
	})
	checkOK(t, c)
	checkOK(t, c)
	if got := fmt.Sprint(rec.methods()); got != "[server/discover tools/call tools/call]" {
		t.Fatalf("sent %s", got)
	}
}

// C-020 C-021 C-022 C-023
func TestBatchesAreTakenInOneVersionOnly(t *testing.T) {
	var mu sync.Mutex
	var held []message
	batch := func(m message) []string {
		mu.Lock()
		defer mu.Unlock()
		if m.Method == "" {
			return nil
		}
		if held = append(held, m); len(held) < 3 {
			return nil
		}
		parts := []string{`{"jsonrpc":"2.0","id":"s","method":"ping"}`}
		for i := len(held) - 1; i >= 0; i-- {
			parts = append(parts, held[i].result(okResult))
		}
		return []string{"[" + strings.Join(parts, ",") + "]"}
	}
	c, rec := answering(t, Version20250326, batch)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { checkOK(t, c) })
	}
	all.Wait()
	rec.await(t, "")
	for _, m := range rec.all() {
		if strings.HasPrefix(m.raw, "[") {
			t.Fatalf("sent a batch: %s", m.raw)
		}
	}

	c, _ = answering(t, Version20250618, func(m message) []string {
		return []string{"[" + m.result(okResult) + "]", m.result(`{"content":[{"type":"text","text":"ok"}]}`)}
	})
	checkOK(t, c)
}

// C-024 C-025 C-162
func TestResultTypeDecides(t *testing.T) {
	for result, good := range map[string]bool{
		`{"content":[]}`:                                                     true,
		`{"resultType":"complete","content":[]}`:                             true,
		`{"content":[],"resultType":"complete"}`:                             true,
		`{"content":[],"structuredContent":{"resultType":"banana"}}`:         true,
		`{"content":[{"type":"text","text":"\"resultType\":\"x\""}]}`:        true,
		`{"resultType":"banana","content":[]}`:                               false,
		`{"resultType":"task","taskId":"1"}`:                                 false,
		`{"_meta":{},"inputRequests":{},"resultType":"input_required"}`:      false,
		`{"content":[],"requestState":"s","resultType" : "input_required"}`:  false,
		`{"structuredContent":{"resultType":"complete"},"resultType":"odd"}`: false,
	} {
		c, _ := answering(t, Version20260728, func(m message) []string { return []string{m.result(result)} })
		_, err := c.CallTool(t.Context(), "x", nil)
		if (err == nil) != good {
			t.Errorf("%s: %v", result, err)
		}
		// B103 B114
		if strings.Contains(result, "input_required") && !errors.As(err, new(*InputRequiredError)) {
			t.Errorf("%s: %v", result, err)
		}
	}
	// B111
	c, _ := answering(t, Version20260728, func(m message) []string {
		return []string{m.result(`{"resultType":"input_required","inputRequests":{}}`)}
	})
	if _, err := c.ListTools(t.Context()); !errors.As(err, new(*InvalidResultError)) {
		t.Errorf("got %v", err)
	}
}

// C-026 C-027 C-028 C-067
func TestEveryStatelessRequestSaysWhoAsks(t *testing.T) {
	c, rec := answering(t, Version20260728, func(m message) []string {
		return []string{m.result(`{"tools":[],"prompts":[],"resources":[],"resourceTemplates":[],"contents":[],"messages":[],"content":[],"completion":{"values":[]}}`)}
	}, WithoutTasks())
	ctx := t.Context()
	_, e1 := c.ListTools(ctx)
	_, e2 := c.ListPrompts(ctx)
	_, e3 := c.ListResources(ctx)
	_, e4 := c.ListResourceTemplates(ctx)
	_, e5 := c.ReadResource(ctx, "a:b")
	_, e6 := c.GetPrompt(ctx, "p", map[string]string{"a": "b"})
	_, e7 := c.Complete(ctx, Completion{Ref: PromptRef("p"), Argument: "a"})
	_, e8 := c.CallTool(ctx, "t", nil)
	_, e9 := c.RawCall(ctx, "x.example/custom", nil)
	if err := errors.Join(e1, e2, e3, e4, e5, e6, e7, e8, e9); err != nil {
		t.Fatal(err)
	}
	for _, m := range rec.all() {
		meta := m.meta()
		if string(meta[metaVersion]) != `"2026-07-28"` || string(meta[metaCapabilities]) != `{}` || !strings.Contains(string(meta[metaClientInfo]), `"name":"mcpgen"`) {
			t.Errorf("%s: _meta is %s", m.Method, m.Params)
		}
	}
	c, rec = answering(t, Version20260728, alwaysOK, WithoutClientInfo())
	checkOK(t, c)
	if meta := rec.await(t, methodCallTool).meta(); meta[metaClientInfo] != nil {
		t.Errorf("client info is there: %s", meta[metaClientInfo])
	}
}

// C-031
func TestB084NumbersKeepTheirDigits(t *testing.T) {
	c, rec := answering(t, Version20260728, func(m message) []string {
		return []string{m.result(`{"content":[],"structuredContent":{"id":1915883588174806058,"f":1e400,"d":0.10},"_meta":{"n":9007199254740993}}`)}
	})
	result, err := c.CallTool(t.Context(), "x", map[string]any{"id": int64(9007199254740993), "n": json.Number("0.10")})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(result.StructuredContent); got != `{"id":1915883588174806058,"f":1e400,"d":0.10}` {
		t.Errorf("got %s", got)
	}
	if sent := rec.await(t, methodCallTool).raw; !strings.Contains(sent, `9007199254740993`) || !strings.Contains(sent, `0.10`) {
		t.Errorf("sent %s", sent)
	}
}

// C-255
func TestB155NamesMatchByCase(t *testing.T) {
	c, _ := answering(t, Version20251125, func(m message) []string {
		return []string{`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"ID":99,"result":{"content":[{"type":"text","text":"ok"}],"ISERROR":true},"Result":{"content":[]}}`}
	})
	result, err := c.CallTool(t.Context(), "x", nil)
	if err != nil || resultText(result) != "ok" || result.IsError != nil {
		t.Fatalf("got %v, %v", result, err)
	}
}

func TestB086OldAndSparseResults(t *testing.T) {
	for result, good := range map[string]bool{
		`{}`: true, `{"structuredContent":{}}`: true, `{"content":null}`: true, `{"toolResult":{"a":1}}`: true,
		`{"content":{}}`: false, `{"isError":"true"}`: false,
	} {
		c, _ := answering(t, Version20251125, func(m message) []string { return []string{m.result(result)} })
		got, err := c.CallTool(t.Context(), "x", nil)
		if (err == nil) != good {
			t.Errorf("%s: %v", result, err)
		}
		if strings.Contains(result, "toolResult") && string(got.Extra["toolResult"]) != `{"a":1}` {
			t.Errorf("lost: %v", got.Extra)
		}
	}
}
