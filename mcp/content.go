package mcp

// Content blocks as results have them.

import (
	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// readContentBlock keeps a block of a known type that is not quite right as an unknown one, so that
// the rest of the result survives (C-244).
func readContentBlock(r *jsonwire.Reader) ContentBlock {
	start := r.Mark()
	block := v20260728.ReadContentBlock(r)
	if r.Err() == nil {
		return block
	}
	broken := r.Mark()
	r.Rewind(start)
	if r.Kind() != jsonwire.KindObject {
		r.Rewind(broken)
		return nil
	}
	return &UnknownContentBlock{Unknown: jsonwire.Unknown{Raw: r.Raw()}}
}
