package typing

import "github.com/mcpgen/mcpgen/gen/internal/model"

// Box finds the struct members through which a type would contain itself by
// value, and marks them as pointers. Call it once all declarations are made.
func Box(decls []*model.Decl) {
	b := boxer{state: map[*model.Decl]int{}}
	for _, d := range decls {
		b.visit(d)
	}
}

type boxer struct{ state map[*model.Decl]int } // 1 = on the path, 2 = done

func (b *boxer) visit(d *model.Decl) {
	if b.state[d] != 0 {
		return
	}
	b.state[d] = 1
	switch t := d.Type.(type) {
	case *model.Struct:
		for _, f := range t.Fields {
			three := f.Nullable && !f.Required && !f.NullAbsent
			if f.Required && !f.Nullable || three {
				if inner := byValue(f.Type); inner != nil {
					if b.state[inner] == 1 {
						f.Boxed = true
						continue
					}
					b.visit(inner)
				}
			}
		}
	case *model.Tuple:
		for i, item := range t.Items {
			if inner := byValue(item); inner != nil {
				if b.state[inner] == 1 {
					t.Items[i] = &model.Nullable{Elem: item}
					continue
				}
				b.visit(inner)
			}
		}
	default:
		if inner := byValue(d.Type); inner != nil && b.state[inner] == 0 {
			b.visit(inner)
		}
	}
	b.state[d] = 2
}

// byValue is the declaration whose value a field of type t holds in itself.
func byValue(t model.Type) *model.Decl {
	ref, ok := t.(*model.Ref)
	if !ok || ref.Decl.Type == nil {
		return nil
	}
	switch inner := ref.Decl.Type.(type) {
	case *model.Struct, *model.Tuple:
		return ref.Decl
	case *model.Ref:
		return byValue(inner)
	}
	return nil
}
