package protocol

// Comments from docs.json.

import (
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

func (b *builder) document(decls []*model.Decl) {
	for _, d := range decls {
		at := prosePath(d.Key)
		own := func(text string) model.Doc { return model.Doc{Text: text, Own: text != ""} }
		d.Doc = own(b.prose.Type(b.in.Version, at))
		if d.Key == "$defs/CacheScope" { // a name of ours, for what the file repeats
			at = "CacheableResult.cacheScope"
			d.Doc = own(b.prose.Field(b.in.Version, "CacheableResult", "cacheScope"))
		}
		switch t := d.Type.(type) {
		case *model.Struct:
			for _, f := range t.Fields {
				notes := f.Doc.Notes
				f.Doc = own(b.fieldLine(at, f.Raw))
				f.Doc.Deprecated = strings.Contains(f.Doc.Text, "deprecated")
				if f.Doc.Text == "" {
					f.Doc.Notes = notes
				}
			}
		case *model.Enum:
			for i := range t.Values {
				if line := b.prose.Value(b.in.Version, at, t.Values[i].Text); line != "" {
					t.Values[i].Doc = line
				}
			}
		}
	}
	for _, op := range b.ops {
		op.Doc = model.Doc{Text: b.prose.Method(b.in.Version, op.Raw), Own: true}
	}
}

// fieldLine is the line of a field: its own, or the one of a definition that the
// type was merged from.
func (b *builder) fieldLine(at, field string) string {
	if line := b.prose.Field(b.in.Version, at, field); line != "" {
		return line
	}
	name, rest, _ := strings.Cut(at, ".")
	n := b.defs[name]
	for rest != "" && n != nil {
		var member string
		member, rest, _ = strings.Cut(rest, ".")
		n = property(n, member)
	}
	for _, part := range b.mergedFrom(n, 0) {
		if line := b.prose.Field(b.in.Version, part, field); line != "" {
			return line
		}
	}
	return ""
}

// mergedFrom names the definitions that the allOf, anyOf and oneOf of a node
// refer to, near ones first.
func (b *builder) mergedFrom(n *jsonschema.Node, depth int) []string {
	if n == nil || depth > 4 {
		return nil
	}
	var out []string
	for _, list := range [][]*jsonschema.Node{n.AllOf, n.AnyOf, n.OneOf} {
		for _, m := range list {
			t := m.Target()
			if def, ok := strings.CutPrefix(t.Pointer, "/"+b.doc.defsKey+"/"); ok && !strings.Contains(def, "/") {
				out = append(out, def)
			}
			out = append(out, b.mergedFrom(t, depth+1)...)
		}
	}
	return out
}

// prosePath turns the key of a declaration into the path that docs.json uses:
// member names joined by dots; elements and values share their holder's path.
func prosePath(key string) string {
	parts := strings.Split(strings.TrimPrefix(key, "$defs/"), "/")
	out := parts[0]
	for i := 1; i < len(parts); i++ {
		if parts[i] == "properties" && i+1 < len(parts) {
			i++
			name, _, _ := strings.Cut(parts[i], "#")
			out += "." + jsonpointer.Unescape(name)
		}
	}
	out, _, _ = strings.Cut(out, "#")
	return out
}
