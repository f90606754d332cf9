package refserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func call(id, name, arguments, meta string) string {
	if meta != "" {
		meta = "," + meta
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + meta + `}}`
}

func status(t *testing.T, resp *http.Response, want int) {
	t.Helper()
	if resp.StatusCode != want {
		t.Errorf("status %d, want %d", resp.StatusCode, want)
	}
}

func TestSessionsOverHTTPLiveUntilDeleted(t *testing.T) {
	for _, version := range LegacyVersions() {
		c := openHTTP(t, newServer(t, Options{}))
		c.session(version)
		c.post(call(`1`, "greet", `{"name":"Ada"}`, "")).wants(t, `"Hello, Ada!"`, "result", "content", "0", "text")
		resp := c.do(http.MethodDelete, "", nil)
		_ = resp.Body.Close()
		status(t, resp, http.StatusNoContent)
		resp = c.do(http.MethodPost, call(`2`, "greet", `{"name":"Ada"}`, ""), nil)
		readJSON(t, resp)
		status(t, resp, http.StatusNotFound)
	}
}

func TestForgottenSessionsAnswerNotFound(t *testing.T) {
	s := newServer(t, Options{})
	c := openHTTP(t, s)
	c.session(V20251125)
	s.ForgetSessions()
	resp := c.do(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
	readJSON(t, resp)
	status(t, resp, http.StatusNotFound)
	c.session(V20251125)
	c.post(`{"jsonrpc":"2.0","id":2,"method":"ping"}`).wants(t, `{}`, "result")
}

func TestSessionRequestsAreCheckedBeforeTheyAreServed(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	c.session(V20251125)
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, tc := range []struct {
		name    string
		headers map[string]string
		want    int
	}{
		{"wrong version", map[string]string{headerVersion: V20250618}, http.StatusBadRequest},
		{"no version", map[string]string{headerVersion: ""}, http.StatusBadRequest},
		{"no session", map[string]string{headerSession: ""}, http.StatusBadRequest},
		{"Accept without streams", map[string]string{"Accept": "application/json"}, http.StatusNotAcceptable},
		{"not JSON", map[string]string{"Content-Type": "text/plain"}, http.StatusUnsupportedMediaType},
		{"foreign origin", map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		{"local origin", map[string]string{"Origin": "http://localhost:1234"}, http.StatusOK},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp := c.do(http.MethodPost, list, tc.headers)
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			status(t, resp, tc.want)
		})
	}
}

func TestALostStreamIsResumedByItsLastEventID(t *testing.T) {
	for _, version := range []string{V20250326, V20250618, V20251125} {
		c := openHTTP(t, newServer(t, Options{}))
		c.session(version)
		resp := c.do(http.MethodPost, call(`1`, "drop_stream", `{"message":"still here"}`, ""), nil)
		stream := readSSE(t, resp)
		last := stream.lastID()
		resumed := readSSE(t, c.do(http.MethodGet, "", map[string]string{"Last-Event-ID": last}))
		answer := resumed.next()
		answer.wants(t, `1`, "id")
		answer.wants(t, `"still here"`, "result", "content", "0", "text")
	}
}

func TestALostStatelessStreamIsLostForGood(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	stream := readSSE(t, c.modern(call(`1`, "drop_stream", `{"message":"gone"}`, plainMeta), nil))
	if id := stream.lastID(); id != "" {
		t.Errorf("a stateless stream has the id %q", id)
	}
}

func TestStreamsOf20251125StartWithAnEventID(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{Answer: AnswerSSE}))
	c.session(V20251125)
	resp := c.do(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(body), "id: s2/0\nretry: 10\ndata:\n\n") {
		t.Errorf("no priming event in %q", body)
	}
	if !strings.Contains(string(body), "id: s2/1\nevent: message\ndata: {") {
		t.Errorf("no answer in %q", body)
	}
}

func TestTheOwnStreamOfASessionCarriesChanges(t *testing.T) {
	s := newServer(t, Options{})
	c := openHTTP(t, s)
	c.session(V20250618)
	own := readSSE(t, c.do(http.MethodGet, "", nil))
	s.ListChanged("tools")
	own.next().wants(t, `"notifications/tools/list_changed"`, "method")
	s.DropStreams()
	if ev, ok := own.event(); ok {
		t.Errorf("the dropped stream went on with %v", ev)
	}
	s.ListChanged("prompts")
	again := readSSE(t, c.do(http.MethodGet, "", nil))
	again.next().wants(t, `"notifications/prompts/list_changed"`, "method")
}

func TestToolsAskTheClientInsideTheirStream(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	c.session(V20251125)
	stream := readSSE(t, c.do(http.MethodPost, call(`1`, "ask_model", `{"prompt":"Once"}`, ""), nil))
	ask := stream.next()
	ask.wants(t, `"sampling/createMessage"`, "method")
	ask.wants(t, `"Once"`, "params", "messages", "0", "content", "text")
	resp := c.do(http.MethodPost, `{"jsonrpc":"2.0","id":`+ask.at("id").String()+`,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"upon a time"}}}`, nil)
	_ = resp.Body.Close()
	status(t, resp, http.StatusAccepted)
	stream.next().wants(t, `"the model said: upon a time"`, "result", "content", "0", "text")
}

func TestURLElicitationByErrorIsServedOnTheSecondCall(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	c.session(V20251125)
	ask := call(`1`, "ask_consent", `{"page":"terms","how":"error"}`, "")
	own := readSSE(t, c.do(http.MethodGet, "", nil))
	refused := c.post(ask)
	refused.wants(t, `-32042`, "error", "code")
	refused.wants(t, `"consent-terms"`, "error", "data", "elicitations", "0", "elicitationId")
	own.next().wants(t, `"consent-terms"`, "params", "elicitationId")
	c.post(ask).wants(t, `null`, "error")
}

func TestBatchesOf20250326ShareOneStream(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{Answer: AnswerSSE}))
	c.session(V20250326)
	batch := `[` + call(`1`, "add", `{"a":1,"b":1}`, "") + `,` + call(`2`, "add", `{"a":2,"b":2}`, "") + `]`
	stream := readSSE(t, c.do(http.MethodPost, batch, nil))
	seen := map[string]bool{}
	for range 2 {
		seen[stream.next().at("id").String()] = true
	}
	if !seen["1"] || !seen["2"] {
		t.Errorf("answered %v", seen)
	}
	if ev, ok := stream.event(); ok {
		t.Errorf("the stream went on with %v", ev)
	}
}

func TestSessionlessServersNeedNoSessionID(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{Sessionless: true}))
	resp := c.do(http.MethodPost, initializeText(V20250618), nil)
	readJSON(t, resp)
	if id := resp.Header.Get(headerSession); id != "" {
		t.Errorf("session id %q", id)
	}
	c.headers[headerVersion] = V20250618
	c.post(call(`1`, "add", `{"a":1,"b":2}`, "")).wants(t, `3`, "result", "structuredContent", "sum")
	resp = c.do(http.MethodGet, "", nil)
	_ = resp.Body.Close()
	status(t, resp, http.StatusMethodNotAllowed)
}

func TestStatelessHeadersMustAgreeWithTheBody(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	query := call(`1`, "query_region", `{"region":"Zürich ","shard":42,"fresh":true,"tenant":{"id":"a b"},"query":"q"}`, plainMeta)
	right := map[string]string{
		"Mcp-Param-Region": "=?base64?WsO8cmljaCA=?=", "Mcp-Param-Shard": "42", "Mcp-Param-Fresh": "true", "Mcp-Param-Tenant-Id": "a b",
	}
	resp := c.modern(query, right)
	readJSON(t, resp).wants(t, `42`, "result", "structuredContent", "shard")
	status(t, resp, http.StatusOK)
	for name, wrong := range map[string]string{
		"Mcp-Param-Region": "Zurich", "Mcp-Param-Shard": "43", "Mcp-Param-Fresh": "TRUE", "Mcp-Param-Tenant-Id": "=?base64?!?=",
		headerVersion: V20251125, "Mcp-Method": "tools/list", "Mcp-Name": "echo",
	} {
		headers := map[string]string{}
		for k, v := range right {
			headers[k] = v
		}
		headers[name] = wrong
		resp := c.modern(query, headers)
		body := readJSON(t, resp)
		status(t, resp, http.StatusBadRequest)
		if got := body.at("error", "code").String(); got != "-32020" {
			t.Errorf("%s %q: code %s", name, wrong, got)
		}
	}
}

func TestStatelessParamHeadersFollowAbsence(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	query := call(`1`, "query_region", `{"region":"","query":"q"}`, plainMeta)
	resp := c.modern(query, map[string]string{"Mcp-Param-Region": ""})
	readJSON(t, resp).wants(t, `""`, "result", "structuredContent", "region")
	resp = c.modern(query, nil)
	readJSON(t, resp).wants(t, `-32020`, "error", "code")
	resp = c.modern(query, map[string]string{"Mcp-Param-Region": "", "Mcp-Param-Shard": "1"})
	readJSON(t, resp).wants(t, `-32020`, "error", "code")
}

func TestStatelessErrorsHaveTheirStatus(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	future := strings.ReplaceAll(plainMeta, V20260728, "2027-01-01")
	for _, tc := range []struct {
		body    string
		headers map[string]string
		status  int
		code    string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"no/such","params":{` + plainMeta + `}}`, nil, 404, "-32601"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + plainMeta + `}}`, nil, 404, "-32601"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, nil, 400, "-32602"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + future + `}}`, map[string]string{headerVersion: "2027-01-01"}, 400, "-32022"},
		{call(`1`, "ask_model", `{"prompt":"x"}`, plainMeta), nil, 400, "-32021"},
		{call(`1`, "nobody", `{}`, plainMeta), nil, 200, "-32602"},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ref://nowhere",` + plainMeta + `}}`, nil, 200, "-32602"},
	} {
		resp := c.modern(tc.body, tc.headers)
		body := readJSON(t, resp)
		status(t, resp, tc.status)
		body.wants(t, tc.code, "error", "code")
	}
}

func TestStatelessStreamsEndWithTheirAnswer(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	meta := strings.Replace(plainMeta, `{`, `{"progressToken":"p",`, 1)
	stream := readSSE(t, c.modern(call(`1`, "count_down", `{"steps":2,"pause_ms":0}`, meta), nil))
	stream.next().wants(t, `"p"`, "params", "progressToken")
	stream.next().wants(t, `2`, "params", "progress")
	stream.next().wants(t, `1`, "id")
	if ev, ok := stream.event(); ok {
		t.Errorf("the stream went on with %v", ev)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		modern := openHTTP(t, newServer(t, Options{Versions: ModernVersions()}))
		resp := modern.do(method, "", nil)
		_ = resp.Body.Close()
		status(t, resp, http.StatusMethodNotAllowed)
	}
}

func TestModernRequestsToASessionServerAreRefusedWithoutAModernCode(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{Versions: LegacyVersions()}))
	resp := c.modern(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+plainMeta+`}}`, nil)
	readJSON(t, resp).wants(t, `-32000`, "error", "code")
	status(t, resp, http.StatusBadRequest)
}

func TestTheOlderTransportAnswersOnItsOneStream(t *testing.T) {
	s := newServer(t, Options{})
	server := httptest.NewServer(s.SSEHandler())
	defer server.Close()
	defer s.Close()
	resp, err := http.Get(server.URL + "/sse")
	if err != nil {
		t.Fatal(err)
	}
	stream := readSSE(t, resp)
	endpoint, _ := stream.event()
	if endpoint.kind != "endpoint" || !strings.HasPrefix(endpoint.data, "/sse?session=") {
		t.Fatalf("the first event is %+v", endpoint)
	}
	post := func(body string) {
		t.Helper()
		resp, err := http.Post(server.URL+endpoint.data, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		status(t, resp, http.StatusAccepted)
	}
	post(`{"jsonrpc":"2.0","id":0,"method":"tools/list"}`)
	stream.next().wants(t, `-32600`, "error", "code")
	post(initializeText(V20241105))
	stream.next().wants(t, `"2024-11-05"`, "result", "protocolVersion")
	post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	post(call(`1`, "list_roots", `{}`, ""))
	ask := stream.next()
	ask.wants(t, `"roots/list"`, "method")
	post(`{"jsonrpc":"2.0","id":` + ask.at("id").String() + `,"result":{"roots":[{"uri":"file:///tmp"}]}}`)
	stream.next().wants(t, `"{\"roots\":[{\"uri\":\"file:///tmp\"}]}"`, "result", "content", "0", "text")
}
