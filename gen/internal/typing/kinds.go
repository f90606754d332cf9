package typing

// From a node to a type: references are followed, the kind is decided, and the
// builders of scalar.go, object.go, array.go and union.go do the rest.

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// typeOf returns the type of n, which stands at p, and whether null is a value.
// Declarations are found again by their key, so recursion ends here.
func (b *Builder) typeOf(n *jsonschema.Node, p place) (model.Type, bool) {
	if b.fatal != nil {
		return &model.Untyped{}, false
	}
	t := b.essence(n.Target(), p)
	if t != n || isDefinition(t) {
		p = b.target(p, t)
	}
	p.node = t
	nullable := b.admitsNull(p, t, nil)
	if ext := b.External[p.key]; ext != nil {
		return ext, nullable
	}
	if d := b.decls[p.key]; d != nil {
		return &model.Ref{Decl: d}, nullable
	}
	if b.busy[p.key] {
		// The place contains itself without a declared type in between: an
		// array of itself, say. Only a declared type can do that.
		b.forced[p.key] = true
		d, _ := b.declare(p, t)
		return &model.Ref{Decl: d}, nullable
	}
	b.busy[p.key] = true
	issues := len(b.Issues)
	typ := b.build(t, p)
	delete(b.busy, p.key)
	b.noSilence(typ, t, p, issues)
	if b.forced[p.key] {
		d := b.decls[p.key]
		if _, self := typ.(*model.Ref); !self {
			d.Type = typ
		}
		return &model.Ref{Decl: d}, nullable
	}
	if p.exact && b.decls[p.key] == nil {
		d, _ := b.declare(p, t)
		d.Type, d.Alias = typ, plainJSON(typ)
		return &model.Ref{Decl: d}, nullable
	}
	return typ, nullable
}

// essence leaves out the branches of a merge that only say "an object": what is
// left may be a definition with a name.
func (b *Builder) essence(n *jsonschema.Node, p place) *jsonschema.Node {
	if n.Src != nil || len(n.AllOf) < 2 {
		return n
	}
	var left []*jsonschema.Node
	for _, branch := range n.AllOf {
		f := b.flatten(p, branch.Target())
		if f == nil || !b.anyObject(f, p) {
			left = append(left, branch)
		}
	}
	if len(left) != 1 || !b.onlyObjects(left[0], p, 0) {
		return n
	}
	return left[0].Target()
}

func (b *Builder) anyObject(f *jsonschema.Node, p place) bool {
	if f.Types != jsonschema.Object || len(f.AnyOf)+len(f.OneOf)+len(f.Dynamic) > 0 || !b.free(f.AdditionalProperties, p) {
		return false
	}
	return f.Variant(func(n *jsonschema.Node) { n.Types, n.AdditionalProperties = 0, nil }).Unrestricted()
}

// onlyObjects tells whether every value of the node is an object.
func (b *Builder) onlyObjects(n *jsonschema.Node, p place, depth int) bool {
	f := b.flatten(p, n.Target())
	if f == nil || depth > maxUnionDepth {
		return false
	}
	if f.Types != 0 {
		return f.Types == jsonschema.Object
	}
	arms := alternativesOf(f)
	for _, a := range arms {
		if !b.onlyObjects(a, p, depth+1) {
			return false
		}
	}
	return len(arms) > 0
}

// isDefinition tells whether a node stands directly in $defs. A merge hands out
// such nodes in the place of references to them.
func isDefinition(n *jsonschema.Node) bool {
	return n.Src != nil && strings.Count(n.Pointer, "/") == 2 &&
		(strings.HasPrefix(n.Pointer, "/$defs/") || strings.HasPrefix(n.Pointer, "/definitions/"))
}

// noSilence reports a place that got no type although its schema says more than
// "any value", unless that was reported while it was typed.
func (b *Builder) noSilence(typ model.Type, t *jsonschema.Node, p place, since int) {
	if _, untyped := typ.(*model.Untyped); !untyped || b.exact[p.key] {
		return
	}
	f := b.flatten(p, t)
	if f == nil || !f.Constrained() && len(f.AnyOf)+len(f.OneOf) == 0 {
		return // not, if and the like leave the type open
	}
	for _, i := range b.Issues[since:] {
		if i.Weakened {
			return
		}
	}
	b.note(p, t, true, "%s -> any value", says(f))
}

// says names what a node restricts, for a report.
func says(f *jsonschema.Node) string {
	switch {
	case f.Bool != nil:
		return "the schema false"
	case len(f.AnyOf) > 0:
		return "anyOf of " + itoa(len(f.AnyOf)) + " alternatives"
	case len(f.OneOf) > 0:
		return "oneOf of " + itoa(len(f.OneOf)) + " alternatives"
	case f.Enum != nil || f.Const != nil:
		return "enum"
	}
	return "constraints without a type"
}

// plainJSON tells whether encoding/json reads and writes the Go type as it is,
// so that an alias of it will do.
func plainJSON(t model.Type) bool {
	switch t := t.(type) {
	case *model.Slice:
		return plainJSON(t.Elem)
	case *model.Map:
		return plainJSON(t.Value)
	case *model.Nullable:
		return plainJSON(t.Elem)
	case *model.Ref:
		_, union := t.Decl.Type.(*model.Union)
		return !union && t.Decl.Type != nil
	}
	return true
}

// declare makes the declaration of the place and returns the place inside it.
func (b *Builder) declare(p place, n *jsonschema.Node) (*model.Decl, place) {
	d := b.decls[p.key]
	if d == nil {
		d = &model.Decl{
			Key: p.key, Name: p.words, Exact: p.exact, Verbatim: p.root.Verbatim, In: p.root.In,
			Schema: p.root.Schema, Doc: docOf(n),
		}
		b.put(d)
	}
	if n.Src != nil {
		d.Pointer = n.Pointer
		p.decl = d
	} else if p.decl == nil {
		p.decl = d
	}
	return d, p
}

// build makes the type of a node that is no reference.
func (b *Builder) build(t *jsonschema.Node, p place) model.Type {
	f := b.flatten(p, t)
	if b.fatal != nil || f == nil {
		return &model.Untyped{}
	}
	if f.Bool != nil {
		if !*f.Bool {
			b.note(p, t, false, "the schema false allows no value")
			b.dynamic(p, "false")
		}
		return &model.Untyped{}
	}
	if f.Const != nil || f.Enum != nil {
		return b.enum(f, t, p)
	}
	if len(f.AnyOf)+len(f.OneOf) > 0 {
		if typ := b.alternatives(f, t, p); typ != nil {
			return typ
		}
		f = f.Variant(func(n *jsonschema.Node) { n.Dynamic = append(slices.Clone(f.Dynamic), altKeyword(f)) })
	}
	return b.plain(f, t, p)
}

func altKeyword(f *jsonschema.Node) string {
	if len(f.AnyOf) > 0 {
		return "anyOf"
	}
	return "oneOf"
}

// plain makes the type of a node by its JSON types alone.
func (b *Builder) plain(f, t *jsonschema.Node, p place) model.Type {
	types := f.Types &^ jsonschema.Null
	if f.Types == 0 {
		types = keywordTypes(f)
		if types != 0 {
			b.note(p, t, false, "no type is stated; read as %s, as its keywords suggest", types)
		}
	}
	if types&jsonschema.Number != 0 {
		types &^= jsonschema.Integer
	}
	if types == 0 {
		if f.Types == jsonschema.Null {
			return &model.Const{Literal: "null"}
		}
		b.dynamic(p, f.Dynamic...)
		return &model.Untyped{}
	}
	if types.Count() > 1 {
		return b.kindUnion(f, t, p, types)
	}
	switch types {
	case jsonschema.Object:
		return b.object(f, t, p)
	case jsonschema.Array:
		return b.array(f, t, p)
	}
	b.dynamic(p, f.Dynamic...)
	return b.scalar(f, p, types)
}

// keywordTypes guesses the type of a node that states none from keywords that
// make sense for one type only. It returns 0 when there is no such keyword.
func keywordTypes(f *jsonschema.Node) jsonschema.TypeSet {
	switch {
	case len(f.Properties) > 0, len(f.PatternProperties) > 0, f.AdditionalProperties != nil, len(f.Required) > 0:
		return jsonschema.Object
	case f.Items != nil, len(f.PrefixItems) > 0:
		return jsonschema.Array
	case len(f.Patterns) > 0, f.MinLength != nil, f.MaxLength != nil, f.Format != "":
		return jsonschema.String
	case f.Minimum != "", f.Maximum != "", f.ExclusiveMinimum != "", f.ExclusiveMaximum != "", len(f.MultipleOf) > 0:
		return jsonschema.Number
	}
	return 0
}

// admitsNull tells whether null is valid for a node whose other values are
// typed; an unconstrained node answers false, as its type holds null anyway.
func (b *Builder) admitsNull(p place, n *jsonschema.Node, seen []*jsonschema.Node) bool {
	t := n.Target()
	for _, s := range seen {
		if s == t {
			return false
		}
	}
	seen = append(seen, t)
	f := b.flatten(p, t)
	if f == nil || f.Bool != nil {
		return false
	}
	if f.Types != 0 && f.Types&jsonschema.Null == 0 || f.Types == jsonschema.Null {
		return false
	}
	if f.Const != nil {
		return false // the constant null is a type of its own
	}
	if f.Enum != nil {
		return len(f.Enum) > 1 && hasNull(f.Enum)
	}
	if arms := alternativesOf(f); len(arms) > 0 {
		for _, a := range arms {
			if b.onlyNull(p, a) || b.admitsNull(p, a, seen) {
				return true
			}
		}
		return false
	}
	return f.Types&jsonschema.Null != 0
}

func alternativesOf(f *jsonschema.Node) []*jsonschema.Node {
	if len(f.AnyOf) > 0 {
		return f.AnyOf
	}
	return f.OneOf
}

func hasNull(values []*jsonschema.Value) bool {
	for _, v := range values {
		if v.Kind == jsonschema.NullValue {
			return true
		}
	}
	return false
}

// onlyNull tells whether null is the only value of the node.
func (b *Builder) onlyNull(p place, n *jsonschema.Node) bool {
	f := b.flatten(p, n.Target())
	if f == nil {
		return false
	}
	switch {
	case f.Types == jsonschema.Null:
		return true
	case f.Const != nil:
		return f.Const.Kind == jsonschema.NullValue
	case len(f.Enum) == 1:
		return f.Enum[0].Kind == jsonschema.NullValue
	}
	return false
}

// element is the type of a node that fills a slice, map or tuple: null becomes
// part of the type, and a constant becomes an enum of one value.
func (b *Builder) element(n *jsonschema.Node, p place) model.Type {
	typ, nullable := b.typeOf(n, p)
	if c, ok := typ.(*model.Const); ok {
		typ = b.constEnum(c, n, p)
	}
	if _, raw := typ.(*model.Untyped); nullable && !raw {
		return &model.Nullable{Elem: typ}
	}
	return typ
}
