package mcp

// Retries of requests that the server certainly has not acted on, or that may be acted on twice.
// They are off unless a call asks for them.

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryPolicy says how WithRetry tries again. The zero value of each field has a default.
type RetryPolicy struct {
	// MaxAttempts bounds the attempts, the first included; default 3.
	MaxAttempts int
	// Backoff is the pause before the second attempt; default 500 ms. It doubles each time and varies
	// by up to a half. What the server says in Retry-After is waited for if that is longer.
	Backoff time.Duration
	// MaxWait bounds all pauses together; default 1 min. A server that says to come back later than
	// that, or than the context's deadline, is not waited for: the call fails at once.
	MaxWait time.Duration
	// Idempotent is the caller's own word that the request may reach the server more than once.
	Idempotent bool
}

const (
	defaultAttempts = 3
	defaultBackoff  = 500 * time.Millisecond
	defaultMaxWait  = time.Minute
)

// WithRetry sends the request again when the server could not be reached or answered with HTTP
// status 429 or 503 (B043). Tool calls are retried only if the tool's annotations call it read-only
// or idempotent, or if the policy says Idempotent. With Idempotent it also does so when the
// connection broke and the request may have arrived. Timeouts are never retried.
func WithRetry(policy RetryPolicy) CallOption {
	if policy.MaxAttempts <= 0 {
		policy.MaxAttempts = defaultAttempts
	}
	if policy.Backoff <= 0 {
		policy.Backoff = defaultBackoff
	}
	if policy.MaxWait <= 0 {
		policy.MaxWait = defaultMaxWait
	}
	return callOptionFunc(func(o *callOptions) { o.retry = &policy })
}

// recoverRetry is the last recovery: what came to nothing for passing reasons is tried again.
func recoverRetry(ctx context.Context, a *attempt, err error) (bool, error) {
	p := a.req.options.retry
	if p == nil || ctx.Err() != nil || !p.covers(a.req, err) {
		return false, err
	}
	n := a.seen(recoveryRetry) + 1
	wait := max(p.backoff(n), retryAfter(err, time.Now()))
	deadline, bounded := ctx.Deadline()
	if n >= p.MaxAttempts || a.waited+wait > p.MaxWait || bounded && time.Now().Add(wait).After(deadline) {
		return false, err
	}
	a.waited += wait
	if pause(ctx, wait) != nil {
		return false, contextError(ctx, a.req.Method, time.Time{})
	}
	return true, nil
}

// covers reports whether req may be sent again after err.
func (p *RetryPolicy) covers(req *Request, err error) bool {
	if errors.As(err, new(*InputRequiredError)) || !p.Idempotent && !repeatable(req) {
		return false
	}
	return undelivered(err) || p.Idempotent && perhapsDelivered(err)
}

// repeatable reports whether a request is harmless to repeat: all that only read, and tools that say so.
func repeatable(req *Request) bool {
	switch req.Method {
	case methodCallTool:
		return req.repeatable
	case methodListTools, methodListPrompts, methodListResources, methodListTemplates,
		methodReadResource, methodGetPrompt, methodComplete, methodDiscover, methodPing, methodSetLevel:
		return true
	}
	return false
}

// undelivered reports whether the server has not acted on the request: it was never reached, or it
// turned the request away.
func undelivered(err error) bool {
	var rpc *RPCError
	var te *TransportError
	switch {
	case errors.As(err, &rpc):
		return turnedAway(rpc.Status)
	case errors.As(err, &te) && te.Status != 0:
		return turnedAway(te.Status)
	}
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

func turnedAway(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// perhapsDelivered reports whether the connection broke with the request on its way.
func perhapsDelivered(err error) bool {
	var te *TransportError
	if !errors.As(err, &te) || errors.Is(err, ErrClosed) || errors.Is(err, ErrTooLarge) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	return te.Status == 0 || te.Status == http.StatusBadGateway || te.Status == http.StatusGatewayTimeout || errors.Is(err, ErrNoAnswer)
}

// backoff is the pause before attempt n+1.
func (p *RetryPolicy) backoff(n int) time.Duration {
	const most = 10
	full := p.Backoff << min(n-1, most)
	return full/2 + rand.N(full/2+1)
}

// retryAfter is how long the server wants to be left alone: seconds, or the time until a date.
func retryAfter(err error, now time.Time) time.Duration {
	var text string
	var said *RetryAfterError
	var rpc *RPCError
	switch {
	case errors.As(err, &said):
		text = said.After
	case errors.As(err, &rpc):
		text = rpc.RetryAfter
	}
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(strings.TrimSpace(text)); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}

func mayRepeat(claims *ToolAnnotations) bool {
	return claims != nil && (isTrue(claims.ReadOnlyHint) || isTrue(claims.IdempotentHint))
}
