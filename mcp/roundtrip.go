package mcp

// One request on one link: build, send, wait, and call off the wait if it must end early.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// roundTrip sends req once and returns the message that answers it, which the caller must release.
func (l *link) roundTrip(ctx context.Context, req *Request) (Incoming, error) {
	if err := ctx.Err(); err != nil {
		return Incoming{}, contextError(ctx, req.Method, time.Time{})
	}
	p := l.pending.take()
	p.out.ID = l.client.ids.Add(1)
	p.out.Method, p.out.Name, p.task = req.Method, req.Name, asksTask(req.Params)
	req.ID, req.Version = p.out.ID, l.speaks().version()
	if req.options.wantsProgress() {
		p.sink = newProgressSink(req.options.progress)
	}
	buf := takeBuffer()
	defer buf.release()
	params, err := writeRequest(buf, p.out.ID, req, l.speaks())
	if err == nil {
		p.out.Data = buf.b
		err = l.speaks().address(&p.out, addressFacts{req: req, params: params})
	}
	if err != nil {
		l.pending.recycle(p)
		return Incoming{}, fmt.Errorf("%s: %w", req.Method, err)
	}
	return l.exchange(ctx, req, p)
}

// exchange registers p, sends it and waits.
func (l *link) exchange(ctx context.Context, req *Request, p *pendingCall) (Incoming, error) {
	each := req.options.timeout
	if each == 0 {
		each = l.client.opts.timeout
	}
	started := time.Now()
	sendCtx := ctx
	if l.async {
		if each > 0 {
			p.out.Deadline = started.Add(each)
		}
	} else {
		sendCtx, p.stop = context.WithCancelCause(ctx)
		defer p.stop(nil)
	}
	lasting := p.sink != nil && asksTask(req.Params)
	if lasting {
		req.endProgress(ctx)
		req.outlast = l.pending.outlast(p.out.ID, p.sink)
	}
	if err := l.pending.add(p, started, each, req.options.maxTotal); err != nil {
		l.pending.recycle(p)
		return Incoming{}, withMethod(err, req.Method)
	}
	req.Attempts++
	if req.sending != nil {
		req.sending(l, p.out.ID)
	}
	found, err := false, l.conn.Send(sendCtx, &p.out)
	if err == nil {
		found, err = l.await(ctx, p)
	} else {
		found = l.pending.forget(p)
	}
	if !found {
		if p.sink != nil { // nothing more is reported; who gives up does not wait for the handler
			at, cancel := context.WithCancel(ctx)
			cancel()
			req.endProgress(at)
			p.sink.finish(at)
		}
		err = l.giveUp(ctx, req, p, err, started)
		l.pending.recycle(p)
		return Incoming{}, err
	}
	if p.sink != nil && !lasting {
		p.sink.finish(ctx)
	}
	in := p.in
	l.pending.recycle(p)
	return in, nil
}

// await waits for the answer to p.
func (l *link) await(ctx context.Context, p *pendingCall) (found bool, err error) {
	var what ending
	if done := ctx.Done(); done == nil {
		what = <-p.ends
	} else {
		select {
		case what = <-p.ends:
		case <-done:
			return l.pending.forget(p), ctx.Err()
		}
	}
	switch what {
	case endAnswered:
		return true, nil
	case endExpired:
		err = errExpired
	default:
		err = l.pending.reason()
	}
	return l.pending.forget(p), err
}

// giveUp turns the reason why p has no answer into the caller's error and tells the server, where
// the era and the transport have it so.
func (l *link) giveUp(ctx context.Context, req *Request, p *pendingCall, err error, started time.Time) error {
	switch {
	case ctx.Err() != nil:
		err = contextError(ctx, req.Method, started)
	case errors.Is(err, errExpired) || p.struck.Load(): // the transport may have made it an error of its own
		err = p.timeoutError(req.Method, time.Since(started))
	default:
		return withMethod(err, req.Method)
	}
	switch {
	case req.sending != nil:
		l.stopListening(ctx, p.out.ID)
	case !p.task: // else see cancelCreated
		l.callOff(p.out.ID, req.Method, err)
	}
	return err
}

// callOff tells the server that nobody waits for id any more. It never delays the caller (B066).
// The negotiation's own requests are not called off (C-049, C-058).
func (l *link) callOff(id int64, method string, reason error) {
	if method == methodInitialize || method == methodDiscover || !l.speaks().cancelsByMessage(l.async) {
		return
	}
	why := "cancelled"
	if errors.Is(reason, context.DeadlineExceeded) {
		why = "timed out"
	}
	params := `{"requestId":` + strconv.FormatInt(id, 10) + `,"reason":"` + why + `"}`
	l.background(backgroundLimit, func(ctx context.Context) {
		if err := l.notify(ctx, methodCancelled, params); err != nil {
			l.client.opts.logger.Debug("mcp: cancellation not delivered", "method", method, "error", err)
		}
	})
}

// contextError says that the caller's context ended the wait.
func contextError(ctx context.Context, method string, started time.Time) error {
	err := ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		var waited time.Duration
		if !started.IsZero() {
			waited = time.Since(started)
		}
		return &TimeoutError{Method: method, Limit: "context deadline", After: waited}
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, err) {
		return fmt.Errorf("%s: %w: %w", method, err, cause)
	}
	return fmt.Errorf("%s: %w", method, err)
}

// withMethod names the request in an error of the transport.
func withMethod(err error, method string) error {
	var te *TransportError
	if errors.As(err, &te) {
		if te.Method != "" {
			return err
		}
		named := *te
		named.Method = method
		return &named
	}
	var own interface{ isClientError() }
	if errors.As(err, &own) {
		return err
	}
	return &TransportError{Method: method, Err: err}
}
