package mcp

// Calling tools. A generated method is one line over a ToolSpec; the work is done once, below, for
// all types.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// ToolInfo is what a server said about one of its tools when the client was generated.
type ToolInfo struct {
	Name, Title  string
	InputSchema  string          // as the server sent it, without white space
	OutputSchema string          // "" if the tool has none
	Fingerprint  string          // of both schemas
	Headers      []HeaderBinding // arguments to mirror in headers
	ReadOnly     bool            // the tool's own claim, as is Idempotent
	Idempotent   bool
}

// ToolSpec is a tool with the Go types of its arguments and its output. NoArgs and NoOutput stand for
// what a tool does not have.
//
// The compiler writes every method again for every tool, so they are few and short, and hand all work
// to functions that know no type.
type ToolSpec[Args, Output any] struct {
	ToolInfo
	// Args and Output make the codec of a type whose pointer is no jsonwire.Codec itself.
	Args   func(*Args) jsonwire.Codec
	Output func(*Output) jsonwire.Codec
}

// HeaderBinding mirrors the argument at Path in the header Mcp-Param-Name (x-mcp-header).
type HeaderBinding struct {
	Name string
	Path []string
}

// NoArgs are the arguments of a tool without any.
type NoArgs struct{}

// NoOutput is the output of a tool without an output schema.
type NoOutput struct{}

// ToolResult is a tool's typed output beside its whole result.
type ToolResult[T any] struct {
	Output T
	*CallToolResult

	//lint:ignore U1000 it takes methods away
	unpromoted
}

// MarshalJSON encodes the whole result.
func (r ToolResult[T]) MarshalJSON() ([]byte, error) { return jsonwire.Marshal(r.CallToolResult) }

// unpromoted has the methods of CallToolResult a second time, so that ToolResult has none of them: the
// compiler would write each four times for every tool. Its fields are promoted all the same.
type unpromoted struct{}

var _ interface {
	jsonwire.Codec
	json.Unmarshaler
	Validate() error
} = unpromoted{}

func (unpromoted) WriteJSON(*jsonwire.Writer)       {}
func (unpromoted) ReadJSON(*jsonwire.Reader)        {}
func (unpromoted) ValidateJSON(*jsonwire.Validator) {}
func (unpromoted) UnmarshalJSON([]byte) error       { return nil }
func (unpromoted) Validate() error                  { return nil }

// Call calls the tool and returns its typed output. The error is a *ToolError if the tool reports one,
// a *ValidationError if arguments (with WithArgumentValidation) or output break the schema.
func (s *ToolSpec[Args, Output]) Call(ctx context.Context, c *Client, args Args, opts ...CallOption) (*ToolResult[Output], error) {
	result := &typedResult[Output]{}
	var in, out jsonwire.Codec
	if s.Args != nil {
		in = s.Args(&args)
	} else {
		in = codecOf(&args)
	}
	if s.Output != nil {
		out = s.Output(&result.typed.Output)
	} else {
		out = codecOf(&result.typed.Output)
	}
	if err := c.callSpec(ctx, &s.ToolInfo, in, out, &result.whole, opts); err != nil {
		return nil, err
	}
	result.typed.CallToolResult = &result.whole
	return &result.typed, nil
}

// CallResult calls the tool and returns its untyped result; the errors are those of Call.
func (s *ToolSpec[Args, Output]) CallResult(ctx context.Context, c *Client, args Args, opts ...CallOption) (*CallToolResult, error) {
	result := &CallToolResult{}
	var in jsonwire.Codec
	if s.Args != nil {
		in = s.Args(&args)
	} else {
		in = codecOf(&args)
	}
	if err := c.callSpec(ctx, &s.ToolInfo, in, nil, result, opts); err != nil {
		return nil, err
	}
	return result, nil
}

// typedResult is a result in one piece. Nothing is embedded: the compiler would write every method again
// for every tool.
type typedResult[Output any] struct {
	typed ToolResult[Output]
	whole CallToolResult
}

// codecOf is the codec of a type that is one; nil for NoArgs and NoOutput.
//
//go:noinline
func codecOf(x any) jsonwire.Codec {
	switch x := x.(type) {
	case jsonwire.Codec:
		return x
	case *NoArgs, *NoOutput:
		return nil
	}
	return noCodec{x}
}

// noCodec stands for the codec that a handwritten ToolSpec has forgotten.
type noCodec struct{ x any }

func (c noCodec) err() error {
	return fmt.Errorf("%T does not write and read itself; the ToolSpec needs an Args or Output for it", c.x)
}

func (c noCodec) WriteJSON(w *jsonwire.Writer)       { w.Fail(c.err()) }
func (c noCodec) ReadJSON(r *jsonwire.Reader)        { r.Fail("type", c.err().Error()) }
func (c noCodec) ValidateJSON(v *jsonwire.Validator) { v.Violate("type", c.err().Error()) }

var toolCalls = sync.Pool{New: func() any { return new(toolCall) }}

// callSpec makes a typed call. What describes a call is used again unless somebody may have kept it: an
// interceptor, or whatever goes on after a failure.
func (c *Client) callSpec(ctx context.Context, info *ToolInfo, args, output jsonwire.Codec, result *CallToolResult, opts []CallOption) error {
	t := toolCalls.Get().(*toolCall)
	t.describe(info, args, output, result)
	if err := c.callTool(ctx, t, opts); err != nil {
		return err
	}
	if len(c.opts.interceptors) == 0 {
		*t = toolCall{}
		toolCalls.Put(t)
	}
	return nil
}

// describe fills in a call of a tool whose types are known.
func (t *toolCall) describe(info *ToolInfo, args, output jsonwire.Codec, result *CallToolResult) {
	t.name, t.headers = info.Name, info.Headers
	t.req.repeatable = info.ReadOnly || info.Idempotent
	t.arguments, t.out.typed, t.out.result = args, output, result
}

// CallTool calls a tool by name. arguments may be nil or anything that encodes as a JSON object. A
// result with isError set comes back as it is, without an error. Structured output is checked against
// the tool's output schema if a list has shown it.
func (c *Client) CallTool(ctx context.Context, name string, arguments any, opts ...CallOption) (*CallToolResult, error) {
	t := untypedCall(name, arguments)
	if err := c.callTool(ctx, t, opts); err != nil {
		return nil, err
	}
	return t.out.result, nil
}

func untypedCall(name string, arguments any) *toolCall {
	t := &toolCall{name: name, untyped: true}
	if m, ok := arguments.(map[string]any); ok && m == nil {
		arguments = nil // a map nobody made is no arguments, not null
	}
	if a := appender(arguments); a != nil {
		t.arguments = untypedArgs{a}
	}
	t.out.result = &CallToolResult{}
	return t
}

// toolCall is one call of one tool, with all that it needs in one piece; it writes the params.
type toolCall struct {
	req       Request
	out       toolOutput
	name      string
	headers   []HeaderBinding
	arguments jsonwire.Codec // nil: none
	untyped   bool
	task      json.RawMessage // params.task of 2025-11-25; nil: not asked to be a task
}

// untypedArgs are arguments that no schema is known for.
type untypedArgs struct{ jsonwire.Appender }

func (untypedArgs) ReadJSON(*jsonwire.Reader)        {}
func (untypedArgs) ValidateJSON(*jsonwire.Validator) {}

func (t *toolCall) metaFree() {}

// WriteJSON writes the params. arguments is an object or absent, never null (C-242).
func (t *toolCall) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"name":`)
	w.String(t.name)
	if t.arguments != nil {
		w.Member(`"arguments":`)
		start := len(w.Bytes())
		t.arguments.WriteJSON(w)
		if text := w.Bytes()[start:]; w.Err() == nil && (len(text) == 0 || text[0] != '{') {
			w.Fail(fmt.Errorf("arguments of tool %q must be a JSON object", t.name))
		}
	}
	if t.task != nil {
		w.Member(`"task":`)
		w.Raw(t.task)
	}
	w.EndObject()
}

// callTool is what all tool calls share.
func (c *Client) callTool(ctx context.Context, t *toolCall, opts []CallOption) error {
	if err := c.prepare(t); err != nil {
		return err
	}
	if c.mustBeTask(t.name) {
		t.task = json.RawMessage(`{}`)
	}
	if err := c.call(ctx, &t.req, opts); err != nil {
		return err
	}
	return c.judge(t)
}

// prepare makes the request of a call.
func (c *Client) prepare(t *toolCall) error {
	if c.opts.argumentChecks && t.arguments != nil {
		var v jsonwire.Validator
		t.arguments.ValidateJSON(&v)
		if err := v.Err(); err != nil {
			return fmt.Errorf("arguments of tool %q: %w", t.name, err)
		}
	}
	req, out := &t.req, &t.out
	out.options = &req.options
	req.Method, req.Name, req.Params, req.Result = methodCallTool, t.name, t, out
	known := c.tools.get(t.name)
	if bindings := known.bindings(t.headers); len(bindings) > 0 {
		req.headers = bindings
	}
	if known != nil {
		req.repeatable = known.repeatable
	}
	return nil
}

// judge says whether the result of a call is one that its caller can have.
func (c *Client) judge(t *toolCall) error {
	req, out := &t.req, &t.out
	if misshapen(out.result) {
		return &InvalidResultError{Method: methodCallTool, Err: errTaskShape}
	}
	if !t.untyped && isError(out.result) {
		return &ToolError{Tool: t.name, Result: out.result}
	}
	if req.options.unvalidated || isError(out.result) {
		return nil
	}
	if err := out.verify(c.opts.logger, c.tools.get(t.name), t.untyped); err != nil {
		return &OutputError{Tool: t.name, Result: out.result, Err: err}
	}
	return nil
}

// OutputError says that a tool's structured output breaks its schema; Err is a *ValidationError where
// the place is known. Result is what the tool sent.
type OutputError struct {
	Tool   string
	Result *CallToolResult
	Err    error
}

func (e *OutputError) Error() string { return fmt.Sprintf("output of tool %q: %s", e.Tool, e.Err) }
func (e *OutputError) Unwrap() error { return e.Err }

func isError(r *CallToolResult) bool { return isTrue(r.IsError) }

// resultText joins the text of a result.
func resultText(r *CallToolResult) string {
	if r == nil {
		return ""
	}
	var parts []string
	for _, block := range r.Content {
		if text, ok := block.(*TextContent); ok && text.Text != "" {
			parts = append(parts, text.Text)
		}
	}
	return strings.Join(parts, "\n")
}

var errNoStructure = errors.New("structuredContent is missing although the tool has an output schema")
