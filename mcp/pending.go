package mcp

// The table of requests that wait for an answer. Whoever takes an entry out of the table settles it:
// the reader with an answer, or the caller who gave up. Entries are reused.

import (
	"context"
	"errors"
	"sync"
	"time"
)

type pendingCall struct {
	out     Outgoing
	ready   chan struct{} // one signal when in has the answer
	in      Incoming
	expired chan struct{} // one signal when a limit struck
	sink    *progressSink // nil unless progress was asked for
	task    bool          // it asks for a task, which a late answer names

	// stop ends a Send that waits for its own exchange; nil for connections that send asynchronously.
	stop context.CancelCauseFunc

	limit limit
}

// limit is the time a request may take.
type limit struct {
	timer *time.Timer
	armed bool
	each  time.Duration // the timeout; 0 for none
	last  time.Time     // when the maximum total time ends; zero if progress resets nothing
	name  string        // what will strike next
}

var errExpired = errors.New("timeout")
var errAnswered = errors.New("answered on another stream")

// maxFree bounds how many entries wait to be used again.
const maxFree = 128

// maxLeft bounds how many late answers are waited for.
const maxLeft = 1000

// crowd is how many calls must wait at once for their requests to be worth collecting.
const crowd = 4

// take returns an entry of the table's own: entries hold channels and timers, which must not wander
// between clients, since a client may live in a bubble of testing/synctest.
func (t *pendingTable) take() *pendingCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.free); n > 0 {
		p := t.free[n-1]
		t.free = t.free[:n-1]
		return p
	}
	return &pendingCall{ready: make(chan struct{}, 1), expired: make(chan struct{}, 1)}
}

// recycle puts p back unless a signal may still be on its way to it.
func (t *pendingTable) recycle(p *pendingCall) {
	if p.limit.armed && !p.limit.timer.Stop() {
		return
	}
	p.out.Data, p.out.Params, p.out.ID, p.out.Method, p.out.Name = nil, nil, 0, "", ""
	p.out.Version, p.out.Stateless, p.out.Deadline = "", false, time.Time{}
	p.out.answered.Store(false)
	p.in, p.sink, p.stop, p.task = Incoming{}, nil, nil, false
	p.limit = limit{timer: p.limit.timer}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.free) < maxFree {
		t.free = append(t.free, p)
	}
}

// pendingTable maps ids to waiting calls.
type pendingTable struct {
	mu    sync.Mutex
	calls map[int64]*pendingCall
	left  map[int64]struct{} // calls given up whose late answers name a task; at most maxLeft
	free  []*pendingCall
	tasks map[int64]*progressSink // of calls that asked for a task, by their token; nil if there are none
	err   error                   // set once the connection has ended
	done  chan struct{}
	idle  func() // told without the lock when the last call has left; nil while nobody asks
}

func newPendingTable() *pendingTable {
	return &pendingTable{calls: map[int64]*pendingCall{}, left: map[int64]struct{}{}, done: make(chan struct{})}
}

// add registers p, or returns why the connection can answer nothing any more.
func (t *pendingTable) add(p *pendingCall) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	t.calls[p.out.ID] = p
	p.out.crowded = len(t.calls) >= crowd
	return nil
}

// answer hands in to the call that waits for id and reports whether there is one.
func (t *pendingTable) answer(id int64, in *Incoming) bool {
	t.mu.Lock()
	p := t.calls[id]
	if p == nil {
		t.mu.Unlock()
		return false
	}
	delete(t.calls, id)
	stop, idle := p.stop, t.leftIdle()
	t.mu.Unlock()
	in.keep()
	p.in = *in
	p.out.answered.Store(true)
	elsewhere := stop != nil && in.Answering != &p.out
	p.ready <- struct{}{}
	if elsewhere {
		stop(errAnswered)
	}
	if idle != nil {
		idle()
	}
	return true
}

// forget takes p out and reports whether its answer has been handed over after all. It must not be
// called once ready has been received.
func (t *pendingTable) forget(p *pendingCall) (answered bool) {
	t.mu.Lock()
	_, waiting := t.calls[p.out.ID]
	delete(t.calls, p.out.ID)
	if waiting && p.task && len(t.left) < maxLeft {
		t.left[p.out.ID] = struct{}{}
	}
	idle := t.leftIdle()
	t.mu.Unlock()
	if waiting {
		if idle != nil {
			idle()
		}
		return false
	}
	<-p.ready
	return true
}

// late reports whether id is a call given up whose answer names a task. It does so once.
func (t *pendingTable) late(id int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.left[id]
	delete(t.left, id)
	return ok
}

// end fails every waiting call with err, exchanges of their own included; the first reason counts.
func (t *pendingTable) end(err error) (first bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return false
	}
	t.err = err
	close(t.done)
	for _, p := range t.calls {
		if p.stop != nil {
			p.stop(err)
		}
	}
	return true
}

func (t *pendingTable) reason() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// endIdle ends the table if no call waits, so that whoever finds it ended has sent nothing.
func (t *pendingTable) endIdle(err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.calls) > 0 {
		return false
	}
	if t.err == nil {
		t.err = err
		close(t.done)
	}
	return true
}

// whenIdle has idle called when the last of the calls that wait now has left.
func (t *pendingTable) whenIdle(idle func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle = idle
}

// leftIdle returns whom to tell that no call waits any more, once. The table's lock is held.
func (t *pendingTable) leftIdle() (idle func()) {
	if t.idle != nil && len(t.calls) == 0 {
		idle, t.idle = t.idle, nil
	}
	return idle
}

// outlast keeps the token id valid after the answer, which may be a task, until end is called (C-154).
func (t *pendingTable) outlast(id int64, sink *progressSink) (end func(context.Context)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tasks == nil {
		t.tasks = map[int64]*progressSink{}
	}
	t.tasks[id] = sink
	return func(ctx context.Context) {
		t.mu.Lock()
		delete(t.tasks, id)
		t.mu.Unlock()
		sink.finish(ctx)
	}
}

// progressed finds the sink of the call whose token is id and starts its timeout again.
func (t *pendingTable) progressed(id int64) (*progressSink, *Outgoing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.calls[id]
	if p == nil {
		return t.tasks[id], new(Outgoing)
	}
	if p.sink == nil {
		return nil, nil
	}
	if !p.limit.last.IsZero() {
		p.startTimer()
	}
	return p.sink, &p.out
}

// arm starts the time limits of p.
func (t *pendingTable) arm(p *pendingCall, each, maxTotal time.Duration) {
	if each <= 0 && maxTotal <= 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p.limit.each = each
	if maxTotal > 0 {
		p.limit.last = time.Now().Add(maxTotal)
	}
	p.startTimer()
}

// startTimer runs the shorter of what is left. The table's lock is held.
func (p *pendingCall) startTimer() {
	p.limit.armed = true
	next := p.limit.each
	p.limit.name = "timeout"
	if !p.limit.last.IsZero() {
		p.limit.name = "timeout without progress"
		if left := time.Until(p.limit.last); next <= 0 || left < next {
			next, p.limit.name = left, "maximum total time"
		}
	}
	if p.limit.timer == nil {
		p.limit.timer = time.AfterFunc(next, p.expire)
	} else {
		p.limit.timer.Reset(next)
	}
}

// expire ends the wait, and the exchange where there is one.
func (p *pendingCall) expire() {
	if p.stop != nil {
		p.stop(errExpired)
	}
	select {
	case p.expired <- struct{}{}:
	default:
	}
}

// timeoutError describes the limit that struck.
func (p *pendingCall) timeoutError(method string, waited time.Duration) error {
	after := p.limit.each
	if p.limit.name == "maximum total time" {
		after = waited
	}
	return &TimeoutError{Method: method, Limit: p.limit.name, After: after}
}
