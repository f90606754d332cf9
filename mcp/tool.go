package mcp

// Calling tools. A generated method is one line over a ToolSpec; the work is done once, below, for
// all types.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// ToolSpec describes one tool of one server as it was when the client was generated.
type ToolSpec[Args, Output any] struct {
	Name, Title  string
	InputSchema  string          // as the server sent it, without white space
	OutputSchema string          // "" if the tool has none
	Fingerprint  string          // of both schemas
	Headers      []HeaderBinding // arguments to mirror in headers
	ReadOnly     bool            // the tool's own claim, as is Idempotent
	Idempotent   bool
	WriteArgs    func(*Args, *jsonwire.Writer) // nil: no arguments
	CheckArgs    func(*Args, *jsonwire.Validator)
	ReadOutput   func(*Output, *jsonwire.Reader) // nil: no output schema
	CheckOutput  func(*Output, *jsonwire.Validator)
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
}

// Call calls the tool and returns its typed output. The error is a *ToolError if the tool reports one,
// a *ValidationError if arguments (with WithArgumentValidation) or output break the schema.
func (s *ToolSpec[Args, Output]) Call(ctx context.Context, c *Client, args Args, opts ...CallOption) (*ToolResult[Output], error) {
	result := &typedResult[Output]{}
	result.typed.CallToolResult = &result.whole
	t := s.prepare(args, &result.whole)
	t.readInto(&result.typed.Output)
	if err := c.callTool(ctx, &t.core, opts); err != nil {
		return nil, err
	}
	return &result.typed, nil
}

// CallResult calls the tool and returns its untyped result; the errors are those of Call.
func (s *ToolSpec[Args, Output]) CallResult(ctx context.Context, c *Client, args Args, opts ...CallOption) (*CallToolResult, error) {
	result := &CallToolResult{}
	if err := c.callTool(ctx, &s.prepare(args, result).core, opts); err != nil {
		return nil, err
	}
	return result, nil
}

// typedResult is a result in one piece. It is apart from the call, which would otherwise live, with its
// arguments, as long as its result. Nothing is embedded: the compiler would write every method again
// for every tool.
type typedResult[Output any] struct {
	typed ToolResult[Output]
	whole CallToolResult
}

// typedCall is a call in one piece: the non-generic core sees the types through typedArgs and typedOutput.
type typedCall[Args, Output any] struct {
	core   toolCall
	spec   *ToolSpec[Args, Output]
	args   Args
	output *Output
}

// prepare gives the core what it needs.
func (s *ToolSpec[Args, Output]) prepare(args Args, result *CallToolResult) *typedCall[Args, Output] {
	t := &typedCall[Args, Output]{spec: s, args: args}
	t.core.name, t.core.headers, t.core.out.result = s.Name, s.Headers, result
	t.core.req.repeatable = s.ReadOnly || s.Idempotent
	if s.WriteArgs != nil {
		t.core.arguments = t
	}
	return t
}

// readInto has the typed output read into output.
func (t *typedCall[Args, Output]) readInto(output *Output) {
	if t.spec.ReadOutput != nil {
		t.core.out.typed = t
	}
	t.output = output
}

func (t *typedCall[Args, Output]) writeArgs(w *jsonwire.Writer) { t.spec.WriteArgs(&t.args, w) }

func (t *typedCall[Args, Output]) checkArgs(v *jsonwire.Validator) {
	if t.spec.CheckArgs != nil {
		t.spec.CheckArgs(&t.args, v)
	}
}

func (t *typedCall[Args, Output]) readOutput(r *jsonwire.Reader) { t.spec.ReadOutput(t.output, r) }

func (t *typedCall[Args, Output]) checkOutput(v *jsonwire.Validator) {
	if t.spec.CheckOutput != nil {
		t.spec.CheckOutput(t.output, v)
	}
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
	arguments typedArgs // nil: none
	untyped   bool
	task      json.RawMessage // params.task of 2025-11-25; nil: not asked to be a task
}

// typedArgs are arguments of a type that only the tool's specification knows.
type typedArgs interface {
	writeArgs(*jsonwire.Writer)
	checkArgs(*jsonwire.Validator)
}

type untypedArgs struct{ jsonwire.Appender }

func (a untypedArgs) writeArgs(w *jsonwire.Writer)  { a.WriteJSON(w) }
func (a untypedArgs) checkArgs(*jsonwire.Validator) {}

func (t *toolCall) metaFree() {}

// WriteJSON writes the params. arguments is an object or absent, never null (C-242).
func (t *toolCall) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"name":`)
	w.String(t.name)
	if t.arguments != nil {
		w.Member(`"arguments":`)
		start := len(w.Bytes())
		t.arguments.writeArgs(w)
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
		t.arguments.checkArgs(&v)
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

func isError(r *CallToolResult) bool { return r.IsError != nil && *r.IsError }

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
