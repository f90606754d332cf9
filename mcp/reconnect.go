package mcp

// Replacing the link: once for all who notice that it is gone, however many they are.

import (
	"context"
	"errors"
	"slices"
)

// dialing is an attempt to replace a link that others may wait for.
type dialing struct {
	done chan struct{}
	link *link
	err  error
}

// A restorer brings back on a new link what the server forgot with the old one: subscriptions, the
// log level (C-076, C-087).
type restorer struct {
	restore func(ctx context.Context, l *link) error
}

// onReconnect runs restore on every later link, before calls use it, until remove is called.
func (c *Client) onReconnect(restore func(ctx context.Context, l *link) error) (remove func()) {
	entry := &restorer{restore}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.restorers = append(slices.Clone(c.restorers), entry)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.restorers = slices.DeleteFunc(slices.Clone(c.restorers), func(r *restorer) bool { return r == entry })
	}
}

// live returns the link to use for the next request, restarting if that was asked for.
func (c *Client) live(ctx context.Context) (*link, error) {
	c.mu.Lock()
	l, closed := c.current, c.closed
	c.mu.Unlock()
	switch {
	case closed:
		return nil, &TransportError{Err: ErrClosed}
	case l.alive():
		return l, nil
	case !c.opts.restart:
		return nil, l.pending.reason()
	}
	return c.replace(ctx, l, c.establish)
}

// replace puts a link made by dial in the place of old, unless somebody has done so already. All
// who ask at the same time share one attempt, which does not end with the first one's context (B045).
func (c *Client) replace(ctx context.Context, old *link, dial func(context.Context) (*link, error)) (*link, error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, &TransportError{Err: ErrClosed}
	}
	if c.current != old {
		l := c.current
		c.mu.Unlock()
		return l, nil
	}
	d := c.dialing
	if d == nil {
		d = &dialing{done: make(chan struct{})}
		c.dialing = d
		c.dials.Go(func() { c.dial(d, old, dial) })
	}
	c.mu.Unlock()
	select {
	case <-d.done:
		return d.link, d.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// later runs task on a goroutine that Close waits for, unless the client is closed.
func (c *Client) later(task func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.dials.Go(task)
	}
}

func (c *Client) dial(d *dialing, old *link, dial func(context.Context) (*link, error)) {
	limit := c.opts.timeout
	if limit <= 0 {
		limit = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	d.link, d.err = dial(ctx)
	if d.err == nil {
		c.restore(ctx, d.link)
	}
	c.mu.Lock()
	c.dialing = nil
	switch {
	case d.err != nil:
	case c.closed:
		d.err = &TransportError{Err: ErrClosed}
	case d.link != old:
		c.current = d.link
		c.retired = append(c.retired, old)
		c.keepAlive(d.link)
		old.pending.whenIdle(c.sweepSoon)
	}
	c.mu.Unlock()
	close(d.done)
	if d.link != nil && errors.Is(d.err, ErrClosed) {
		_ = d.link.close(ctx, d.err)
	}
	c.sweep(ctx)
}

func (c *Client) restore(ctx context.Context, l *link) {
	c.mu.Lock()
	restorers := c.restorers
	c.mu.Unlock()
	for _, r := range restorers {
		if err := r.restore(ctx, l); err != nil {
			c.opts.logger.Warn("mcp: state of the session not restored", "error", err)
		}
	}
}

// sweep closes links that were replaced and have no calls left.
func (c *Client) sweep(ctx context.Context) {
	c.mu.Lock()
	retired := slices.Clone(c.retired)
	c.mu.Unlock()
	for _, l := range retired {
		if !l.endIdle(&TransportError{Err: errReplaced}) {
			continue
		}
		_ = l.close(ctx, &TransportError{Err: errReplaced})
		c.mu.Lock()
		c.retired = slices.DeleteFunc(c.retired, func(r *link) bool { return r == l })
		c.mu.Unlock()
	}
}

// sweepSoon sweeps on a goroutine of its own: the last call of a replaced link has just ended. Close ends
// all links itself.
func (c *Client) sweepSoon() {
	c.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		c.sweep(ctx)
	})
}

// errReplaced is what a call meets that picked a link just before it was replaced. It has not been sent.
var errReplaced = errors.New("connection replaced")

// linkEnded is told once about the end of every link.
func (c *Client) linkEnded(l *link) { c.hub.ended(l) }
