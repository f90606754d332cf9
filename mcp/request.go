package mcp

// A Request is one question to the server as the interceptors see it: before its id, its era and its
// retries. One Request may take several messages on the wire.

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Request is what an Interceptor sees of a request. It may change Meta, and read Result after next
// has returned without an error.
type Request struct {
	// Method is the JSON-RPC method, for instance "tools/call".
	Method string
	// Name is the tool, prompt, resource URI or task id that the request is about; or empty.
	Name string
	// Params write the params object, without the protocol's own _meta members; nil for none.
	Params jsonwire.Appender
	// Result receives the answer.
	Result jsonwire.Decoder
	// Meta are members for params._meta, each a JSON text. The protocol's own keys win.
	Meta map[string]json.RawMessage

	// Facts of the connection that carried the last attempt.
	Version  string // negotiated version
	ID       int64  // id of the last attempt
	Attempts int    // messages sent so far

	options callOptions
	headers headerSource
	// repeatable says that the tool calls itself read-only or idempotent.
	repeatable bool
	// rounds are members that a retry adds to params: inputResponses and requestState, as JSON
	// object members without the braces.
	rounds []byte
	// created takes the answer that names a task, if the request is not to follow it.
	created func(raw json.RawMessage, outlast func(context.Context))
	// outlast ends the progress that goes on after the answer; nil if there is none (C-154).
	outlast func(context.Context)
	// sending, if set, is told of every attempt just before it is sent. The request is then one that
	// lasts, and the server hears of its end before the caller does.
	sending func(l *link, id int64)
	// captured is the result as the server sent it, if capturing is set.
	capturing bool
	captured  json.RawMessage
}

// ToolFailed reports, after next has returned without an error, whether the request called a tool and
// the result says that the tool failed.
func (req *Request) ToolFailed() bool {
	out, ok := req.Result.(*toolOutput)
	return ok && out.result != nil && isError(out.result)
}

// endProgress ends the progress that has outlasted an answer.
func (req *Request) endProgress(ctx context.Context) {
	if end := req.outlast; end != nil {
		req.outlast = nil
		end(ctx)
	}
}

// An Invoker answers a request: it fills req.Result or returns why not.
type Invoker func(ctx context.Context, req *Request) error

// An Interceptor wraps every request of a client; the first one given is the outermost.
type Interceptor func(next Invoker) Invoker

// callOptions is what CallOptions set; its zero value means the client's defaults.
type callOptions struct {
	timeout      time.Duration // 0: the client's default; <0: none
	maxTotal     time.Duration // cap when progress resets the timeout; 0: no reset
	progress     func(Progress)
	meta         map[string]json.RawMessage
	level        LoggingLevel
	maxPages     int
	withoutCache bool
	unvalidated  bool
	taskTimeout  time.Duration // 0: the default of the kind of call; <0: none
	input        *inputOptions // nil: the defaults
	retry        *RetryPolicy
	err          error // of an option's argument; reported before anything is sent
}

// wantsProgress reports whether the request needs a progress token; resetting the timeout does even
// without a callback (B069).
func (o *callOptions) wantsProgress() bool { return o.progress != nil || o.maxTotal > 0 }

// headerSource gives the header fields that mirror arguments of the request, or nil.
type headerSource interface {
	headerFields(params []byte) ([]HeaderField, error)
}

// metaFree marks params whose writer never writes a member "_meta".
type metaFree interface{ metaFree() }
