package typing

// Arrays: slices and tuples.

import (
	"strconv"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

func (b *Builder) array(f, t *jsonschema.Node, p place) model.Type {
	if len(f.PrefixItems) > 0 {
		return b.tuple(f, t, p)
	}
	b.dynamic(p, f.Dynamic...)
	rules := model.ArrayRules{MinItems: f.MinItems, MaxItems: f.MaxItems, Unique: f.UniqueItems}
	if isFalse(f.Items) {
		b.dynamic(p, "items") // only the empty array is valid
		return &model.Slice{Elem: &model.Untyped{}, Rules: rules}
	}
	if b.free(f.Items, p) {
		return &model.Slice{Elem: &model.Untyped{}, Rules: rules}
	}
	return &model.Slice{Elem: b.element(f.Items, p.under(f.Items, "/items", "Item")), Rules: rules}
}

func (b *Builder) tuple(f, t *jsonschema.Node, p place) model.Type {
	d, in := b.declare(p, t)
	tuple := &model.Tuple{Rules: model.ArrayRules{MinItems: f.MinItems, MaxItems: f.MaxItems}}
	d.Type = tuple
	b.dynamic(in, f.Dynamic...)
	if f.UniqueItems {
		b.dynamic(in, "uniqueItems")
	}
	if f.MinItems != nil {
		tuple.Min = min(*f.MinItems, len(f.PrefixItems))
	}
	for i, item := range f.PrefixItems {
		index := strconv.Itoa(i)
		tuple.Items = append(tuple.Items, b.element(item, in.under(item, "/prefixItems/"+index, "Item"+index)))
		tuple.Docs = append(tuple.Docs, docOf(item))
	}
	switch {
	case isFalse(f.Items):
	case b.free(f.Items, in):
		tuple.Rest = &model.Untyped{}
	default:
		tuple.Rest = b.element(f.Items, in.under(f.Items, "/items", "Item"))
	}
	return &model.Ref{Decl: d}
}
