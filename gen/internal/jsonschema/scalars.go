package jsonschema

import "slices"

// The keywords of a nodeReader that hold plain values.

func (r *nodeReader) str(m Member, field *string) {
	if m.Value.Kind != StringValue {
		r.malformed(m, "a string")
		return
	}
	*field = m.Value.Text
}

func (r *nodeReader) boolean(m Member, field *bool) {
	if m.Value.Kind != BoolValue {
		r.malformed(m, "a boolean")
		return
	}
	*field = m.Value.Text == "true"
}

func (r *nodeReader) types(m Member) {
	items := m.Value.Items
	if m.Value.Kind == StringValue {
		items = []*Value{m.Value}
	}
	var set TypeSet
	for _, item := range items {
		t := TypeSet(0)
		if item.Kind == StringValue {
			t = typeByName(item.Text)
		}
		if t == 0 {
			name := item.Text
			if item.Kind != StringValue {
				name = item.JSONText()
			}
			r.issue(m, "type %s is no JSON Schema type; type is ignored", quoteShort(name))
			return
		}
		set |= t
	}
	if set == 0 {
		r.malformed(m, "a type name or an array of them")
		return
	}
	if set&Number != 0 {
		set &^= Integer
	}
	r.n.Types = set
}

// enum keeps the first of equal values.
func (r *nodeReader) enum(m Member) {
	if m.Value.Kind != ArrayValue || len(m.Value.Items) == 0 {
		r.malformed(m, "an array of at least one value")
		return
	}
	if !plausibleValue(m.Value) {
		r.issue(m, "enum holds a number that is too large to compare; it is ignored")
		return
	}
	seen := make(map[string]bool, len(m.Value.Items))
	for _, item := range m.Value.Items {
		if key := item.Canonical(); !seen[key] {
			seen[key] = true
			r.n.Enum = append(r.n.Enum, item)
		}
	}
}

// plausibleValue reports whether every number in v can be compared at all.
func plausibleValue(v *Value) bool {
	if v.Kind == NumberValue {
		return plausible(v.Text)
	}
	for _, item := range v.Items {
		if !plausibleValue(item) {
			return false
		}
	}
	for _, m := range v.Members {
		if !plausibleValue(m.Value) {
			return false
		}
	}
	return true
}

// names reads a list of distinct strings.
func (r *nodeReader) names(m Member) []string {
	if m.Value.Kind != ArrayValue {
		r.malformed(m, "an array of strings")
		return nil
	}
	names := make([]string, 0, len(m.Value.Items))
	seen := make(map[string]bool, len(m.Value.Items))
	for _, item := range m.Value.Items {
		if item.Kind != StringValue {
			r.issue(m, "%s holds %s, expected only strings; it is ignored", m.Name, article(item.Kind))
			return nil
		}
		if !seen[item.Text] {
			seen[item.Text] = true
			names = append(names, item.Text)
		}
	}
	return slices.Clip(names)
}

func (r *nodeReader) countOf(m Member) *int {
	if m.Value.Kind == NumberValue {
		if n, ok := asInt(m.Value.Text); ok && n >= 0 {
			return &n
		}
		r.issue(m, "%s is %s, expected a whole number that is not negative; it is ignored", m.Name, quoteShort(m.Value.Text))
		return nil
	}
	r.malformed(m, "a whole number")
	return nil
}

func (r *nodeReader) number(m Member) string {
	if m.Value.Kind != NumberValue {
		r.malformed(m, "a number")
		return ""
	}
	if !plausible(m.Value.Text) {
		r.issue(m, "%s is too large a number to compare; it is ignored", m.Name)
		return ""
	}
	return m.Value.Text
}

func (r *nodeReader) exclusive(m Member, flag *bool) string {
	if m.Value.Kind == BoolValue {
		*flag = m.Value.Text == "true"
		return ""
	}
	return r.number(m)
}

func (r *nodeReader) multipleOf(m Member) {
	text := r.number(m)
	if text == "" {
		return
	}
	if CompareNumbers(text, "0") <= 0 {
		r.issue(m, "multipleOf is %s, expected a number greater than 0; it is ignored", quoteShort(text))
		return
	}
	r.n.MultipleOf = []string{text}
}
