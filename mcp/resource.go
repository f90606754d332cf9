package mcp

// Reading resources, and the URIs of resource templates.

import (
	"context"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// ReadResource reads one resource. errors.Is(err, ErrResourceNotFound) tells if there is none.
func (c *Client) ReadResource(ctx context.Context, uri string, opts ...CallOption) (*ReadResourceResult, error) {
	result := &ReadResourceResult{}
	req := &Request{Method: methodReadResource, Name: uri, Params: uriParams(uri), Result: result}
	if err := c.call(ctx, req, opts); err != nil {
		return nil, err
	}
	return result, nil
}

type uriParams string

func (uriParams) metaFree() {}

func (p uriParams) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"uri":`)
	w.String(string(p))
	w.EndObject()
}

// ResourceSpec describes one resource template of one server as it was when the client was generated.
type ResourceSpec[Args any] struct {
	Name        string
	URITemplate string // RFC 6570
	Expand      func(*Args, *URIValues)
}

// Read expands the template with args and reads the resource.
func (s *ResourceSpec[Args]) Read(ctx context.Context, c *Client, args Args, opts ...CallOption) (*ReadResourceResult, error) {
	uri, err := s.URI(args)
	if err != nil {
		return nil, err
	}
	return c.ReadResource(ctx, uri, opts...)
}

// URI expands the template with args (C-224).
func (s *ResourceSpec[Args]) URI(args Args) (string, error) {
	var values URIValues
	if s.Expand != nil {
		s.Expand(&args, &values)
	}
	uri, err := ExpandURITemplate(s.URITemplate, &values)
	if err != nil {
		return "", fmt.Errorf("resource template %q: %w", s.Name, err)
	}
	return uri, nil
}
