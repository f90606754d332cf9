package mcp

// Input that a task of the extension asks for: the same handlers, under the same rules, as for input
// that a call asks for (C-294), but answered by tasks/update (C-292).

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// answer gives what a task in state s asks for and nobody has given yet. If a handler fails, the task
// is left as it is and the caller learns why (C-295).
func (f *following) answer(ctx context.Context, s TaskState) error {
	requests := f.memory.open(s.InputRequests)
	if len(requests) == 0 {
		return nil
	}
	responses, err := f.gather(ctx, requests)
	if err != nil {
		if ctx.Err() != nil {
			return contextError(ctx, f.method, f.memory.arrived)
		}
		return f.unanswered(s, err)
	}
	given := map[string]any{}
	for key := range requests {
		if response, ok := responses[key]; ok {
			given[key] = response
		}
	}
	if len(given) == 0 {
		return f.unanswered(s, nil)
	}
	params, err := updateParams(s.ID, given)
	if err != nil {
		return err
	}
	if err := f.invoke(ctx, &Request{Method: methodUpdateTask, Name: s.ID, Params: params, options: f.call}); err != nil {
		return err
	}
	for key := range given {
		f.memory.answered(key)
	}
	return nil
}

func (f *following) gather(ctx context.Context, requests map[string]json.RawMessage) (map[string]any, error) {
	switch {
	case f.input != nil:
		return f.input(ctx, requests)
	case f.byHand:
		return nil, nil
	}
	return f.handle(ctx, requests)
}

// handle has the client's handlers answer, all or none.
func (f *following) handle(ctx context.Context, requests map[string]json.RawMessage) (map[string]any, error) {
	l, err := f.client.live(ctx)
	if err != nil {
		return nil, err
	}
	asked := map[string]inputRequest{}
	for key, request := range requests {
		r := jsonwire.NewReader(request)
		asked[key] = readInputRequest(r)
		if err := r.End(); err != nil {
			return nil, fmt.Errorf("input request %q: %w", key, err)
		}
	}
	from := Asker{Server: l.told().Server, Version: l.speaks().version(), Method: methodCallTool, Name: f.memory.tool}
	answers, err := l.answerAll(ctx, from, asked)
	if err != nil {
		return nil, err
	}
	responses := map[string]any{}
	for key, answer := range answers {
		responses[key] = answer
	}
	return responses, nil
}

func (f *following) unanswered(s TaskState, cause error) error {
	return &InputRequiredError{Method: f.method, Result: s.raw, Err: cause}
}
