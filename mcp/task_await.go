package mcp

// Following a task to its end. In the extension that is polling, with input handed over on the way; in
// 2025-11-25 it is polling until there is something to fetch, then one request that waits for the
// result while the server asks for input (C-278).

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// following is one wait for one task.
type following struct {
	taskOptions
	client *Client
	invoke Invoker // whether interceptors see the polls
	method string  // what the caller called, for errors
	memory *taskMemory
	byHand bool // input is the caller's to give
	pace   pace
	news   chan TaskState // what notifications told last
}

// within follows the task from state s, but no longer than limit unless that is zero.
func (f *following) within(ctx context.Context, s TaskState, limit time.Duration) (TaskState, error) {
	bounded, cancel := ctx, context.CancelFunc(func() {})
	if limit > 0 {
		bounded, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	started := time.Now()
	end, err := f.run(bounded, s)
	switch {
	case err == nil || errors.As(err, new(*InputRequiredError)):
		return end, err
	case ctx.Err() != nil:
		return end, contextError(ctx, f.method, started)
	case bounded.Err() != nil:
		f.client.abandonTask(s.ID)
		return end, &TimeoutError{Method: f.method, Limit: "task timeout", After: limit}
	}
	return end, err
}

func (f *following) run(ctx context.Context, s TaskState) (TaskState, error) {
	f.pace.minimum = f.minimum
	f.byHand = f.call.input != nil && f.call.input.byHand
	// What concerns the call that made the task is not for the requests about it (C-299).
	f.call.input, f.call.retry, f.call.progress, f.call.maxTotal = nil, nil, nil, 0
	stop := f.watch(ctx, s.ID)
	defer stop()
	ask := s.Status != TaskWorking // a task that was just created need not be asked about at once
	for !settled(&s) {
		err := error(nil)
		switch {
		case ask:
			s, err = f.poll(ctx, s)
		default:
			var told bool
			if s, told, err = f.pause(ctx, s); err == nil && !told {
				s, err = f.poll(ctx, s)
			}
		}
		if err != nil {
			return s, err
		}
		if s, err = f.advance(ctx, s); err != nil {
			return s, err
		}
		ask = false
	}
	return s, nil
}

// advance does what a state calls for, besides waiting.
func (f *following) advance(ctx context.Context, s TaskState) (TaskState, error) {
	f.memory.kept(&s)
	if stateless(f.client.Session().Version) {
		if s.Status != TaskInputRequired {
			return s, nil
		}
		return s, f.answer(ctx, s)
	}
	if s.Status == TaskInputRequired || s.Ended() && !settled(&s) {
		return f.fetch(ctx, s)
	}
	return s, nil
}

// poll asks for the state, again if the server cannot be reached for a moment.
func (f *following) poll(ctx context.Context, s TaskState) (TaskState, error) {
	for {
		newer, err := f.client.getTask(ctx, f.invoke, s.ID, f.call)
		if err == nil {
			f.pace.succeeded()
			return newer, nil
		}
		if !f.passing(ctx, err) {
			return s, err
		}
		if s, told, err := f.pause(ctx, s); err != nil || told {
			return s, err
		}
	}
}

// fetch takes the result of a 2025-11-25 task, waiting for it without a limit of its own (C-279).
func (f *following) fetch(ctx context.Context, s TaskState) (TaskState, error) {
	patient := f.call
	if patient.timeout == 0 {
		patient.timeout = -1
	}
	for {
		answer := &rawResult{}
		err := f.invoke(ctx, &Request{Method: methodTaskResult, Name: s.ID, Params: taskParams(s.ID), Result: answer, options: patient})
		var rpc *RPCError
		switch {
		case err == nil:
			s.result = answer.raw
		case errors.As(err, &rpc) && !tryLater(rpc.Status):
			named := *rpc
			named.Method = methodCallTool
			s.failure = &named
		case f.passing(ctx, err):
			if _, _, err := f.pause(ctx, s); err != nil {
				return s, err
			}
			continue
		default:
			return s, err
		}
		return f.conclude(ctx, s), nil
	}
}

// conclude learns how a task ended whose result came while it was said to wait for input.
func (f *following) conclude(ctx context.Context, s TaskState) TaskState {
	if s.Ended() {
		return s
	}
	last, err := f.client.getTask(ctx, f.invoke, s.ID, f.call)
	if err != nil || !last.Ended() {
		last = s
		last.Status = TaskCompleted
		if s.failure != nil {
			last.Status = TaskFailed
		}
	}
	last.result, last.failure = s.result, s.failure
	return last
}

// passing reports whether err is one that may not be there at the next try.
func (f *following) passing(ctx context.Context, err error) bool {
	if ctx.Err() != nil || f.pace.failures >= maxPollFailures {
		return false
	}
	var transport *TransportError
	var rpc *RPCError
	switch {
	case errors.As(err, &rpc):
		if !tryLater(rpc.Status) {
			return false
		}
	case errors.As(err, new(*TimeoutError)):
	case errors.As(err, &transport):
		if errors.Is(err, ErrClosed) || transport.Exit != nil || errors.Is(err, ErrTooLarge) {
			return false
		}
		if transport.Status >= 400 && !tryLater(transport.Status) {
			return false
		}
	default:
		return false
	}
	f.pace.failed(err)
	return true
}

func tryLater(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// pause waits until the task is to be asked about again, or until a notification tells about it.
func (f *following) pause(ctx context.Context, s TaskState) (newer TaskState, told bool, err error) {
	left, limited := f.memory.left()
	if limited && left <= 0 {
		return s, false, &TaskError{State: s, Expired: true}
	}
	wait := f.pace.next(s.PollInterval)
	if limited {
		wait = min(wait, left)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return s, false, contextError(ctx, f.method, time.Time{})
	case newer := <-f.news:
		return newer, true, nil
	case <-timer.C:
		return s, false, nil
	}
}

// watch takes what notifications tell about the task, until stop is called.
func (f *following) watch(ctx context.Context, id string) (stop func()) {
	f.news = make(chan TaskState, 1)
	remove := f.client.hub.observe(func(l *link, n *Notification) {
		if n.Method != methodTaskChanged && n.Method != methodTaskStatus {
			return
		}
		x := &taskWire{extension: n.Method == methodTaskChanged}
		if d := l.speaks(); d == nil || stateless(d.version()) != x.extension {
			return
		}
		if jsonwire.Unmarshal(slices.Clone(n.Params), x) != nil || x.ID != id {
			return
		}
		if x.extension && x.Status == TaskCompleted && len(x.result) == 0 {
			return
		}
		select {
		case <-f.news:
		default:
		}
		select {
		case f.news <- x.TaskState:
		default:
		}
	})
	if !f.listen || !stateless(f.client.Session().Version) {
		return remove
	}
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() {
		req := &Request{Method: methodListen, Params: listenTask(id), options: callOptions{timeout: -1}}
		if err := f.client.inmost(ctx, req); err != nil && ctx.Err() == nil {
			f.client.opts.logger.Debug("mcp: not listening to a task", "error", err)
		}
	})
	return func() {
		cancel()
		work.Wait()
		remove()
	}
}

// listenTask is the filter that asks for changes of one task.
type listenTask string

func (listenTask) metaFree() {}

func (id listenTask) WriteJSON(w *jsonwire.Writer) {
	w.Literal(`{"notifications":{"taskIds":[`)
	w.String(string(id))
	w.Literal(`]}}`)
}

// taskMemory is what is known about a task beyond its last state.
type taskMemory struct {
	tool    string // whose call it is, if known
	mu      sync.Mutex
	done    map[string]bool // keys of input requests that have been answered
	arrived time.Time       // when the task was first heard of, by the local clock (C-297)
	ttl     time.Duration
	outlast func(context.Context) // ends the progress of the call that made the task; nil if there is none
}

// ended is told when the task has come to its end.
func (m *taskMemory) ended(ctx context.Context) {
	m.mu.Lock()
	end := m.outlast
	m.outlast = nil
	m.mu.Unlock()
	if end != nil {
		end(ctx)
	}
}

func (m *taskMemory) answered(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done == nil {
		m.done = map[string]bool{}
	}
	m.done[key] = true
}

// open returns the input requests that nobody has answered yet (C-293, B132).
func (m *taskMemory) open(requests map[string]json.RawMessage) map[string]json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	open := map[string]json.RawMessage{}
	for key, request := range requests {
		if !m.done[key] {
			open[key] = request
		}
	}
	return open
}

func (m *taskMemory) kept(s *TaskState) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.arrived.IsZero() {
		m.arrived = time.Now()
	}
	m.ttl = s.TTL
}

// left is how long the server keeps the task, if there is a limit.
func (m *taskMemory) left() (time.Duration, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ttl <= 0 || m.arrived.IsZero() {
		return 0, false
	}
	return m.ttl - time.Since(m.arrived), true
}
