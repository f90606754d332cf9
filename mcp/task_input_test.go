package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// C-292 C-293 B132: each key is asked and answered once, however often the server repeats it.
func TestEachInputRequestIsAnsweredOnce(t *testing.T) {
	ask := func(keys ...string) string {
		var entries []string
		for _, key := range keys {
			entries = append(entries, `"`+key+`":{"method":"elicitation/create","params":{"message":"`+key+`"}}`)
		}
		return flat("input_required", `,"inputRequests":{`+strings.Join(entries, ",")+`}`)
	}
	s := taskServer(created(""), ask("k1"), ask("k1"), ask("k1", "k2"), ask("k1", "k2"), flat("working", ""), flat("completed", cake))
	inBubble(t, s, nil, func(t *testing.T, c *Client, rec *recorder) {
		task, err := c.Tasks().Start(t.Context(), "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		end, err := task.Await(t.Context(), WithTaskInput(func(_ context.Context, requests map[string]json.RawMessage) (map[string]any, error) {
			answers := map[string]any{}
			for key := range requests {
				asked = append(asked, key)
				answers[key] = map[string]any{"action": "accept"}
			}
			return answers, nil
		}))
		if err != nil || end.Status != TaskCompleted {
			t.Fatalf("got %+v, %v", end, err)
		}
		if !slices.Equal(asked, []string{"k1", "k2"}) {
			t.Errorf("asked %v", asked)
		}
		var updates []string
		for _, m := range rec.all() {
			if m.Method == methodUpdateTask {
				updates = append(updates, string(m.Params))
			}
		}
		if len(updates) != 2 || !strings.Contains(updates[0], `{"taskId":"t 1","inputResponses":{"k1":{"action":"accept"}}`) {
			t.Errorf("updates %v", updates)
		}
	})
}

// C-295: input that nobody gives is the caller's to give, and the wait can go on.
func TestInputNobodyGivesIsReturned(t *testing.T) {
	ask := flat("input_required", `,"inputRequests":{"k":{"method":"x/unknown","params":{}}}`)
	s := taskServer(created(""), ask, ask, flat("completed", cake))
	inBubble(t, s, nil, func(t *testing.T, c *Client, rec *recorder) {
		task, err := c.Tasks().Start(t.Context(), "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = task.Await(t.Context())
		var want *InputRequiredError
		if !errors.As(err, &want) || !strings.Contains(string(want.Result), `"taskId":"t 1"`) {
			t.Fatalf("got %v", err)
		}
		if slices.Contains(rec.methods(), methodCancelTask) {
			t.Error("the task was cancelled")
		}
		if err := task.Update(t.Context(), map[string]any{"k": "text"}); err == nil {
			t.Error("an answer that is no object was sent")
		}
		if err := task.Update(t.Context(), map[string]any{"k": map[string]any{}}); err != nil {
			t.Fatal(err)
		}
		end, err := task.Await(t.Context())
		if err != nil || end.Status != TaskCompleted {
			t.Errorf("got %v", err)
		}
		angry := errors.New("no mood")
		_, err = cakeTool.Resume(c, "t 1").Await(t.Context(), WithTaskInput(func(context.Context, map[string]json.RawMessage) (map[string]any, error) { return nil, angry }))
		if err != nil {
			t.Errorf("a finished task: %v", err)
		}
	})
	inBubble(t, taskServer(created(""), ask), nil, func(t *testing.T, c *Client, _ *recorder) {
		angry := errors.New("no mood")
		_, err := c.Tasks().Await(t.Context(), "t 1", WithTaskInput(func(context.Context, map[string]json.RawMessage) (map[string]any, error) { return nil, angry }))
		if !errors.Is(err, angry) || !errors.As(err, new(*InputRequiredError)) {
			t.Errorf("got %v", err)
		}
	})
}

// C-301: input asked of the call comes before the task, input asked of the task after it.
func TestInputBeforeAndDuringATaskCompose(t *testing.T) {
	question := `"inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{}}}}}`
	during := taskServer("", flat("input_required", ","+question), flat("completed", cake))
	s := modern(func(m message) []string {
		switch {
		case m.Method != methodCallTool:
			return during(m)
		case strings.Contains(string(m.Params), `"requestState":"s"`):
			return []string{m.result(created(""))}
		}
		return []string{m.result(`{"resultType":"input_required","requestState":"s",` + question + `}`)}
	})
	asked := 0
	handler := func(context.Context, *FormRequest) (*ElicitResult, error) {
		asked++
		return &ElicitResult{Action: "accept"}, nil
	}
	inBubble(t, s, []Option{WithElicitation(handler)}, func(t *testing.T, c *Client, rec *recorder) {
		if result, err := cakeTool.Call(t.Context(), c, cakeArgs{Layers: 2}); err != nil || result.Output.Layers != 2 || asked != 2 {
			t.Fatalf("asked %d times: %+v, %v", asked, result, err)
		}
		if m := rec.await(t, methodUpdateTask); strings.Contains(string(m.Params), "requestState") {
			t.Errorf("sent %s", m.Params) // C-292
		}
		_, err := cakeTool.Call(t.Context(), c, cakeArgs{Layers: 2}, WithoutInputHandlers())
		if !errors.As(err, new(*InputRequiredError)) || asked != 2 {
			t.Errorf("asked %d times: %v", asked, err)
		}
	})
}
