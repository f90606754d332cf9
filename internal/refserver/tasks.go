package refserver

// Tools that run as tasks: 2025-11-25's experimental tasks, which belong to a session, and the
// tasks extension of the stateless era, which belong to whoever knows their id. The two share
// the engine and differ in how they are shown, asked for input and ended.

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"
)

type task struct {
	srv  *Server
	sess *session // nil for the extension
	id   string
	stop context.CancelFunc

	mu       sync.Mutex
	status   string
	text     string
	created  time.Time
	updated  time.Time
	ttl      json.RawMessage
	result   obj
	err      *rpcError
	requests obj                        // outstanding input requests (extension)
	answers  map[string]json.RawMessage // from tasks/update
	asks     sink                       // stream of the tasks/result call, for input (2025-11-25)
	changed  chan struct{}
}

type taskTable struct {
	mu  sync.Mutex
	all []*task
}

func (t *taskTable) find(id string) *task {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, task := range t.all {
		if task.id == id {
			return task
		}
	}
	return nil
}

func (t *taskTable) of(sess *session) []*task {
	t.mu.Lock()
	defer t.mu.Unlock()
	var own []*task
	for _, task := range t.all {
		if task.sess == sess {
			own = append(own, task)
		}
	}
	return own
}

func (t *taskTable) forget(sess *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = slices.DeleteFunc(t.all, func(task *task) bool { return task.sess == sess })
}

// needTasks demands the extension of a stateless client; sessions settled it in initialize.
func (ex *exchange) needTasks() error {
	if ex.modern() && !ex.has("extensions", tasksExtension) {
		return missingCapability(nest([]string{"extensions", tasksExtension}))
	}
	return nil
}

// startTask runs work in the background and returns its task.
func (ex *exchange) startTask(ttl json.RawMessage, work func(context.Context, *exchange) (obj, error)) *task {
	if len(ttl) == 0 {
		ttl = json.RawMessage("60000")
	}
	now := time.Now()
	t := &task{
		srv: ex.srv, sess: ex.sess, id: newID(), status: "working", text: "started",
		created: now, updated: now, ttl: ttl, answers: map[string]json.RawMessage{}, changed: make(chan struct{}),
	}
	base := ex.srv.ctx
	if ex.sess != nil {
		base = ex.sess.ctx
	}
	ctx, cancel := context.WithCancel(base)
	t.stop = cancel
	inner := *ex
	inner.task, inner.out = t, discard{}
	ex.srv.tasks.mu.Lock()
	ex.srv.tasks.all = append(ex.srv.tasks.all, t)
	ex.srv.tasks.mu.Unlock()
	ex.srv.start(func() {
		defer cancel()
		result, err := work(ctx, &inner)
		t.end(ctx, result, err)
	})
	return t
}

// discard drops what a task says: progress and log lines have no stream after the call was answered.
type discard struct{}

func (discard) send([]byte, bool, int) {}

func (t *task) end(ctx context.Context, result obj, err error) {
	t.update(func() {
		switch {
		case ctx.Err() != nil:
			t.status, t.text = "cancelled", "cancelled on request"
		case err != nil:
			t.status, t.text, t.err = "failed", err.Error(), asRPCError(err)
		case result["isError"] == true && t.sess != nil:
			t.status, t.text, t.result = "failed", "the tool reported an error", result
		default:
			t.status, t.text, t.result = "completed", "done", result
		}
	})
}

// update changes the task, unless it has ended, and tells everyone.
func (t *task) update(f func()) {
	t.mu.Lock()
	ended := t.terminal()
	if !ended {
		f()
		t.updated = time.Now()
		close(t.changed)
		t.changed = make(chan struct{})
	}
	t.mu.Unlock()
	if !ended {
		t.srv.hub.publish(change{task: t})
	}
}

// terminal reports whether the task has ended; mu is held.
func (t *task) terminal() bool {
	return t.status == "completed" || t.status == "failed" || t.status == "cancelled"
}

// wait blocks until ready, checked with mu held, or ctx is done.
func (t *task) wait(ctx context.Context, ready func() bool) error {
	for {
		t.mu.Lock()
		ok, changed := ready(), t.changed
		t.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// view is the task as the extension shows it.
func (t *task) view() obj {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.summary()
	switch t.status {
	case "input_required":
		v["inputRequests"] = t.requests
	case "completed":
		v["result"] = t.result
	case "failed":
		v["error"] = t.err
	}
	return v
}

// summary is what every view of the extension has; mu is held.
func (t *task) summary() obj {
	return obj{
		"taskId": t.id, "status": t.status, "statusMessage": t.text,
		"createdAt": stamp(t.created), "lastUpdatedAt": stamp(t.updated),
		"ttlMs": t.ttl, "pollIntervalMs": t.srv.opts.PollInterval.Milliseconds(),
	}
}

// legacyView is the task as 2025-11-25 shows it.
func (t *task) legacyView() obj {
	t.mu.Lock()
	defer t.mu.Unlock()
	return obj{
		"taskId": t.id, "status": t.status, "statusMessage": t.text,
		"createdAt": stamp(t.created), "lastUpdatedAt": stamp(t.updated),
		"ttl": t.ttl, "pollInterval": t.srv.opts.PollInterval.Milliseconds(),
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// input asks the client on behalf of the task and waits for the answers.
func (t *task) input(ctx context.Context, ex *exchange, questions []question) (map[string]json.RawMessage, error) {
	if t.sess == nil {
		return t.inputByUpdate(ctx, questions)
	}
	t.update(func() { t.status, t.text = "input_required", "waiting for input" })
	if err := t.wait(ctx, func() bool { return t.asks != nil }); err != nil {
		return nil, err
	}
	t.mu.Lock()
	out := t.asks
	t.mu.Unlock()
	answers := map[string]json.RawMessage{}
	for _, q := range questions {
		params := q.legacyParams(ex.version)
		params["_meta"] = obj{metaRelatedTask: obj{"taskId": t.id}}
		answer, err := t.sess.ask(ctx, out, q.method, params)
		if err != nil {
			return nil, err
		}
		answers[q.key] = answer
	}
	t.update(func() { t.status, t.text = "working", "input received" })
	return answers, nil
}

func (t *task) inputByUpdate(ctx context.Context, questions []question) (map[string]json.RawMessage, error) {
	t.update(func() {
		t.status, t.text, t.requests = "input_required", "waiting for input", obj{}
		for _, q := range questions {
			t.requests[q.key] = obj{"method": q.method, "params": q.params}
		}
	})
	if err := t.wait(ctx, func() bool { return len(t.requests) == 0 }); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.answers), nil
}

// taskOf finds the task that a request names.
func (ex *exchange) taskOf() (*task, error) {
	if err := ex.needTasks(); err != nil {
		return nil, err
	}
	t := ex.srv.tasks.find(stringAt(ex.params, "taskId"))
	if t == nil || t.sess != ex.sess {
		return nil, invalidParams("unknown task")
	}
	return t, nil
}

func serveTasksGet(_ context.Context, ex *exchange) (obj, error) {
	t, err := ex.taskOf()
	if err != nil {
		return nil, err
	}
	if ex.modern() {
		return t.view(), nil
	}
	return t.legacyView(), nil
}

func serveTasksUpdate(_ context.Context, ex *exchange) (obj, error) {
	t, err := ex.taskOf()
	if err != nil {
		return nil, err
	}
	responses := members(ex.params["inputResponses"])
	if responses == nil {
		return nil, invalidParams("tasks/update lacks inputResponses")
	}
	t.update(func() {
		left := obj{}
		for key, request := range t.requests {
			if answer, ok := responses[key]; ok {
				t.answers[key] = answer
			} else {
				left[key] = request
			}
		}
		t.requests = left
		if len(left) == 0 && t.status == "input_required" {
			t.status, t.text = "working", "input received"
		}
	})
	return obj{}, nil
}

func serveTasksCancel(_ context.Context, ex *exchange) (obj, error) {
	t, err := ex.taskOf()
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	ended := t.terminal()
	t.mu.Unlock()
	if ended && !ex.modern() {
		return nil, invalidParams("the task has already ended")
	}
	t.update(func() { t.status, t.text = "cancelled", "cancelled on request" })
	t.stop()
	if ex.modern() {
		return obj{}, nil
	}
	return t.legacyView(), nil
}

func serveTasksList(_ context.Context, ex *exchange) (obj, error) {
	var all []any
	for _, t := range ex.srv.tasks.of(ex.sess) {
		all = append(all, t.legacyView())
	}
	return ex.page("tasks", all)
}

// serveTasksResult waits for the end and gives exactly what the call would have given. While
// it waits, its stream carries what the task asks.
func serveTasksResult(ctx context.Context, ex *exchange) (obj, error) {
	t, err := ex.taskOf()
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	t.asks = ex.out
	close(t.changed)
	t.changed = make(chan struct{})
	t.mu.Unlock()
	if err := t.wait(ctx, t.terminal); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.err != nil:
		return nil, t.err
	case t.result == nil:
		return nil, invalidParams("the task was cancelled")
	}
	result := obj{"_meta": obj{metaRelatedTask: obj{"taskId": t.id}}}
	for k, v := range t.result {
		result[k] = v
	}
	return result, nil
}
