package jsonwire

import (
	"bytes"
	"unsafe"
)

// Constants are compared as JSON values. Nearly all of them are strings that
// are spelled in the message as they are in the schema, so the bytes are
// compared first.

// Const reads a value that must equal the JSON literal: numbers by value,
// strings unescaped, objects and arrays member by member. Anything else is an
// error of the rule "const".
func (r *Reader) Const(literal string) {
	c := r.peek()
	if n := len(literal); c == '"' && len(r.data)-r.pos >= n && string(r.data[r.pos:r.pos+n]) == literal {
		r.pos += n
		return
	}
	start := r.pos
	raw := r.RawNoCopy()
	if r.failed {
		return
	}
	if !EqualJSON(raw, unsafe.Slice(unsafe.StringData(literal), len(literal))) {
		r.fail(start, "const", excerptJSON(literal)+" expected, "+excerptJSON(string(raw))+" found")
	}
}

// excerptJSON shows a short value as it is.
func excerptJSON(text string) string {
	return printable(shorten(text, excerptLimit))
}

// EqualJSON reports whether two JSON texts have equal values.
func EqualJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return Valid(a)
	}
	ca, err := AppendCanonical(nil, a)
	if err != nil {
		return false
	}
	cb, err := AppendCanonical(nil, b)
	return err == nil && bytes.Equal(ca, cb)
}
