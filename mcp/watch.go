package mcp

// Resources that a session-era server was asked to watch. The server keeps one subscription per
// session and resource however many want it, and forgets it with the session.

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// watches counts who wants which resource.
type watches struct {
	turn chan struct{} // one request at a time, so that they reach the server in order

	mu     sync.Mutex
	counts map[string]int
}

func newWatches() *watches {
	return &watches{turn: make(chan struct{}, 1), counts: map[string]int{}}
}

// Subscribe asks a session-era server to send notifications/resources/updated for uri, which come
// to the handler of WithNotificationHandler; it is asked again after a reconnect. Client.Listen does
// the same for every era. Later versions have no such request: UnsupportedError.
func (c *Client) Subscribe(ctx context.Context, uri string) error { return c.watch(ctx, uri) }

// Unsubscribe takes one Subscribe back.
func (c *Client) Unsubscribe(ctx context.Context, uri string) error { return c.unwatch(ctx, uri) }

func (c *Client) watch(ctx context.Context, uri string) error {
	if err := c.watches.begin(ctx); err != nil {
		return err
	}
	defer c.watches.end()
	if c.watches.add(uri, 0) == 0 {
		if err := c.admitWatch(); err != nil {
			return err
		}
		if err := c.call(ctx, watchRequest(methodSubscribe, uri), nil); err != nil {
			return err
		}
	}
	c.watches.add(uri, 1)
	return nil
}

func (c *Client) unwatch(ctx context.Context, uri string) error {
	if err := c.watches.begin(ctx); err != nil {
		return err
	}
	defer c.watches.end()
	if c.watches.add(uri, -1) > 0 {
		return nil
	}
	return c.call(ctx, watchRequest(methodUnsubscribe, uri), nil)
}

func watchRequest(method, uri string) *Request {
	return &Request{Method: method, Name: uri, Params: uriParams(uri)}
}

// admitWatch refuses to subscribe at a server that does not offer it (C-222).
func (c *Client) admitWatch() error {
	s := c.Session()
	if s.Stateless || c.opts.unchecked || s.declared == nil || s.offers(ListenFilter{URIs: []string{""}}).URIs != nil {
		return nil
	}
	return &UnsupportedError{Method: methodSubscribe, Version: s.Version, Capability: "resources.subscribe"}
}

// rewatch subscribes again on a new link.
func (c *Client) rewatch(ctx context.Context, l *link) error {
	if l.session.Stateless {
		return nil
	}
	var failed error
	for _, uri := range c.watches.uris() {
		if err := l.perform(ctx, watchRequest(methodSubscribe, uri)); err != nil {
			failed = err
		}
	}
	return failed
}

func (w *watches) begin(ctx context.Context) error {
	select {
	case w.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return contextError(ctx, methodSubscribe, time.Time{})
	}
}

func (w *watches) end() { <-w.turn }

// add changes the count of uri and returns the new one.
func (w *watches) add(uri string, n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	count := max(w.counts[uri]+n, 0)
	if count == 0 {
		delete(w.counts, uri)
	} else {
		w.counts[uri] = count
	}
	return count
}

// forget takes one subscription of each back without telling the server.
func (w *watches) forget(uris []string) {
	for _, uri := range uris {
		w.add(uri, -1)
	}
}

func (w *watches) uris() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.counts))
}
