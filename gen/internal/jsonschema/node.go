// Package jsonschema reads JSON Schema documents (draft-07 and 2020-12, with
// what is left of draft-04 in the wild) into a graph of nodes.
//
// It is the first stage of the generator: bytes become a Document, in which
// every value knows its position, and a Document becomes Nodes, in which every
// keyword is decoded once, references are resolved and spelling differences
// between drafts are gone. Nothing here knows Go.
package jsonschema

// Node is one schema: an object or a boolean at one place of a document.
//
// Fields hold what the schema states, in one spelling for all drafts. Nil,
// empty and zero mean "not stated".
type Node struct {
	Pointer string // JSON pointer from the root of the schema, "" at the root
	Src     *Value // where it was written; nil for a node that Merge or Flatten made
	Root    *Node  // the schema that the pointer starts at

	Bool *bool // the schema is the literal true or false

	// Annotations.
	Title       string
	Description string
	Comment     string // $comment
	Default     *Value
	Deprecated  bool
	Format      string
	Nullable    bool   // OpenAPI's nullable: true
	Header      *Value // x-mcp-header, whatever its JSON type

	Types TypeSet
	Enum  []*Value // nil = not stated; never empty: an empty enum is ignored, with an Issue
	Const *Value
	Ref   *Node // target of $ref, $dynamicRef or $recursiveRef

	Properties           []Property // in document order
	Required             []string
	PatternProperties    []Property // Name is the pattern
	AdditionalProperties *Node
	PropertyNames        *Node
	MinProperties        *int
	MaxProperties        *int

	PrefixItems []*Node // draft-07's items array stands here too
	Items       *Node   // draft-07's additionalItems stands here when items is an array
	MinItems    *int
	MaxItems    *int
	UniqueItems bool

	MinLength *int
	MaxLength *int
	Patterns  []string // more than one only after a merge

	// Bounds are decimal texts as written ("" = not stated). Draft-04's boolean
	// exclusiveMinimum is folded into ExclusiveMinimum.
	Minimum          string
	Maximum          string
	ExclusiveMinimum string
	ExclusiveMaximum string
	MultipleOf       []string // more than one only after a merge

	AllOf []*Node
	AnyOf []*Node
	OneOf []*Node

	// Dynamic lists the keywords present on this node that only a full validator
	// can judge: not, if, contains, dependentRequired, dependentSchemas,
	// dependencies, unevaluatedProperties, unevaluatedItems, draft-07's
	// contentEncoding and contentMediaType, and the keywords that a merge could
	// not fold exactly. It is judged at Pointer; a node that Merge made is judged
	// with the node above it and has none.
	Dynamic []string

	Defs []Property // $defs and definitions, in document order

	graph   *graph
	id      int     // order of creation in the graph
	inPlace []*Node // subschemas of Dynamic keywords that judge the same value
	inside  []*Node // subschemas of Dynamic keywords that judge a part of it
}

// Property is a named subschema.
type Property struct {
	Name string
	Node *Node
}
