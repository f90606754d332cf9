package mcp

// Agreeing on an era and a version. The rule is to ask in the newest way first and to believe only
// what cannot mean anything else: a 2026-07-28 answer, or one of its own error codes, means the
// stateless era; silence, exit and every other refusal mean sessions; a locked door, an overloaded or
// an unreachable server mean nothing.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// establish makes a link that is ready for calls:
//
//  1. one era allowed, or the outcome remembered: no probe;
//  2. else server/discover, which settles the stateless era;
//  3. else initialize, on the same connection if it is still there;
//  4. else initialize over the transport's older way, if it has one.
func (c *Client) establish(ctx context.Context) (*link, error) {
	v := c.opts.versions
	transport := c.way()
	known, remembered := recall(transport)
	switch {
	case len(v.session) == 0:
		return c.openStateless(ctx, transport, v.stateless[0])
	case len(v.stateless) == 0:
		return c.openSession(ctx, transport, nil)
	case remembered && known.stateless && newestCommon(v.stateless, []string{known.version}) != "":
		return c.openStateless(ctx, transport, known.version)
	case remembered && !known.stateless:
		l, err := c.openSession(ctx, transport, nil)
		if err == nil || neutral(ctx, err) {
			return l, err
		}
		forget(transport)
	}
	return c.negotiate(ctx, transport)
}

// way is the transport that reached the server last.
func (c *Client) way() Transport {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.transport
}

// negotiate finds out the era with a probe.
func (c *Client) negotiate(ctx context.Context, transport Transport) (*link, error) {
	l, err := c.openLink(ctx, transport)
	if err != nil {
		return nil, err
	}
	verdict, err := c.probe(ctx, l)
	switch {
	case err != nil:
		c.drop(ctx, l, err)
		return nil, err
	case verdict.stateless != "":
		remember(transport, outcomeOf(l))
		return l, nil
	case l.alive():
		err = c.initialize(ctx, l, verdict.session)
	default:
		// A server that takes any other first message than initialize for fatal has left (B010).
		c.drop(ctx, l, verdict.reason)
		if l, err = c.openLink(ctx, transport); err != nil {
			return nil, err
		}
		err = c.initialize(ctx, l, verdict.session)
	}
	return c.settle(ctx, l, transport, err)
}

// openStateless makes a link that has sent nothing yet (one era allowed, or remembered).
func (c *Client) openStateless(ctx context.Context, transport Transport, version string) (*link, error) {
	d, err := newStatelessDialect(version, c.opts)
	if err != nil {
		return nil, err
	}
	l, err := c.openLink(ctx, transport)
	if err != nil {
		return nil, err
	}
	l.speak(d)
	l.session = Session{Version: version, Stateless: true}
	return l, nil
}

// openSession makes a link and initializes it, offering versions, or all of the session era.
func (c *Client) openSession(ctx context.Context, transport Transport, versions []string) (*link, error) {
	l, err := c.openLink(ctx, transport)
	if err != nil {
		return nil, err
	}
	return c.settle(ctx, l, transport, c.initialize(ctx, l, versions))
}

// settle keeps a link that initialize succeeded on, and otherwise tries the transport's older way.
func (c *Client) settle(ctx context.Context, l *link, transport Transport, err error) (*link, error) {
	if err == nil {
		if len(c.opts.versions.stateless) > 0 { // a pinned client has not learnt what the server can do
			remember(transport, outcomeOf(l))
		}
		return l, nil
	}
	c.drop(ctx, l, err)
	if ctx.Err() != nil {
		return nil, err
	}
	older := fallbackOf(transport, err)
	if older == nil {
		return nil, err
	}
	c.opts.logger.Info("mcp: trying the older HTTP+SSE transport", "because", err)
	l, failed := c.openSession(ctx, older, nil)
	if failed != nil {
		return nil, fmt.Errorf("%w; nor over HTTP+SSE: %w", err, failed)
	}
	c.mu.Lock()
	c.transport = older
	c.mu.Unlock()
	return l, nil
}

// hurriedLimit bounds how long a child may hold up a caller that has given up. It is not zero: the
// caller may be about to exit, and nobody would end the child.
const hurriedLimit = time.Second

// drop closes a link that came to nothing, without letting a silent server hold up the caller (B067).
func (c *Client) drop(ctx context.Context, l *link, reason error) {
	end := func(ctx context.Context, limit time.Duration) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		_ = l.close(ctx, reason)
	}
	_, child := connAs[*commandConn](l.conn)
	switch {
	case ctx.Err() == nil:
		end(ctx, closeLimit)
	case child:
		end(context.WithoutCancel(ctx), hurriedLimit)
	default:
		c.dials.Go(func() { end(context.Background(), closeLimit) })
	}
}

// verdict is what a probe showed.
type verdict struct {
	stateless string   // the version to use without a session
	session   []string // the versions the server itself lists for initialize; nil if unknown
	reason    error    // why there is no stateless version
}

// maxProbes bounds the probes of one negotiation; a second one follows a modern error (B060).
const maxProbes = 2

// probe sends server/discover. The error is set if nothing at all can be concluded.
func (c *Client) probe(ctx context.Context, l *link) (verdict, error) {
	version := c.opts.versions.stateless[0]
	var err error
	for range maxProbes {
		var d *statelessDialect
		if d, err = newStatelessDialect(version, c.opts); err != nil {
			return verdict{}, err
		}
		l.speak(d)
		var found discovery
		if err = c.discover(ctx, l, &found); err == nil {
			return c.accept(l, &found)
		}
		var rpc *RPCError
		if !errors.As(err, &rpc) || !recognisedModern(rpc) {
			break
		}
		next, done, failed := c.modernRefusal(rpc)
		if done || failed != nil {
			return next, failed
		}
		version = next.stateless
	}
	return c.concludeFrom(ctx, l, err)
}

// discover asks under the probe's own limit, which leaves time for initialize (B055).
func (c *Client) discover(ctx context.Context, l *link, found *discovery) error {
	limit := c.opts.probeTimeout
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/2)
	}
	req := &Request{Method: methodDiscover, Result: found, options: callOptions{timeout: max(limit, time.Millisecond)}}
	return l.perform(ctx, req)
}

// accept picks the version after a DiscoverResult (C-054, C-055).
func (c *Client) accept(l *link, found *discovery) (verdict, error) {
	v := c.opts.versions
	if version := newestCommon(v.stateless, found.supported); version != "" {
		d, err := newStatelessDialect(version, c.opts)
		if err != nil {
			return verdict{}, err
		}
		l.speak(d)
		l.session = found.session
		l.session.Version, l.session.Stateless = version, true
		return verdict{stateless: version}, nil
	}
	if version := newestCommon(v.session, found.supported); version != "" {
		return verdict{session: []string{version}}, nil
	}
	return verdict{}, &VersionError{Requested: v.all(), Supported: found.supported}
}

// modernRefusal draws the conclusion from an error that only a stateless server sends. done is set
// when next is the verdict rather than another version to probe with.
func (c *Client) modernRefusal(rpc *RPCError) (next verdict, done bool, err error) {
	v := c.opts.versions
	if rpc.Code != CodeUnsupportedVersion {
		return verdict{stateless: v.stateless[0]}, false, nil
	}
	supported := supportedVersions(rpc.Data)
	if version := newestCommon(v.stateless, supported); version != "" {
		return verdict{stateless: version}, false, nil
	}
	if version := newestCommon(v.session, supported); version != "" {
		return verdict{session: []string{version}, reason: rpc}, true, nil
	}
	return verdict{}, false, &VersionError{Requested: v.all(), Supported: supported, Cause: rpc}
}

// concludeFrom decides what a failed probe says about the era.
func (c *Client) concludeFrom(ctx context.Context, l *link, err error) (verdict, error) {
	var rpc *RPCError
	switch {
	case errors.As(err, &rpc) && recognisedModern(rpc):
		return verdict{}, err
	case !l.alive() && ctx.Err() == nil && !errors.Is(err, ErrClosed):
		return verdict{reason: err}, nil
	case neutral(ctx, err):
		return verdict{}, err
	}
	c.opts.logger.Debug("mcp: server does not speak the stateless era", "because", err)
	return verdict{reason: err}, nil
}

// neutral reports whether err says nothing about the era: the caller gave up, the door is locked,
// the server is overloaded or cannot be reached (C-061, B058).
func neutral(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return true
	}
	var rpc *RPCError
	if errors.As(err, &rpc) {
		return neutralStatus(rpc.Status)
	}
	var te *TransportError
	if !errors.As(err, &te) || te.Exit != nil {
		return false
	}
	if te.Status == 0 {
		return !errors.Is(err, ErrNoAnswer) && !errors.Is(err, errStreamEnded)
	}
	return neutralStatus(te.Status)
}

func neutralStatus(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired,
		http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}

// supportedVersions reads data.supported of an error.
func supportedVersions(data []byte) (versions []string) {
	r := jsonwire.NewReader(data)
	if r.Kind() != jsonwire.KindObject {
		return nil
	}
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) != "supported" || r.Kind() != jsonwire.KindArray {
			r.Skip()
			continue
		}
		for r.BeginArray(); r.NextElement(); {
			if r.Kind() == jsonwire.KindString {
				versions = append(versions, r.String())
			} else {
				r.Skip()
			}
		}
	}
	return versions
}
