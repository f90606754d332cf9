package mcp

// One tool of a list: kept as it is, remembered for later calls, and left out where the era says so.

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// readTool reads one entry of tools/list. A tool whose schema is no object of the right kind is still
// listed (B102); one whose header annotations break the rules is not, where headers matter (C-124).
func readTool(c *Client, r *jsonwire.Reader, x *Tool) bool {
	var shape toolShape
	start := r.Mark()
	if x.ReadJSON(r); r.Err() == nil {
		if raw := x.Extra["execution"]; raw != nil {
			shape.tasks = readTaskSupport(jsonwire.NewReader(raw))
		}
		// Most tools have nothing that the schemas as text are needed for.
		if text := r.RawSinceNoCopy(start); x.OutputSchema != nil || bytes.Contains(text, []byte(headerAnnotation)) {
			shape.ReadJSON(jsonwire.NewReader(text))
		}
	} else {
		r.Rewind(start)
		if !readOddTool(c, r, &shape, x) {
			return false
		}
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
	ui, _ := ToolUI(*x)
	known.app = ui.AppVisible()
	c.tools.learn(x.Name, known)
	return true
}

// readOddTool reads a tool with schemas that Tool cannot hold, if it is a tool at all.
func readOddTool(c *Client, r *jsonwire.Reader, shape *toolShape, x *Tool) bool {
	start := r.Mark()
	if shape.ReadJSON(r); r.Err() != nil {
		return false
	}
	end := r.Mark()
	r.Rewind(start)
	whole := shape.normal(r)
	if whole == nil {
		r.Rewind(start)
		x.ReadJSON(r) // says what is wrong
		return false
	}
	r.Rewind(end)
	c.opts.logger.Warn("mcp: a tool's schema is not of an object and taken for the nearest that is", "tool", printable(shape.name))
	if err := jsonwire.Unmarshal(whole, x); err != nil {
		r.Fail("tool", err.Error())
		return false
	}
	return true
}

// toolShape takes a tool's schemas as text, and what newer versions do not have.
type toolShape struct {
	name          string
	input, output json.RawMessage
	tasks         taskSupport
}

func (s *toolShape) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "name":
			s.name = r.String()
			seen |= 1
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
	r.Missing(seen, "name")
}

// normal returns the tool's text with schemas that Tool can hold in place of those that it cannot: an
// input schema that is missing, null, true or does not say that it is of an object, an output schema
// that is true. nil if there is none of these. The tool is read from r.
func (s *toolShape) normal(r *jsonwire.Reader) []byte {
	input, output := objectSchema(s.input), string(s.output) == "true"
	if input == "" && !output {
		return nil
	}
	w := jsonwire.NewWriter(nil)
	w.BeginObject()
	for r.BeginObject(); r.NextMember(); {
		switch key := r.KeyString(); {
		case key == "inputSchema" && input != "":
			r.Skip()
		case key == "outputSchema" && output:
			r.Skip()
			w.Member(`"outputSchema":`)
			w.Literal(`{}`)
		default:
			w.Key(key)
			w.Raw(r.RawNoCopy())
		}
	}
	if input != "" {
		w.Member(`"inputSchema":`)
		w.Literal(input)
	}
	w.EndObject()
	return w.Bytes()
}

// objectSchema returns the schema of objects that an input schema amounts to; "" if it is one, or is
// beyond help.
func objectSchema(schema json.RawMessage) string {
	r := jsonwire.NewReader(schema)
	switch {
	case len(schema) == 0 || r.Kind() == jsonwire.KindNull || string(schema) == "true":
		return `{"type":"object"}`
	case r.Kind() != jsonwire.KindObject || r.Has("type"):
		return ""
	}
	rest := strings.TrimLeft(string(schema[1:]), " \t\r\n")
	if rest == "}" {
		return `{"type":"object"}`
	}
	return `{"type":"object",` + rest
}

// mirrorsHeaders reports whether calls carry arguments in headers: in the stateless era, over a
// transport that has headers.
func (c *Client) mirrorsHeaders() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current != nil && !c.current.async && c.current.speaks().version() >= Version20260728
}
