package protocol

// Comments from docs.json.

import (
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func (b *builder) document(decls []*model.Decl) {
	for _, d := range decls {
		at := prosePath(d.Key)
		own := func(text string) model.Doc { return model.Doc{Text: text, Own: text != ""} }
		d.Doc = own(b.prose.Type(b.in.Version, at))
		if d.Key == "$defs/CacheScope" { // a name of ours, for what the file repeats
			d.Doc = own(b.prose.Field(b.in.Version, "CacheableResult", "cacheScope"))
		}
		switch t := d.Type.(type) {
		case *model.Struct:
			for _, f := range t.Fields {
				notes := f.Doc.Notes
				f.Doc = own(b.prose.Field(b.in.Version, at, f.Raw))
				f.Doc.Deprecated = strings.Contains(f.Doc.Text, "deprecated")
				if f.Doc.Text == "" {
					f.Doc.Notes = notes
				}
			}
		case *model.Enum:
			for i := range t.Values {
				t.Values[i].Doc = b.prose.Value(b.in.Version, at, t.Values[i].Text)
			}
		}
	}
	for _, op := range b.ops {
		op.Doc = model.Doc{Text: b.prose.Method(b.in.Version, op.Raw), Own: true}
	}
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
			out += "." + strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		}
	}
	out, _, _ = strings.Cut(out, "#")
	return out
}
