package mcp

// Calls that become tasks: those that ask for it, those that the server turns into one, and those of
// tools that run in no other way.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// run makes call and fills in what is known of the task that comes of it.
func (t *taskCore) run(ctx context.Context, call *toolCall, state *TaskState, opts []TaskOption) error {
	o, err := newTaskOptions(opts)
	if err != nil {
		return fmt.Errorf("%s: %w", methodCallTool, err)
	}
	t.unvalidated = o.call.unvalidated
	if *state, err = t.client.startTask(ctx, call, o, &t.memory); err != nil {
		return err
	}
	t.memory.kept(state)
	return nil
}

// startTask returns the task that the server makes of call, or one made up for a call that has ended
// already (C-276, C-287).
func (c *Client) startTask(ctx context.Context, call *toolCall, o *taskOptions, memory *taskMemory) (TaskState, error) {
	none := TaskState{}
	if c.opts.withoutTasks {
		return none, fmt.Errorf("%s: %w", methodCallTool, errTasksOff)
	}
	if s := c.Session(); !stateless(s.Version) {
		if err := c.allowTask(ctx, s, call.name); err != nil {
			return none, err
		}
		call.task = askTask(o)
	}
	if err := c.prepare(call); err != nil {
		return none, err
	}
	var created json.RawMessage
	answer := &rawResult{}
	call.req.options, call.req.Result = o.call, answer
	call.req.created = func(raw json.RawMessage, outlast func(context.Context)) { created, memory.outlast = raw, outlast }
	if err := c.invoke(ctx, &call.req); err != nil {
		return none, err
	}
	if created == nil {
		return TaskState{Status: TaskCompleted, result: answer.raw}, nil
	}
	state, err := createdTask(created, stateless(call.req.Version))
	if err != nil {
		memory.ended(ctx)
		return none, &InvalidResultError{Method: methodCallTool, Err: err}
	}
	return state, nil
}

// asksTask reports whether params ask a 2025-11-25 server for a task.
func asksTask(params jsonwire.Appender) bool {
	call, ok := params.(*toolCall)
	return ok && call.task != nil
}

// recoverTask follows a task to its end, as if the call had only taken longer.
func recoverTask(ctx context.Context, a *attempt, err error) (bool, error) {
	var want *interim
	if !errors.As(err, &want) || want.outcome != outcomeTask {
		return a.becomeTask(err)
	}
	if a.req.created != nil {
		a.req.created(want.raw, a.req.outlast)
		a.req.outlast = nil
		return false, nil
	}
	state, err := createdTask(want.raw, stateless(a.req.Version))
	if err != nil {
		return false, &InvalidResultError{Method: a.req.Method, Err: err}
	}
	return false, a.follow(ctx, state)
}

// becomeTask makes a plain call again as a task if the server has the tool in no other way (C-275). It
// has not run the tool when it says so.
func (a *attempt) becomeTask(err error) (bool, error) {
	var rpc *RPCError
	call, ok := a.req.Params.(*toolCall)
	switch {
	case !ok || call.task != nil || !errors.As(err, &rpc) || rpc.Code != CodeMethodNotFound:
		return false, err
	case a.client.opts.withoutTasks || !a.link.session.coreTasks().calls || a.seen(recoveryTask) > 0:
		return false, err
	}
	if known := a.client.tools.get(call.name); known != nil && known.tasks != taskRequired {
		return false, err
	}
	call.task = json.RawMessage(`{}`)
	return true, nil
}

// follow waits for the end of the task that a plain call has become, and reads its result as the answer.
// The polls are part of the call: interceptors do not see them. A caller that leaves has the task
// cancelled (C-296); one that gets an *InputRequiredError has not left.
func (a *attempt) follow(ctx context.Context, s TaskState) error {
	limit := a.req.options.taskTimeout
	if limit == 0 {
		limit = a.client.opts.taskTimeout
	}
	f := &following{client: a.client, invoke: a.client.inmost, method: a.req.Method, memory: &taskMemory{tool: a.req.Name}}
	f.call = a.req.options
	f.memory.kept(&s)
	end, err := f.within(ctx, s, max(limit, 0))
	switch {
	case err != nil:
		if ctx.Err() != nil {
			a.client.abandonTask(s.ID)
		}
		return err
	case end.failure != nil:
		return end.failure
	case len(end.result) == 0:
		return &TaskError{Tool: a.req.Name, State: end}
	case a.req.Result == nil:
		return nil
	}
	if err := jsonwire.Unmarshal(end.result, a.req.Result); err != nil {
		return &InvalidResultError{Method: a.req.Method, Err: err}
	}
	return nil
}
