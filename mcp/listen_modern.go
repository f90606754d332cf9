package mcp

// Listening in the stateless era: one request that is answered only when it is over. What belongs to
// it carries its id.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// listening is one subscriptions/listen request.
type listening struct {
	sub    *Subscription
	asked  ListenFilter
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	link  *link
	id    int64
	acked bool
}

// A listenEnd is how the context of a listening request ends when the server, or its silence, is the reason.
type listenEnd struct {
	reason EndReason
	quiet  bool // the server knows already
	err    error
}

func (e *listenEnd) Error() string { return e.err.Error() }
func (e *listenEnd) Unwrap() error { return e.err }

// listenStateless runs one request from its beginning to its end.
func (s *Subscription) listenStateless(l *link, asked ListenFilter) (EndReason, error) {
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	x := &listening{sub: s, asked: asked, cancel: cancel}
	defer s.client.hub.observe(x.notice)()
	defer x.limit()()
	err := s.client.invoke(ctx, &Request{
		Method: methodListen, Params: listenParams{asked},
		sending: x.sending, options: callOptions{timeout: -1},
	})
	var end *listenEnd
	switch {
	case err == nil:
		return EndCompleted, nil
	case s.ctx.Err() != nil:
		return EndClosed, nil
	case errors.As(context.Cause(ctx), &end):
		return end.reason, end.err
	case errors.As(err, new(*UnsupportedError)) && !s.client.Session().Stateless:
		return EndLost, errEraChanged
	case passing(err):
		return EndLost, err
	}
	return EndRefused, err
}

// passing reports whether listening may succeed later: the connection broke, or the server is
// overloaded. A server that answers anything else means it.
func passing(err error) bool {
	var rpc *RPCError
	var te *TransportError
	status := 0
	switch {
	case errors.As(err, &rpc):
		if status = rpc.Status; status == 0 {
			return false
		}
	case errors.As(err, &te):
		status = te.Status
	default:
		return errors.As(err, new(*TimeoutError))
	}
	return status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status < 300 && te != nil
}

// limit gives up a request that is not acknowledged in time (C-229).
func (x *listening) limit() (stop func()) {
	after := x.sub.client.opts.timeout
	if after <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(after, func() {
		x.mu.Lock()
		acked := x.acked
		x.mu.Unlock()
		if !acked {
			x.cancel(&listenEnd{reason: EndLost, err: &TimeoutError{Method: methodListen, Limit: "acknowledgement", After: after}})
		}
	})
	return func() { timer.Stop() }
}

// sending learns the id of the request just before it is sent.
func (x *listening) sending(l *link, id int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.link, x.id, x.acked = l, id, false
}

// notice takes what belongs to the request (C-231, B117). It runs on the reading goroutine.
func (x *listening) notice(l *link, n *Notification) {
	if !noticeable(n.Method) {
		return
	}
	x.mu.Lock()
	id, acked := x.id, x.acked
	mine := l == x.link
	x.mu.Unlock()
	if !mine {
		return
	}
	told := readNoticed(n)
	switch {
	case n.Method == methodCancelled:
		if of, ok := told.request.Int64(); ok && of == id {
			x.cancel(&listenEnd{reason: EndCancelled, quiet: true, err: cancelledByServer(told.reason)})
		}
	case !belongs(&told, n.exchange, id):
	case n.Method == methodAcknowledged:
		x.acknowledge(&told)
	default:
		if !acked {
			x.sub.client.opts.logger.Warn("mcp: notification of a subscription before its acknowledgement", "method", n.Method)
		}
		x.deliver(&told)
	}
}

// belongs reports whether a notification is for the request id: by the id it carries, or, if it
// carries none, by the exchange that brought it. If it has both they must agree.
func belongs(told *noticed, exchange, id int64) bool {
	if told.subscription.IsZero() {
		return exchange == id
	}
	of, ok := told.subscription.Int64()
	return ok && of == id && (exchange == 0 || exchange == id)
}

func (x *listening) acknowledge(told *noticed) {
	x.mu.Lock()
	again := x.acked
	x.acked = true
	x.mu.Unlock()
	if again {
		return
	}
	accepted := x.asked
	if told.filter != nil {
		accepted = x.asked.without(x.asked.without(*told.filter))
	}
	x.sub.agree(accepted)
}

// deliver hands on an event of a kind that was asked for. Which resource it is about is the server's to say.
func (x *listening) deliver(told *noticed) {
	e := told.event()
	if e == nil {
		return
	}
	if _, ok := e.(ResourceUpdated); ok && len(x.asked.URIs) > 0 || x.asked.wants(e) {
		x.sub.offer(e)
	}
}

func cancelledByServer(reason string) error {
	if reason == "" {
		return errors.New("subscriptions/listen: called off by the server")
	}
	return fmt.Errorf("subscriptions/listen: called off by the server: %s", printable(reason))
}

// stopListening tells the server that a listening request is over, where its stream's end does not (C-233).
func (l *link) stopListening(ctx context.Context, id int64) {
	var end *listenEnd
	if errors.As(context.Cause(ctx), &end) && end.quiet || !l.speaks().cancelsByMessage(l.async) || !l.alive() {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, farewellLimit)
	defer cancel()
	if err := l.notify(ctx, methodCancelled, `{"requestId":`+strconv.FormatInt(id, 10)+`}`); err != nil {
		l.client.opts.logger.Debug("mcp: end of a subscription not delivered", "error", err)
	}
	if conn, ok := connAs[interface{ flush(context.Context) }](l.conn); ok {
		conn.flush(ctx)
	}
}

type listenParams struct{ filter ListenFilter }

func (listenParams) metaFree() {}

func (p listenParams) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"notifications":`)
	p.filter.WriteJSON(w)
	w.EndObject()
}
