package jsonschema

// Kind is the kind of a JSON value.
type Kind uint8

// The six kinds.
const (
	NullValue Kind = iota
	BoolValue
	NumberValue
	StringValue
	ArrayValue
	ObjectValue
)

// Value is one JSON value with its position in the text that it was read from.
type Value struct {
	Kind    Kind
	Text    string   // decoded string, number as written, "true" or "false"
	Members []Member // object members in document order, names unique
	Items   []*Value // array items
	Raw     []byte   // the exact bytes, aliasing the document
	Line    int      // 1-based
	Column  int      // 1-based, in bytes
}

// Member is one member of an object.
type Member struct {
	Name  string
	Value *Value
}

// Get returns the member called name, or nil: also when v is nil or no object.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return v.Members[i].Value
		}
	}
	return nil
}
