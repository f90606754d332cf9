package jsonwire

// A value's kind shows in its first byte, so looking at it consumes nothing.

// Kind is one of the kinds of JSON value.
type Kind byte

// The kinds of JSON value. KindInvalid is the end of the text or a byte that
// starts no value.
const (
	KindInvalid Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

var kindNames = [...]string{"nothing", "null", "boolean", "number", "string", "array", "object"}

// String returns the kind's name in JSON Schema's words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[0]
}

var kinds = [256]Kind{
	'n': KindNull, 't': KindBool, 'f': KindBool, '"': KindString, '[': KindArray, '{': KindObject, '-': KindNumber,
	'0': KindNumber, '1': KindNumber, '2': KindNumber, '3': KindNumber, '4': KindNumber,
	'5': KindNumber, '6': KindNumber, '7': KindNumber, '8': KindNumber, '9': KindNumber,
}

// Kind returns the kind of the next value and consumes nothing.
func (r *Reader) Kind() Kind { return kinds[r.peek()] }
