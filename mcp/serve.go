package mcp

// Requests of a session-era server: each is answered exactly once, on a goroutine of its own, with
// the id just as it came. A server of the stateless era may not ask; what it sends is dropped.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// A serverHandler answers one request of the server. An error that is an *RPCError is sent with its
// code, a *jsonwire.Error as invalid params, any other as an internal error. params is nil if absent.
type serverHandler func(ctx context.Context, l *link, params []byte) (jsonwire.Appender, error)

// maxServed is how many requests of the server may be in progress at once (C-352).
const maxServed = 64

// serving are the server's requests in progress, by the text of their id.
type serving struct {
	link *link
	mu   sync.Mutex
	stop map[string]context.CancelFunc
}

func newServing(l *link) *serving { return &serving{link: l, stop: map[string]context.CancelFunc{}} }

func servePing(context.Context, *link, []byte) (jsonwire.Appender, error) { return emptyObject{}, nil }

type emptyObject struct{}

func (emptyObject) WriteJSON(w *jsonwire.Writer) { w.Literal("{}") }

// serve starts the handler of a request (C-017, C-046).
func (l *link) serve(env *jsonrpc.Envelope, in *Incoming) {
	if d := l.speaks(); d == nil || !d.servesRequests() {
		l.complain("request of the server, which this protocol version does not have", in.Data, nil)
		return
	}
	id := env.ID.Text()
	handler := l.client.opts.serves[env.Method]
	if handler == nil {
		l.reply(id, nil, &RPCError{Code: CodeMethodNotFound, Message: "method not found: " + env.Method})
		return
	}
	ctx, ok := l.serving.begin(id)
	if !ok {
		l.reply(id, nil, &RPCError{Code: CodeInternal, Message: "too many requests in progress"})
		return
	}
	params := slices.Clone(env.Params.Of(in.Data))
	l.work.Go(func() {
		result, err := l.callHandler(ctx, handler, params)
		if l.serving.finish(id) {
			l.reply(id, tied(params, result), err)
		}
	})
}

// refuse answers a request that has an id but makes no sense otherwise, and reports whether it did (B085, B088).
func (l *link) refuse(env *jsonrpc.Envelope, in *Incoming) bool {
	if d := l.speaks(); d == nil || !d.servesRequests() || env.ID.IsZero() {
		return false
	}
	l.complain("malformed request of the server", in.Data, nil)
	l.reply(env.ID.Text(), nil, &RPCError{Code: CodeInvalidRequest, Message: "invalid request"})
	return true
}

// callHandler turns a panic of the application's handler into an error: one bad request must not end
// the program that serves many.
func (l *link) callHandler(ctx context.Context, handler serverHandler, params []byte) (result jsonwire.Appender, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("handler panicked: %v", p)
		}
	}()
	return handler(ctx, l, params)
}

func (s *serving) begin(id string) (context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stop) >= maxServed || s.stop[id] != nil || !s.link.alive() {
		return nil, false
	}
	ctx, cancel := context.WithCancel(s.link.ctx)
	s.stop[id] = cancel
	return ctx, true
}

// finish reports whether the request still wants its answer.
func (s *serving) finish(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	cancel, ok := s.stop[id]
	if ok {
		cancel()
		delete(s.stop, id)
	}
	return ok
}

// cancelled stops the handler of a request that the server no longer wants answered (C-143, C-145).
func (s *serving) cancelled(params []byte) {
	var id jsonrpc.ID
	r := jsonwire.NewReader(params)
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) == "requestId" {
			id.ReadJSON(r)
		} else {
			r.Skip()
		}
	}
	if r.End() == nil && !id.IsZero() {
		s.finish(id.Text())
	}
}

// reply sends the answer to a request of the server.
func (l *link) reply(id string, result jsonwire.Appender, err error) {
	w := jsonwire.NewWriter(nil)
	if err == nil {
		w.Literal(`{"jsonrpc":"2.0","id":` + id + `,"result":`)
		result.WriteJSON(w)
		w.Literal(`}`)
		if err = w.Err(); err != nil {
			w.Reset(nil)
		}
	}
	if err != nil {
		writeErrorReply(w, id, err)
	}
	l.background(backgroundLimit, func(ctx context.Context) {
		out := &Outgoing{Data: w.Bytes()}
		err := l.speaks().address(out, addressFacts{req: &Request{}})
		if err == nil {
			err = l.conn.Send(ctx, out)
		}
		if err != nil {
			l.client.opts.logger.Warn("mcp: answer to the server not delivered", "error", err)
		}
	})
}

func writeErrorReply(w *jsonwire.Writer, id string, err error) {
	code, message, data := int64(CodeInternal), err.Error(), []byte(nil)
	var rpc *RPCError
	var bad *jsonwire.Error
	switch {
	case errors.As(err, &rpc):
		code, message, data = rpc.Code, rpc.Message, rpc.Data
	case errors.As(err, &bad):
		code = CodeInvalidParams
	}
	w.Literal(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":`)
	w.Int64(code)
	w.Literal(`,"message":`)
	w.String(message)
	if len(data) > 0 {
		w.Literal(`,"data":`)
		w.Raw(data)
	}
	w.Literal(`}}`)
}
