package mcp

// A link is one live connection with the era that was agreed on it. A client has one at a time; when
// a session is lost or a child dies, the next link takes over and the calls of the old one end by
// themselves.

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

type link struct {
	client  *Client
	conn    Conn
	async   bool // conn.Send does not wait for answers
	pending *pendingTable
	serving *serving

	// Set by the negotiation, before any other goroutine may use the link for calls.
	dialect atomic.Pointer[dialect]
	session Session

	// discovered is what an explicit Discover has told since, instead of session.
	discovered atomic.Pointer[Session]

	// lost is set once the server has forgotten the session, so that Close does not end it again.
	lost atomic.Bool

	// settled is set when session holds what the server told, so that its requests can be served.
	settled atomic.Bool

	// confirmed is set once the server has answered in the era of the dialect.
	confirmed atomic.Bool

	ctx    context.Context // ends with the link; for work that no caller waits for
	cancel context.CancelFunc
	work   sync.WaitGroup

	unmatched atomic.Int64 // answers and progress for calls that are not there any more
	rejected  atomic.Int64 // messages that made no sense
}

// openLink opens a connection through transport.
func (c *Client) openLink(ctx context.Context, transport Transport) (*link, error) {
	l := &link{client: c, pending: newPendingTable()}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.serving = newServing(l)
	conn, err := transport.Open(ctx, l)
	if err != nil {
		l.cancel()
		return nil, err
	}
	l.conn = conn
	a, ok := conn.(asyncConn)
	l.async = ok && a.SendsAsync()
	return l, nil
}

// told is what is known of the server.
func (l *link) told() *Session {
	if s := l.discovered.Load(); s != nil {
		return s
	}
	return &l.session
}

// speaks returns the dialect; nil before negotiation has begun.
func (l *link) speaks() dialect {
	if d := l.dialect.Load(); d != nil {
		return *d
	}
	return nil
}

func (l *link) speak(d dialect) { l.dialect.Store(&d) }

// Closed says that the connection has ended.
func (l *link) Closed(err error) {
	if err == nil {
		err = &TransportError{Err: errors.New("connection closed by the server")}
	}
	l.end(err)
}

func (l *link) end(err error) {
	if l.pending.end(err) {
		if unmatched, rejected := l.unmatched.Load(), l.rejected.Load(); unmatched+rejected > 0 {
			l.client.opts.logger.Info("mcp: connection ended", "unmatched", unmatched, "rejected", rejected)
		}
		l.cancel()
		l.client.linkEnded(l)
	}
}

// endIdle ends the link if it has no calls.
func (l *link) endIdle(err error) bool {
	if !l.alive() {
		return true
	}
	if !l.pending.endIdle(err) {
		return false
	}
	l.cancel()
	l.client.linkEnded(l)
	return true
}

// alive reports whether the link can still carry calls.
func (l *link) alive() bool {
	select {
	case <-l.pending.done:
		return false
	default:
		return true
	}
}

// close ends the link for reason and releases what it holds. Safe to call again.
func (l *link) close(ctx context.Context, reason error) error {
	l.end(reason)
	err := l.conn.Close(ctx)
	waitFor(ctx, &l.work)
	return err
}

// background runs a task that no caller waits for. It ends with the link.
func (l *link) background(limit time.Duration, task func(ctx context.Context)) {
	if !l.alive() {
		return
	}
	l.work.Go(func() {
		ctx, cancel := context.WithTimeout(l.ctx, limit)
		defer cancel()
		task(ctx)
	})
}

// backgroundLimit bounds messages that nobody waits for: answers, cancellations.
const backgroundLimit = 5 * time.Second

// notify sends a notification. params is JSON text or empty.
func (l *link) notify(ctx context.Context, method, params string) error {
	buf := takeBuffer()
	defer buf.release()
	buf.b = append(buf.b, `{"jsonrpc":"2.0","method":"`...)
	buf.b = append(buf.b, method...)
	buf.b = append(buf.b, '"')
	if params != "" {
		buf.b = append(buf.b, `,"params":`...)
		buf.b = append(buf.b, params...)
	}
	buf.b = append(buf.b, '}')
	out := &Outgoing{Data: buf.b, Method: method}
	if d := l.speaks(); d != nil {
		if err := d.address(out, addressFacts{req: &Request{Method: method}}); err != nil {
			return err
		}
	}
	return l.conn.Send(ctx, out)
}

func (l *link) MessageLimit() int { return l.client.opts.maxMessage }
