package mcp

// Where messages of the server go: an answer to the call that waits for it, progress to its call, a
// request to its handler, everything else to the hub. Nothing that arrives here can end a
// connection: what makes no sense is counted, logged and dropped.

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Receive takes one message from the connection.
func (l *link) Receive(in *Incoming) {
	if in.Err != nil {
		l.receiveBroken(in)
		return
	}
	data := bytes.TrimLeft(in.Data, " \t\r\n")
	if len(data) == 0 {
		return
	}
	if data[0] == '[' {
		l.receiveBatch(in)
		return
	}
	l.receiveOne(in)
}

// receiveOne finds out whose message it is. Peek is enough for an answer, since the caller reads all of it.
func (l *link) receiveOne(in *Incoming) {
	env, err := jsonrpc.Peek(in.Data)
	if err == nil && env.Method == methodProgress && l.progressWhole(in) {
		return
	}
	if err == nil && (env.HasMethod || !env.Result.IsZero() || !env.Error.IsZero()) {
		env, err = jsonrpc.Scan(in.Data)
	}
	switch {
	case err != nil && !env.HasMethod && !env.ID.IsZero() && env.HasResult && env.HasError:
		l.answered(&env, in)
	case err != nil && env.HasMethod && l.refuse(&env, in):
	case err != nil:
		l.complain("not a JSON-RPC message", in.Data, err)
	case env.IsRequest():
		l.serve(&env, in)
	case env.IsNotification():
		l.notified(&env, in)
	default:
		l.answered(&env, in)
	}
}

// answered brings an answer to its call. An error without an id belongs to the exchange that carried
// it; on a shared stream it can be matched to nothing (C-008, B095).
func (l *link) answered(env *jsonrpc.Envelope, in *Incoming) {
	id, ok := env.ID.Int64() // "1" is not 1 (C-005)
	if !ok && env.Unaddressed() && in.Answering != nil {
		id, ok = in.Answering.ID, true
	}
	if !ok {
		l.complain("answer that matches no request", in.Data, nil)
		return
	}
	switch {
	case l.pending.answer(id, in):
	case l.pending.late(id):
		l.cancelCreated(in.Data)
	default:
		l.unmatched.Add(1)
	}
}

func (l *link) notified(env *jsonrpc.Envelope, in *Incoming) {
	params := env.Params.Of(in.Data)
	switch env.Method {
	case methodProgress:
		l.progress(params)
		return
	case methodCancelled:
		l.serving.cancelled(params)
	}
	n := &Notification{Method: env.Method, Params: params}
	if in.Answering != nil {
		n.exchange = in.Answering.ID
	}
	l.client.hub.publish(l, n)
}

// receiveBatch takes an array apart, in the one version that has them (C-020, C-023).
func (l *link) receiveBatch(in *Incoming) {
	if d := l.speaks(); d == nil || !d.batches() {
		l.complain("batch, which this protocol version does not have", in.Data, nil)
		return
	}
	r := jsonwire.NewReader(in.Data)
	for r.BeginArray(); r.NextElement(); {
		data := r.RawNoCopy()
		if r.Err() == nil {
			l.receiveOne(&Incoming{Data: data, Shared: true, Answering: in.Answering, Status: in.Status})
		}
	}
	if err := r.End(); err != nil {
		l.complain("broken batch", in.Data, err)
	}
}

// receiveBroken fails the call that a message belonged to, if its beginning still shows which (B012).
func (l *link) receiveBroken(in *Incoming) {
	env, _ := jsonrpc.Peek(in.Data)
	id, ok := env.ID.Int64()
	if !ok && in.Answering != nil {
		id, ok = in.Answering.ID, true
	}
	if !ok || !l.pending.answer(id, in) {
		l.complain("message dropped", in.Data, in.Err)
	}
}

// complain counts and logs something that arrived and made no sense. The first few are told in full.
func (l *link) complain(what string, data []byte, err error) {
	n := l.rejected.Add(1)
	const told, excerpt = 20, 200
	if n > told {
		return
	}
	if len(data) > excerpt {
		data = data[:excerpt]
	}
	if err == nil {
		err = errors.New("ignored")
	}
	l.client.opts.logger.Warn("mcp: "+what, "message", printable(string(data)), "error", fmt.Sprint(err), "count", n)
}
