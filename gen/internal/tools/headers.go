package tools

// x-mcp-header: arguments that a 2026-07-28 server wants mirrored in HTTP
// headers (C-118 to C-123).

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// headers lists the bindings of a tool's input schema. The error names the
// first annotation that is not allowed.
func headers(root *jsonschema.Node) ([]model.Header, error) {
	w := headerWalk{seen: map[string]string{}, bound: map[*jsonschema.Value]bool{}}
	w.properties(root, nil)
	if w.err == nil {
		w.elsewhere(root.Src, root, "", false)
	}
	return w.out, w.err
}

type headerWalk struct {
	out   []model.Header
	seen  map[string]string // lower-case header -> path
	bound map[*jsonschema.Value]bool
	err   error
}

// properties walks the chain of properties, where annotations may stand.
func (w *headerWalk) properties(n *jsonschema.Node, path []string) {
	if n == nil || w.err != nil || len(path) > 32 {
		return
	}
	for _, p := range n.Properties {
		at := append(path[:len(path):len(path)], p.Name)
		if p.Node.Header != nil {
			w.bind(p.Node, at)
		}
		if p.Node.Ref == nil {
			w.properties(p.Node, at)
		}
	}
}

func (w *headerWalk) bind(n *jsonschema.Node, path []string) {
	where := strings.Join(path, ".")
	name := n.Header
	w.bound[name] = true
	switch {
	case name.Kind != jsonschema.StringValue || !isToken(name.Text):
		w.fail("x-mcp-header of %q must be a header name", where)
	case n.Types != jsonschema.String && n.Types != jsonschema.Integer && n.Types != jsonschema.Boolean:
		w.fail("x-mcp-header of %q needs the type string, integer or boolean", where)
	case w.seen[strings.ToLower(name.Text)] != "":
		w.fail("x-mcp-header %q is used by %q and %q", name.Text, w.seen[strings.ToLower(name.Text)], where)
	default:
		w.seen[strings.ToLower(name.Text)] = where
		w.out = append(w.out, model.Header{Name: name.Text, Path: path})
	}
}

func (w *headerWalk) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// elsewhere finds annotations in places that a caller cannot reach by name.
// inProperties tells that the members of v are property names, not keywords.
func (w *headerWalk) elsewhere(v *jsonschema.Value, root *jsonschema.Node, keyword string, inProperties bool) {
	if v == nil || w.err != nil {
		return
	}
	for _, m := range v.Members {
		if !inProperties {
			switch m.Name {
			case "default", "const", "enum", "examples":
				continue
			case "x-mcp-header":
				if !w.bound[m.Value] {
					w.fail("x-mcp-header under %q is out of reach: it may stand only on properties", keyword)
				}
				continue
			}
		}
		names := !inProperties && (m.Name == "properties" || m.Name == "patternProperties" || m.Name == "$defs" ||
			m.Name == "definitions" || m.Name == "dependentSchemas")
		w.elsewhere(m.Value, root, m.Name, names)
	}
	for _, i := range v.Items {
		w.elsewhere(i, root, keyword, false)
	}
}

// isToken tells whether s is a token of RFC 9110.
func isToken(s string) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return true
}
