package mcp

// Answers as values: the caller reads envelope and typed result in one pass over the message.

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

var readers = sync.Pool{New: func() any { return new(jsonwire.Reader) }}

// interim is a result that is not the final one: input is required first, or a task goes on.
type interim struct {
	outcome outcome
	method  string
	raw     json.RawMessage // the result object
}

func (e *interim) Error() string {
	if e.outcome == outcomeTask {
		return e.method + ": the server answers with a task"
	}
	return e.method + ": the server requires input"
}

func (e *interim) isClientError() {}

// decode reads the message that answers req into req.Result.
func (l *link) decode(in *Incoming, req *Request) error {
	if in.Err != nil {
		return &TransportError{Method: req.Method, Err: in.Err, Status: in.Status}
	}
	r := readers.Get().(*jsonwire.Reader)
	defer readers.Put(r)
	r.Reset(in.Data)
	a := answer{link: l, req: req, data: in.Data}
	a.read(r)
	err := r.End()
	switch {
	case a.err != nil:
		return a.err
	case err != nil:
		return &InvalidResultError{Method: req.Method, Err: err}
	case a.rpc != nil:
		a.rpc.Method, a.rpc.Status, a.rpc.RetryAfter, a.rpc.auth = req.Method, in.Status, in.retryAfter, in.auth
		return a.rpc
	case a.interim != nil:
		return a.interim
	}
	return nil
}

type answer struct {
	link *link
	req  *Request
	data []byte

	version bool
	parts   int // results and errors seen
	rpc     *RPCError
	interim *interim
	err     error
}

var errParts = errors.New("a response has exactly one of result and error")

func (a *answer) read(r *jsonwire.Reader) {
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "jsonrpc":
			r.Const(`"2.0"`)
			a.version = true
		case "result":
			a.parts++
			if a.parts == 1 {
				a.result(r)
			} else {
				r.Skip()
			}
		case "error":
			a.parts++
			a.rpc = readRPCError(r)
		default:
			r.Skip()
		}
	}
	if r.Err() == nil && (a.parts != 1 || !a.version) {
		a.err = &InvalidResultError{Method: a.req.Method, Err: errParts}
	}
}

func (a *answer) result(r *jsonwire.Reader) {
	kind, err := a.link.speaks().outcome(r, outcomeFacts{
		method: a.req.Method,
		data:   a.data,
		tasks:  a.link.client.opts.advertises(extensionTasks),
		asked:  asksTask(a.req.Params),
	})
	switch {
	case err != nil:
		a.err = &InvalidResultError{Method: a.req.Method, Err: err}
		r.Skip()
	case kind != outcomeComplete:
		a.interim = &interim{outcome: kind, method: a.req.Method, raw: r.Raw()}
	case a.req.Result == nil:
		if r.Kind() != jsonwire.KindObject {
			r.Fail("type", "a result is an object")
		}
		r.Skip()
	default:
		if a.req.capturing {
			start := r.Mark()
			a.req.captured = r.Raw()
			r.Rewind(start)
		}
		a.req.Result.ReadJSON(r)
	}
}

// readRPCError keeps code, message and data; data may be any value, null included (C-009).
func readRPCError(r *jsonwire.Reader) *RPCError {
	e := &RPCError{}
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "code":
			e.Code = r.Int64()
			seen |= 1
		case "message":
			if r.Kind() == jsonwire.KindString {
				e.Message = r.String()
			} else {
				e.Message = string(r.RawNoCopy())
			}
		case "data":
			e.Data = r.Raw()
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "code")
	return e
}

// rawResult takes the result as it came.
type rawResult struct{ raw json.RawMessage }

func (x *rawResult) ReadJSON(r *jsonwire.Reader) {
	if r.Kind() != jsonwire.KindObject {
		r.Fail("type", fmt.Sprintf("a result is an object, not %v", r.Kind()))
		return
	}
	x.raw = r.Raw()
}
