package mcp

// Options about tasks. Some hold for a client and for a call, so they are values of several kinds.

import (
	"context"
	"encoding/json"
	"time"
)

// A TaskOption changes how a task is started or followed. Every CallOption is one: it holds for each
// request that is made about the task.
type TaskOption interface{ applyTask(*taskOptions) }

type taskOptionFunc func(*taskOptions)

func (f taskOptionFunc) applyTask(o *taskOptions) { f(o) }

func (f callOptionFunc) applyTask(o *taskOptions) { f(&o.call) }

// taskOptions is what TaskOptions set.
type taskOptions struct {
	call    callOptions
	ttl     time.Duration
	minimum time.Duration
	input   TaskInput
	listen  bool
}

func newTaskOptions(opts []TaskOption) (*taskOptions, error) {
	o := &taskOptions{}
	for _, opt := range opts {
		opt.applyTask(o)
	}
	return o, o.call.err
}

// TaskInput answers the input requests of a task. Each key is handed over once; what is left out of the
// answers is handed over again with the next state of the task. With an error, or without any answer, the
// wait ends and the task goes on at the server.
type TaskInput func(ctx context.Context, requests map[string]json.RawMessage) (map[string]any, error)

// WithTaskInput answers a task's input requests by a function instead of the client's handlers. It
// concerns the extension; 2025-11-25 servers send requests, which only handlers can answer. What the
// client declares still follows from its handlers alone, and a server may ask only for that.
func WithTaskInput(answer TaskInput) TaskOption {
	return taskOptionFunc(func(o *taskOptions) { o.input = answer })
}

// WithTaskTTL asks a 2025-11-25 server to keep the task this long; the server may choose otherwise.
func WithTaskTTL(ttl time.Duration) TaskOption {
	return taskOptionFunc(func(o *taskOptions) { o.ttl = ttl })
}

// WithPollInterval is the least time between two polls of this task. A server that asks for more gets
// more (B131).
func WithPollInterval(minimum time.Duration) TaskOption {
	return taskOptionFunc(func(o *taskOptions) { o.minimum = minimum })
}

// WithTaskNotifications asks a 2026-07-28 server to report changes of the task (subscriptions/listen),
// so that its end is known at once. Polling goes on beside it, since reports may not come (C-298).
func WithTaskNotifications() TaskOption {
	return taskOptionFunc(func(o *taskOptions) { o.listen = true })
}

// DefaultTaskTimeout is how long a plain call follows the task that the server made of it.
const DefaultTaskTimeout = 5 * time.Minute

// TaskTimeout is both an Option and a CallOption.
type TaskTimeout struct{ limit time.Duration }

// WithTaskTimeout limits how long a task is followed, for all calls of a client or for one: by default
// 5 min for a plain call that the server turned into a task, and no limit for Await. Zero or less
// means no limit beyond the context's. Then the error is a *TimeoutError and the server is asked to
// cancel the task.
func WithTaskTimeout(limit time.Duration) TaskTimeout {
	if limit <= 0 {
		limit = -1
	}
	return TaskTimeout{limit}
}

func (t TaskTimeout) applyClient(o *options)   { o.taskTimeout = t.limit }
func (t TaskTimeout) applyCall(o *callOptions) { o.taskTimeout = t.limit }
func (t TaskTimeout) applyTask(o *taskOptions) { o.call.taskTimeout = t.limit }

// WithoutTasks leaves the tasks extension out: it is not advertised, so a 2026-07-28 server answers
// every call itself, and no call of a 2025-11-25 server is made a task.
func WithoutTasks() Option { return optionFunc(func(o *options) { o.withoutTasks = true }) }

// declareTasks advertises the extension unless it is left out (C-286).
func (o *options) declareTasks() {
	if o.withoutTasks {
		delete(o.extensions, extensionTasks)
	} else if !o.advertises(extensionTasks) {
		o.extensions[extensionTasks] = nil
	}
}

// extensionSince says from which version an extension may be declared. The core of 2025-11-25 has tasks
// of its own (C-303).
var extensionSince = map[string]string{extensionTasks: Version20260728}
