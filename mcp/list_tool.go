package mcp

// One tool of a list: kept as it is, remembered for later calls, and left out where the era says so.

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// readTool reads one entry of tools/list. A tool whose schema is no object of the right kind is still
// listed (B102); one whose header annotations break the rules is not, where headers matter (C-124).
func readTool(c *Client, r *jsonwire.Reader, x *Tool) bool {
	var shape toolShape
	start := r.Mark()
	shape.ReadJSON(r)
	if r.Err() != nil {
		return false
	}
	r.Rewind(start)
	x.ReadJSON(r)
	if r.Err() != nil {
		return false
	}
	known := &knownTool{name: x.Name, repeatable: mayRepeat(x.Annotations), tasks: shape.tasks}
	if len(shape.output) > 0 {
		known.output = NewSchema(string(shape.output))
	}
	headers, err := bindHeaders(shape.input)
	known.headers = headers
	if err != nil {
		if c.mirrorsHeaders() {
			c.opts.logger.Warn("mcp: tool left out of the list: its x-mcp-header annotations are invalid", "tool", printable(x.Name), "error", err)
			return false
		}
		known.headers = nil
	}
	c.tools.learn(x.Name, known)
	return true
}

// toolShape takes a tool's schemas as text, and what newer versions do not have.
type toolShape struct {
	input, output json.RawMessage
	tasks         taskSupport
}

func (s *toolShape) ReadJSON(r *jsonwire.Reader) {
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "inputSchema":
			s.input = r.RawNoCopy()
		case "outputSchema":
			if !r.Null() {
				s.output = r.RawNoCopy()
			}
		case "execution":
			s.tasks = readTaskSupport(r)
		default:
			r.Skip()
		}
	}
}

// mirrorsHeaders reports whether calls carry arguments in headers: in the stateless era, over a
// transport that has headers.
func (c *Client) mirrorsHeaders() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current != nil && !c.current.async && c.current.speaks().version() >= Version20260728
}
