package mcp

// Reading a tool's result: the typed output is read where it stands, in the same pass as the rest.

import (
	"log/slog"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// toolOutput reads a CallToolResult, and its structuredContent into a typed value if typed is set.
type toolOutput struct {
	result  *CallToolResult
	typed   jsonwire.Codec
	options *callOptions // of the call; nil: none

	structured bool  // structuredContent was there
	typedErr   error // why it could not be read as the typed output
	checks     jsonwire.Validator
}

// ReadJSON tolerates what old servers leave out (B086). Duplicate members: the last one counts.
func (x *toolOutput) ReadJSON(r *jsonwire.Reader) {
	*x.result = CallToolResult{ResultType: v20260728.ResultTypeComplete}
	x.structured, x.typedErr = false, nil
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "content":
			x.readContent(r)
		case "structuredContent":
			x.readStructured(r)
		case "isError":
			if !r.Null() {
				x.result.IsError = new(r.Bool())
			}
		case "resultType":
			if !r.Null() {
				x.result.ResultType = readResultType(r)
			}
		case "_meta":
			x.result.Meta = readResultMeta(r)
		default:
			r.Extra(&x.result.Extra)
		}
	}
}

// readResultMeta reads a result's _meta. No result is refused for it: what is not as it should be is
// kept as it came, and what is no object is left out (C-029).
func readResultMeta(r *jsonwire.Reader) *v20260728.ResultMetaObject {
	start := r.Mark()
	if r.Null() {
		return nil
	}
	meta := new(v20260728.ResultMetaObject)
	if meta.ReadJSON(r); r.Err() == nil {
		return meta
	}
	r.Rewind(start)
	if r.Kind() != jsonwire.KindObject {
		r.Skip()
		return nil
	}
	*meta = v20260728.ResultMetaObject{}
	for r.BeginObject(); r.NextMember(); {
		r.Extra(&meta.Extra)
	}
	return meta
}

// readResultType makes no string of what nearly every result says.
func readResultType(r *jsonwire.Reader) v20260728.ResultType {
	start := r.Mark()
	if string(r.RawNoCopy()) == `"complete"` {
		return v20260728.ResultTypeComplete
	}
	r.Rewind(start)
	return v20260728.ResultType(r.String())
}

func (x *toolOutput) readContent(r *jsonwire.Reader) {
	if r.Null() {
		return
	}
	x.result.Content = make([]ContentBlock, 0, 1)
	for r.BeginArray(); r.NextElement(); {
		x.result.Content = append(x.result.Content, readContentBlock(r))
	}
}

// readStructured keeps the text of the value beside the typed one. What cannot be read as the type is
// only known to be wrong once isError has been seen.
func (x *toolOutput) readStructured(r *jsonwire.Reader) {
	x.structured = true
	if x.typed == nil {
		x.result.StructuredContent = r.Raw()
		return
	}
	start := r.Mark()
	// A member that a closed schema does not know is no fault where nothing is to be validated.
	r.SetLenient(x.options != nil && x.options.unvalidated)
	x.typed.ReadJSON(r)
	r.SetLenient(false)
	if x.typedErr = r.Err(); x.typedErr == nil {
		x.result.StructuredContent = r.RawSince(start)
		return
	}
	r.Rewind(start)
	x.result.StructuredContent = r.Raw()
}

// verify checks the structured output against the tool's schema (C-245).
func (x *toolOutput) verify(logger *slog.Logger, known *knownTool, untyped bool) error {
	switch {
	case x.typed != nil && !x.structured:
		return errNoStructure
	case x.typedErr != nil:
		return x.typedErr
	case x.typed != nil:
		x.typed.ValidateJSON(&x.checks)
		return x.checks.Err()
	case untyped:
		return known.checkOutput(logger, x.result.StructuredContent, x.structured)
	}
	return nil
}
