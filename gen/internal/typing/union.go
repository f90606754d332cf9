package typing

// anyOf, oneOf and lists of types: one type where the alternatives allow it,
// otherwise a sealed union and the way to tell its arms apart.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func itoa(n int) string { return strconv.Itoa(n) }

// option is one alternative, of one JSON kind, before it has a type.
type option struct {
	node *jsonschema.Node // as written; its place decides the name
	flat *jsonschema.Node
	kind jsonschema.TypeSet
	at   place

	inline bool   // has no name of its own
	hint   string // a word for it all the same
	merged bool   // made of the node and the alternative: only full validation judges both
}

// alternatives makes the type of a node with anyOf or oneOf. It returns nil
// when the alternatives add only constraints to what the node says itself; the
// caller then types the node without them.
func (b *Builder) alternatives(f, t *jsonschema.Node, p place) model.Type {
	keyword := altKeyword(f)
	arms := alternativesOf(f)
	bp := baseOf(f)
	known := len(b.Issues)
	if len(f.AnyOf) > 0 && len(f.OneOf) > 0 {
		b.dynamic(p, "oneOf")
	}
	if b.onlyConstraints(f, arms, p) {
		return nil
	}
	options, free := b.options(nil, bp, arms, p, "/"+keyword, 0)
	if free {
		b.exact[p.key] = len(b.Issues) == known
		if !b.exact[p.key] {
			b.dynamic(p, keyword)
		}
		b.dynamic(p, f.Dynamic...)
		return &model.Untyped{}
	}
	options, exact := b.combine(options)
	if len(options) == 0 {
		if b.fatal == nil && b.admitsNull(p, t, nil) {
			return &model.Const{Literal: "null"}
		}
		b.note(p, t, false, "%s has no alternative that any value satisfies", keyword)
		b.dynamic(p, keyword)
		return &model.Untyped{}
	}
	if len(options) == 1 {
		if !exact || keyword == "oneOf" && len(arms) > 2 {
			b.dynamic(p, keyword)
		}
		if options[0].merged {
			b.dynamic(p, "allOf")
		}
		b.dynamic(p, f.Dynamic...)
		return b.single(options[0], p)
	}
	return b.union(options, t, p, keyword == "oneOf", exact, f.Dynamic)
}

// single is the type of the only alternative left; it takes the place of the
// node itself unless it is a reference.
func (b *Builder) single(o option, p place) model.Type {
	if o.node.Target() == o.node && o.at.key != p.key {
		if o.flat != o.node || o.node.Src == nil {
			return b.ofFlat(o, p)
		}
		q := p.under(o.node, strings.TrimPrefix(o.at.key, p.key), "")
		typ, _ := b.typeOf(o.node, q)
		return typ
	}
	if o.flat.Src == nil {
		return b.ofFlat(o, p)
	}
	typ, _ := b.typeOf(o.node, o.at)
	return typ
}

// ofFlat types a node that a merge or a split made.
func (b *Builder) ofFlat(o option, p place) model.Type {
	if o.flat.Const != nil || o.flat.Enum != nil {
		return b.enum(o.flat, o.flat, p)
	}
	return b.plain(o.flat, o.flat, p)
}

// onlyConstraints tells whether the alternatives merely restrict an object
// whose members the node itself lists.
func (b *Builder) onlyConstraints(f *jsonschema.Node, arms []*jsonschema.Node, p place) bool {
	if len(f.Properties) == 0 {
		return len(arms) > 0 && b.allBare(arms, p) && f.Types != 0
	}
	for _, a := range arms {
		fa := b.flatten(p, a.Target())
		if fa == nil || fa.Bool != nil {
			continue
		}
		if fa.Types&^(jsonschema.Object) != 0 || fa.Const != nil || fa.Enum != nil || len(fa.AnyOf)+len(fa.OneOf) > 0 {
			return false
		}
		for _, prop := range fa.Properties {
			if !hasProperty(f, prop.Name) {
				return false
			}
		}
	}
	return true
}

// allBare tells whether no alternative says anything about types.
func (b *Builder) allBare(arms []*jsonschema.Node, p place) bool {
	for _, a := range arms {
		fa := b.flatten(p, a.Target())
		if fa == nil || fa.Bool != nil || fa.Types != 0 || fa.Const != nil || fa.Enum != nil ||
			len(fa.Properties) > 0 || len(fa.AnyOf)+len(fa.OneOf) > 0 || fa.Items != nil || fa.AdditionalProperties != nil ||
			len(fa.PrefixItems)+len(fa.PatternProperties) > 0 {
			return false
		}
	}
	return true
}

func hasProperty(f *jsonschema.Node, name string) bool {
	return slices.ContainsFunc(f.Properties, func(p jsonschema.Property) bool { return p.Name == name })
}

// Bounds of a union: how deep alternatives may nest, and how many may come
// together. Past them the place is typed as any value, and that is reported.
const (
	maxUnionDepth = 64
	maxUnionArms  = 512
)

// options lists the alternatives, one JSON kind each, with nested alternatives
// opened up. free says that one of them allows every value.
func (b *Builder) options(out []option, base *jsonschema.Node, arms []*jsonschema.Node, p place, path string, depth int) (_ []option, free bool) {
	for i, a := range arms {
		at := p.under(a, path+"/"+itoa(i), "")
		t := a.Target()
		inline, hint := t == a, ""
		if t != a {
			at = b.target(p, t)
			at.decl = p.decl
			hint = at.words[len(at.words)-1]
		}
		if b.onlyNull(p, a) {
			continue
		}
		f := b.flatten(at, t)
		merge := base != nil && !implied(base, f)
		if merge {
			t, f = b.merged(base, a, at)
			at = p.under(t, path+"/"+itoa(i), "")
			inline = true
		} else {
			hint = ""
		}
		if f == nil || b.fatal != nil {
			continue
		}
		if f.Bool != nil {
			if *f.Bool {
				return nil, true
			}
			continue
		}
		if depth >= maxUnionDepth || len(out) >= maxUnionArms {
			b.note(p, a, true, "more than %d alternatives, nested ones included -> any value", maxUnionArms)
			return nil, true
		}
		if nested := alternativesOf(f); len(nested) > 0 && f.Enum == nil && f.Const == nil {
			if !b.onlyConstraints(f, nested, at) {
				if out, free = b.options(out, baseOf(f), nested, at, "/"+altKeyword(f), depth+1); free {
					return nil, true
				}
				continue
			}
		}
		kinds := kindsOf(f)
		if kinds == 0 {
			return nil, true
		}
		for _, o := range split(f, t, at, kinds) {
			o.inline = o.inline || inline
			o.hint, o.merged = hint, merge
			out = append(out, o)
		}
	}
	return out, false
}

// merged is base and arm in one node; both must hold.
func (b *Builder) merged(base, arm *jsonschema.Node, p place) (t, f *jsonschema.Node) {
	both := jsonschema.Merge(base, arm)
	f, issues := jsonschema.Flatten(both)
	for _, i := range issues {
		if i.Fatal { // nothing satisfies both: the alternative cannot be chosen
			b.note(p, arm, false, "alternative left out: %s", i.Message)
			return both, nil
		}
	}
	if f != nil && f.Src != nil { // the other half says nothing
		f = f.Variant(func(*jsonschema.Node) {})
	}
	return f, f
}

// implied tells whether the alternative says all that the base says: the base
// is no more than a type.
func implied(base, arm *jsonschema.Node) bool {
	if arm == nil || arm.Types == 0 || arm.Types&^base.Types != 0 {
		return false
	}
	return base.Variant(func(n *jsonschema.Node) { n.Types = 0 }).Unrestricted()
}

// baseOf is what a node says beside its alternatives; nil for nothing.
func baseOf(f *jsonschema.Node) *jsonschema.Node {
	base := f.Variant(func(n *jsonschema.Node) {
		n.AnyOf, n.OneOf, n.Dynamic = nil, nil, nil
		n.Default, n.Description, n.Title = nil, "", ""
	})
	if !base.Constrained() {
		return nil
	}
	return base
}

// kindsOf are the JSON types of the values of a node, without null.
func kindsOf(f *jsonschema.Node) jsonschema.TypeSet {
	kinds := f.Types &^ jsonschema.Null
	switch {
	case f.Const != nil:
		kinds = valueTypes(f.Const) &^ jsonschema.Null
	case f.Enum != nil:
		kinds = 0
		for _, v := range f.Enum {
			if f.Types == 0 || f.Types&valueTypes(v) != 0 {
				kinds |= valueTypes(v) &^ jsonschema.Null
			}
		}
	case f.Types == 0:
		kinds = keywordTypes(f)
	}
	if kinds&jsonschema.Integer != 0 && kinds&jsonschema.Number != 0 {
		if f.Const != nil || f.Enum != nil {
			kinds &^= jsonschema.Number
		} else {
			kinds &^= jsonschema.Integer
		}
	}
	return kinds
}

var kindOrder = []jsonschema.TypeSet{
	jsonschema.String, jsonschema.Integer, jsonschema.Number, jsonschema.Boolean, jsonschema.Array, jsonschema.Object,
}

// split makes one option per JSON kind of a node.
func split(f, t *jsonschema.Node, at place, kinds jsonschema.TypeSet) []option {
	if kinds.Count() == 1 {
		if f.Types&jsonschema.Null != 0 {
			g := f.Variant(func(n *jsonschema.Node) { n.Types = kinds })
			return []option{{node: t, flat: g, kind: kinds, at: at}}
		}
		return []option{{node: t, flat: f, kind: kinds, at: at}}
	}
	var out []option
	for _, k := range kindOrder {
		if kinds&k == 0 {
			continue
		}
		g := f.Variant(func(n *jsonschema.Node) {
			n.Types = k
			if f.Enum != nil {
				n.Enum = slices.DeleteFunc(slices.Clone(f.Enum), func(v *jsonschema.Value) bool { return valueTypes(v)&k == 0 })
			}
		})
		q := at
		q.key += "#" + k.String()
		out = append(out, option{node: g, flat: g, kind: k, at: q, inline: true})
	}
	return out
}

// combine joins alternatives that one Go type can hold: strings with strings,
// numbers with numbers, booleans. exact is false when the joined type allows
// more than the alternatives do, so that only full validation can tell.
func (b *Builder) combine(options []option) (out []option, exact bool) {
	exact = true
	for _, kinds := range []jsonschema.TypeSet{jsonschema.String, jsonschema.Integer | jsonschema.Number, jsonschema.Boolean} {
		var same []option
		for _, o := range options {
			if o.kind&kinds != 0 {
				same = append(same, o)
			}
		}
		if len(same) < 2 {
			continue
		}
		joined, ok := join(same, kinds)
		exact = exact && ok
		first := true
		options = slices.DeleteFunc(slices.Clone(options), func(o option) bool {
			if o.kind&kinds == 0 {
				return false
			}
			drop := !first
			first = false
			return drop
		})
		for i := range options {
			if options[i].kind&kinds != 0 {
				options[i] = joined
			}
		}
	}
	return options, exact
}

// join makes one option of several of the same kind.
func join(same []option, kinds jsonschema.TypeSet) (option, bool) {
	g := same[0].flat.Fresh()
	enums, plain := 0, 0
	var values []*jsonschema.Value
	for _, o := range same {
		g.Types |= o.kind
		switch {
		case o.flat.Const != nil:
			enums++
			values = append(values, o.flat.Const)
		case o.flat.Enum != nil:
			enums++
			values = append(values, o.flat.Enum...)
		default:
			plain++
		}
	}
	if g.Types&jsonschema.Number != 0 {
		g.Types = jsonschema.Number
	}
	exact := true
	switch {
	case plain == 0:
		g.Enum = values
		exact = !repeats(values)
	case plain == 1 && enums == 0, sameRules(same):
	default:
		exact = false
	}
	o := same[0]
	o.flat, o.node = g, g
	o.at.key += "#" + kinds.String()
	o.inline, o.hint = true, ""
	return o, exact
}

func repeats(values []*jsonschema.Value) bool {
	seen := map[string]bool{}
	for _, v := range values {
		text := string(v.Compact())
		if seen[text] {
			return true
		}
		seen[text] = true
	}
	return false
}

func sameRules(same []option) bool {
	for _, o := range same {
		f := o.flat
		if f.Const != nil || f.Enum != nil || len(f.Dynamic) > 0 || f.MinLength != nil || f.MaxLength != nil || len(f.Patterns) > 0 ||
			f.Format != "" || f.Minimum+f.Maximum+f.ExclusiveMinimum+f.ExclusiveMaximum != "" || len(f.MultipleOf) > 0 {
			return false
		}
	}
	return true
}

// kindUnion types a node whose type is a list.
func (b *Builder) kindUnion(f, t *jsonschema.Node, p place, kinds jsonschema.TypeSet) model.Type {
	options := split(f.Variant(func(n *jsonschema.Node) { n.Dynamic = nil }), t, p, kinds)
	return b.union(options, t, p, false, true, f.Dynamic)
}
