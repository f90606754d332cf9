package jsonrpc

import (
	"strconv"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// An id is compared with the one that was sent, so it is kept as the JSON text
// that it has on the wire: 1 and "1" differ, and no digit is lost. Strings are
// brought to one spelling, so that an escaped id still equals its plain form.

// ID is the id of a request: a string or an integer. The zero ID is none at
// all. IDs are comparable.
type ID struct{ text string }

// StringID returns the id that is the string s.
func StringID(s string) ID {
	var w jsonwire.Writer
	w.String(s)
	return ID{string(w.Bytes())}
}

// IntID returns the id that is the integer n.
func IntID(n int64) ID { return ID{strconv.FormatInt(n, 10)} }

// Text returns the id as JSON text, or "" for none.
func (id ID) Text() string { return id.text }

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.text == "" }

// String returns the id for people: a string id without its quotes.
func (id ID) String() string {
	if !id.isString() {
		return id.text
	}
	return jsonwire.NewReader([]byte(id.text)).String()
}

func (id ID) isString() bool { return id.text != "" && id.text[0] == '"' }

// Int64 returns the id when it is an integer of 64 bits.
func (id ID) Int64() (n int64, ok bool) {
	if id.text == "" || id.isString() {
		return 0, false
	}
	n, err := jsonwire.Number(id.text).Int64()
	return n, err == nil
}

// WriteJSON writes the id, or null for none.
func (id ID) WriteJSON(w *jsonwire.Writer) {
	if id.text == "" {
		w.Null()
		return
	}
	w.Literal(id.text)
}

// ReadJSON reads a string or an integer; anything else is an error of the rule
// "type".
func (id *ID) ReadJSON(r *jsonwire.Reader) {
	switch r.Kind() {
	case jsonwire.KindString:
		*id = StringID(r.String())
	case jsonwire.KindNumber:
		n := r.Number()
		if !isInteger(string(n)) {
			r.Fail("type", "string or integer expected, number with a fraction found")
			return
		}
		*id = ID{canonicalInteger(string(n))}
	default:
		r.Fail("type", "string or integer expected, "+r.Kind().String()+" found")
	}
}

// plainInteger reports whether a JSON number is written with digits alone.
func plainInteger(n string) bool {
	for i := range len(n) {
		if c := n[i]; c != '-' && (c < '0' || c > '9') {
			return false
		}
	}
	return n != "-0"
}

func isInteger(n string) bool {
	if plainInteger(n) {
		return true
	}
	var v jsonwire.Validator
	v.IntegerNumber(jsonwire.Number(n))
	return v.Err() == nil
}

// canonicalInteger turns 1.0 and 1e0 into 1. Peers that pass numbers through a
// float answer with such spellings.
func canonicalInteger(n string) string {
	if plainInteger(n) {
		return n
	}
	text, err := jsonwire.AppendCanonical(nil, []byte(n))
	if err != nil {
		return n
	}
	return string(text)
}

// MarshalJSON returns the id's JSON text, or null for none.
func (id ID) MarshalJSON() ([]byte, error) { return jsonwire.Marshal(id) }

// UnmarshalJSON reads a string or an integer.
func (id *ID) UnmarshalJSON(data []byte) error { return jsonwire.Unmarshal(data, id) }

// ValidateJSON finds nothing: an ID that exists is a string or an integer.
func (id ID) ValidateJSON(v *jsonwire.Validator) {}
