package mcp

// Listening: one subscription over as many rounds as its connection makes of it, in whichever era the
// connection is in at the time.

import (
	"context"
	"errors"
	"time"
)

// Listen subscribes to changes at the server and returns once the server has agreed.
//
// With a 2026-07-28 server it sends subscriptions/listen. With an older one it sends
// resources/subscribe for each of filter.URIs, again after every reconnect, and picks the
// notifications that the server sends by itself; over Streamable HTTP it opens the stream on which
// they come. Parts of the filter that the server does not declare are left out; see
// Subscription.Refused. The error is an *UnsupportedError if nothing is left, an *RPCError if the
// server refuses, a *TimeoutError if it does not agree within the client's default timeout.
//
// The subscription lasts until Close, until ctx ends, or until the server or the connection ends it;
// no timeout of calls applies (C-232). Any number may be open at once. Events that nobody reads are
// dropped, never waited for: see WithEventBuffer.
func (c *Client) Listen(ctx context.Context, filter ListenFilter, opts ...ListenOption) (*Subscription, error) {
	if filter.IsZero() {
		return nil, errors.New("subscriptions/listen: not sent: the filter asks for nothing") // C-228
	}
	s := newSubscription(ctx, c, filter, opts)
	if err := c.listens.start(s); err != nil {
		s.cancel(nil)
		return nil, err
	}
	select {
	case <-s.opened:
		return s, nil
	case <-s.done:
	}
	if s.rounds() > 0 {
		return s, nil
	}
	return nil, s.Err()
}

// run listens until nothing more can come.
func (s *Subscription) run() {
	defer s.cancel(nil)
	var pace backoff
	for {
		began, before := time.Now(), s.rounds()
		reason, err := s.round()
		if s.ctx.Err() != nil {
			s.finish(EndClosed, s.whyClosed())
			return
		}
		if errors.Is(err, errEraChanged) {
			continue
		}
		if reason == EndLost && s.opts.relisten && s.rounds() > 0 && s.client.canReturn() {
			if s.rounds() > before && time.Since(began) >= healthyLife {
				pace.reset()
			}
			if pause(s.ctx, pace.next()) != nil {
				s.finish(EndClosed, s.whyClosed())
				return
			}
			continue
		}
		if err == nil && s.rounds() == 0 {
			err = &TransportError{Method: methodListen, Err: errUnacknowledged}
		}
		s.finish(reason, err)
		return
	}
}

// whyClosed is nil after Close; otherwise it says who else ended the subscription.
func (s *Subscription) whyClosed() error {
	cause := context.Cause(s.ctx)
	switch {
	case errors.Is(cause, errUnsubscribed):
		return nil
	case errors.Is(cause, ErrClosed):
		return &TransportError{Method: methodListen, Err: ErrClosed}
	}
	return contextError(s.ctx, methodListen, time.Time{})
}

// round listens once, on the connection there is.
func (s *Subscription) round() (EndReason, error) {
	l, err := s.client.live(s.ctx)
	if err != nil {
		return EndLost, withMethod(err, methodListen)
	}
	asked := s.asked
	if !s.client.opts.unchecked {
		asked = l.told().offers(asked)
	}
	if asked.IsZero() {
		return EndRefused, &UnsupportedError{Method: methodListen, Version: l.speaks().version(), Capability: s.asked.names()}
	}
	if l.session.Stateless {
		return s.listenStateless(l, asked)
	}
	return s.listenSession(l, asked)
}

var (
	// errEraChanged says that the other way of listening is the right one now.
	errEraChanged     = errors.New("the server speaks another era now")
	errUnacknowledged = errors.New("the subscription ended before it was acknowledged")
)

// canReturn reports whether a new round can find a connection.
func (c *Client) canReturn() bool {
	c.mu.Lock()
	l := c.current
	c.mu.Unlock()
	return c.opts.restart || l.alive()
}

// offers returns the part of f that the server declares (C-228); all of it while nothing is known.
func (s *Session) offers(f ListenFilter) ListenFilter {
	if s.declared == nil {
		return f
	}
	caps := &s.Capabilities
	f.Tools = f.Tools && caps.Tools != nil && isTrue(caps.Tools.ListChanged)
	f.Prompts = f.Prompts && caps.Prompts != nil && isTrue(caps.Prompts.ListChanged)
	f.Resources = f.Resources && caps.Resources != nil && isTrue(caps.Resources.ListChanged)
	if caps.Resources == nil || !isTrue(caps.Resources.Subscribe) {
		f.URIs = nil
	}
	return f
}

func isTrue(b *bool) bool { return b != nil && *b }
