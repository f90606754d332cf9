package mcp

// Drift: does the server still offer the tools that a client was generated from?

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/fingerprint"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Fingerprints holds a digest of the schemas of each tool, by name.
type Fingerprints map[string]string

// DriftError says that a server's tools are no longer those that the client was generated from.
// Tools that were added do not count.
type DriftError struct {
	Missing []string // tools that the server does not list any more, sorted
	Changed []string // tools whose schemas differ in more than wording, sorted
}

func (e *DriftError) Error() string {
	var parts []string
	for _, p := range []struct {
		what  string
		names []string
	}{{"gone", e.Missing}, {"changed", e.Changed}} {
		if len(p.names) > 0 {
			parts = append(parts, fmt.Sprintf("%s: %s", p.what, quotedNames(p.names)))
		}
	}
	return "the server's tools differ from those that this client was generated from (" + strings.Join(parts, "; ") + "); run go generate again"
}

func quotedNames(names []string) string {
	const most = 5
	var quoted []string
	for i, n := range names {
		if i == most {
			quoted = append(quoted, fmt.Sprintf("and %d more", len(names)-most))
			break
		}
		quoted = append(quoted, fmt.Sprintf("%q", n))
	}
	return strings.Join(quoted, ", ")
}

// WithVerify makes the Connect of a generated client compare the server's tools with those that it
// was generated from, and fail with a *DriftError where they differ.
func WithVerify() Option { return optionFunc(func(o *options) { o.verify = true }) }

// Verify lists the server's tools and compares them with want. The error is a *DriftError if a tool
// is gone or has other schemas, or whatever ListTools fails with.
func (c *Client) Verify(ctx context.Context, want Fingerprints, opts ...CallOption) error {
	got := Fingerprints{}
	opts = append(slices.Clip(opts), WithoutCache())
	for tool, err := range walk(ctx, c, &fingerprintListing, opts) {
		if err != nil {
			return err
		}
		got[tool.name] = tool.sum
	}
	drift := &DriftError{}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch sum, ok := got[name]; {
		case !ok:
			drift.Missing = append(drift.Missing, name)
		case sum != want[name]:
			drift.Changed = append(drift.Changed, name)
		}
	}
	if len(drift.Missing)+len(drift.Changed) > 0 {
		return drift
	}
	return nil
}

type toolPrint struct{ name, sum string }

var fingerprintListing = listing[toolPrint]{methodListTools, "tools", func(_ *Client, r *jsonwire.Reader, x *toolPrint) bool {
	var input, output json.RawMessage
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "name":
			x.name = r.String()
		case "inputSchema":
			input = r.RawNoCopy()
		case "outputSchema":
			if !r.Null() {
				output = r.RawNoCopy()
			}
		default:
			r.Skip()
		}
	}
	if r.Err() != nil {
		return false
	}
	x.sum = fingerprint.Tool(input, output)
	return true
}}

// ConnectAs is the Connect of generated clients: it opens transport, compares the tools if WithVerify
// asks for it, and wraps the connection.
func ConnectAs[T any](ctx context.Context, transport Transport, wrap func(*Client) *T, want Fingerprints, opts ...Option) (*T, error) {
	conn, err := Connect(ctx, transport, opts...)
	if err != nil {
		return nil, err
	}
	if conn.opts.verify {
		if err := conn.Verify(ctx, want); err != nil {
			conn.Close()
			return nil, err
		}
	}
	return wrap(conn), nil
}
