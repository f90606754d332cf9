package jsonschema

// The keywords of a nodeReader that hold schemas.

func (r *nodeReader) objectKeyword(m Member) bool {
	n := r.n
	switch m.Name {
	case "properties":
		n.Properties = r.properties(m)
	case "patternProperties":
		r.patternProperties(m)
	case "additionalProperties":
		n.AdditionalProperties = r.schema(m)
	case "propertyNames":
		n.PropertyNames = r.schema(m)
	case "unevaluatedProperties":
		r.unevalProps = r.schema(m)
	case "dependentRequired":
		if m.Value.Kind != ObjectValue {
			r.malformed(m, "an object of string arrays")
		} else if len(m.Value.Members) > 0 {
			r.dynamic(m.Name)
		}
	case "dependentSchemas":
		r.dependencies(m)
	case "dependencies":
		r.dependencies(m)
	default:
		return false
	}
	return true
}

func (r *nodeReader) arrayKeyword(m Member) bool {
	n := r.n
	switch m.Name {
	case "prefixItems":
		n.PrefixItems = r.list(m)
	case "items":
		if m.Value.Kind == ArrayValue {
			r.arrayItems = r.list(m)
		} else {
			n.Items = r.schema(m)
		}
	case "additionalItems":
		r.extraItems = r.schema(m)
	case "unevaluatedItems":
		r.unevalItems = r.schema(m)
	case "contains":
		if c := r.schema(m); c != nil {
			n.inside = append(n.inside, c)
			r.dynamic(m.Name)
		}
	default:
		return false
	}
	return true
}

func (r *nodeReader) combination(m Member) bool {
	n := r.n
	switch m.Name {
	case "allOf":
		n.AllOf = append(n.AllOf, r.list(m)...)
	case "anyOf":
		n.AnyOf = r.list(m)
	case "oneOf":
		n.OneOf = r.list(m)
	case "not":
		if c := r.schema(m); c != nil {
			n.inPlace = append(n.inPlace, c)
			r.dynamic(m.Name)
		}
	case "if", "then", "else":
		r.condition(m)
	default:
		return false
	}
	return true
}

// condition keeps if, then and else for finish: alone they say nothing.
func (r *nodeReader) condition(m Member) {
	if r.n.Src.Get("if") == nil {
		return
	}
	c := r.schema(m)
	if c == nil {
		return
	}
	r.ifNodes = append(r.ifNodes, c)
	if m.Name != "if" {
		r.hasThen = true
	}
}

// schema reads a single subschema, nil when it is malformed.
func (r *nodeReader) schema(m Member) *Node {
	if m.Value.Kind != ObjectValue && m.Value.Kind != BoolValue {
		r.malformed(m, "a schema")
		return nil
	}
	return r.child(m.Value, joinPointer(r.n.Pointer, m.Name))
}

func (r *nodeReader) child(v *Value, pointer string) *Node {
	return r.g.build(v, pointer, r.res, r.depth+1)
}

// list reads a non-empty array of schemas, nil when it is malformed.
func (r *nodeReader) list(m Member) []*Node {
	if m.Value.Kind != ArrayValue || len(m.Value.Items) == 0 {
		r.malformed(m, "an array of at least one schema")
		return nil
	}
	nodes := make([]*Node, len(m.Value.Items))
	for i, item := range m.Value.Items {
		nodes[i] = r.child(item, indexPointer(r.n.Pointer, m.Name, i))
	}
	return nodes
}

// properties reads an object of schemas.
func (r *nodeReader) properties(m Member) []Property {
	if m.Value.Kind != ObjectValue {
		r.malformed(m, "an object of schemas")
		return nil
	}
	props := make([]Property, len(m.Value.Members))
	for i, p := range m.Value.Members {
		props[i] = Property{p.Name, r.child(p.Value, joinPointer(r.n.Pointer, m.Name, p.Name))}
	}
	return props
}

// patternProperties leaves out the patterns that cannot be matched.
func (r *nodeReader) patternProperties(m Member) {
	for _, p := range r.properties(m) {
		if r.compiles(m, p.Name) {
			r.n.PatternProperties = append(r.n.PatternProperties, p)
		} else {
			r.lostPattern = true
		}
	}
}

// dependencies reads dependentSchemas and draft-07's dependencies, where a
// member may also be a list of names.
func (r *nodeReader) dependencies(m Member) {
	if m.Value.Kind != ObjectValue {
		r.malformed(m, "an object")
		return
	}
	for _, p := range m.Value.Members {
		if p.Value.Kind != ArrayValue {
			r.n.inPlace = append(r.n.inPlace, r.child(p.Value, joinPointer(r.n.Pointer, m.Name, p.Name)))
		}
	}
	if len(m.Value.Members) > 0 {
		r.dynamic(m.Name)
	}
}
