package typing

// Comments: the server's description, and our own notes on what the Go type
// does not show.

import (
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func docOf(n *jsonschema.Node) model.Doc {
	text := n.Description
	if text == "" {
		text = n.Title
	}
	return model.Doc{Text: text, Deprecated: n.Deprecated}
}

// fieldDoc is the comment of a member: what stands at the member itself, or at
// the unnamed type that it refers to, and notes.
func (b *Builder) fieldDoc(n *jsonschema.Node, p place) model.Doc {
	doc := docOf(n)
	f := b.flatten(p, n.Target())
	if f == nil {
		return doc
	}
	if doc.Text == "" {
		doc.Text = docOf(f).Text
	}
	doc.Deprecated = doc.Deprecated || f.Deprecated
	if f.Format != "" {
		doc.Notes = append(doc.Notes, "Format: "+f.Format+".")
	}
	if s := limits(f); s != "" {
		doc.Notes = append(doc.Notes, s)
	}
	if d := b.defaultOf(n, p); d != nil && d.Kind != jsonschema.NullValue {
		if text := string(d.Compact()); len(text) <= 200 {
			doc.Notes = append(doc.Notes, "Default: "+text+".")
		}
	}
	return doc
}

// limits says the bounds that a caller must keep.
func limits(f *jsonschema.Node) string {
	var parts []string
	add := func(label, value string) {
		if value != "" && len(value) < 40 {
			parts = append(parts, label+" "+value)
		}
	}
	add("at least", f.Minimum)
	add("more than", f.ExclusiveMinimum)
	add("at most", f.Maximum)
	add("less than", f.ExclusiveMaximum)
	count := func(low, high *int, unit string) {
		switch {
		case low != nil && high != nil:
			add("", itoa(*low)+" to "+itoa(*high)+unit)
		case low != nil && *low > 0:
			add("at least", itoa(*low)+unit)
		case high != nil:
			add("at most", itoa(*high)+unit)
		}
	}
	count(f.MinLength, f.MaxLength, " characters")
	count(f.MinItems, f.MaxItems, " items")
	if len(parts) == 0 {
		return ""
	}
	s := strings.TrimSpace(strings.Join(parts, ", "))
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
