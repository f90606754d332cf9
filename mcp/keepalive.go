package mcp

// Pings that show whether a session-era server is still there while nobody calls (C-148).

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// keepAliveMisses is how many pings in a row must stay without an answer before the server counts as gone.
const keepAliveMisses = 3

// WithKeepAlive pings a session-era server every interval, which is also how long each answer may
// take. When three pings in a row go unanswered the connection has failed: calls in flight end with a
// *TransportError, and WithRestart opens a new one for the next. Any answer shows life, an error
// included; a server that does not know ping is not asked again. 2026-07-28 has no ping, so that
// nothing is sent (C-149).
func WithKeepAlive(interval time.Duration) Option {
	return optionFunc(func(o *options) {
		if interval <= 0 {
			o.err = fmt.Errorf("keep-alive interval %v: must be positive", interval)
		}
		o.keepAlive = interval
	})
}

// keepAlive pings l until it ends, if that was asked for and the era has it.
func (c *Client) keepAlive(l *link) {
	if c.opts.keepAlive <= 0 || l.session.Stateless {
		return
	}
	l.work.Go(func() {
		ticks := time.NewTicker(c.opts.keepAlive)
		defer ticks.Stop()
		for misses := 0; misses < keepAliveMisses; {
			select {
			case <-ticks.C:
			case <-l.ctx.Done():
				return
			}
			err := l.ping(c.opts.keepAlive)
			switch {
			case errors.Is(err, ErrMethodNotFound):
				return
			case silent(err):
				misses++
			default:
				misses = 0
			}
		}
		l.end(&TransportError{Err: fmt.Errorf("%d pings in a row went unanswered", keepAliveMisses)})
	})
}

func (l *link) ping(limit time.Duration) error {
	ctx, cancel := context.WithTimeout(l.ctx, limit)
	defer cancel()
	return l.perform(ctx, &Request{Method: methodPing})
}

// silent reports whether err leaves it open that the server is there at all: a server that answers
// with an HTTP status is.
func silent(err error) bool {
	var te *TransportError
	return err != nil && !errors.As(err, new(*RPCError)) && !errors.As(err, new(*InvalidResultError)) &&
		!(errors.As(err, &te) && te.Status != 0)
}
