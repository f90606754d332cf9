package typing

// What the front-ends call: the arguments of a tool, its output, and the
// definitions of a protocol.

import (
	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func (b *Builder) rootPlace(r *Root) place {
	return place{root: r, key: r.Key, words: r.Name, node: r.Node}
}

// Args declares the arguments of a tool. It returns nil for a tool that takes
// none: an object without members, which may be open only by omission.
func (b *Builder) Args(r *Root) (*model.Decl, error) {
	p := b.rootPlace(r)
	f := b.flatten(p, r.Node.Target())
	if b.fatal != nil {
		return nil, b.fatal
	}
	if noArguments(f) {
		return nil, nil
	}
	if f.Bool != nil || f.Types != 0 && f.Types&jsonschema.Object == 0 {
		return nil, &PlaceError{Message: "arguments must be an object"}
	}
	if f.Types != jsonschema.Object || r.Node.Target() != r.Node {
		// The protocol says object, whatever the schema leaves open.
		g := f.Variant(func(n *jsonschema.Node) { n.Types, n.Pointer = jsonschema.Object, "" })
		g.Src = r.Node.Src
		r.Node, p.node = g, g
	}
	typ, _ := b.typeOf(r.Node, p)
	return b.named(typ, p, r.Node)
}

func noArguments(f *jsonschema.Node) bool {
	if f.Bool != nil {
		return *f.Bool
	}
	if f.Types != 0 && f.Types&jsonschema.Object == 0 {
		return false
	}
	ap := f.AdditionalProperties
	return len(f.Properties)+len(f.PatternProperties)+len(f.Required)+len(f.Dynamic)+len(f.AnyOf)+len(f.OneOf) == 0 &&
		f.Const == nil && f.Enum == nil && (ap == nil || isFalse(ap)) && f.PropertyNames == nil && f.MinProperties == nil
}

// Value declares the output of a tool, which may be of any kind.
func (b *Builder) Value(r *Root) (*model.Decl, error) {
	p := b.rootPlace(r)
	d := &model.Decl{
		Key: r.Key + "#root", Name: r.Name, Schema: r.Schema, In: r.In, Bare: true,
		Doc: docOf(r.Node.Target()),
	}
	p.decl = d
	typ := b.element(r.Node, p)
	if b.fatal != nil {
		return nil, b.fatal
	}
	if ref, ok := typ.(*model.Ref); ok && len(d.Dynamic) == 0 && methods(ref.Decl) {
		return ref.Decl, nil
	}
	d.Type = typ
	b.put(d)
	return d, nil
}

// methods tells whether the declaration's type has codec methods with a
// pointer receiver, as every defined type but an interface has.
func methods(d *model.Decl) bool {
	if d.Alias || d.Bare {
		return false
	}
	switch d.Type.(type) {
	case *model.Struct, *model.Tuple:
		return true
	}
	return false
}

// Definition declares one definition of a protocol schema under its own name.
func (b *Builder) Definition(r *Root, name, pointer string, n *jsonschema.Node) (*model.Decl, error) {
	key, words, exact := r.DefKey(name, pointer)
	p := place{root: r, key: key, words: words, exact: exact, node: n}
	typ, nullable := b.typeOf(n, p)
	if b.fatal != nil {
		return nil, b.fatal
	}
	if nullable {
		b.note(p, n, false, "null is a value of the definition itself")
	}
	if d := b.decls[key]; d != nil {
		return d, nil
	}
	d, _ := b.declare(p, n)
	d.Type, d.Alias = typ, plainJSON(typ)
	return d, nil
}

// named makes sure that a root has a declaration of its own.
func (b *Builder) named(typ model.Type, p place, n *jsonschema.Node) (*model.Decl, error) {
	if b.fatal != nil {
		return nil, b.fatal
	}
	if ref, ok := typ.(*model.Ref); ok {
		return ref.Decl, nil
	}
	d, _ := b.declare(p, n)
	d.Type = typ
	return d, nil
}

// Add declares a type that a front-end made itself.
func (b *Builder) Add(d *model.Decl) *model.Decl {
	b.put(d)
	return d
}
