package naming

// Names inside a declaration: fields and enum constants.

import (
	"sort"
	"strconv"

	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// codecMethods are the methods that every generated struct has.
var codecMethods = []string{
	"MarshalJSON", "UnmarshalJSON", "WriteJSON", "ReadJSON", "Validate", "ValidateJSON",
}

func (t *Table) nameInside(d *model.Decl) {
	switch typ := d.Type.(type) {
	case *model.Struct:
		t.nameFields(typ)
	case *model.Enum:
		t.nameConsts(d, typ)
	}
}

func (t *Table) nameFields(s *model.Struct) {
	taken := map[string]bool{}
	for _, m := range codecMethods {
		taken[m] = true
	}
	if s.Extra != nil {
		taken["Extra"] = true
	}
	fields := make([]*model.Field, 0, len(s.Fields))
	for _, f := range s.Fields {
		if !Fieldless(f) {
			fields = append(fields, f)
		}
	}
	raws := make([]string, len(fields))
	for i, f := range fields {
		raws[i] = f.Raw
	}
	for i, name := range settle("Field", "", raws, taken) {
		t.fields[fields[i]] = name
	}
}

// Fieldless tells whether a member needs no Go field: a required constant.
func Fieldless(f *model.Field) bool {
	_, ok := f.Type.(*model.Const)
	return ok
}

func (t *Table) nameConsts(d *model.Decl, e *model.Enum) {
	raws := make([]string, len(e.Values))
	for i, v := range e.Values {
		raws[i] = v.Text
	}
	t.consts[d] = settle("Value", t.decls[d], raws, t.taken)
}

// settle names raw names that live in one scope. Where several ask for the
// same identifier, the best match gets it and each other one gets a suffix
// made of its own raw name; what is reserved gets the kind as a suffix.
func settle(kind, prefix string, raws []string, taken map[string]bool) []string {
	order := make([]int, len(raws))
	wants := make([]string, len(raws))
	for i, raw := range raws {
		order[i] = i
		wants[i] = prefix + Exported(pick(prefix == "", kind), raw)
	}
	sort.SliceStable(order, func(a, b int) bool {
		i, j := order[a], order[b]
		if wants[i] != wants[j] {
			return wants[i] < wants[j]
		}
		if ri, rj := rank(raws[i], wants[i][len(prefix):]), rank(raws[j], wants[j][len(prefix):]); ri != rj {
			return ri < rj
		}
		return raws[i] < raws[j]
	})
	out := make([]string, len(raws))
	ours := map[string]bool{}
	for _, i := range order {
		name := wants[i]
		if taken[name] && !ours[name] {
			name += kind // reserved
		}
		for n := 0; taken[name]; n++ {
			name = wants[i] + "_" + digest(raws[i])
			if n > 0 {
				name += strconv.Itoa(n)
			}
		}
		taken[name], ours[name] = true, true
		out[i] = name
	}
	return out
}

// pick is the prefix for names without a capital: after a type name a digit
// may follow directly.
func pick(bare bool, kind string) string {
	if bare {
		return kind
	}
	return ""
}
