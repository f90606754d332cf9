package mcp

// The table of requests that wait for an answer. Whoever takes an entry out of the table settles it:
// the reader with an answer, or the caller who gave up. Entries are reused.

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

type pendingCall struct {
	out  Outgoing
	ends chan ending   // what ends the wait, with room for all that may happen
	in   Incoming      // the answer
	sink *progressSink // nil unless progress was asked for
	task bool          // it asks for a task, which a late answer names

	// stop ends a Send that waits for its own exchange; nil for connections that send asynchronously.
	stop context.CancelCauseFunc

	limit  limit
	struck atomic.Bool // a limit has struck
}

// ending is what ends the wait for an answer. Each happens at most once to a call.
type ending uint8

const (
	endAnswered ending = iota
	endExpired
	endLost // the connection is gone
	endings
)

// limit is the time a request may take. The table has one timer for all.
type limit struct {
	next time.Time     // when it strikes; zero for never
	each time.Duration // the timeout; 0 for none
	last time.Time     // when the maximum total time ends; zero if progress resets nothing
	name string        // what will strike next
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
	return &pendingCall{ends: make(chan ending, endings)}
}

// recycle puts p back, which must have left the table. Its answer, if there is one, has been received.
func (t *pendingTable) recycle(p *pendingCall) {
	for len(p.ends) > 0 {
		<-p.ends
	}
	p.struck.Store(false)
	p.out.Data, p.out.Params, p.out.ID, p.out.Method, p.out.Name = nil, nil, 0, "", ""
	p.out.Version, p.out.Stateless, p.out.Deadline = "", false, time.Time{}
	p.out.answered.Store(false)
	p.in, p.sink, p.stop, p.task = Incoming{}, nil, nil, false
	p.limit = limit{}
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
	timer *time.Timer // strikes at next, or later than any limit
	next  time.Time   // zero if the timer is not running
	idle  func()      // told without the lock when the last call has left; nil while nobody asks
}

func newPendingTable() *pendingTable {
	return &pendingTable{calls: map[int64]*pendingCall{}, left: map[int64]struct{}{}, done: make(chan struct{})}
}

// add registers p, whose limits run from now, or returns why the connection can answer nothing any more.
func (t *pendingTable) add(p *pendingCall, now time.Time, each, maxTotal time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	t.calls[p.out.ID] = p
	p.out.crowded = len(t.calls) >= crowd
	if each > 0 || maxTotal > 0 {
		p.limit.each = max(each, 0)
		if maxTotal > 0 {
			p.limit.last = now.Add(maxTotal)
		}
		p.limit.restart(now)
		t.watch(p.limit.next, now)
	}
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
	in.buffer, in.Data = nil, nil // they belong to the call now
	p.out.answered.Store(true)
	elsewhere := stop != nil && in.Answering != &p.out
	p.ends <- endAnswered
	if elsewhere {
		stop(errAnswered)
	}
	if idle != nil {
		idle()
	}
	return true
}

// forget takes p out and reports whether its answer has been handed over after all. It must not be
// called once the answer has been received.
func (t *pendingTable) forget(p *pendingCall) (found bool) {
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
	for <-p.ends != endAnswered {
	}
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
		p.ends <- endLost
		if p.stop != nil {
			p.stop(err)
		}
	}
	if t.timer != nil {
		t.timer.Stop()
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
func (t *pendingTable) progressed(id int64) *progressSink {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.calls[id]
	if p == nil {
		return t.tasks[id]
	}
	if p.sink == nil {
		return nil
	}
	if !p.limit.last.IsZero() && !p.struck.Load() {
		p.limit.restart(time.Now()) // later than before, so the timer may strike too early, which does no harm
	}
	return p.sink
}

// restart sets the limit to the shorter of what is left.
func (l *limit) restart(now time.Time) {
	l.name = "timeout"
	if l.last.IsZero() {
		l.next = now.Add(l.each)
		return
	}
	l.name, l.next = "maximum total time", l.last
	if next := now.Add(l.each); l.each > 0 && next.Before(l.last) {
		l.name, l.next = "timeout without progress", next
	}
}

// watch has the timer strike at next at the latest. Calls come with the same limit as a rule, so that
// one strike per limit, and not two changes of a timer per call, is what they cost. The table is locked.
func (t *pendingTable) watch(next, now time.Time) {
	if !t.next.IsZero() && !next.Before(t.next) {
		return
	}
	t.next = next
	if t.timer == nil {
		t.timer = time.AfterFunc(next.Sub(now), t.strike)
	} else {
		t.timer.Reset(next.Sub(now))
	}
}

// strike ends the wait of the calls whose limit has come, and their exchange where there is one.
func (t *pendingTable) strike() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	t.next = time.Time{}
	if t.err != nil {
		return
	}
	var next time.Time
	for _, p := range t.calls {
		switch at := p.limit.next; {
		case at.IsZero():
		case !at.After(now):
			p.limit.next = time.Time{}
			p.struck.Store(true)
			p.ends <- endExpired
			if p.stop != nil {
				p.stop(errExpired)
			}
		case next.IsZero() || at.Before(next):
			next = at
		}
	}
	if !next.IsZero() {
		t.watch(next, now)
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
