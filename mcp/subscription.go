package mcp

// A subscription as the application holds it: a bounded buffer of events that never holds up the
// connection, and an end with a reason.

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"
)

// defaultEventBuffer is how many unread events a subscription keeps.
const defaultEventBuffer = 100

// A Subscription hears of changes at the server; see Client.Listen. It is safe for concurrent use.
// Its events can be read once, through Events or All.
type Subscription struct {
	client *Client
	asked  ListenFilter
	opts   listenOptions
	ctx    context.Context
	cancel context.CancelCauseFunc
	events chan Event
	opened chan struct{} // closed when the server has agreed for the first time
	done   chan struct{} // closed when all is over
	lost   chan error    // tells a round in the session era why it is over

	mu       sync.Mutex
	newest   []string // keys of the events sent last, at least of all that are unread
	accepted ListenFilter
	agreed   int // rounds that the server has agreed to
	dropped  int64
	ended    bool
	reason   EndReason
	err      error
}

// EndReason says why a subscription is over.
type EndReason string

// How a subscription can end (C-234).
const (
	// EndNone: it has not ended.
	EndNone EndReason = ""
	// EndClosed: Close was called, the client was closed, or the context ended.
	EndClosed EndReason = "closed"
	// EndCompleted: the server ended it in the orderly way, with a result.
	EndCompleted EndReason = "completed"
	// EndCancelled: the server called it off.
	EndCancelled EndReason = "cancelled"
	// EndLost: the connection broke.
	EndLost EndReason = "lost"
	// EndRefused: the server answered with an error, or cannot do what was asked.
	EndRefused EndReason = "refused"
)

// A ListenOption changes one subscription.
type ListenOption interface{ applyListen(*listenOptions) }

type listenOptionFunc func(*listenOptions)

func (f listenOptionFunc) applyListen(o *listenOptions) { f(o) }

type listenOptions struct {
	buffer   int
	newest   bool // drop the newest event when the buffer is full
	relisten bool
}

// WithEventBuffer sets how many unread events are kept; default 100. Beyond that the oldest is
// dropped and counted. Events that say the same as an unread one are never kept twice.
func WithEventBuffer(n int) ListenOption {
	return listenOptionFunc(func(o *listenOptions) { o.buffer = max(n, 1) })
}

// WithDropNewest drops the event that does not fit the buffer instead of the oldest one.
func WithDropNewest() ListenOption {
	return listenOptionFunc(func(o *listenOptions) { o.newest = true })
}

// WithRelisten listens again when the connection broke, after 1 s at first and up to 60 s if it
// breaks again at once, until Close or the end of the context. The event after that is
// [EventsMissed]. What the server ended or refused on purpose stays ended. A connection that cannot
// be used again, as that of a dead child process, also needs WithRestart.
func WithRelisten() ListenOption {
	return listenOptionFunc(func(o *listenOptions) { o.relisten = true })
}

func newSubscription(ctx context.Context, c *Client, filter ListenFilter, opts []ListenOption) *Subscription {
	s := &Subscription{
		client: c, asked: filter.clone(), opts: listenOptions{buffer: defaultEventBuffer},
		opened: make(chan struct{}), done: make(chan struct{}), lost: make(chan error, 1),
	}
	for _, opt := range opts {
		opt.applyListen(&s.opts)
	}
	s.events = make(chan Event, s.opts.buffer)
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	return s
}

// Events returns the channel of events. It is closed when the subscription has ended and what was
// buffered has been read.
func (s *Subscription) Events() <-chan Event { return s.events }

// All iterates over the events until the subscription ends; the last pair holds Err if that is not
// nil. Leaving the loop does not close the subscription.
func (s *Subscription) All() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for e := range s.events {
			if !yield(e, nil) {
				return
			}
		}
		if err := s.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Accepted returns what the server agreed to, which may be less than what was asked for (C-230).
func (s *Subscription) Accepted() ListenFilter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted.clone()
}

// Refused returns what was asked for and not agreed to.
func (s *Subscription) Refused() ListenFilter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked.without(s.accepted)
}

// Dropped returns how many events were lost because nobody read them.
func (s *Subscription) Dropped() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped
}

// Reason returns why the subscription has ended; EndNone while it has not.
func (s *Subscription) Reason() EndReason {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason
}

// Err returns the error that ended the subscription: nil before its end, after Close and after the
// server ended it in the orderly way.
func (s *Subscription) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Done is closed when the subscription has ended.
func (s *Subscription) Done() <-chan struct{} { return s.done }

// Close ends the subscription and tells the server so. It may be called again.
func (s *Subscription) Close() error {
	s.cancel(errUnsubscribed)
	<-s.done
	return nil
}

var errUnsubscribed = errors.New("subscription closed")

// offer buffers an event; it never blocks.
func (s *Subscription) offer(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	key := eventKey(e)
	unread := s.newest[len(s.newest)-len(s.events):]
	if key != "" && slices.Contains(unread, key) {
		return
	}
	select {
	case s.events <- e:
		s.remember(key)
		return
	default:
	}
	s.dropped++
	if s.opts.newest {
		return
	}
	// Only offer sends, so that once there is room it stays.
	select {
	case <-s.events:
	default:
	}
	s.events <- e
	s.remember(key)
}

func (s *Subscription) remember(key string) {
	s.newest = append(s.newest, key)
	if n := cap(s.events); len(s.newest) >= 2*n {
		s.newest = append(s.newest[:0], s.newest[len(s.newest)-n:]...)
	}
}

// agree records that the server has agreed to a round.
func (s *Subscription) agree(accepted ListenFilter) {
	s.mu.Lock()
	s.accepted = accepted
	s.agreed++
	first := s.agreed == 1
	s.mu.Unlock()
	if first {
		close(s.opened)
		return
	}
	s.missed()
}

// missed says that there was a gap.
func (s *Subscription) missed() {
	s.client.cache.forgetAll()
	s.offer(EventsMissed{})
}

// finish ends the subscription for its reader.
func (s *Subscription) finish(reason EndReason, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.reason, s.err = true, reason, err
	close(s.events)
}

// rounds is how often the server has agreed.
func (s *Subscription) rounds() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.agreed
}

// subscriptions are those of a client.
type subscriptions struct {
	mu     sync.Mutex
	open   map[*Subscription]bool
	closed bool
	work   sync.WaitGroup
}

// start runs s unless the client is closed.
func (x *subscriptions) start(s *Subscription) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return &TransportError{Method: methodListen, Err: ErrClosed}
	}
	if x.open == nil {
		x.open = map[*Subscription]bool{}
	}
	x.open[s] = true
	x.work.Go(func() {
		s.run()
		x.mu.Lock()
		delete(x.open, s)
		x.mu.Unlock()
		close(s.done)
	})
	return nil
}

func (x *subscriptions) all() []*Subscription {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := make([]*Subscription, 0, len(x.open))
	for s := range x.open {
		list = append(list, s)
	}
	return list
}

// farewellLimit bounds how long Close waits for subscriptions to tell the server that they end.
const farewellLimit = time.Second

// close ends all of them (B116).
func (x *subscriptions) close(ctx context.Context) {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	for _, s := range x.all() {
		s.cancel(ErrClosed)
	}
	ctx, cancel := context.WithTimeout(ctx, farewellLimit)
	defer cancel()
	waitFor(ctx, &x.work)
}
