package mcp

// Completions: what the server suggests for an argument that is being typed.

import (
	"context"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// A CompletionRef says what an argument belongs to: PromptRef or TemplateRef.
type CompletionRef interface{ writeRef(*jsonwire.Writer) }

// PromptRef is a prompt by name.
type PromptRef string

// TemplateRef is a resource template by its URI template.
type TemplateRef string

func (p PromptRef) writeRef(w *jsonwire.Writer) {
	w.Literal(`{"type":"ref/prompt","name":`)
	w.String(string(p))
	w.EndObject()
}

func (t TemplateRef) writeRef(w *jsonwire.Writer) {
	w.Literal(`{"type":"ref/resource","uri":`)
	w.String(string(t))
	w.EndObject()
}

// Completion asks for suggestions.
type Completion struct {
	Ref      CompletionRef
	Argument string // its name
	Value    string // what has been typed so far
	// Context holds arguments that are settled already; versions before 2025-06-18 have no place for it (C-217).
	Context map[string]string
}

// Complete asks the server for suggestions, at most 100.
func (c *Client) Complete(ctx context.Context, ask Completion, opts ...CallOption) (*CompleteResult, error) {
	result := &CompleteResult{}
	p := &completeParams{ask: ask, context: c.Session().Version >= Version20250618}
	if err := c.call(ctx, &Request{Method: methodComplete, Params: p, Result: result}, opts); err != nil {
		return nil, err
	}
	return result, nil
}

type completeParams struct {
	ask     Completion
	context bool
}

func (*completeParams) metaFree() {}

func (p *completeParams) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"ref":`)
	p.ask.Ref.writeRef(w)
	w.Member(`"argument":`)
	w.Literal(`{"name":`)
	w.String(p.ask.Argument)
	w.Member(`"value":`)
	w.String(p.ask.Value)
	w.EndObject()
	if p.context && len(p.ask.Context) > 0 {
		w.Member(`"context":`)
		w.Literal(`{"arguments":`)
		writeStrings(w, p.ask.Context)
		w.EndObject()
	}
	w.EndObject()
}
