package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// core is a task in the form of 2025-11-25.
func core(status string) string {
	return `{"taskId":"t 1","status":"` + status + `","createdAt":"2025-11-25T10:00:00Z","lastUpdatedAt":"2025-11-25T10:00:00Z","ttl":null,"pollInterval":200}`
}

const threeTools = `{"tools":[{"name":"may","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},
{"name":"must","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},
{"name":"never","inputSchema":{"type":"object"},"execution":{"taskSupport":"forbidden"}},
{"name":"silent","inputSchema":{"type":"object"}}]}`

const allTasks = `"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},`

// coreServer is a 2025-11-25 server with the capabilities of extra; a tools/call with params.task is
// answered with a task, one without with a result, tasks/get with the next of states.
func coreServer(extra string, result func(m message) string, states ...string) script {
	n := 0
	return func(m message) []string {
		switch m.Method {
		case methodInitialize:
			return []string{m.result(strings.Replace(leg(Version20251125), `"capabilities":{`, `"capabilities":{`+extra, 1))}
		case methodListTools:
			return []string{m.result(strings.ReplaceAll(threeTools, "\n", ""))}
		case methodCallTool:
			if strings.Contains(string(m.Params), `"task":{`) {
				return []string{m.result(`{"task":` + core("working") + `,"_meta":{"io.modelcontextprotocol/model-immediate-response":"wait"}}`)}
			}
			if strings.Contains(string(m.Params), `"must"`) {
				return []string{m.failure(CodeMethodNotFound, "only as a task", "")}
			}
			return []string{m.result(okResult)}
		case methodGetTask:
			n++
			return []string{m.result(core(states[min(n, len(states))-1]))}
		case methodTaskResult:
			return []string{result(m)}
		case methodCancelTask:
			return []string{m.result(core("cancelled"))}
		}
		return legacy(Version20251125, func(message) []string { return nil })(m)
	}
}

func gives(result string) func(m message) string {
	return func(m message) string { return m.result(result) }
}

// C-274 C-275 C-257
func TestTasksOfASessionAreStartedOnlyWhereAllowed(t *testing.T) {
	transport, rec := pipe(t, coreServer("", gives(okResult), "completed"))
	c := connect(t, transport, WithVersions(Version20251125))
	var unsupported *UnsupportedError
	if _, err := c.Tasks().Start(t.Context(), "may", nil); !errors.As(err, &unsupported) || unsupported.Capability != capabilityTaskCalls {
		t.Errorf("got %v", err)
	}
	if ok, err := c.Tasks().ServerSupports(t.Context()); ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	if got := rec.methods(); slices.Contains(got, methodCallTool) {
		t.Errorf("sent %v", got)
	}
	transport, rec = pipe(t, coreServer(allTasks, gives(okResult), "completed"))
	c = connect(t, transport, WithVersions(Version20251125))
	if ok, err := c.Tasks().ServerSupports(t.Context()); !ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	for _, name := range []string{"never", "silent", "unlisted"} {
		if _, err := c.Tasks().Start(t.Context(), name, nil); !errors.Is(err, ErrNoTask) {
			t.Errorf("%s: %v", name, err)
		}
	}
	task, err := c.Tasks().Start(t.Context(), "may", nil, WithTaskTTL(time.Minute))
	if err != nil || task.ID != "t 1" || task.ImmediateResponse != "wait" || task.PollInterval != 200*time.Millisecond { // C-276 C-283
		t.Fatalf("got %+v, %v", task, err)
	}
	if m := rec.await(t, methodCallTool); !strings.Contains(string(m.Params), `"task":{"ttl":60000}`) {
		t.Errorf("sent %s", m.Params)
	}
	if err := c.Tasks().Update(t.Context(), "t 1", nil); !errors.As(err, &unsupported) { // C-303
		t.Errorf("got %v", err)
	}
}

// C-275: a tool that only runs as a task runs as one, whether a list has said so or the server refuses (C-257 C-277).
func TestPlainCallOfATaskOnlyToolBecomesATask(t *testing.T) {
	for _, listed := range []bool{false, true} {
		inBubble(t, coreServer(allTasks, gives(`{"content":[{"type":"text","text":"cake"}],"structuredContent":{"layers":2}}`), "working", "completed"),
			[]Option{WithVersions(Version20251125)}, func(t *testing.T, c *Client, rec *recorder) {
				if listed {
					if _, err := c.ListTools(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				started := time.Now()
				result, err := c.CallTool(t.Context(), "must", nil)
				if err != nil || resultText(result) != "cake" || since(started) != 400*time.Millisecond {
					t.Fatalf("after %v: %+v, %v", since(started), result, err)
				}
				calls := 0
				for _, m := range rec.all() {
					switch m.Method {
					case methodCallTool:
						calls++
					case methodGetTask, methodTaskResult:
						if m.meta() != nil { // C-280
							t.Errorf("%s has _meta: %s", m.Method, m.Params)
						}
					}
				}
				if want := map[bool]int{true: 1, false: 2}[listed]; calls != want {
					t.Errorf("%d calls, want %d", calls, want)
				}
				if _, err := c.CallTool(t.Context(), "may", nil); err != nil { // B133
					t.Error(err)
				}
			})
	}
}

// C-279 C-281: the result or the error is that of the original call.
func TestResultOfASessionTaskIsThatOfItsCall(t *testing.T) {
	for _, test := range []struct {
		name, status string
		result       func(m message) string
		check        func(error) bool
	}{
		{"error", "failed", func(m message) string { return m.failure(-32050, "oven", "") }, func(err error) bool {
			var rpc *RPCError
			return errors.As(err, &rpc) && rpc.Code == -32050 && rpc.Method == methodCallTool
		}},
		{"tool error", "failed", gives(`{"content":[{"type":"text","text":"burnt"}],"isError":true}`), func(err error) bool { return errors.As(err, new(*ToolError)) }},
		{"cancelled", "cancelled", gives(okResult), func(err error) bool { return errors.As(err, new(*TaskError)) }},
		{"completed", "completed", gives(`{"content":[],"structuredContent":{"layers":1}}`), func(err error) bool { return err == nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := cakeTool
			spec.Name = "may"
			inBubble(t, coreServer(allTasks, test.result, test.status), []Option{WithVersions(Version20251125)}, func(t *testing.T, c *Client, rec *recorder) {
				task, err := spec.Start(t.Context(), c, cakeArgs{Layers: 1})
				if err != nil {
					t.Fatal(err)
				}
				if task, err = task.Await(t.Context()); err != nil || task.Status != TaskStatus(test.status) {
					t.Fatalf("got %+v, %v", task, err)
				}
				if _, err = task.Result(); !test.check(err) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// C-278 C-279 C-280: while the result is waited for the server asks, for as long as it takes.
func TestServerAsksWhileTheResultIsWaitedFor(t *testing.T) {
	s := coreServer(allTasks, nil, "input_required", "completed")
	var pending string
	script := func(m message) []string {
		switch {
		case m.Method == methodTaskResult:
			pending = m.result(okResult)
			time.Sleep(2 * time.Minute) // of the fake clock
			return []string{`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"why?","requestedSchema":{"type":"object","properties":{}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t 1"}}}}`}
		case m.Method == "" && string(m.ID) == `"q"`:
			return []string{pending}
		}
		return s(m)
	}
	handler := func(context.Context, *FormRequest) (*ElicitResult, error) {
		return &ElicitResult{Action: "accept"}, nil
	}
	inBubble(t, script, []Option{WithVersions(Version20251125), WithElicitation(handler)}, func(t *testing.T, c *Client, rec *recorder) {
		task, err := c.Tasks().Start(t.Context(), "may", nil)
		if err != nil {
			t.Fatal(err)
		}
		end, err := task.Await(t.Context())
		if err != nil || end.Status != TaskCompleted {
			t.Fatalf("got %+v, %v", end, err)
		}
		var answer message
		for _, m := range rec.all() {
			if string(m.ID) == `"q"` {
				answer = m
			}
		}
		var result struct {
			Action string `json:"action"`
			Meta   map[string]json.RawMessage
		}
		if err := json.Unmarshal(answer.Result, &result); err != nil || !strings.Contains(string(answer.Result), `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t 1"}}`) {
			t.Errorf("answered %s %s", answer.Result, answer.Error)
		}
	})
}

// C-282 C-281
func TestSessionTasksAreListedAndCancelled(t *testing.T) {
	s := coreServer(allTasks, gives(okResult), "completed")
	transport, _ := pipe(t, func(m message) []string {
		if m.Method != methodListTasks {
			return s(m)
		}
		if strings.Contains(string(m.Params), "cursor") {
			return []string{m.result(`{"tasks":[` + core("completed") + `]}`)}
		}
		return []string{m.result(`{"tasks":[` + core("working") + `,{"bad":1}],"nextCursor":""}`)}
	})
	c := connect(t, transport, WithVersions(Version20251125))
	list, err := c.Tasks().List(t.Context())
	if err != nil || len(list) != 2 || list[0].Status != TaskWorking || list[1].Status != TaskCompleted {
		t.Fatalf("got %+v, %v", list, err)
	}
	if err := c.Tasks().Cancel(t.Context(), "t 1"); err != nil {
		t.Error(err)
	}
	transport, _ = pipe(t, coreServer(`"tasks":{"requests":{"tools":{"call":{}}}},`, gives(okResult), "completed"))
	c = connect(t, transport, WithVersions(Version20251125))
	var unsupported *UnsupportedError
	if err := c.Tasks().Cancel(t.Context(), "t 1"); !errors.As(err, &unsupported) {
		t.Errorf("got %v", err)
	}
	if _, err := c.Tasks().List(t.Context()); !errors.As(err, &unsupported) {
		t.Errorf("got %v", err)
	}
	c, _ = answering(t, Version20260728, alwaysOK)
	if _, err := c.Tasks().List(t.Context()); !errors.As(err, &unsupported) {
		t.Errorf("got %v", err)
	}
	c, _ = answering(t, Version20250618, alwaysOK)
	if _, err := c.Tasks().Get(t.Context(), "t 1"); !errors.As(err, &unsupported) {
		t.Errorf("got %v", err)
	}
}
