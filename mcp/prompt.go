package mcp

// Getting prompts, and completions of their arguments.

import (
	"context"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// GetPrompt gets one prompt. Argument values are strings; nil for none. The error is a *ValidationError,
// and nothing is sent, if a list has shown that the prompt requires an argument that is missing.
func (c *Client) GetPrompt(ctx context.Context, name string, arguments map[string]string, opts ...CallOption) (*GetPromptResult, error) {
	if err := c.checkPrompt(name, arguments); err != nil {
		return nil, err
	}
	p := &promptParams{name: name}
	if arguments != nil {
		p.write = func(w *jsonwire.Writer) { writeStrings(w, arguments) }
	}
	return c.getPrompt(ctx, p, opts)
}

// learnPrompt remembers what a listed prompt requires.
func (c *Client) learnPrompt(p *Prompt) {
	var required []string
	for _, a := range p.Arguments {
		if isTrue(a.Required) {
			required = append(required, a.Name)
		}
	}
	c.prompts.Store(p.Name, required)
}

// checkPrompt looks for the arguments that the newest list says are required (C-238).
func (c *Client) checkPrompt(name string, arguments map[string]string) error {
	required, _ := c.prompts.Load(name)
	names, _ := required.([]string)
	var v jsonwire.Validator
	for _, arg := range names {
		if _, given := arguments[arg]; !given {
			v.Enter(arg)
			v.Violate("required", "the argument is missing")
			v.Leave()
		}
	}
	if err := v.Err(); err != nil && !c.opts.unchecked {
		return fmt.Errorf("arguments of prompt %q: %w", name, err)
	}
	return nil
}

func (c *Client) getPrompt(ctx context.Context, p *promptParams, opts []CallOption) (*GetPromptResult, error) {
	result := &GetPromptResult{}
	req := &Request{Method: methodGetPrompt, Name: p.name, Params: p, Result: result}
	if err := c.call(ctx, req, opts); err != nil {
		return nil, err
	}
	return result, nil
}

// PromptSpec describes one prompt of one server as it was when the client was generated.
type PromptSpec[Args any] struct {
	Name      string
	WriteArgs func(*Args, *jsonwire.Writer) // nil: no arguments
}

// Get gets the prompt.
func (s *PromptSpec[Args]) Get(ctx context.Context, c *Client, args Args, opts ...CallOption) (*GetPromptResult, error) {
	p := &promptParams{name: s.Name}
	if s.WriteArgs != nil {
		p.write = func(w *jsonwire.Writer) { s.WriteArgs(&args, w) }
	}
	return c.getPrompt(ctx, p, opts)
}

type promptParams struct {
	name  string
	write func(*jsonwire.Writer)
}

func (*promptParams) metaFree() {}

func (p *promptParams) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"name":`)
	w.String(p.name)
	if p.write != nil {
		w.Member(`"arguments":`)
		p.write(w)
	}
	w.EndObject()
}

func writeStrings(w *jsonwire.Writer, m map[string]string) {
	w.BeginObject()
	for _, key := range jsonwire.SortedKeys(m) {
		w.Key(key)
		w.String(m[key])
	}
	w.EndObject()
}
