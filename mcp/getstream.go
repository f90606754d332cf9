package mcp

// The stream that a session of Streamable HTTP may offer on GET: on it the server says what belongs to
// no request of the client's. It is opened when somebody listens: as soon as the session begins, if
// the client has a notification handler or answers requests of the server (B106); else with the
// first subscription. A server without one says so, and that is no error (C-091).

import (
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	// maxStreamTries bounds reopenings that come to nothing; then the stream is given up until
	// somebody asks for it again (B036). The session goes on.
	maxStreamTries = 10
	// minReopen keeps a server that asks for no delay at all from being flooded.
	minReopen = 100 * time.Millisecond
	// streamWait bounds how long a new subscription waits for the answer to GET.
	streamWait = 5 * time.Second
	// firstStreamWait bounds how long a new session that answers requests of the server waits so: what
	// the server asks before it has the stream is lost (B106), but some servers say nothing on it for long.
	firstStreamWait = time.Second
)

// A streamWatcher hears what becomes of the stream.
type streamWatcher interface {
	// streamReopened: it is there again; without an event id to go on from, something may be missing.
	streamReopened(gap bool)
	// streamDown: it is given up.
	streamDown(err error)
	// streamWithoutSession: the server has forgotten the session.
	streamWithoutSession()
}

// ownStream is the stream of one connection.
type ownStream struct {
	mu      sync.Mutex
	running bool
	refused bool // the server does not offer it
	closed  bool
	ready   chan struct{} // closed after the first answer to GET
}

// openStream opens the stream unless that has been tried, and returns a channel that is closed when
// the server has answered.
func (c *httpConn) openStream() <-chan struct{} {
	s := &c.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running || s.refused {
		return s.ready
	}
	s.ready = make(chan struct{})
	if s.closed {
		close(s.ready)
		return s.ready
	}
	s.running = true
	f := &streamFollower{conn: c, ready: s.ready, at: cursor{retry: -1}}
	c.work.Go(f.run)
	return s.ready
}

// shut keeps the stream from being opened, or missed, any more.
func (s *ownStream) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

func (s *ownStream) stopped(refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.refused = false, refused
}

func (s *ownStream) isShut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// streamFollower keeps the stream open.
type streamFollower struct {
	conn   *httpConn
	ready  chan struct{}
	at     cursor // of this stream alone (B039)
	opened bool
	pace   backoff
	wait   time.Duration // at least, because a refusal said so
}

// streamEnd says how one GET ended.
type streamEnd int

const (
	streamAgain     streamEnd = iota // try again
	streamRefused                    // there is no such stream
	streamForgotten                  // the session is gone
)

func (f *streamFollower) run() {
	c := f.conn
	watcher, _ := receiverAs[streamWatcher](c.in)
	for {
		end, err := f.once(watcher)
		f.answered()
		switch {
		case c.ctx.Err() != nil || c.stream.isShut():
			c.stream.stopped(true)
			return
		case end == streamRefused:
			c.stream.stopped(true)
			return
		case end == streamForgotten: // B041
			c.stream.stopped(true)
			if watcher != nil {
				watcher.streamWithoutSession()
			}
			return
		case f.pace.tries >= maxStreamTries:
			c.stream.stopped(false)
			if watcher != nil {
				watcher.streamDown(err)
			}
			return
		}
		if pause(c.ctx, f.delay()) != nil {
			c.stream.stopped(true)
			return
		}
	}
}

// answered says that the first answer has come.
func (f *streamFollower) answered() {
	if f.ready != nil {
		close(f.ready)
		f.ready = nil
	}
}

// once opens the stream and reads it to its end.
func (f *streamFollower) once(watcher streamWatcher) (streamEnd, error) {
	c := f.conn
	f.wait = 0
	resp, err := c.get(c.ctx, f.at.id)
	if err != nil {
		return streamAgain, &TransportError{Err: err}
	}
	if resp.StatusCode != http.StatusOK || contentType(resp) != "text/event-stream" {
		return f.refusal(resp)
	}
	if f.opened && watcher != nil {
		watcher.streamReopened(f.at.id == "")
	}
	f.opened = true
	f.answered()
	began := time.Now()
	f.at.messages = 0
	err = c.readStream(resp, nil, &f.at)
	if f.at.messages > 0 || time.Since(began) >= healthyLife {
		f.pace.reset()
	}
	return streamAgain, err
}

// refusal sorts answers to GET that are no stream. A session that was never heard on this stream is
// not given up for a 404: many servers say it for "no such stream". Once it was, other refusals are
// of the moment: the server may still be clearing up after the last connection (B037).
func (f *streamFollower) refusal(resp *http.Response) (streamEnd, error) {
	err := &TransportError{Status: resp.StatusCode, Err: statusError(resp), Body: excerpt(resp)}
	f.wait = min(retryAfter(err, time.Now()), maxRetryWait)
	switch status := resp.StatusCode; {
	case status < 300, status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented:
		return streamRefused, err
	case status == http.StatusNotFound && f.opened && f.conn.session.Load() != nil:
		return streamForgotten, err
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict,
		status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return streamAgain, err
	case !f.opened:
		return streamRefused, err
	}
	f.at.id = "" // it may be what the server does not like
	return streamAgain, err
}

// delay is what the server asked for (C-096), and more if that comes to nothing.
func (f *streamFollower) delay() time.Duration {
	d := f.pace.next()
	if f.at.retry >= 0 {
		asked := max(min(f.at.retry, maxRetryWait), minReopen)
		if f.pace.tries == 1 {
			d = asked
		}
		d = max(d, asked)
	}
	return max(d, f.wait)
}

// A streamingConn can open a stream for what belongs to no request.
type streamingConn interface{ openStream() <-chan struct{} }

// openStream opens the server's own stream where the transport has such a thing.
func (l *link) openStream() <-chan struct{} {
	if conn, ok := connAs[streamingConn](l.conn); ok {
		return conn.openStream()
	}
	return nil
}

// awaitStream opens the stream and waits until the server has said whether there is one, so that
// nothing is missed that is announced from then on; but no longer than wait.
func (l *link) awaitStream(ctx context.Context, wait time.Duration) {
	ready := l.openStream()
	if ready == nil {
		return
	}
	limit := time.NewTimer(wait)
	defer limit.Stop()
	select {
	case <-ready:
	case <-limit.C:
	case <-ctx.Done():
	case <-l.ctx.Done():
	}
}

// answersRequests reports whether somebody handles requests of the server other than ping.
func (o *options) answersRequests() bool { return len(o.serves) > 1 }

// listensFromStart reports whether the client wants the server's own stream without any subscription:
// somebody handles notifications, or requests of the server.
func (o *options) listensFromStart() bool { return o.notified != nil || o.answersRequests() }

func (l *link) streamReopened(gap bool) {
	if !gap {
		return
	}
	l.eachSubscription((*Subscription).missed)
}

func (l *link) streamDown(err error) {
	l.client.opts.logger.Warn("mcp: the server's event stream cannot be kept open", "error", err)
	l.eachSubscription(func(s *Subscription) { s.lose(withMethod(err, methodListen)) })
}

// eachSubscription visits the subscriptions that listen on l.
func (l *link) eachSubscription(visit func(*Subscription)) {
	c := l.client
	c.mu.Lock()
	current := c.current == l
	c.mu.Unlock()
	if !current || l.session.Stateless {
		return
	}
	for _, s := range c.listens.all() {
		if s.rounds() > 0 {
			visit(s)
		}
	}
}

// streamWithoutSession starts a new session, which brings subscriptions back.
func (l *link) streamWithoutSession() {
	c := l.client
	l.lost.Store(true)
	c.later(func() {
		if _, err := c.replace(context.Background(), l, c.establish); err != nil {
			for _, s := range c.listens.all() {
				s.lose(withMethod(err, methodListen))
			}
		}
	})
}
