package refserver

import (
	"encoding/json"
	"strings"
	"testing"
)

// examples calls every tool that needs nothing from the client. Arguments of echoing tools are written compactly.
var examples = []struct{ tool, arguments, structured string }{
	{"echo", `{"a":[1,2.50,null],"b":{"c":"<&>"}}`, `{"a":[1,2.50,null],"b":{"c":"<&>"}}`},
	{"add", `{"a":1,"b":2}`, `{"sum":3}`},
	{"echo_scalars", `{"text":"ü","count":-1,"ratio":1e-3,"active":false,"limit":0}`, `{"text":"ü","count":-1,"ratio":1e-3,"active":false,"limit":0}`},
	{"convert_temperature", `{"value":100,"from":"celsius","to":"fahrenheit"}`, `212`},
	{"convert_temperature", `{"value":0,"from":"kelvin"}`, `-273.15`},
	{"set_priority", `{"kind":"priority","ticket":"T-1","level":1}`, `{"kind":"priority","level":1,"ticket":"T-1","urgent":true}`},
	{"summarise_scores", `{"scores":[1,2,6],"labels":["a","b"],"grid":[[1],[2,3]]}`, `{"cells":3,"count":3,"label":"a, b","mean":3}`},
	{"tag_item", `{"item":"x","tags":{"a":"b"},"weights":{"w":[1,2]},"settings":{"colour":"red","on":true}}`, ``},
	{"list_colours", `{}`, `["red","orange","yellow","green","blue","indigo","violet"]`},
	{"record_event", `{"kind":"k","payload":[1],"details":{},"more":1}`, ``},
	{"place_order", `{"customer":{"name":"A","address":{"street":"s","city":"c","country":"DE"}},"lines":[{"product":"p","quantity":2,"price":{"amount":1.5,"currency":"EUR"}}]}`,
		`{"items":2,"to":{"street":"s","city":"c","country":"DE"},"total":{"amount":3,"currency":"EUR"}}`},
	{"ship_parcel", `{"to":{"street":"s","city":"c","country":"DE"},"weight":1.2}`, `{"price":{"amount":8,"currency":"EUR"}}`},
	{"update_profile", `{"nickname":null,"age":null,"motto":null,"address":null,"scores":[1,null]}`, ``},
	{"find_item", `{"key":"name"}`, `4`},
	{"find_item", `{"key":12}`, `"item 12"`},
	{"draw_shape", `{"shape":{"kind":"polygon","points":[[0,0],[2,0],[0,2]]}}`, `{"area":2,"shape":{"kind":"polygon","points":[[0,0],[2,0],[0,2]]}}`},
	{"measure_tree", `{"root":{"name":"a","children":[{"name":"b"},{"name":"c","children":[{"name":"d"}]}]}}`, `4`},
	{"grow_tree", `{"depth":1,"children":2}`, `{"root":{"name":"root","children":[{"name":"root.1"},{"name":"root.2"}]}}`},
	{"plot_point", `{"point":[1,2,"here"],"step":[0.5,-1]}`, `[1.5,1]`},
	{"echo_big", `{"signed":-9007199254740993,"unsigned":18446744073709551615,"huge":99999999999999999999999999999,"precise":0.1234567890123456789}`, ``},
	{"register_user", `{"user":"ada_1","age":36,"rating":4.5,"languages":["go","py"],"contact":{"mail":"a@b"}}`, ``},
	{"query_region", `{"region":"eu","shard":1,"fresh":false,"tenant":{"id":"x","plan":"p"},"query":"q"}`, ``},
	{"schedule_meeting", `{"start":"2026-01-01T09:00:00+01:00","minutes":90}`, `"2026-01-01T10:30:00+01:00"`},
	{"is_even", `{"number":3}`, `false`},
	{"look_up_word", `{"word":"Gopher"}`, `"a burrowing rodent"`},
	{"look_up_word", `{"word":"nothing"}`, `null`},
	{"list_measurements", `{"count":2}`, `[{"celsius":20.5,"type":"temperature"},{"direction":"N","speed":1,"type":"wind"}]`},
	{"check_stock", `{"product":"nails"}`, `6`},
	{"check_stock", `{"product":"rare stamp"}`, `{"back_on":"2027-01-15","reason":"sold out"}`},
}

func TestEveryExampleFitsItsSchemas(t *testing.T) {
	s := newServer(t, Options{})
	c := openStdio(t, s)
	for _, ex := range examples {
		tool := s.catalog.tool(ex.tool)
		if err := checkJSON(tool.inputSchema, json.RawMessage(ex.arguments)); err != nil {
			t.Errorf("%s: arguments: %v", ex.tool, err)
		}
		c.send(call(`1`, ex.tool, ex.arguments, plainMeta))
		answer := c.next()
		got := answer.at("result", "structuredContent").String()
		want := ex.structured
		if want == "" {
			want = ex.arguments
		}
		if got != decode(t, want).String() {
			t.Errorf("%s gave %s, want %s, in %s", ex.tool, got, want, answer)
		}
		if tool.outputSchema != nil {
			if err := checkJSON(tool.outputSchema, json.RawMessage(got)); err != nil {
				t.Errorf("%s: output: %v", ex.tool, err)
			}
		}
	}
}

func TestWrongArgumentsAreRefused(t *testing.T) {
	modern := openStdio(t, newServer(t, Options{}))
	legacy := openStdio(t, newServer(t, Options{}))
	legacy.send(initializeText(V20250618))
	legacy.next()
	for _, tc := range []struct{ tool, arguments, place string }{
		{"greet", `{}`, `lacks \"name\"`},
		{"greet", `{"name":"x","else":1}`, "/else: is not allowed"},
		{"add", `{"a":"1","b":2}`, "/a: must be number"},
		{"set_priority", `{"kind":"other","ticket":"","level":1}`, "/kind"},
		{"set_priority", `{"kind":"priority","ticket":"","level":4}`, "/level"},
		{"draw_shape", `{"shape":{"kind":"star"}}`, "/shape: fits 0 of the 3"},
		{"register_user", `{"user":"A","age":20}`, "/user"},
		{"register_user", `{"user":"ada","age":150}`, "/age: breaks exclusiveMaximum"},
		{"register_user", `{"user":"ada","age":20,"rating":0.3}`, "/rating"},
		{"register_user", `{"user":"ada","age":20,"languages":["go","go"]}`, "/languages/1: repeats"},
		{"plot_point", `{"point":[1]}`, "/point: minItems"},
		{"plot_point", `{"point":[1,2,"x",4]}`, "/point/3"},
		{"schedule_meeting", `{"start":"tomorrow"}`, "/start"},
	} {
		modern.send(call(`1`, tc.tool, tc.arguments, plainMeta))
		answer := modern.next()
		answer.wants(t, `true`, "result", "isError")
		if !strings.Contains(answer.String(), tc.place) {
			t.Errorf("%s %s: %q is not in %s", tc.tool, tc.arguments, tc.place, answer)
		}
		legacy.send(call(`1`, tc.tool, tc.arguments, ""))
		legacy.next().wants(t, `-32602`, "error", "code")
	}
}

func TestContentFollowsTheVersion(t *testing.T) {
	for version, want := range map[string]int{V20241105: 4, V20250326: 5, V20250618: 6, V20251125: 6} {
		c := openStdio(t, newServer(t, Options{}))
		c.send(initializeText(version))
		c.next()
		c.send(call(`1`, "show_content", `{"annotated":true}`, ""))
		blocks, _ := c.next().at("result", "content").v.([]any)
		if len(blocks) != want {
			t.Errorf("%s: %d blocks, want %d", version, len(blocks), want)
		}
	}
}

func TestFailuresComeInThreeForms(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(call(`1`, "fail", `{"message":"ouch"}`, plainMeta))
	answer := c.next()
	answer.wants(t, `true`, "result", "isError")
	answer.wants(t, `"ouch"`, "result", "content", "0", "text")
	c.send(call(`2`, "fail", `{"how":"protocol"}`, plainMeta))
	c.next().wants(t, `-32050`, "error", "code")
	c.send(call(`3`, "fail", `{"how":"schema"}`, plainMeta))
	c.next().wants(t, `"it failed"`, "result", "structuredContent", "never")
}

func TestPagesJoinToTheWholeList(t *testing.T) {
	for _, empty := range []bool{false, true} {
		s := newServer(t, Options{PageSize: 7, EmptyCursor: empty})
		c := openStdio(t, s)
		names, cursor := 0, ""
		for page := 0; ; page++ {
			c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + cursor + plainMeta + `}}`)
			answer := c.next()
			tools, _ := answer.at("result", "tools").v.([]any)
			names += len(tools)
			next := answer.at("result", "nextCursor")
			if next.v == nil {
				break
			}
			if empty && page == 0 && next.text() != "" {
				t.Errorf("the second page's cursor is %s", next)
			}
			cursor = `"cursor":` + next.String() + `,`
		}
		if want := len(s.catalog.tools) - 1; names != want {
			t.Errorf("%d tools on all pages, want %d", names, want)
		}
		c.send(`{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{` + cursor + plainMeta + `}}`)
		if !empty {
			c.next().wants(t, `-32602`, "error", "code")
		}
	}
}

func TestPromptsTakeStringsAndDemandTheRequiredOnes(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	get := func(params string) value {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{` + params + `,` + plainMeta + `}}`)
		return c.next()
	}
	get(`"name":"daily_greeting"`).wants(t, `"user"`, "result", "messages", "0", "role")
	get(`"name":"review_text","arguments":{"text":"abc","tone":"cold"}`).
		wants(t, `"Review this text in a cold tone, short: abc"`, "result", "messages", "0", "content", "text")
	get(`"name":"review_text"`).wants(t, `-32602`, "error", "code")
	get(`"name":"review_text","arguments":{"text":1}`).wants(t, `-32602`, "error", "code")
	get(`"name":"nobody"`).wants(t, `-32602`, "error", "code")
}

func TestTemplatesReadWhatTheyExpandTo(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	for uri, want := range map[string]string{
		"ref://notes/welcome":               noteText,
		"ref://tickets/T%2F1%20%C3%BC":      `{"id":"T/1 ü","open":true}`,
		"ref://search?q=a%26b&limit=5":      `{"limit":["5"],"q":["a&b"]}`,
		"ref://search":                      `{"limit":null,"q":null}`,
		"ref://files/docs/a/readme.txt":     "contents of docs/a/readme.txt",
		"ref://state/counter":               `{"updates":0}`,
		"ref://tickets/with/slash?or=query": "",
	} {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + uri + `",` + plainMeta + `}}`)
		answer := c.next()
		if got := answer.at("result", "contents", "0", "text").text(); got != want {
			t.Errorf("%s holds %q, want %q", uri, got, want)
		}
	}
	c.send(initializeText(V20251125))
	c.next()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ref://nowhere"}}`)
	c.next().wants(t, `-32002`, "error", "code")
}

func TestCompletionsStartWithWhatWasTyped(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	complete := func(params string) value {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{` + params + `,` + plainMeta + `}}`)
		return c.next()
	}
	complete(`"ref":{"type":"ref/prompt","name":"review_text"},"argument":{"name":"tone","value":"f"}`).
		wants(t, `["formal","friendly"]`, "result", "completion", "values")
	complete(`"ref":{"type":"ref/resource","uri":"ref://tickets/{id}"},"argument":{"name":"id","value":"T-2"}`).
		wants(t, `["T-2","T-21"]`, "result", "completion", "values")
	complete(`"ref":{"type":"ref/prompt","name":"review_text"},"argument":{"name":"length","value":""},"context":{"arguments":{"tone":"cold"}}`).
		wants(t, `["short"]`, "result", "completion", "values")
	complete(`"ref":{"type":"ref/prompt","name":"nobody"},"argument":{"name":"x","value":""}`).wants(t, `-32602`, "error", "code")
}
