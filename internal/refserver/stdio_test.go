package refserver

import (
	"strings"
	"testing"
)

func TestSessionsSettleTheVersion(t *testing.T) {
	for _, tc := range []struct {
		offered, want string
		spoken        []string
	}{
		{V20241105, V20241105, nil},
		{V20250326, V20250326, nil},
		{V20250618, V20250618, nil},
		{V20251125, V20251125, nil},
		{V20260728, V20251125, nil},
		{"1999-01-01", V20251125, nil},
		{V20251125, V20250326, []string{V20241105, V20250326}},
	} {
		c := openStdio(t, newServer(t, Options{Versions: tc.spoken}))
		c.send(initializeText(tc.offered))
		answer := c.next()
		answer.wants(t, `"`+tc.want+`"`, "result", "protocolVersion")
		answer.wants(t, `"init"`, "id")
	}
}

func TestEveryVersionListsAndCallsTools(t *testing.T) {
	for _, version := range LegacyVersions() {
		c := openStdio(t, newServer(t, Options{}))
		c.send(initializeText(version))
		c.next()
		c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		tools := c.next()
		tools.wants(t, `"echo"`, "result", "tools", "0", "name")
		if hasTitle := tools.at("result", "tools", "0", "title").v != nil; hasTitle != (version >= V20250618) {
			t.Errorf("%s: title shown: %t", version, hasTitle)
		}
		c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1.5,"b":2}}}`)
		sum := c.next()
		sum.wants(t, `"{\"sum\":3.5}"`, "result", "content", "0", "text")
		if structured := sum.at("result", "structuredContent").v != nil; structured != (version >= V20250618) {
			t.Errorf("%s: structured content: %t", version, structured)
		}
		if sum.at("result", "resultType").v != nil {
			t.Errorf("%s: resultType in %s", version, sum)
		}
	}
}

func TestStatelessRequestsNeedTheirMeta(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	for _, tc := range []struct{ params, code string }{
		{``, "-32602"},
		{`,"params":{}`, "-32602"},
		{`,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, "-32602"},
		{`,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01","io.modelcontextprotocol/clientCapabilities":{}}}`, "-32022"},
		{`,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}`, "-32022"},
	} {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"` + tc.params + `}`)
		c.next().wants(t, tc.code, "error", "code")
	}
}

func TestStatelessResultsSayTheirType(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(`{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{` + plainMeta + `}}`)
	found := c.next()
	found.wants(t, `"complete"`, "result", "resultType")
	found.wants(t, `"2026-07-28"`, "result", "supportedVersions", "0")
	found.wants(t, `60000`, "result", "ttlMs")
	found.wants(t, `"refserver"`, "result", "_meta", metaServerInfo, "name")
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"is_even","arguments":{"number":4},` + plainMeta + `}}`)
	even := c.next()
	even.wants(t, `true`, "result", "structuredContent")
	even.wants(t, `null`, "result", "ttlMs")
}

func TestErasDoNotMix(t *testing.T) {
	modern := openStdio(t, newServer(t, Options{Versions: ModernVersions()}))
	modern.send(initializeText(V20251125))
	modern.next().wants(t, `-32022`, "error", "code")
	modern.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + plainMeta + `}}`)
	modern.next().wants(t, `-32601`, "error", "code")

	legacy := openStdio(t, newServer(t, Options{Versions: LegacyVersions()}))
	legacy.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + plainMeta + `}}`)
	legacy.next().wants(t, `-32601`, "error", "code")
	legacy.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	legacy.next().wants(t, `-32600`, "error", "code")
	legacy.send(initializeText(V20251125))
	legacy.next().wants(t, `"2025-11-25"`, "result", "protocolVersion")
	legacy.send(`{"jsonrpc":"2.0","id":3,"method":"server/discover","params":{` + plainMeta + `}}`)
	legacy.next().wants(t, `-32601`, "error", "code")
}

func TestMalformedMessagesAreRefusedAndSurvived(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	for _, tc := range []struct{ line, code string }{
		{`{"jsonrpc":`, "-32700"},
		{`"text"`, "-32600"},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "-32600"},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "-32600"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "-32600"},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "-32600"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, "-32600"},
	} {
		c.send(tc.line)
		c.next().wants(t, tc.code, "error", "code")
	}
	c.send(initializeText(V20250326))
	c.next().wants(t, `"2025-03-26"`, "result", "protocolVersion")
	c.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	c.next().wants(t, `{}`, "result")
}

func TestCancellingEndsACallWithoutAnAnswer(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"count_down","arguments":{"steps":1000,"pause_ms":60000},` + plainMeta + `}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}`)
	// The id is free again only after the call has ended.
	for {
		c.send(`{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":1},` + plainMeta + `}}`)
		if answer := c.next(); answer.at("error").v == nil {
			answer.wants(t, `2`, "result", "structuredContent", "sum")
			return
		}
	}
}

func TestProgressComesBeforeTheAnswer(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	meta := strings.Replace(plainMeta, `{`, `{"progressToken":9007199254740993,`, 1)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_down","arguments":{"steps":3,"pause_ms":0},` + meta + `}}`)
	for _, step := range []string{"1", "2", "3"} {
		n := c.next()
		n.wants(t, step, "params", "progress")
		n.wants(t, `9007199254740993`, "params", "progressToken")
	}
	c.next().wants(t, `"counted 3 steps"`, "result", "content", "0", "text")
}

func TestLogLevelsAreHonouredInBothEras(t *testing.T) {
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_log","arguments":{"level":"info","message":"hi"}`
	modern := openStdio(t, newServer(t, Options{}))
	modern.send(call + `,` + plainMeta + `}}`)
	modern.next().wants(t, `0`, "result", "structuredContent", "sent")
	modern.send(call + `,` + strings.Replace(plainMeta, `{`, `{"io.modelcontextprotocol/logLevel":"info",`, 1) + `}}`)
	modern.next().wants(t, `"notifications/message"`, "method")
	modern.next().wants(t, `1`, "result", "structuredContent", "sent")

	legacy := openStdio(t, newServer(t, Options{}))
	legacy.send(initializeText(V20251125))
	legacy.next()
	legacy.send(call + `}}`)
	legacy.next().wants(t, `"info"`, "params", "level")
	legacy.next().wants(t, `1`, "result", "structuredContent", "sent")
	legacy.send(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}`)
	legacy.next().wants(t, `{}`, "result")
	legacy.send(call + `}}`)
	legacy.next().wants(t, `0`, "result", "structuredContent", "sent")
}

func TestSubscriptionsCarryOnlyWhatTheyAskedFor(t *testing.T) {
	s := newServer(t, Options{})
	c := openStdio(t, s)
	c.send(`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["ref://state/counter"]},` + plainMeta + `}}`)
	ack := c.next()
	ack.wants(t, `"notifications/subscriptions/acknowledged"`, "method")
	ack.wants(t, `7`, "params", "_meta", metaSubscription)
	ack.wants(t, `true`, "params", "notifications", "toolsListChanged")
	s.ListChanged("prompts")
	s.ResourceUpdated("ref://notes/welcome")
	s.ResourceUpdated("ref://state/counter")
	updated := c.next()
	updated.wants(t, `"ref://state/counter"`, "params", "uri")
	updated.wants(t, `7`, "params", "_meta", metaSubscription)
	s.ListChanged("tools")
	c.next().wants(t, `"notifications/tools/list_changed"`, "method")
	s.EndSubscriptions()
	end := c.next()
	end.wants(t, `7`, "id")
	end.wants(t, `7`, "result", "_meta", metaSubscription)
}

func TestSessionsHearOfChanges(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(initializeText(V20250618))
	c.next()
	touch := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch_resource","arguments":{"uri":"ref://state/counter"}}}`
	c.send(touch)
	c.next().wants(t, `1`, "result", "structuredContent", "updates")
	c.send(`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"ref://state/counter"}}`)
	c.next().wants(t, `{}`, "result")
	c.send(touch)
	c.next().wants(t, `"notifications/resources/updated"`, "method")
	c.next().wants(t, `2`, "result", "structuredContent", "updates")
	c.send(`{"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"ref://state/counter"}}`)
	c.next().wants(t, `{}`, "result")
	c.send(touch)
	c.next().wants(t, `3`, "result", "structuredContent", "updates")
	c.send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"change_list","arguments":{"list":"prompts"}}}`)
	c.next().wants(t, `"notifications/prompts/list_changed"`, "method")
	c.next().wants(t, `true`, "result", "structuredContent", "shown")
}
