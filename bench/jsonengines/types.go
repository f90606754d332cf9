// Package jsonengines measures three ways to read and write the same typed
// values: encoding/json by reflection, go-faster/jx and mcp/jsonwire by static
// code. The codecs do the same work: required members are checked, unknown
// members are skipped, optional ones keep their absence.
package jsonengines

import "encoding/json"

// Three shapes that an MCP client reads: a small result, a long list of tools
// whose schemas stay raw, and many typed rows.

// Row is one row of a large structured result.
type Row struct {
	ID      int64    `json:"id"`
	Name    string   `json:"name"`
	Email   string   `json:"email"`
	Score   float64  `json:"score"`
	Active  bool     `json:"active"`
	Tags    []string `json:"tags,omitempty"`
	Note    *string  `json:"note,omitempty"`
	Created string   `json:"created"`
}

// Rows is a large structured result.
type Rows struct {
	Rows []Row `json:"rows"`
}

// Text is the text block of a result.
type Text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Sum is the structured part of a small result.
type Sum struct {
	Sum  int64  `json:"sum"`
	Unit string `json:"unit"`
}

// Result is a small tools/call result.
type Result struct {
	Content []Text `json:"content"`
	Output  *Sum   `json:"structuredContent,omitempty"`
	IsError bool   `json:"isError,omitempty"`
}

// Annotations are a tool's hints.
type Annotations struct {
	ReadOnly   *bool `json:"readOnlyHint,omitempty"`
	Idempotent *bool `json:"idempotentHint,omitempty"`
}

// Tool is one tool of a list.
type Tool struct {
	Name        string          `json:"name"`
	Title       *string         `json:"title,omitempty"`
	Description *string         `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations *Annotations    `json:"annotations,omitempty"`
}

// Tools is a tools/list result.
type Tools struct {
	Tools      []Tool  `json:"tools"`
	NextCursor *string `json:"nextCursor,omitempty"`
}
