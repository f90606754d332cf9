package jsonrpc

import (
	"context"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// What the generated protocol packages call: one statement per method there,
// the work here.

// AppenderPtr is a pointer to P that writes itself.
type AppenderPtr[P any] interface {
	*P
	jsonwire.Appender
}

// DecoderPtr is a pointer to R that reads itself.
type DecoderPtr[R any] interface {
	*R
	jsonwire.Decoder
}

// Invoke sends a request through c and returns its result. Nil params are left
// out of the message.
func Invoke[P, R any, PP AppenderPtr[P], PR DecoderPtr[R]](ctx context.Context, c Caller, method string, params *P) (*R, error) {
	var a jsonwire.Appender
	if params != nil {
		a = PP(params)
	}
	result := new(R)
	if err := c.CallRPC(ctx, method, a, PR(result)); err != nil {
		return nil, err
	}
	return result, nil
}

// InvokeUnion is Invoke for a result that is a union.
func InvokeUnion[P, R any, PP AppenderPtr[P]](ctx context.Context, c Caller, method string, params *P, read func(*jsonwire.Reader) R) (R, error) {
	var a jsonwire.Appender
	if params != nil {
		a = PP(params)
	}
	var result R
	err := c.CallRPC(ctx, method, a, decodeFunc(func(r *jsonwire.Reader) { result = read(r) }))
	return result, err
}

type decodeFunc func(*jsonwire.Reader)

// ReadJSON calls f.
func (f decodeFunc) ReadJSON(r *jsonwire.Reader) { f(r) }

// Params reads the parameters of a message; absent parameters are read as {}.
func Params[P any, PP DecoderPtr[P]](data []byte) (*P, error) {
	p := new(P)
	if len(data) == 0 {
		data = []byte("{}")
	}
	if err := jsonwire.Unmarshal(data, PP(p)); err != nil {
		return nil, err
	}
	return p, nil
}

// Handle reads the parameters of a request and answers it with f. Parameters
// that do not fit make an error with the code InvalidParams.
func Handle[P, R any, PP DecoderPtr[P], PR AppenderPtr[R]](ctx context.Context, data []byte, f func(context.Context, *P) (*R, error)) (jsonwire.Appender, error) {
	p, err := Params[P, PP](data)
	if err != nil {
		return nil, &Error{Code: CodeInvalidParams, Message: err.Error()}
	}
	result, err := f(ctx, p)
	if err != nil {
		return nil, err
	}
	return PR(result), nil
}

// HandleUnion is Handle for parameters that are a union.
func HandleUnion[P, R any, PR AppenderPtr[R]](ctx context.Context, data []byte, read func([]byte) (P, error), f func(context.Context, P) (*R, error)) (jsonwire.Appender, error) {
	p, err := read(data)
	if err != nil {
		return nil, &Error{Code: CodeInvalidParams, Message: err.Error()}
	}
	result, err := f(ctx, p)
	if err != nil {
		return nil, err
	}
	return PR(result), nil
}

// MethodNotFound is the error for a method that nobody handles.
func MethodNotFound(method string) *Error {
	return &Error{Code: CodeMethodNotFound, Message: "method not found: " + method}
}

// HandleNoParams answers a request without parameters with f.
func HandleNoParams[R any, PR AppenderPtr[R]](ctx context.Context, f func(context.Context) (*R, error)) (jsonwire.Appender, error) {
	result, err := f(ctx)
	if err != nil {
		return nil, err
	}
	return PR(result), nil
}
