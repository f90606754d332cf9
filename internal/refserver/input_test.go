package refserver

import (
	"net/http"
	"strings"
	"testing"
)

// retry builds the next round of a call from an input_required answer.
func retry(id, tool, arguments string, last value, responses string) string {
	meta := modernMeta + `,"requestState":` + last.at("result", "requestState").String() + `,"inputResponses":` + responses
	return call(id, tool, arguments, meta)
}

func TestStatelessToolsCollectInputOverRounds(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(call(`1`, "ask_everything", `{}`, modernMeta))
	first := c.next()
	first.wants(t, `"input_required"`, "result", "resultType")
	first.wants(t, `"elicitation/create"`, "result", "inputRequests", "a-form", "method")
	first.wants(t, `"sampling/createMessage"`, "result", "inputRequests", "b-model", "method")
	first.wants(t, `"roots/list"`, "result", "inputRequests", "c-roots", "method")
	c.send(retry(`2`, "ask_everything", `{}`, first, `{"a-form":{"action":"accept","content":{"value":"v"}},"b-model":{"x":1},"c-roots":{"roots":[]}}`))
	second := c.next()
	second.wants(t, `"elicitation/create"`, "result", "inputRequests", "d-confirm", "method")
	second.wants(t, `null`, "result", "inputRequests", "a-form")
	c.send(retry(`3`, "ask_everything", `{}`, second, `{"d-confirm":{"action":"accept","content":{"sure":true}}}`))
	c.next().wants(t, `"value v, model {\"x\":1}, roots {\"roots\":[]}, sure true"`, "result", "content", "0", "text")
}

func TestRequestStateIsBoundToItsRequest(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	arguments := `{"message":"who?"}`
	c.send(call(`1`, "ask_form", arguments, modernMeta))
	first := c.next()
	accept := `{"form":{"action":"accept","content":{"name":"Ada"}}}`
	for name, round := range map[string]string{
		"other arguments":   retry(`2`, "ask_form", `{}`, first, accept),
		"other tool":        retry(`2`, "ask_everything", `{}`, first, accept),
		"missing answer":    retry(`2`, "ask_form", arguments, first, `{}`),
		"unknown answer":    retry(`2`, "ask_form", arguments, first, `{"form":{"action":"cancel"},"x":{}}`),
		"changed state":     strings.Replace(retry(`2`, "ask_form", arguments, first, accept), `"requestState":"`, `"requestState":"x`, 1),
		"answers, no state": call(`2`, "ask_form", arguments, modernMeta+`,"inputResponses":`+accept),
	} {
		c.send(round)
		if answer := c.next(); answer.at("error", "code").String() != "-32602" {
			t.Errorf("%s: %s", name, answer)
		}
	}
	c.send(retry(`3`, "ask_form", arguments, first, accept))
	c.next().wants(t, `"Ada"`, "result", "structuredContent", "name")
	c.send(retry(`4`, "ask_form", arguments, first, `{"form":{"action":"decline"}}`))
	c.next().wants(t, `"the user chose to decline"`, "result", "content", "0", "text")
}

func TestPromptsAndResourcesAskToo(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ref://private/diary",` + modernMeta + `}}`)
	first := c.next()
	first.wants(t, `"input_required"`, "result", "resultType")
	first.wants(t, `null`, "result", "ttlMs")
	c.send(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"ref://private/diary","requestState":` + first.at("result", "requestState").String() +
		`,"inputResponses":{"word":{"action":"accept","content":{"word":"please"}}},` + modernMeta + `}}`)
	c.next().wants(t, `"Dear diary, today a client was polite."`, "result", "contents", "0", "text")
	c.send(`{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"personal_greeting",` + modernMeta + `}}`)
	c.next().wants(t, `"name"`, "result", "inputRequests", "name", "params", "requestedSchema", "required", "0")
}

func TestExtensionTasksArePolledToTheirEnd(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(call(`1`, "bake_cake", `{"layers":2}`, modernMeta))
	made := c.next()
	made.wants(t, `"task"`, "result", "resultType")
	end := pollTask(c, made.at("result", "taskId").text())
	end.wants(t, `"completed"`, "result", "status")
	end.wants(t, `2`, "result", "result", "structuredContent", "layers")

	c.send(call(`2`, "bake_cake", `{"layers":1,"burn":"protocol"}`, modernMeta))
	end = pollTask(c, c.next().at("result", "taskId").text())
	end.wants(t, `"failed"`, "result", "status")
	end.wants(t, `-32603`, "result", "error", "code")

	c.send(call(`3`, "bake_cake", `{"layers":1}`, plainMeta))
	c.next().wants(t, `"complete"`, "result", "resultType")
}

func pollTask(c *lines, id string) value {
	for {
		c.send(`{"jsonrpc":"2.0","id":9,"method":"tasks/get","params":{"taskId":"` + id + `",` + modernMeta + `}}`)
		v := c.next()
		if s := v.at("result", "status").text(); s != "working" {
			return v
		}
	}
}

func TestExtensionTasksTakeInputByUpdate(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(call(`1`, "conduct_survey", `{"topic":"tea"}`, modernMeta))
	id := c.next().at("result", "taskId").text()
	waiting := pollTask(c, id)
	waiting.wants(t, `"elicitation/create"`, "result", "inputRequests", "opinion", "method")
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tasks/update","params":{"taskId":"` + id + `","inputResponses":{"opinion":{"action":"accept","content":{"opinion":"good"}}},` + modernMeta + `}}`)
	c.next().wants(t, `"complete"`, "result", "resultType")
	pollTask(c, id).wants(t, `"opinion about tea: good"`, "result", "result", "content", "0", "text")
}

func TestExtensionTasksAreCancelledAndHeardOf(t *testing.T) {
	c := openStdio(t, newServer(t, Options{}))
	c.send(call(`1`, "conduct_survey", `{"topic":"tea"}`, modernMeta))
	id := c.next().at("result", "taskId").text()
	pollTask(c, id)
	c.send(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"taskIds":["` + id + `","unknown"]},` + modernMeta + `}}`)
	c.next().wants(t, `["`+id+`"]`, "params", "notifications", "taskIds")
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"` + id + `",` + modernMeta + `}}`)
	heard := c.next()
	heard.wants(t, `"notifications/tasks"`, "method")
	heard.wants(t, `"cancelled"`, "params", "status")
	c.next().wants(t, `2`, "id")
	c.send(`{"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"` + id + `",` + plainMeta + `}}`)
	c.next().wants(t, `-32021`, "error", "code")
}

func TestTaskRequestsNameTheTaskInAHeader(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	made := readJSON(t, c.modern(call(`1`, "bake_cake", `{"layers":1}`, modernMeta), nil))
	get := `{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":` + made.at("result", "taskId").String() + `,` + modernMeta + `}}`
	resp := c.modern(get, nil)
	readJSON(t, resp)
	status(t, resp, http.StatusOK)
	resp = c.modern(get, map[string]string{"Mcp-Name": "other"})
	readJSON(t, resp).wants(t, `-32020`, "error", "code")
}

func TestSessionTasksGiveTheResultOfTheCall(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	c.session(V20251125)
	c.post(call(`1`, "conduct_survey", `{"topic":"x"}`, "")).wants(t, `-32601`, "error", "code")
	c.post(call(`2`, "add", `{"a":1,"b":1}`, `"task":{}`)).wants(t, `-32601`, "error", "code")
	made := c.post(call(`3`, "bake_cake", `{"layers":2}`, `"task":{"ttl":5000}`))
	made.wants(t, `5000`, "result", "task", "ttl")
	id := made.at("result", "task", "taskId").String()
	result := c.post(`{"jsonrpc":"2.0","id":4,"method":"tasks/result","params":{"taskId":` + id + `}}`)
	result.wants(t, `2`, "result", "structuredContent", "layers")
	result.wants(t, id, "result", "_meta", metaRelatedTask, "taskId")
	c.post(`{"jsonrpc":"2.0","id":5,"method":"tasks/list"}`).wants(t, `"completed"`, "result", "tasks", "0", "status")
	c.post(`{"jsonrpc":"2.0","id":6,"method":"tasks/cancel","params":{"taskId":`+id+`}}`).wants(t, `-32602`, "error", "code")
}

func TestSessionTasksAskOnTheResultStream(t *testing.T) {
	c := openHTTP(t, newServer(t, Options{}))
	c.session(V20251125)
	id := c.post(call(`1`, "conduct_survey", `{"topic":"tea"}`, `"task":{}`)).at("result", "task", "taskId").String()
	stream := readSSE(t, c.do(http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":`+id+`}}`, nil))
	ask := stream.next()
	ask.wants(t, id, "params", "_meta", metaRelatedTask, "taskId")
	resp := c.do(http.MethodPost, `{"jsonrpc":"2.0","id":`+ask.at("id").String()+`,"result":{"action":"accept","content":{"opinion":"bad"}}}`, nil)
	_ = resp.Body.Close()
	stream.next().wants(t, `"opinion about tea: bad"`, "result", "content", "0", "text")
}
