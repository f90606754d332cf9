package mcp

// The HTTP+SSE transport of 2024-11-05: one GET stream brings everything from the server, its first
// event names the endpoint for POSTs. The end of the stream is the end of the session (C-134, C-136).

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// endpointLimit bounds the wait for the endpoint event unless an option does (B032).
const endpointLimit = 10 * time.Second

type sseConn struct {
	transport *HTTPTransport
	in        Receiver
	limit     int
	base      *url.URL // where the stream is

	endpoint chan *url.URL // gets the endpoint once
	to       *url.URL

	ctx    context.Context
	cancel context.CancelCauseFunc
	work   sync.WaitGroup
	ended  sync.Once
}

// openSSE opens the stream and waits for the endpoint.
func (t *HTTPTransport) openSSE(ctx context.Context, in Receiver) (Conn, error) {
	c := &sseConn{transport: t, in: in, limit: messageLimit(in), base: t.url, endpoint: make(chan *url.URL, 1)}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	limited, stop := context.WithTimeoutCause(ctx, orDefault(t.endpointWait, endpointLimit), errors.New("no endpoint event came"))
	defer stop()
	release := context.AfterFunc(limited, func() { c.cancel(context.Cause(limited)) })
	resp, err := c.open()
	if err == nil {
		c.work.Go(func() { c.read(resp) })
		select {
		case c.to = <-c.endpoint:
		case <-c.ctx.Done():
			err = context.Cause(c.ctx)
		}
	}
	if release(); err != nil {
		c.cancel(err)
		c.work.Wait()
		if errors.As(err, new(*TransportError)) {
			return nil, err
		}
		return nil, &TransportError{Err: fmt.Errorf("GET of the event stream: %w", err)}
	}
	return c, nil
}

func (c *sseConn) open() (*http.Response, error) {
	h := c.transport.header.Clone()
	h[headerAccept] = []string{"text/event-stream"}
	resp, err := c.transport.send(c.ctx, http.MethodGet, c.transport.url, h, nil)
	if err != nil {
		if cause := context.Cause(c.ctx); cause != nil {
			err = cause
		}
		return nil, err
	}
	if resp.StatusCode != http.StatusOK || contentType(resp) != "text/event-stream" {
		return nil, &TransportError{Err: cmp.Or(statusError(resp), errors.New("GET gives no event stream")), Status: resp.StatusCode, Body: excerpt(resp)}
	}
	if resp.Request != nil && resp.Request.URL != nil {
		c.base = resp.Request.URL
	}
	return resp, nil
}

// read delivers what the stream brings until it ends.
func (c *sseConn) read(resp *http.Response) {
	stop := context.AfterFunc(c.ctx, func() { _ = resp.Body.Close() })
	defer stop()
	err := c.readEvents(resp)
	_ = resp.Body.Close()
	c.cancel(err)
	c.ended.Do(func() { c.in.Closed(&TransportError{Err: fmt.Errorf("event stream ended: %w", err)}) })
}

func (c *sseConn) readEvents(resp *http.Response) error {
	events := newEventReader(resp.Body, c.limit)
	located := false
	for {
		e, err := events.next()
		switch {
		case err != nil && !errors.Is(err, ErrTooLarge):
			return err
		case e.name == "endpoint" && !located:
			to, err := c.locate(string(e.data))
			if err != nil {
				return err
			}
			located = true
			c.endpoint <- to
		case e.name == "" || e.name == "message":
			c.in.Receive(&Incoming{Data: e.data, Shared: true, Err: tooLarge(err)})
		}
	}
}

// locate resolves the endpoint against the stream's URL (B033). It must be of the same origin, since
// credentials go there.
func (c *sseConn) locate(text string) (*url.URL, error) {
	to, err := c.base.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("endpoint %q: %w", printable(text), err)
	}
	if to.Scheme != c.base.Scheme || to.Host != c.base.Host {
		return nil, fmt.Errorf("endpoint %q is of another origin", to.Redacted())
	}
	to.Fragment = ""
	return to, nil
}

func (c *sseConn) SendsAsync() bool { return false }

// Send posts one message. Its answer comes on the stream, so that a response in this exchange means
// nothing beyond its status (B034).
func (c *sseConn) Send(ctx context.Context, out *Outgoing) error {
	h := c.transport.header.Clone()
	h[headerContentType] = []string{"application/json"}
	h[headerAccept] = []string{acceptBoth}
	if out.Version >= Version20250618 {
		h[headerVersion] = []string{out.Version}
	}
	body := newPostBody(out.Data)
	defer body.detach()
	resp, err := c.transport.send(ctx, http.MethodPost, c.to, h, body)
	if err != nil {
		return c.lostPost(ctx, out, err)
	}
	if resp.StatusCode >= 300 {
		return refused(c.in, resp, out)
	}
	discard(resp)
	return nil
}

// lostPost decides on a POST that ended without a status. A request may have arrived nevertheless: it
// is never sent again, and its answer may still come on the stream, within the limits of the call (B034).
func (c *sseConn) lostPost(ctx context.Context, out *Outgoing, err error) error {
	if out.ID == 0 || ctx.Err() != nil || neverSent(err) {
		return transportError(ctx, err)
	}
	select {
	case <-ctx.Done():
	case <-c.ctx.Done():
	}
	return transportError(ctx, err)
}

// neverSent reports whether err says for certain that nothing has reached the server.
func neverSent(err error) bool {
	var te *TransportError // a refused redirect, for one
	var op *net.OpError
	return errors.As(err, &te) || errors.As(err, &op) && op.Op == "dial"
}

// Close ends the stream.
func (c *sseConn) Close(ctx context.Context) error {
	c.ended.Do(func() { c.in.Closed(nil) })
	c.cancel(ErrClosed)
	waitFor(ctx, &c.work)
	c.transport.client.idle()
	return nil
}
