package mcp

// One bad message never ends a connection: every malformed thing, at every point of a session, while
// other calls go on.

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// meaningless are lines without meaning; ID stands for the id of a call that waits.
var meaningless = []string{
	``, ` `, "\t\r", `x`, `[info] ready {not json`, `null`, `true`, `7`, `"text"`, `[]`, `[1]`, `[[]]`, `{}`, `{`, `}`, `{"`,
	`{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":ID,"result":{}}`, `{"id":ID,"result":{}}`, `{"jsonrpc":2.0,"id":ID,"result":{}}`,
	`{"jsonrpc":"2.0","id":null,"result":{}}`, `{"jsonrpc":"2.0","result":{}}`, `{"jsonrpc":"2.0","id":"ID","result":{}}`,
	`{"jsonrpc":"2.0","id":1e400,"result":{}}`, `{"jsonrpc":"2.0","id":ID.5,"result":{}}`, `{"jsonrpc":"2.0","id":-1,"result":{}}`,
	`{"jsonrpc":"2.0","id":99999,"result":{}}`, `{"jsonrpc":"2.0","id":[ID],"result":{}}`, `{"jsonrpc":"2.0","id":{},"result":{}}`,
	`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`, `{"jsonrpc":"2.0","error":{"code":1}}`,
	`{"jsonrpc":"2.0","method":7}`, `{"jsonrpc":"2.0","method":null}`, `{"jsonrpc":"2.0","method":""}`, `{"jsonrpc":"2.0","method":[]}`,
	`{"jsonrpc":"2.0","id":5,"method":""}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":true,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":5,"method":"no/such","params":7}`, `{"jsonrpc":"2.0","id":6,"method":"sampling/createMessage","params":[]}`,
	`{"jsonrpc":"2.0","id":7,"method":"elicitation/create"}`, `{"jsonrpc":"2.0","id":8,"method":"roots/list","params":"x"}`,
	`{"jsonrpc":"2.0","method":"notifications/progress"}`, `{"jsonrpc":"2.0","method":"notifications/progress","params":[]}`,
	`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{},"progress":"x"}}`,
	`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":ID,"progress":"x"}}`,
	`{"jsonrpc":"2.0","method":"notifications/message","params":7}`, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":ID}}`,
	`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":7}}`, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":null}`,
	`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{}}`, `{"jsonrpc":"2.0","method":"notifications/\u0000"}`,
	"\xff\xfe", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/\xff\"}", "\x00", "\ufeff", `{"a":"` + "\x01" + `"}`,
	strings.Repeat(`[`, 100_000), strings.Repeat(`{"a":`, 10_000), `{"jsonrpc":"2.0","id":5,"method":"` + strings.Repeat("m", 100_000) + `"}`,
	`{"jsonrpc":"2.0","id":` + strings.Repeat("9", 10_000) + `,"result":{}}`, strings.Repeat("n", 200_000),
}

// disturbed sends everything malformed before each of s's own answers. Call ids are small numbers, so
// that what a message says of ID concerns a call that waits; an answer under its id would be the answer.
func disturbed(s script) script {
	return func(m message) []string {
		answers := s(m)
		if len(answers) == 0 {
			return nil
		}
		var out []string
		for _, bad := range meaningless {
			out = append(out, strings.ReplaceAll(bad, "ID", string(m.ID)))
		}
		return append(out, answers...)
	}
}

// manyCalls makes calls of all kinds at the same time; each must get its own answer.
func manyCalls(t *testing.T, c *Client) {
	t.Helper()
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			var told []Progress
			result, err := c.CallTool(t.Context(), fmt.Sprint("tool-", i), nil, WithProgress(func(p Progress) { told = append(told, p) }))
			if err != nil || resultText(result) != fmt.Sprint("tool-", i) {
				t.Errorf("call %d: %v, %v", i, result, err)
			}
			if tools, err := c.ListTools(t.Context()); err != nil || len(tools) != 1 {
				t.Errorf("list %d: %v, %v", i, tools, err)
			}
		})
	}
	work.Wait()
}

// ownAnswer answers a call with the name of its tool, and any list with one tool.
func ownAnswer(m message) []string {
	switch m.Method {
	case methodCallTool:
		name, _, _ := strings.Cut(m.raw[strings.Index(m.raw, `"tool-`)+1:], `"`)
		return []string{m.result(`{"content":[{"type":"text","text":"` + name + `"}]}`)}
	case methodListTools:
		return []string{m.result(`{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`)}
	}
	if m.Method == "" || len(m.ID) == 0 {
		return nil
	}
	return alwaysOK(m)
}

// C-001
func TestOneBadMessageNeverEndsAConnection(t *testing.T) {
	for _, version := range []string{Version20241105, Version20251125, Version20260728} {
		s := legacy(version, ownAnswer)
		if version == Version20260728 {
			s = modern(ownAnswer)
		}
		for name, transport := range map[string]Transport{
			"stream":     first(pipe(t, disturbed(s))),
			"sse answer": HTTP(newHTTPServer(t, disturbedEvents(s)).URL),
		} {
			t.Run(version+" "+name, func(t *testing.T) {
				c := connect(t, transport, WithDefaultTimeout(20*time.Second))
				opened := c.current
				manyCalls(t, c)
				manyCalls(t, c)
				if c.current != opened || !opened.alive() {
					t.Errorf("still the same connection: %v, alive: %v", c.current == opened, opened.alive())
				}
			})
		}
	}
}

func TestOneBadAnswerFailsOnlyItsCall(t *testing.T) {
	for _, bad := range []string{`x`, `null`, `[]`, `{}`, `{"jsonrpc":"2.0","id":ID}`, `{"jsonrpc":"2.0","id":ID,"result":7}`, `{"jsonrpc":"2.0","id":ID,"error":"x"}`,
		`{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"x"}}`, `{"jsonrpc":"2.0","id":ID,"result":{"content":{}}}`, strings.Repeat("[", 100_000)} {
		for _, version := range []string{Version20251125, Version20260728} {
			spoiled := func(m message) string { return strings.ReplaceAll(bad, "ID", string(m.ID)) }
			for kind, respond := range map[string]func(http.ResponseWriter, message){
				"json": func(w http.ResponseWriter, m message) {
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, spoiled(m))
				},
				"events": func(w http.ResponseWriter, m message) { sse(w, data(spoiled(m))) },
			} {
				server := newHTTPServer(t, onCall(version, func(w http.ResponseWriter, _ *http.Request, m message) {
					if strings.Contains(m.raw, "spoil") {
						respond(w, m)
						return
					}
					sse(w, data(m.result(okResult)))
				}))
				c := connect(t, HTTP(server.URL))
				if _, err := c.CallTool(t.Context(), "spoil", nil, WithTimeout(5*time.Second)); err == nil {
					t.Errorf("%s %s %.40s: no error", version, kind, bad)
				}
				checkOK(t, c)
			}
		}
	}
}

func first(transport Transport, _ *recorder) Transport { return transport }

// disturbedEvents is disturbed for event streams, where a line is an event.
func disturbedEvents(s script) func(http.ResponseWriter, *http.Request, message) {
	return func(w http.ResponseWriter, r *http.Request, m message) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		answers := disturbed(s)(m)
		if len(answers) == 0 {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		for _, answer := range answers {
			// An error without an id answers the POST in whose response it comes (B059, B095).
			if !strings.Contains(answer, `"error"`) {
				sse(w, data(answer))
			}
		}
	}
}
