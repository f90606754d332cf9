package mcp

// Reading resources, and the URIs of resource templates.

import (
	"context"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// ReadResource reads one resource. errors.Is(err, ErrResourceNotFound) tells if there is none.
func (c *Client) ReadResource(ctx context.Context, uri string, opts ...CallOption) (*ReadResourceResult, error) {
	x := &readResult{}
	req := &Request{Method: methodReadResource, Name: uri, Params: uriParams(uri), Result: x}
	if err := c.cachedCall(ctx, req, uri, x.meta.hints, opts); err != nil {
		return nil, err
	}
	return &x.ReadResourceResult, nil
}

// readResult reads a resource without minding malformed cache hints (B089).
type readResult struct {
	ReadResourceResult
	meta listMeta
}

func (x *readResult) ReadJSON(r *jsonwire.Reader) {
	x.ReadResourceResult, x.meta = ReadResourceResult{}, listMeta{resultType: v20260728.ResultTypeComplete}
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) != "contents" {
			x.meta.readMember(r)
			continue
		}
		seen |= 1
		x.Contents = []v20260728.ReadResourceResultContentsItem{}
		for r.BeginArray(); r.NextElement(); {
			x.Contents = append(x.Contents, v20260728.ReadReadResourceResultContentsItem(r))
		}
	}
	x.meta.settle()
	x.ResultType, x.TTLMs, x.CacheScope, x.Meta, x.Extra = x.meta.resultType, x.meta.ttlMs, x.meta.scope, x.meta.meta, x.meta.extra
	r.Missing(seen, "contents")
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
