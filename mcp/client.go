package mcp

// The client: what lasts while links come and go.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Client talks to one MCP server. It is safe for concurrent use.
type Client struct {
	opts   *options
	invoke Invoker
	inmost Invoker // invoke without the interceptors
	ids    atomic.Int64
	hub    *hub
	tools  knownTools
	// prompts holds the names of the arguments that each listed prompt requires.
	prompts sync.Map     // string -> []string
	cache   *answerCache // nil unless asked for

	listens subscriptions
	watches *watches

	mu        sync.Mutex
	transport Transport // what reached the server last
	current   *link
	retired   []*link
	dialing   *dialing
	closed    bool
	restorers []*restorer
	// forgetLevel stops restoring the log level that SetLogLevel set last.
	forgetLevel func()

	release   func() // of what is remembered about the server
	closeOnce sync.Once
	dials     sync.WaitGroup
}

// Session is what the server told about itself.
type Session struct {
	// Version is the protocol version in force.
	Version string
	// Stateless says that the version has no sessions (2026-07-28 and later).
	Stateless bool
	// Server, Capabilities and Instructions come from initialize or server/discover. They are zero
	// when a 2026-07-28 connection has needed neither yet; see Client.Discover.
	Server       Implementation
	Capabilities ServerCapabilities
	Instructions string

	declared []string // names of the capabilities; nil while unknown
}

// closeLimit bounds Close.
const closeLimit = 5 * time.Second

// Connect opens transport and agrees on a protocol version with the server. The error is a
// *VersionError if there is none in common, a *TransportError if the server cannot be reached or
// leaves, an *RPCError if it refuses, a *TimeoutError if it is silent.
func Connect(ctx context.Context, transport Transport, opts ...Option) (*Client, error) {
	if transport == nil {
		return nil, errors.New("connect: transport is nil")
	}
	o, err := newOptions(opts)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	c := &Client{opts: o, transport: transport, hub: newHub(o), watches: newWatches()}
	c.onReconnect(c.rewatch)
	c.cache = newAnswerCache(c)
	c.inmost = c.perform
	c.invoke = c.inmost
	for i := len(o.interceptors) - 1; i >= 0; i-- {
		c.invoke = o.interceptors[i](c.invoke)
	}
	l, err := c.establish(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	c.current, c.release = l, hold(transport)
	c.keepAlive(l)
	return c, nil
}

// Session tells what is known of the server. It changes only when the client reconnects or discovers.
func (c *Client) Session() Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := *c.current.told()
	s.Version = c.current.speaks().version()
	return s
}

// Close ends the connection: pending calls fail with ErrClosed, an HTTP session is ended, a child
// process is stopped. It takes at most 5 s, leaves nothing running, and may be called again.
func (c *Client) Close() error {
	var err error
	c.closeOnce.Do(func() {
		c.mu.Lock()
		c.closed = true
		links := append(c.retired, c.current)
		c.retired = nil
		c.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		c.listens.close(ctx)
		for _, l := range links {
			err = errors.Join(err, l.close(ctx, &TransportError{Err: ErrClosed}))
		}
		waitFor(ctx, &c.dials)
		c.release()
	})
	return err
}

// waitFor waits for wg, or until ctx ends.
func waitFor(ctx context.Context, wg *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// CallRPC sends any request; generated protocol packages use it. params may be nil; result may be
// nil if only success matters.
func (c *Client) CallRPC(ctx context.Context, method string, params jsonwire.Appender, result jsonwire.Decoder) error {
	return c.invoke(ctx, c.anyRequest(method, params, result))
}

// call sends req with the options of one call.
func (c *Client) call(ctx context.Context, req *Request, opts []CallOption) error {
	if len(opts) > 0 {
		if err := req.options.apply(opts); err != nil {
			return fmt.Errorf("%s: %w", req.Method, err)
		}
	}
	return c.invoke(ctx, req)
}
