package mcp

// Listening in the era of sessions: the server announces changed lists by itself and updated
// resources when it was asked to, on whatever stream it likes.

import (
	"context"
	"errors"
	"sync/atomic"
)

// sessionRound listens until the connection is gone for good.
type sessionRound struct {
	sub   *Subscription
	asked ListenFilter
	link  atomic.Pointer[link]
}

func (s *Subscription) listenSession(l *link, asked ListenFilter) (EndReason, error) {
	c, x := s.client, &sessionRound{sub: s, asked: asked}
	x.link.Store(l)
	select {
	case <-s.lost: // of the round before
	default:
	}
	defer c.hub.observe(x.notice)()
	defer c.hub.onEnd(x.linkEnded)()
	defer c.onReconnect(x.follow)()
	if l.awaitStream(s.ctx, streamWait); s.ctx.Err() != nil {
		return EndClosed, nil
	}
	accepted, err := x.watchAll()
	defer x.unwatchAll(accepted.URIs)
	if err != nil {
		if errors.As(err, new(*RPCError)) || errors.As(err, new(*UnsupportedError)) {
			return EndRefused, err
		}
		return EndLost, err
	}
	s.agree(accepted)
	if l := x.link.Load(); !l.alive() {
		x.linkEnded(l)
	}
	select {
	case err := <-s.lost:
		return EndLost, err
	case <-s.ctx.Done():
		return EndClosed, nil
	}
}

// notice takes what the filter asks for. It runs on the reading goroutine.
func (x *sessionRound) notice(l *link, n *Notification) {
	if d := l.speaks(); d == nil || !d.servesRequests() || n.Method == methodCancelled || !noticeable(n.Method) {
		return
	}
	told := readNoticed(n)
	if e := told.event(); e != nil && x.asked.wants(e) {
		x.sub.offer(e)
	}
}

// follow moves to a link that takes over. The resources have been subscribed to on it already.
func (x *sessionRound) follow(_ context.Context, l *link) error {
	x.link.Store(l)
	if l.session.Stateless {
		x.sub.lose(errEraChanged)
		return nil
	}
	l.openStream()
	if x.sub.rounds() > 0 {
		x.sub.missed()
	}
	return nil
}

// linkEnded ends the round, unless another link has taken over or will.
func (x *sessionRound) linkEnded(l *link) {
	reason := l.pending.reason()
	waits := x.sub.client.opts.restart && !x.sub.opts.relisten
	if l != x.link.Load() || errors.Is(reason, errReplaced) || l.lost.Load() || waits {
		return
	}
	x.sub.lose(withMethod(reason, methodListen))
}

func (s *Subscription) lose(err error) {
	select {
	case s.lost <- err:
	default:
	}
}

// watchAll subscribes to the resources. What the server refuses is left out, unless nothing else is left.
func (x *sessionRound) watchAll() (ListenFilter, error) {
	s := x.sub
	accepted := x.asked
	accepted.URIs = nil
	var refusal error
	for _, uri := range x.asked.URIs {
		err := s.client.watch(s.ctx, uri)
		switch {
		case err == nil:
			accepted.URIs = append(accepted.URIs, uri)
		case errors.As(err, new(*RPCError)):
			refusal = err
			s.client.opts.logger.Warn("mcp: resource not subscribed to", "uri", printable(uri), "error", err)
		default:
			return accepted, err
		}
	}
	if accepted.IsZero() {
		return accepted, refusal
	}
	return accepted, nil
}

// unwatchAll tells the server that the resources are of no more interest, without waiting for its answers.
func (x *sessionRound) unwatchAll(uris []string) {
	if len(uris) == 0 {
		return
	}
	c := x.sub.client
	c.mu.Lock()
	l, closed := c.current, c.closed
	c.mu.Unlock()
	if closed || !l.alive() {
		c.watches.forget(uris)
		return
	}
	l.background(backgroundLimit, func(ctx context.Context) {
		for _, uri := range uris {
			if err := c.unwatch(ctx, uri); err != nil {
				c.opts.logger.Debug("mcp: resource not unsubscribed", "uri", printable(uri), "error", err)
			}
		}
	})
}
