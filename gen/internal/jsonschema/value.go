package jsonschema

import (
	"strings"
	"unicode/utf8"
)

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

// String names the kind as JSON Schema does.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is one JSON value with its position in the text that it was read from.
type Value struct {
	Kind    Kind
	Text    string   // decoded string, number as written, "null", "true" or "false"
	Members []Member // object members in document order, names unique
	Items   []*Value // array items
	Raw     []byte   // the exact bytes, aliasing the document
	Line    int      // 1-based
	Column  int      // 1-based, in bytes

	// Fault is the first thing in the value that only ParseList puts up with; nil for none.
	Fault *ParseError
	// Twice says that a member of this object was given twice; the first one counts.
	Twice bool
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

// Compact returns the value as JSON text without white space. Members keep
// their order and numbers their spelling; strings are written as raw UTF-8 with
// the fewest escapes.
func (v *Value) Compact() []byte {
	return v.appendJSON(make([]byte, 0, len(v.Raw)))
}

// JSONText is Compact as a string.
func (v *Value) JSONText() string { return string(v.Compact()) }

func (v *Value) appendJSON(dst []byte) []byte {
	switch v.Kind {
	case StringValue:
		return appendString(dst, v.Text)
	case ArrayValue:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.appendJSON(dst)
		}
		return append(dst, ']')
	case ObjectValue:
		dst = append(dst, '{')
		for i, m := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, m.Name)
			dst = append(dst, ':')
			dst = m.Value.appendJSON(dst)
		}
		return append(dst, '}')
	default:
		return append(dst, v.Text...)
	}
}

func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0 // where the bytes begin that can be copied together
	for i, r := range s {
		if r >= 0x20 && r != '"' && r != '\\' && r != utf8.RuneError {
			continue
		}
		dst = append(dst, s[plain:i]...)
		plain = i + 1
		switch {
		case r == utf8.RuneError:
			dst = utf8.AppendRune(dst, r)
			if strings.HasPrefix(s[i:], string(utf8.RuneError)) {
				plain = i + utf8.RuneLen(r)
			}
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		}
	}
	return append(append(dst, s[plain:]...), '"')
}

// Equal reports whether a and b are the same JSON value: members in any order,
// numbers by value, strings by their decoded text.
func Equal(a, b *Value) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !Equal(a.Items[i], b.Items[i]) {
			return false
		}
	}
	if len(a.Members) > 0 {
		return equalMembers(a, b)
	}
	if a.Kind == NumberValue {
		return parseDecimal(a.Text) == parseDecimal(b.Text)
	}
	return a.Text == b.Text
}

func equalMembers(a, b *Value) bool {
	index := make(map[string]*Value, len(b.Members))
	for _, m := range b.Members {
		index[m.Name] = m.Value
	}
	for _, m := range a.Members {
		if other, ok := index[m.Name]; !ok || !Equal(m.Value, other) {
			return false
		}
	}
	return true
}

// Canonical returns JSON text that is equal for equal values and only for them.
func (v *Value) Canonical() string {
	var b strings.Builder
	v.canonical(&b)
	return b.String()
}

// Quote writes s as a JSON string.
func Quote(s string) string { return string(appendString(nil, s)) }
