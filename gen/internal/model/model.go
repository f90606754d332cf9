// Package model is what the generator knows about a package before it has any
// Go name: declarations, operations and their types, under raw names only.
//
// The front-ends (protocol, tools) fill it through typing; naming reads it to
// make one table of Go identifiers; golang prints it. Types are a closed sum:
// a switch over Type that has no case for one of the kinds below is a bug.
package model

// Package is one Go package to be generated.
type Package struct {
	Decls []*Decl // in order of their keys
	Ops   []*Operation
}

// Decl is a declared Go type.
type Decl struct {
	// Key identifies the declaration: a path of raw names such as
	// "tools/get-user/args/properties/filter" or "$defs/Node". It is unique in
	// the package and depends on nothing but raw names.
	Key string
	// Name holds the raw words that the Go name is made from, outermost first.
	Name []string
	// Exact asks for the last word as it stands (protocol definitions);
	// Verbatim asks for the first one as it stands (what lies inside them).
	Exact    bool
	Verbatim bool

	Doc     Doc
	Type    Type     // Struct, Enum, Union, Tuple, or any other type for a named form of it
	Alias   bool     // an alias of Type, without methods of its own
	Bare    bool     // no Go type of its own: write, read and check functions for Type
	Schema  *Schema  // the text that Pointer points into; nil if no full validation can be needed
	Pointer string   // where the declaration stands in Schema
	Dynamic []string // keywords that need full validation at Pointer

	// In says that the values travel to the server (untyped values are any);
	// otherwise they come from it (untyped values are json.RawMessage).
	In bool
}

// Schema is one embedded schema text.
type Schema struct {
	Key  string // "tools/get-user/args"
	Text string // compact JSON
	Used bool   // some declaration needs it for full validation
	// AssertFormat tells whether the dialect makes format an assertion.
	AssertFormat bool
}

// Doc is the text of a comment, foreign until the vocabulary has cleaned it.
type Doc struct {
	Text       string
	Own        bool // our own words, to follow the Go name ("is …")
	Deprecated bool
	Notes      []string // our own additions: default, format, bounds
}

// Type is one of the kinds below.
type Type interface{ kind() }

// The kinds of types.
type (
	// Bool is true or false.
	Bool struct{}

	// String is a JSON string.
	String struct {
		Rules  StringRules
		Format string
	}

	// Int is an integer.
	Int struct {
		Size  IntSize
		Rules NumberRules
	}

	// Float is a number.
	Float struct{ Rules NumberRules }

	// Untyped is any JSON value.
	Untyped struct{}

	// Null is the value null and nothing else.
	Null struct{}

	// Const is a single JSON value. As a required field it needs no Go field.
	Const struct{ Literal string }

	// Slice is an array of one element type.
	Slice struct {
		Elem  Type
		Rules ArrayRules
	}

	// Map is an object that is used as a dictionary.
	Map struct {
		Value Type
		Rules ObjectRules
		Keys  StringRules // what every key must satisfy
		// Patterns: a key that matches none of them is refused when Closed.
		Patterns []string
		Closed   bool
	}

	// Nullable is T or null.
	Nullable struct{ Elem Type }

	// Ref is a declared type.
	Ref struct{ Decl *Decl }

	// External is a type of the runtime with codec methods: "jsonrpc.ID".
	External struct{ Path, Name string }

	// Struct is an object with known members.
	Struct struct {
		Fields []*Field
		Extra  Type // type of the other members: nil = none are allowed
	}

	// Enum is a fixed list of scalars.
	Enum struct {
		Base   EnumBase
		Values []EnumValue
		Open   bool // other values are fine
	}

	// Tuple is an array whose first items have types of their own.
	Tuple struct {
		Items []Type
		Min   int  // items that must be there
		Rest  Type // type of the further items: nil = none are allowed
		Rules ArrayRules
		Docs  []Doc
	}

	// Union is one of several types.
	Union struct {
		Arms []*Arm
		How  How
		Tag  string // member that tells the arms apart, for ByTag
	}
)

func (*Bool) kind()     {}
func (*String) kind()   {}
func (*Int) kind()      {}
func (*Float) kind()    {}
func (*Untyped) kind()  {}
func (*Null) kind()     {}
func (*Const) kind()    {}
func (*Slice) kind()    {}
func (*Map) kind()      {}
func (*Nullable) kind() {}
func (*Ref) kind()      {}
func (*External) kind() {}
func (*Struct) kind()   {}
func (*Enum) kind()     {}
func (*Tuple) kind()    {}
func (*Union) kind()    {}

// IntSize is the Go type of an integer.
type IntSize uint8

// The sizes.
const (
	Int64 IntSize = iota
	Uint64
	BigInt // beyond 64 bits: the digits as text
)

// EnumBase is the JSON kind of an enum's values.
type EnumBase uint8

// The bases.
const (
	StringEnum EnumBase = iota
	IntEnum
	MixedEnum // held as JSON text
)

// EnumValue is one value of an enum.
type EnumValue struct {
	Literal string // JSON text
	Text    string // decoded string for strings, literal for others
	Doc     string // our own words, to follow the name
}

// Field is one member of an object.
type Field struct {
	Raw      string
	Type     Type // without Nullable
	Required bool
	Nullable bool
	// NullAbsent: null and absent mean the same, so a pointer is enough.
	NullAbsent bool
	// Tolerated says that a required member may be missing when it is read.
	Tolerated bool
	// Default is the Go expression that a missing tolerated member is read as.
	Default string
	// EmptyAbsent says that the empty string means absent: the value is not
	// valid anyway.
	EmptyAbsent bool
	// NullTolerated says that null is read as absent though the schema forbids it.
	NullTolerated bool
	// Boxed: a pointer is needed to end the recursion.
	Boxed bool
	Doc   Doc
}

// How says how the arms of a union are told apart.
type How uint8

// The ways.
const (
	ByKind  How = iota // every arm has another JSON kind
	ByTag              // a member with a constant
	ByKeys             // a member that only one arm requires
	ByTrial            // the first arm that reads and validates
)

// Arm is one alternative of a union.
type Arm struct {
	Type Type // Ref to a struct or tuple, or a type that is wrapped under Decl
	// Decl is the declaration that carries the union's method: the target of
	// Type, or a named wrapper around it.
	Decl  *Decl
	Kinds []string // "string", "number", "boolean", "array", "object"
	Tags  []string // JSON texts of the tag's constants
	// Keys are members whose presence selects the arm, for ByKeys.
	Keys []string
	// Default: this arm is meant when the tag is absent.
	Default bool
}

// StringRules are the assertions on a string.
type StringRules struct {
	MinLength *int
	MaxLength *int
	Patterns  []string
	Format    string // asserted format
}

// NumberRules are the assertions on a number, as decimal texts.
type NumberRules struct {
	Minimum, Maximum                   string
	ExclusiveMinimum, ExclusiveMaximum string
	MultipleOf                         []string
}

// ArrayRules are the assertions on an array.
type ArrayRules struct {
	MinItems *int
	MaxItems *int
	Unique   bool
}

// ObjectRules are the assertions on an object's size.
type ObjectRules struct {
	MinProperties *int
	MaxProperties *int
}
