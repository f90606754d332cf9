package mcp

// The requests about tasks, one method each. What a task's tool gives is read by whoever knows its type:
// see ToolSpec.Start for typed tools.

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/generated/tasks"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Tasks makes the requests about tasks. It is safe for concurrent use.
type Tasks struct{ client *Client }

// Tasks gives access to long calls. A plain call needs none of it: it follows a task by itself.
func (c *Client) Tasks() *Tasks { return &Tasks{c} }

// handle is a task whose tool is known by name only.
func (t *Tasks) handle(tool string) *Task[NoOutput] {
	return &Task[NoOutput]{core: &taskCore{client: t.client, memory: taskMemory{tool: tool}}}
}

// Start calls a tool by name as a task; see ToolSpec.Start. A result with isError set comes back as it is.
func (t *Tasks) Start(ctx context.Context, tool string, arguments any, opts ...TaskOption) (*Task[NoOutput], error) {
	call := untypedCall(tool, arguments)
	task := t.handle(tool)
	if err := task.core.run(ctx, call, &task.TaskState, opts); err != nil {
		return nil, err
	}
	return task, nil
}

// Get asks once how a task is doing. An unknown or expired ID is an *RPCError with CodeInvalidParams.
func (t *Tasks) Get(ctx context.Context, id string, opts ...CallOption) (*Task[NoOutput], error) {
	if err := t.allowed(methodGetTask); err != nil {
		return nil, err
	}
	state, err := t.get(ctx, id, opts)
	if err != nil {
		return nil, err
	}
	task := t.handle("")
	task.TaskState = state
	return task, nil
}

// Await follows a task until it has ended, also one that has failed: Task.Result tells. It polls at the
// pace that the server asks for, within bounds, and tries again when the server cannot be reached for a
// moment. Input that the task asks for is given by the function of WithTaskInput or by the client's
// handlers, each key once (C-293); if neither can, the error is an *InputRequiredError, whose Result
// holds the task: use Update and await it again.
//
// When ctx ends the task goes on, and may be awaited again; with WithTaskTimeout it is cancelled at the
// limit. A task that outlives its TTL is a *TaskError.
func (t *Tasks) Await(ctx context.Context, id string, opts ...TaskOption) (*Task[NoOutput], error) {
	if err := t.allowed(methodGetTask); err != nil {
		return nil, err
	}
	task := t.handle("")
	state, err := t.await(ctx, TaskState{ID: id}, &task.core.memory, opts)
	if err != nil {
		return nil, err
	}
	task.TaskState = state
	return task, nil
}

// Update answers input requests of a task, all or some, by their keys (C-292). A value is a result of
// the method asked for, or anything that encodes as such. 2025-11-25 has no such request: the error is an
// *UnsupportedError, and handlers answer.
func (t *Tasks) Update(ctx context.Context, id string, responses map[string]any, opts ...CallOption) error {
	if err := t.allowed(methodUpdateTask); err != nil {
		return err
	}
	return t.update(ctx, id, responses, opts)
}

func (t *Tasks) update(ctx context.Context, id string, responses map[string]any, opts []CallOption) error {
	if t.client.opts.withoutTasks {
		return fmt.Errorf("%s: %w", methodUpdateTask, errTasksOff)
	}
	params, err := updateParams(id, responses)
	if err != nil {
		return err
	}
	return t.client.call(ctx, &Request{Method: methodUpdateTask, Name: id, Params: params}, opts)
}

// Cancel asks the server to stop a task. The server need not: the task may still complete (C-296), and
// Get tells. A 2025-11-25 server refuses for a task that has ended (C-281).
func (t *Tasks) Cancel(ctx context.Context, id string, opts ...CallOption) error {
	if err := t.allowed(methodCancelTask); err != nil {
		return err
	}
	return t.cancel(ctx, id, opts)
}

func (t *Tasks) cancel(ctx context.Context, id string, opts []CallOption) error {
	if t.client.opts.withoutTasks {
		return fmt.Errorf("%s: %w", methodCancelTask, errTasksOff)
	}
	s := t.client.Session()
	if s.Version == Version20251125 && !s.coreTasks().cancel && !t.client.opts.unchecked {
		return &UnsupportedError{Method: methodCancelTask, Version: s.Version, Capability: "tasks.cancel"}
	}
	return t.client.call(ctx, cancelRequest(id), opts)
}

// allowed refuses a request about a task that this client has only the ID of, if the server has told
// that it does not know the extension (C-066). A server that made a task all the same is asked about it.
func (t *Tasks) allowed(method string) error {
	s := t.client.Session()
	if !s.Stateless || s.declared == nil || t.client.opts.unchecked || t.client.opts.withoutTasks {
		return nil
	}
	if _, ok := s.Capabilities.Extensions[extensionTasks]; ok {
		return nil
	}
	return &UnsupportedError{Method: method, Version: s.Version, Capability: "extensions." + extensionTasks}
}

// ServerSupports tells whether tool calls can become tasks here: the server declares it and this client
// does not leave it out. It asks a 2026-07-28 server that has not been asked yet.
func (t *Tasks) ServerSupports(ctx context.Context, opts ...CallOption) (bool, error) {
	s := t.client.Session()
	if t.client.opts.withoutTasks {
		return false, nil
	}
	if !stateless(s.Version) {
		return s.coreTasks().calls, nil
	}
	if s.declared != nil {
		_, ok := s.Capabilities.Extensions[extensionTasks]
		return ok, nil
	}
	found, err := t.client.Discover(ctx, opts...)
	if err != nil {
		return false, err
	}
	_, ok := found.Capabilities.Extensions[extensionTasks]
	return ok, nil
}

func stateless(version string) bool { return version >= Version20260728 }

func (t *Tasks) get(ctx context.Context, id string, opts []CallOption) (TaskState, error) {
	var o callOptions
	if err := o.apply(opts); err != nil {
		return TaskState{}, fmt.Errorf("%s: %w", methodGetTask, err)
	}
	return t.client.getTask(ctx, t.client.invoke, id, o)
}

func (t *Tasks) await(ctx context.Context, s TaskState, memory *taskMemory, opts []TaskOption) (TaskState, error) {
	o, err := newTaskOptions(opts)
	if err != nil {
		return s, fmt.Errorf("%s: %w", methodGetTask, err)
	}
	f := &following{client: t.client, invoke: t.client.invoke, method: methodGetTask, taskOptions: *o, memory: memory}
	end, err := f.within(ctx, s, max(o.call.taskTimeout, 0))
	if end.Ended() {
		memory.ended(ctx)
	}
	return end, err
}

// getTask asks for a task's state. invoke says whether interceptors see the request.
func (c *Client) getTask(ctx context.Context, invoke Invoker, id string, o callOptions) (TaskState, error) {
	if c.opts.withoutTasks {
		return TaskState{}, fmt.Errorf("%s: %w", methodGetTask, errTasksOff)
	}
	answer := &rawResult{}
	req := &Request{Method: methodGetTask, Name: id, Params: taskParams(id), Result: answer, options: o}
	if err := invoke(ctx, req); err != nil {
		return TaskState{}, err
	}
	x := &taskWire{extension: stateless(req.Version)}
	err := jsonwire.Unmarshal(answer.raw, x)
	switch {
	case err != nil:
	case x.ID != id:
		err = fmt.Errorf("the server answers with another task")
	case x.extension && x.Status == TaskCompleted && len(x.result) == 0:
		err = fmt.Errorf("a completed task has no result")
	default:
		return x.TaskState, nil
	}
	return TaskState{}, &InvalidResultError{Method: methodGetTask, Err: err}
}

func cancelRequest(id string) *Request {
	return &Request{Method: methodCancelTask, Name: id, Params: taskParams(id)}
}

// abandonTask asks the server to stop a task that nobody waits for any more, without delaying the caller.
func (c *Client) abandonTask(id string) {
	c.mu.Lock()
	l := c.current
	c.mu.Unlock()
	l.abandonTask(id)
}

func (l *link) abandonTask(id string) {
	l.background(backgroundLimit, func(ctx context.Context) {
		if err := l.perform(ctx, cancelRequest(id)); err != nil {
			l.client.opts.logger.Debug("mcp: task not cancelled", "error", err)
		}
	})
}

// cancelCreated cancels the task that a late answer names: its caller has left without a word to the
// server, since a request for a task is not called off by a notification (C-146).
func (l *link) cancelCreated(answer []byte) {
	env, err := jsonrpc.Scan(answer)
	if err != nil || env.Result.IsZero() {
		return
	}
	if state, err := createdTask(env.Result.Of(answer), false); err == nil {
		l.abandonTask(state.ID)
	}
}

func taskParams(id string) jsonwire.Appender { return &tasks.GetTaskRequestParams{TaskID: id} }

// updateParams are the params of tasks/update.
func updateParams(id string, responses map[string]any) (jsonwire.Appender, error) {
	p := updateTaskParams{id: id, responses: map[string]json.RawMessage{}}
	for key, response := range responses {
		w := jsonwire.NewWriter(nil)
		appender(response).WriteJSON(w)
		text := w.Bytes()
		if err := w.Err(); err != nil {
			return nil, fmt.Errorf("%s: answer %q: %w", methodUpdateTask, key, err)
		}
		if len(text) == 0 || text[0] != '{' {
			return nil, fmt.Errorf("%s: answer %q must be a JSON object", methodUpdateTask, key)
		}
		p.responses[key] = text
	}
	return p, nil
}

type updateTaskParams struct {
	id        string
	responses map[string]json.RawMessage
}

func (updateTaskParams) metaFree() {}

func (p updateTaskParams) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"taskId":`)
	w.String(p.id)
	w.Member(`"inputResponses":`)
	w.BeginObject()
	w.Extra(p.responses)
	w.EndObject()
	w.EndObject()
}
