package typing

// Objects: structs, dictionaries, and what lies between.

import (
	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

func (b *Builder) object(f, t *jsonschema.Node, p place) model.Type {
	args := p.root.In && p.key == p.root.Key
	if len(f.Properties) == 0 && !args && !closed(f) {
		return b.dictionary(f, p)
	}
	d, in := b.declare(p, t)
	s := &model.Struct{}
	d.Type = s
	if f.MinProperties != nil || f.MaxProperties != nil {
		b.dynamic(in, "minProperties")
	}
	b.dynamic(in, f.Dynamic...)
	required := map[string]bool{}
	for _, r := range f.Required {
		required[r] = true
	}
	for _, prop := range f.Properties {
		if field := b.field(prop, required[prop.Name], in); field != nil {
			s.Fields = append(s.Fields, field)
		}
		delete(required, prop.Name)
	}
	if len(required) > 0 {
		b.dynamic(in, "required") // names members that only Extra can hold
	}
	s.Extra = b.extra(f, in)
	if f.PropertyNames != nil {
		b.dynamic(in, "propertyNames")
	}
	return &model.Ref{Decl: d}
}

// closed tells whether the object allows no members but its properties.
func closed(f *jsonschema.Node) bool {
	return isFalse(f.AdditionalProperties) && len(f.PatternProperties) == 0
}

func isFalse(n *jsonschema.Node) bool { return n != nil && n.Bool != nil && !*n.Bool }

// free tells whether a node allows every value.
func (b *Builder) free(n *jsonschema.Node, p place) bool {
	if n == nil {
		return true
	}
	f := b.flatten(p, n.Target())
	return f != nil && f.Unrestricted()
}

// extra is the type of the members beside the properties; nil if there are none.
func (b *Builder) extra(f *jsonschema.Node, p place) model.Type {
	switch {
	case len(f.PatternProperties) > 0:
		b.dynamic(p, "patternProperties")
		if len(f.PatternProperties) == 1 && isFalse(f.AdditionalProperties) {
			n := f.PatternProperties[0].Node
			return b.element(n, p.under(n, "/patternProperties/"+jsonpointer.Escape(f.PatternProperties[0].Name), "Extra"))
		}
		return &model.Untyped{}
	case isFalse(f.AdditionalProperties):
		return nil
	case b.free(f.AdditionalProperties, p):
		return &model.Untyped{}
	default:
		return b.element(f.AdditionalProperties, p.under(f.AdditionalProperties, "/additionalProperties", "Value"))
	}
}

func (b *Builder) field(prop jsonschema.Property, required bool, p place) *model.Field {
	if isFalse(prop.Node.Target()) {
		b.dynamic(p, "properties") // the member must not be there
		return nil
	}
	at := p.under(prop.Node, "/properties/"+jsonpointer.Escape(prop.Name), prop.Name)
	typ, nullable := b.typeOf(prop.Node, at)
	if c, ok := typ.(*model.Const); ok && (!required || nullable) {
		typ = b.constEnum(c, prop.Node, at)
	}
	if _, ok := typ.(*model.Untyped); ok {
		nullable = false
	}
	field := &model.Field{
		Raw: prop.Name, Type: typ, Required: required, Nullable: nullable,
		NullTolerated: p.root.NullTolerated,
		Doc:           b.fieldDoc(prop.Node, p),
	}
	if def := b.defaultOf(prop.Node, p); def != nil && def.Kind == jsonschema.NullValue {
		field.NullAbsent = !required && nullable
	}
	return field
}

// defaultOf finds the default on the node or on what it refers to.
func (b *Builder) defaultOf(n *jsonschema.Node, p place) *jsonschema.Value {
	if n.Default != nil {
		return n.Default
	}
	if f := b.flatten(p, n.Target()); f != nil {
		return f.Default
	}
	return nil
}

// dictionary is an object without known members.
func (b *Builder) dictionary(f *jsonschema.Node, p place) model.Type {
	b.dynamic(p, f.Dynamic...)
	m := &model.Map{Rules: model.ObjectRules{MinProperties: f.MinProperties, MaxProperties: f.MaxProperties}}
	if len(f.Required) > 0 {
		b.dynamic(p, "required")
	}
	if f.PropertyNames != nil {
		b.keyRules(m, f.PropertyNames, p)
	}
	switch {
	case len(f.PatternProperties) > 0:
		b.patternMap(m, f, p)
	case b.free(f.AdditionalProperties, p):
		m.Value = &model.Untyped{}
	default:
		m.Value = b.element(f.AdditionalProperties, p.under(f.AdditionalProperties, "/additionalProperties", "Value"))
	}
	return m
}

// keyRules turns propertyNames into rules on the keys where that is exact.
func (b *Builder) keyRules(m *model.Map, names *jsonschema.Node, p place) {
	f := b.flatten(p, names.Target())
	if f == nil || f.Bool != nil || f.Enum != nil || f.Const != nil || len(f.AnyOf)+len(f.OneOf)+len(f.Dynamic) > 0 ||
		f.Types != 0 && f.Types&jsonschema.String == 0 {
		b.dynamic(p, "propertyNames")
		return
	}
	m.Keys = b.stringRules(f, p)
}

// patternMap types an object whose members are described by patterns.
func (b *Builder) patternMap(m *model.Map, f *jsonschema.Node, p place) {
	if !isFalse(f.AdditionalProperties) {
		// Members that match no pattern are free, so the values have no one type.
		b.dynamic(p, "patternProperties")
		if !b.sameAsPatterns(f, p) {
			m.Value = &model.Untyped{}
			b.note(p, p.node, true, "patternProperties without additionalProperties: false -> values of any type")
			return
		}
	}
	if len(f.PatternProperties) == 1 {
		pp := f.PatternProperties[0]
		m.Value = b.element(pp.Node, p.under(pp.Node, "/patternProperties/"+jsonpointer.Escape(pp.Name), "Value"))
		m.Patterns, m.Closed = []string{pp.Name}, isFalse(f.AdditionalProperties)
		return
	}
	arms := f.Fresh()
	for _, pp := range f.PatternProperties {
		arms.AnyOf = append(arms.AnyOf, pp.Node)
	}
	b.dynamic(p, "patternProperties")
	m.Value = b.element(arms, p.under(arms, "/patternProperties", "Value"))
}

// sameAsPatterns tells whether the members that match no pattern have the type
// of the only pattern.
func (b *Builder) sameAsPatterns(f *jsonschema.Node, p place) bool {
	if len(f.PatternProperties) != 1 || f.AdditionalProperties == nil {
		return false
	}
	return f.AdditionalProperties.Target() == f.PatternProperties[0].Node.Target()
}
