package jsonrpc

import (
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// An id is compared with the one that was sent, so it is kept exactly: 1 and "1"
// differ, and no digit is lost. Each id has one representation, so that == says
// whether two are the same: a number where 64 bits hold it, which is what
// nearly all peers use and costs no allocation, else its JSON text, with strings
// escaped in one way and integers without fraction or exponent.

// ID is the id of a request: a string or an integer. The zero ID is none at
// all. IDs are comparable.
type ID struct {
	text   string
	number int64
	kind   idKind
}

type idKind byte

const (
	noID idKind = iota
	numberID
	textID
)

// StringID returns the id that is the string s.
func StringID(s string) ID {
	var w jsonwire.Writer
	w.String(s)
	return ID{text: string(w.Bytes()), kind: textID}
}

// IntID returns the id that is the integer n.
func IntID(n int64) ID { return ID{number: n, kind: numberID} }

// Text returns the id as JSON text, or "" for none.
func (id ID) Text() string {
	if id.kind == numberID {
		return strconv.FormatInt(id.number, 10)
	}
	return id.text
}

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.kind == noID }

// String returns the id for people: a string id without its quotes.
func (id ID) String() string {
	if id.kind != textID || id.text[0] != '"' {
		return id.Text()
	}
	return jsonwire.NewReader([]byte(id.text)).String()
}

// Int64 returns the id when it is an integer of 64 bits.
func (id ID) Int64() (n int64, ok bool) { return id.number, id.kind == numberID }

// WriteJSON writes the id, or null for none.
func (id ID) WriteJSON(w *jsonwire.Writer) {
	switch id.kind {
	case noID:
		w.Null()
	case numberID:
		w.Int64(id.number)
	default:
		w.Literal(id.text)
	}
}

// ReadJSON reads a string or an integer; anything else is an error of the rule
// "type".
func (id *ID) ReadJSON(r *jsonwire.Reader) {
	switch r.Kind() {
	case jsonwire.KindString:
		*id = StringID(r.String())
	case jsonwire.KindNumber:
		start := r.Mark()
		if n := r.Int64(); r.Err() == nil {
			*id = IntID(n)
			return
		}
		r.Rewind(start)
		id.readLong(r)
	default:
		r.Fail("type", "string or integer expected, "+r.Kind().String()+" found")
	}
}

// readLong reads an integer beyond 64 bits.
func (id *ID) readLong(r *jsonwire.Reader) {
	n := r.Number()
	if r.Err() != nil {
		return
	}
	var v jsonwire.Validator
	if v.IntegerNumber(n); v.Err() != nil {
		r.Fail("type", "string or integer expected, number with a fraction found")
		return
	}
	if strings.ContainsAny(string(n), ".eE") {
		r.Fail("range", "an id beyond 64 bits must be written in digits alone")
		return
	}
	*id = ID{text: string(n), kind: textID}
}

// MarshalJSON returns the id's JSON text, or null for none.
func (id ID) MarshalJSON() ([]byte, error) { return jsonwire.Marshal(id) }

// UnmarshalJSON reads a string or an integer.
func (id *ID) UnmarshalJSON(data []byte) error { return jsonwire.Unmarshal(data, id) }

// ValidateJSON finds nothing: an ID that exists is a string or an integer.
func (id ID) ValidateJSON(v *jsonwire.Validator) {}
