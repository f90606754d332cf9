package typing

// The arms of a sealed union: which declaration carries each, and how a reader
// finds the right one.

import (
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func (b *Builder) union(options []option, t *jsonschema.Node, p place, oneOf, exact bool, dynamic []string) model.Type {
	d, in := b.declare(p, t)
	u := &model.Union{}
	d.Type = u
	b.dynamic(in, dynamic...)
	if !exact {
		b.dynamic(in, "anyOf")
	}
	objects := objectsOf(options)
	u.How, u.Tag = b.tellApart(objects, p)
	arrays := 0
	seen := map[*model.Decl]bool{}
	for _, o := range options {
		if o.kind == jsonschema.Array {
			arrays++
		}
		if o.merged {
			b.dynamic(in, "allOf")
		}
		arm := b.arm(o, u, objects, in)
		if arm == nil || seen[arm.Decl] {
			continue
		}
		seen[arm.Decl] = true
		u.Arms = append(u.Arms, arm)
	}
	if oneOf && (len(objects) > 1 && u.How != model.ByTag || arrays > 1) {
		b.dynamic(in, "oneOf")
	}
	return &model.Ref{Decl: d}
}

func objectsOf(options []option) []option {
	var out []option
	for _, o := range options {
		if o.kind == jsonschema.Object {
			out = append(out, o)
		}
	}
	return out
}

var kindNames = map[jsonschema.TypeSet]string{
	jsonschema.String: "string", jsonschema.Integer: "number", jsonschema.Number: "number",
	jsonschema.Boolean: "boolean", jsonschema.Array: "array", jsonschema.Object: "object",
}

var kindWords = map[jsonschema.TypeSet]string{
	jsonschema.String: "String", jsonschema.Integer: "Int", jsonschema.Number: "Number",
	jsonschema.Boolean: "Bool", jsonschema.Array: "Array", jsonschema.Object: "Object",
}

// arm makes the arm of an option; a type that cannot carry a method is wrapped
// in a declaration of its own.
func (b *Builder) arm(o option, u *model.Union, objects []option, p place) *model.Arm {
	arm := &model.Arm{Kinds: []string{kindNames[o.kind]}}
	at := o.at
	at.decl = p.decl
	if o.inline {
		word := o.hint
		if word == "" {
			word = b.armWord(o, u)
		}
		at.words = append(at.words[:len(at.words):len(at.words)], word)
		at.exact = false
	}
	arm.Type = b.armType(o, at)
	if c, ok := arm.Type.(*model.Const); ok {
		arm.Type = b.constEnum(c, o.node, at)
	}
	if ref, ok := arm.Type.(*model.Ref); ok && carries(ref.Decl) {
		arm.Decl = ref.Decl
	} else {
		wrap := at.under(o.node, "#arm", "")
		wrap.exact = false
		if ref, ok := arm.Type.(*model.Ref); ok {
			wrap.key = p.key + "#" + ref.Decl.Key
			wrap.words = append(p.words[:len(p.words):len(p.words)], kindWords[o.kind])
		}
		d, _ := b.declare(wrap, o.flat)
		d.Type = arm.Type
		arm.Decl = d
	}
	if o.kind == jsonschema.Object {
		b.chosenBy(arm, o, u, objects)
	}
	return arm
}

func (b *Builder) armType(o option, at place) model.Type {
	if o.flat.Src == nil || o.flat != o.node && o.node.Src == nil {
		if d := b.decls[at.key]; d != nil {
			return &model.Ref{Decl: d}
		}
		return b.ofFlat(o, at)
	}
	typ, _ := b.typeOf(o.node, at)
	return typ
}

// carries tells whether the declaration can have the union's method: it is a
// defined type that is no interface.
func carries(d *model.Decl) bool {
	if d.Alias {
		return false
	}
	_, union := d.Type.(*model.Union)
	return d.Type != nil && !union
}

// armWord names an alternative that has no name: by its title, its tag, the
// member that only it requires, or its kind.
func (b *Builder) armWord(o option, u *model.Union) string {
	if o.kind != jsonschema.Object {
		if o.kind == jsonschema.Array && o.flat.Items != nil {
			if f := b.flatten(o.at, o.flat.Items.Target()); f != nil && f.Types.Count() == 1 && f.Types != jsonschema.Array {
				return kindWords[f.Types] + "Array"
			}
		}
		return kindWords[o.kind]
	}
	if title := o.flat.Title; title != "" && len(title) <= 40 {
		return title
	}
	if u.How == model.ByTag {
		if tags := b.tagValues(o.flat, u.Tag, o.at); len(tags) > 0 {
			return strings.TrimPrefix(tags[0], `"`)
		}
	}
	for _, name := range o.flat.Required {
		if name != u.Tag && len(name) <= 40 {
			return "With_" + name
		}
	}
	for _, prop := range o.flat.Properties {
		if prop.Name != u.Tag && len(prop.Name) <= 40 {
			return "With_" + prop.Name
		}
	}
	return "Object"
}

// tellApart decides how the object alternatives differ.
func (b *Builder) tellApart(objects []option, p place) (model.How, string) {
	if len(objects) < 2 {
		return model.ByKind, ""
	}
	for _, prop := range objects[0].flat.Properties {
		if b.isTag(prop.Name, objects) {
			return model.ByTag, prop.Name
		}
	}
	without := 0
	for i := range objects {
		if len(ownKeys(i, objects)) == 0 {
			without++
		}
	}
	if without <= 1 {
		return model.ByKeys, ""
	}
	return model.ByTrial, ""
}

// isTag tells whether the member has other constants in every alternative, and
// is missing in at most one.
func (b *Builder) isTag(name string, objects []option) bool {
	seen := map[string]bool{}
	optional := 0
	for _, o := range objects {
		tags := b.tagValues(o.flat, name, o.at)
		if len(tags) == 0 {
			return false
		}
		for _, t := range tags {
			if seen[t] {
				return false
			}
			seen[t] = true
		}
		if !contains(o.flat.Required, name) {
			optional++
		}
	}
	return optional <= 1
}

// tagValues are the constants that a member is limited to, as Reader.Tag shows
// them: a string after a quotation mark, other scalars as JSON text.
func (b *Builder) tagValues(f *jsonschema.Node, name string, p place) []string {
	for _, prop := range f.Properties {
		if prop.Name != name {
			continue
		}
		pf := b.flatten(p, prop.Node.Target())
		if pf == nil {
			return nil
		}
		values := pf.Enum
		if pf.Const != nil {
			values = []*jsonschema.Value{pf.Const}
		}
		if arms := alternativesOf(pf); values == nil && len(arms) > 0 {
			return b.armConstants(arms, p)
		}
		return tagTexts(values)
	}
	return nil
}

func tagTexts(values []*jsonschema.Value) []string {
	var out []string
	for _, v := range values {
		switch v.Kind {
		case jsonschema.StringValue:
			out = append(out, `"`+v.Text)
		case jsonschema.BoolValue:
			out = append(out, v.Text)
		case jsonschema.NumberValue:
			if !isInt64(v.Text) {
				return nil
			}
			out = append(out, enumValue(v).Literal)
		default:
			return nil
		}
	}
	return out
}

// armConstants reads anyOf [{const a}, {const b}] as the list a, b.
func (b *Builder) armConstants(arms []*jsonschema.Node, p place) []string {
	var out []string
	for _, a := range arms {
		f := b.flatten(p, a.Target())
		if f == nil || f.Const == nil {
			return nil
		}
		out = append(out, tagTexts([]*jsonschema.Value{f.Const})...)
	}
	return out
}

// ownKeys are the required members of alternative i that no other declares.
func ownKeys(i int, objects []option) []string {
	var out []string
	for _, name := range objects[i].flat.Required {
		own := true
		for j, o := range objects {
			if j != i && (hasProperty(o.flat, name) || contains(o.flat.Required, name)) {
				own = false
				break
			}
		}
		if own {
			out = append(out, name)
		}
	}
	return out
}

// chosenBy notes on the arm what a reader looks for.
func (b *Builder) chosenBy(arm *model.Arm, o option, u *model.Union, objects []option) {
	switch u.How {
	case model.ByTag:
		arm.Tags = b.tagValues(o.flat, u.Tag, o.at)
		arm.Default = !contains(o.flat.Required, u.Tag)
	case model.ByKeys:
		for i := range objects {
			if objects[i].flat == o.flat {
				arm.Keys = ownKeys(i, objects)
			}
		}
	}
}
