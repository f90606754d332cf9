package jsonschema

// Questions about a node that its fields do not answer directly.

// Target follows pure references and wrappers to the node that says something:
// through a $ref that has only annotations beside it, and through an allOf,
// anyOf or oneOf of exactly one member with nothing else.
func (n *Node) Target() *Node {
	for range maxAliases {
		next := n.alias()
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// maxAliases bounds Target. Load has cut loops, so only a chain of that many
// references ends early.
const maxAliases = 10_000

// alias is the one node that n stands for, or nil.
func (n *Node) alias() *Node {
	if n.Constrained() || len(n.Dynamic) > 0 {
		return nil
	}
	members := len(n.AllOf) + len(n.AnyOf) + len(n.OneOf)
	switch {
	case n.Ref != nil && members == 0:
		return n.Ref
	case n.Ref != nil || members != 1:
		return nil
	case len(n.AllOf) == 1:
		return n.AllOf[0]
	case len(n.AnyOf) == 1:
		return n.AnyOf[0]
	default:
		return n.OneOf[0]
	}
}

// Constrained reports whether the node itself restricts values by a keyword
// other than references, combinations and what Dynamic lists. Format counts.
func (n *Node) Constrained() bool {
	return n.Bool != nil && !*n.Bool || n.Types != 0 || n.Enum != nil || n.Const != nil || n.Format != "" ||
		n.hasObjectKeywords() || n.hasArrayKeywords() || n.hasStringKeywords() || n.hasNumberKeywords()
}

// Unrestricted reports whether the node allows every JSON value.
func (n *Node) Unrestricted() bool {
	return !n.Constrained() && n.Ref == nil && len(n.AllOf)+len(n.AnyOf)+len(n.OneOf)+len(n.Dynamic) == 0
}

// Never reports whether the node is the schema false.
func (n *Node) Never() bool { return n.Bool != nil && !*n.Bool }

func (n *Node) hasObjectKeywords() bool {
	return n.Properties != nil || len(n.Required) > 0 || n.PatternProperties != nil || n.AdditionalProperties != nil ||
		n.PropertyNames != nil || n.MinProperties != nil || n.MaxProperties != nil
}

func (n *Node) hasArrayKeywords() bool {
	return n.PrefixItems != nil || n.Items != nil || n.MinItems != nil || n.MaxItems != nil || n.UniqueItems
}

func (n *Node) hasStringKeywords() bool {
	return n.MinLength != nil || n.MaxLength != nil || len(n.Patterns) > 0
}

func (n *Node) hasNumberKeywords() bool {
	return n.Minimum != "" || n.Maximum != "" || n.ExclusiveMinimum != "" || n.ExclusiveMaximum != "" || len(n.MultipleOf) > 0
}

// InferredTypes is the set of types that the node itself allows: Types when
// stated, else the types of const or enum, else the empty set: no restriction.
// It does not look through references and combinations.
func (n *Node) InferredTypes() TypeSet {
	if n.Types != 0 {
		return n.Types
	}
	if n.Const != nil {
		return typeOf(n.Const)
	}
	var set TypeSet
	for _, v := range n.Enum {
		set |= typeOf(v)
	}
	if set&Number != 0 {
		set &^= Integer
	}
	return set
}

// HintedTypes is the set of types that the node has keywords for: Object for
// properties, Array for items, String for pattern. JSON Schema lets values of
// other types pass such keywords, so this is what the author had in mind, not
// what is valid.
func (n *Node) HintedTypes() TypeSet {
	var set TypeSet
	if n.hasObjectKeywords() {
		set |= Object
	}
	if n.hasArrayKeywords() {
		set |= Array
	}
	if n.hasStringKeywords() || n.Format != "" && !numberFormats[n.Format] {
		set |= String
	}
	if n.hasNumberKeywords() {
		set |= Number
	}
	return set
}

// numberFormats are OpenAPI's formats of numbers.
var numberFormats = map[string]bool{"int32": true, "int64": true, "uint32": true, "uint64": true, "float": true, "double": true}

// Property returns the schema of the property called name, or nil.
func (n *Node) Property(name string) *Node {
	for i := range n.Properties {
		if n.Properties[i].Name == name {
			return n.Properties[i].Node
		}
	}
	return nil
}

// IsRequired reports whether the property called name must be present.
func (n *Node) IsRequired(name string) bool {
	for _, r := range n.Required {
		if r == name {
			return true
		}
	}
	return false
}

// Draft is the draft by which the document is read.
func (n *Node) Draft() Draft { return n.graph.draft }
