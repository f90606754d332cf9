package mcp

// Tasks are requests that go on after their first answer: the server names the task, the client asks
// for its state until it has ended. 2025-11-25 has them as an experiment of the core, 2026-07-28 as the
// extension io.modelcontextprotocol/tasks; both come as the same types here, and which of the two goes
// over the wire follows from the negotiated version alone (C-303, B133).

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcpgen/mcpgen/mcp/generated/tasks"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// TaskStatus is how a task is doing. Completed, failed and cancelled are final.
type TaskStatus = tasks.TaskStatus

// Values of TaskStatus.
const (
	TaskWorking       = tasks.TaskStatusWorking
	TaskInputRequired = tasks.TaskStatusInputRequired
	TaskCompleted     = tasks.TaskStatusCompleted
	TaskFailed        = tasks.TaskStatusFailed
	TaskCancelled     = tasks.TaskStatusCancelled
)

// TaskState is what the server said about a task at one moment.
type TaskState struct {
	// ID names the task at the server. Whoever knows it may be able to use the task: keep it out of
	// logs (C-302). It is empty if the server answered the call at once, without a task.
	ID     string
	Status TaskStatus // empty if the server has not been asked yet
	// StatusMessage explains the status to people; empty if there is nothing to say.
	StatusMessage string
	// CreatedAt and LastUpdatedAt are the server's clock; zero if it does not say.
	CreatedAt, LastUpdatedAt time.Time
	// TTL is how long the server keeps the task from CreatedAt; zero means without limit.
	TTL time.Duration
	// PollInterval is how long the server wants pollers to wait; zero if it does not say.
	PollInterval time.Duration
	// ImmediateResponse is a text for the model to go on with while the task runs (2025-11-25, C-283).
	ImmediateResponse string
	// InputRequests are what the task waits for, by key, in the extension. Answer them with Update.
	InputRequests map[string]json.RawMessage

	raw     json.RawMessage // the server's last answer about the task
	result  json.RawMessage // of the original request
	failure error           // instead of a result
}

// Ended reports whether the task has completed, failed or been cancelled.
func (s *TaskState) Ended() bool {
	return s.Status == TaskCompleted || s.Status == TaskFailed || s.Status == TaskCancelled
}

// settled reports whether the outcome itself is known, too.
func settled(s *TaskState) bool {
	return s.Status == TaskCancelled || s.Ended() && (len(s.result) > 0 || s.failure != nil)
}

// Task is one call of a tool that runs as a task, as it was when the server was last asked. It does not
// change: Get and Await return a newer one. Output is the tool's typed output; NoOutput if the call was
// made by name.
type Task[Output any] struct {
	TaskState

	core   *taskCore
	output func(*Output) jsonwire.Codec
}

// taskCore is what all states of a task share. It knows no type, so that the compiler writes it once.
type taskCore struct {
	client      *Client
	tool        *ToolInfo // nil: called by name
	memory      taskMemory
	unvalidated bool
}

//go:noinline
func newTaskCore(c *Client, tool *ToolInfo) *taskCore {
	return &taskCore{client: c, tool: tool, memory: taskMemory{tool: tool.Name}}
}

// Result returns what the tool gave. Its errors are those of a plain call: a *ToolError if a typed
// tool reports one, the *RPCError that a failed task ended with (C-291), an *OutputError if the output
// breaks its schema. It is a *TaskError if the task was cancelled or has no result yet.
func (t *Task[Output]) Result() (*ToolResult[Output], error) {
	result := &ToolResult[Output]{CallToolResult: &CallToolResult{}}
	var output jsonwire.Codec
	if t.output != nil {
		output = t.output(&result.Output)
	} else {
		output = codecOf(&result.Output)
	}
	if err := t.core.result(&t.TaskState, output, result.CallToolResult); err != nil {
		return nil, err
	}
	return result, nil
}

// Get asks the server once how the task is doing.
func (t *Task[Output]) Get(ctx context.Context, opts ...CallOption) (*Task[Output], error) {
	newer := &Task[Output]{core: t.core, output: t.output}
	if err := t.core.get(ctx, &t.TaskState, &newer.TaskState, opts); err != nil {
		return nil, err
	}
	return newer, nil
}

// Await follows the task to its end; see Tasks.Await.
func (t *Task[Output]) Await(ctx context.Context, opts ...TaskOption) (*Task[Output], error) {
	newer := &Task[Output]{core: t.core, output: t.output}
	if err := t.core.await(ctx, &t.TaskState, &newer.TaskState, opts); err != nil {
		return nil, err
	}
	return newer, nil
}

// Update answers InputRequests; see Tasks.Update. Await does not ask for these keys again.
func (t *Task[Output]) Update(ctx context.Context, responses map[string]any, opts ...CallOption) error {
	return t.core.update(ctx, t.ID, responses, opts)
}

// Cancel asks the server to stop the task; see Tasks.Cancel.
func (t *Task[Output]) Cancel(ctx context.Context, opts ...CallOption) error {
	return t.core.cancel(ctx, t.ID, opts)
}

func (t *taskCore) get(ctx context.Context, known, newer *TaskState, opts []CallOption) error {
	if known.ID == "" {
		*newer = *known
		return nil
	}
	state, err := t.client.Tasks().get(ctx, known.ID, opts)
	if err != nil {
		return err
	}
	if state.Ended() {
		t.memory.ended(ctx)
	}
	t.take(known, state, newer)
	return nil
}

func (t *taskCore) await(ctx context.Context, known, newer *TaskState, opts []TaskOption) error {
	if known.ID == "" {
		*newer = *known
		return nil
	}
	state, err := t.client.Tasks().await(ctx, *known, &t.memory, opts)
	if err != nil {
		return err
	}
	t.take(known, state, newer)
	return nil
}

func (t *taskCore) take(known *TaskState, state TaskState, newer *TaskState) {
	if *newer = state; newer.ImmediateResponse == "" {
		newer.ImmediateResponse = known.ImmediateResponse
	}
}

func (t *taskCore) update(ctx context.Context, id string, responses map[string]any, opts []CallOption) error {
	if err := t.client.Tasks().update(ctx, id, responses, opts); err != nil {
		return err
	}
	for key := range responses {
		t.memory.answered(key)
	}
	return nil
}

//go:noinline
func (t *taskCore) cancel(ctx context.Context, id string, opts []CallOption) error {
	if id == "" {
		return nil
	}
	return t.client.Tasks().cancel(ctx, id, opts)
}

// result reads the outcome of a task into result and output.
func (t *taskCore) result(s *TaskState, output jsonwire.Codec, result *CallToolResult) error {
	call := &toolCall{name: t.memory.tool, untyped: t.tool == nil}
	if call.out.result = result; t.tool != nil {
		call.describe(t.tool, nil, output, result)
	}
	call.req.options.unvalidated = t.unvalidated
	call.out.options = &call.req.options
	switch {
	case s.failure != nil:
		return s.failure
	case len(s.result) == 0:
		return &TaskError{Tool: call.name, State: *s}
	}
	if err := jsonwire.Unmarshal(s.result, &call.out); err != nil {
		return &InvalidResultError{Method: methodCallTool, Err: err}
	}
	return t.client.judge(call)
}

// Start calls the tool as a task and returns as soon as the server has taken it; what it gives at once
// comes back as a completed task without an ID. Await follows it, Result takes the output.
//
// In 2025-11-25 the client asks for a task: the error is an *UnsupportedError if the server does not
// run tool calls as tasks, ErrNoTask if this tool may not (C-274, C-275). With the extension the server
// decides (C-287).
func (s *ToolSpec[Args, Output]) Start(ctx context.Context, c *Client, args Args, opts ...TaskOption) (*Task[Output], error) {
	call, task := &toolCall{}, s.Resume(c, "")
	var in jsonwire.Codec
	if s.Args != nil {
		in = s.Args(&args)
	} else {
		in = codecOf(&args)
	}
	call.describe(&s.ToolInfo, in, nil, &CallToolResult{})
	if err := task.core.run(ctx, call, &task.TaskState, opts); err != nil {
		return nil, err
	}
	return task, nil
}

// Resume returns a task by its ID, for instance one that an earlier process started (C-289). The server
// is not asked yet: use Get or Await.
func (s *ToolSpec[Args, Output]) Resume(c *Client, id string) *Task[Output] {
	return &Task[Output]{TaskState: TaskState{ID: id}, core: newTaskCore(c, &s.ToolInfo), output: s.Output}
}

// TaskError says that a task has no result: it was cancelled, has not ended, or has outlived its TTL.
type TaskError struct {
	Tool    string // empty if not known
	State   TaskState
	Expired bool // the time that the server keeps the task has passed
}

func (e *TaskError) Error() string {
	text := "task"
	if e.Tool != "" {
		text = "task of tool \"" + printable(e.Tool) + "\""
	}
	switch {
	case e.Expired:
		text += ": the server keeps it no longer"
	case e.State.Status == TaskCancelled:
		text += ": cancelled"
	case e.State.Ended():
		return text + " has ended, but its result was not fetched: use Await"
	default:
		return text + " has not ended: use Await"
	}
	if e.State.StatusMessage != "" {
		text += ": " + printable(e.State.StatusMessage)
	}
	return text
}

// ErrNoTask says that a tool does not run as a task.
var ErrNoTask = errors.New("the tool does not run as a task")

var (
	errTasksOff  = errors.New("tasks are left out by WithoutTasks")
	errTaskShape = errors.New("a task in the form of another protocol version")
)
