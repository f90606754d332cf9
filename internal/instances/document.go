package instances

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/validation"
)

// document finds what references point at.
type document struct {
	root    any
	draft07 bool // what stands beside $ref is ignored
	anchors map[string]any
}

func newDocument(root any) *document {
	d := &document{root: root, anchors: map[string]any{}}
	m, _ := root.(map[string]any)
	uri, _ := m["$schema"].(string)
	d.draft07 = validation.FormatAsserted(uri)
	d.findAnchors(root)
	return d
}

// findAnchors also takes what only looks like an anchor: the validator has the
// last word.
func (d *document) findAnchors(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, keyword := range [...]string{"$anchor", "$dynamicAnchor", "$id"} {
			if name, ok := v[keyword].(string); ok && name != "" {
				d.anchors[strings.TrimPrefix(name, "#")] = v
			}
		}
		for _, x := range v {
			d.findAnchors(x)
		}
	case []any:
		for _, x := range v {
			d.findAnchors(x)
		}
	}
}

// resolve returns the target of a reference.
func (d *document) resolve(ref string) (any, bool) {
	address, fragment, _ := strings.Cut(ref, "#")
	base := d.root
	if address != "" {
		if b, ok := d.anchors[address]; ok {
			base = b
		}
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if fragment == "" || strings.HasPrefix(fragment, "/") {
		return walk(base, fragment)
	}
	v, ok := d.anchors[fragment]
	return v, ok
}

func (d *document) at(pointer string) (any, bool) { return walk(d.root, pointer) }

func walk(v any, pointer string) (any, bool) {
	if pointer == "" || pointer == "/" {
		return v, true
	}
	for _, t := range strings.Split(pointer[1:], "/") {
		t = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[t]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(t)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}
