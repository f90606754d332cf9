package mcp

// The four lists: tools, resources, resource templates, prompts. Each comes as a slice, as an
// iterator, and page by page.

import (
	"context"
	"iter"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

var (
	toolListing     = listing[Tool]{methodListTools, "tools", readTool}
	resourceListing = listing[Resource]{methodListResources, "resources", func(_ *Client, r *jsonwire.Reader, x *Resource) bool {
		x.ReadJSON(r)
		return true
	}}
	templateListing = listing[ResourceTemplate]{methodListTemplates, "resourceTemplates", func(_ *Client, r *jsonwire.Reader, x *ResourceTemplate) bool {
		x.ReadJSON(r)
		return true
	}}
	promptListing = listing[Prompt]{methodListPrompts, "prompts", func(c *Client, r *jsonwire.Reader, x *Prompt) bool {
		if x.ReadJSON(r); r.Err() == nil {
			c.learnPrompt(x)
		}
		return true
	}}
)

// ListTools returns all tools, in the server's order. It walks all pages; with an error it returns the
// tools that came before. A tool that is malformed is left out and logged.
func (c *Client) ListTools(ctx context.Context, opts ...CallOption) ([]Tool, error) {
	return collect(ctx, c, &toolListing, opts)
}

// Tools iterates over all tools, asking for each page when it is needed.
func (c *Client) Tools(ctx context.Context, opts ...CallOption) iter.Seq2[Tool, error] {
	return walk(ctx, c, &toolListing, opts)
}

// ListToolsPage returns one page: the first if cursor is nil, else the one that a NextCursor named.
func (c *Client) ListToolsPage(ctx context.Context, cursor *string, opts ...CallOption) (*ListToolsResult, error) {
	x, err := fetchWhole(ctx, c, &toolListing, cursor, opts)
	if err != nil {
		return nil, err
	}
	result := &ListToolsResult{Tools: x.page.items, NextCursor: x.page.next, Extra: x.meta.extra}
	result.ResultType, result.TTLMs, result.CacheScope, result.Meta = x.meta.resultType, x.meta.ttlMs, x.meta.scope, x.meta.meta
	return result, nil
}

// ListResources returns all resources; see ListTools.
func (c *Client) ListResources(ctx context.Context, opts ...CallOption) ([]Resource, error) {
	return collect(ctx, c, &resourceListing, opts)
}

// Resources iterates over all resources.
func (c *Client) Resources(ctx context.Context, opts ...CallOption) iter.Seq2[Resource, error] {
	return walk(ctx, c, &resourceListing, opts)
}

// ListResourcesPage returns one page; see ListToolsPage.
func (c *Client) ListResourcesPage(ctx context.Context, cursor *string, opts ...CallOption) (*ListResourcesResult, error) {
	x, err := fetchWhole(ctx, c, &resourceListing, cursor, opts)
	if err != nil {
		return nil, err
	}
	result := &ListResourcesResult{Resources: x.page.items, NextCursor: x.page.next, Extra: x.meta.extra}
	result.ResultType, result.TTLMs, result.CacheScope, result.Meta = x.meta.resultType, x.meta.ttlMs, x.meta.scope, x.meta.meta
	return result, nil
}

// ListResourceTemplates returns all resource templates; see ListTools.
func (c *Client) ListResourceTemplates(ctx context.Context, opts ...CallOption) ([]ResourceTemplate, error) {
	return collect(ctx, c, &templateListing, opts)
}

// ResourceTemplates iterates over all resource templates.
func (c *Client) ResourceTemplates(ctx context.Context, opts ...CallOption) iter.Seq2[ResourceTemplate, error] {
	return walk(ctx, c, &templateListing, opts)
}

// ListResourceTemplatesPage returns one page; see ListToolsPage.
func (c *Client) ListResourceTemplatesPage(ctx context.Context, cursor *string, opts ...CallOption) (*ListResourceTemplatesResult, error) {
	x, err := fetchWhole(ctx, c, &templateListing, cursor, opts)
	if err != nil {
		return nil, err
	}
	result := &ListResourceTemplatesResult{ResourceTemplates: x.page.items, NextCursor: x.page.next, Extra: x.meta.extra}
	result.ResultType, result.TTLMs, result.CacheScope, result.Meta = x.meta.resultType, x.meta.ttlMs, x.meta.scope, x.meta.meta
	return result, nil
}

// ListPrompts returns all prompts; see ListTools.
func (c *Client) ListPrompts(ctx context.Context, opts ...CallOption) ([]Prompt, error) {
	return collect(ctx, c, &promptListing, opts)
}

// Prompts iterates over all prompts.
func (c *Client) Prompts(ctx context.Context, opts ...CallOption) iter.Seq2[Prompt, error] {
	return walk(ctx, c, &promptListing, opts)
}

// ListPromptsPage returns one page; see ListToolsPage.
func (c *Client) ListPromptsPage(ctx context.Context, cursor *string, opts ...CallOption) (*ListPromptsResult, error) {
	x, err := fetchWhole(ctx, c, &promptListing, cursor, opts)
	if err != nil {
		return nil, err
	}
	result := &ListPromptsResult{Prompts: x.page.items, NextCursor: x.page.next, Extra: x.meta.extra}
	result.ResultType, result.TTLMs, result.CacheScope, result.Meta = x.meta.resultType, x.meta.ttlMs, x.meta.scope, x.meta.meta
	return result, nil
}
