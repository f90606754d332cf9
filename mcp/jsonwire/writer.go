package jsonwire

import (
	"errors"
	"math"
	"slices"
	"strconv"
)

// A Writer appends to one buffer and needs no state of its own for commas: the
// last byte is '{' or '[' exactly when a container has just been opened, since
// every string ends with a quote.

// Writer appends one JSON text to a buffer, on a single line and in valid
// UTF-8. It keeps the first error. The zero Writer is ready to use.
type Writer struct {
	buf   []byte
	err   error
	depth int // of values written by Any
}

// NewWriter returns a Writer that appends to buf.
func NewWriter(buf []byte) *Writer { return &Writer{buf: buf} }

// Reset makes w append to buf and forgets its error.
func (w *Writer) Reset(buf []byte) { *w = Writer{buf: buf} }

// Bytes returns the buffer as it stands.
func (w *Writer) Bytes() []byte { return w.buf }

// Err returns the first error.
func (w *Writer) Err() error { return w.err }

// Fail records err unless there is an error already.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// BeginObject opens an object.
//
//go:noinline
func (w *Writer) BeginObject() { w.buf = append(w.buf, '{') }

// EndObject closes an object.
//
//go:noinline
func (w *Writer) EndObject() { w.buf = append(w.buf, '}') }

// BeginArray opens an array.
//
//go:noinline
func (w *Writer) BeginArray() { w.buf = append(w.buf, '[') }

// EndArray closes an array.
//
//go:noinline
func (w *Writer) EndArray() { w.buf = append(w.buf, ']') }

// Member starts a member whose name is known beforehand, given as it is written,
// with its quotes and colon: w.Member(`"text":`).
//
//go:noinline
func (w *Writer) Member(quotedColon string) {
	if n := len(w.buf); n > 0 && w.buf[n-1] != '{' {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(w.buf, quotedColon...)
}

// Key starts a member with any name.
func (w *Writer) Key(k string) {
	if n := len(w.buf); n > 0 && w.buf[n-1] != '{' {
		w.buf = append(w.buf, ',')
	}
	w.String(k)
	w.buf = append(w.buf, ':')
}

// Element starts an element of an array.
//
//go:noinline
func (w *Writer) Element() {
	if n := len(w.buf); n > 0 && w.buf[n-1] != '[' {
		w.buf = append(w.buf, ',')
	}
}

// Int64 writes an integer.
func (w *Writer) Int64(v int64) { w.buf = strconv.AppendInt(w.buf, v, 10) }

// Uint64 writes an integer.
func (w *Writer) Uint64(v uint64) { w.buf = strconv.AppendUint(w.buf, v, 10) }

// Bool writes true or false.
//
//go:noinline
func (w *Writer) Bool(v bool) { w.buf = strconv.AppendBool(w.buf, v) }

// Null writes null.
//
//go:noinline
func (w *Writer) Null() { w.buf = append(w.buf, "null"...) }

// Literal writes JSON text that is trusted to be well-formed and on one line.
func (w *Writer) Literal(json string) { w.buf = append(w.buf, json...) }

// Number writes a number as it is spelled; text that is no JSON number fails.
func (w *Writer) Number(n Number) {
	if n != "" && !n.valid() {
		w.Fail(n.malformed())
		n = "null"
	}
	w.buf = append(w.buf, n.String()...)
}

var errNotFinite = errors.New("NaN and infinities have no JSON spelling")

// Float64 writes the shortest text that reads back as v. NaN and infinities
// fail.
func (w *Writer) Float64(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		w.Fail(errNotFinite)
		w.Null()
		return
	}
	if i := int64(v); float64(i) == v && -1e15 < v && v < 1e15 && (i != 0 || !math.Signbit(v)) {
		w.Int64(i)
		return
	}
	abs := math.Abs(v)
	if w.shortDecimal(v, abs) {
		return
	}
	if abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		w.buf = strconv.AppendFloat(w.buf, v, 'e', -1, 64)
		w.trimExponent()
		return
	}
	w.buf = strconv.AppendFloat(w.buf, v, 'f', -1, 64)
}

// shortDecimal writes decimals of at most four places and fifteen digits. No two
// of those are the same float64, so the one that is v is also the shortest.
func (w *Writer) shortDecimal(v, abs float64) bool {
	if abs < 1e-4 || abs >= 1e11 {
		return false
	}
	for places := 1; places <= 4; places++ {
		scale := powersOfTen[places]
		m := uint64(abs*scale + 0.5)
		if float64(m)/scale != abs {
			continue
		}
		if v < 0 {
			w.buf = append(w.buf, '-')
		}
		unit := uint64(scale)
		w.buf = strconv.AppendUint(w.buf, m/unit, 10)
		w.buf = append(w.buf, '.')
		for rest := m % unit; unit > 1; rest %= unit {
			unit /= 10
			w.buf = append(w.buf, '0'+byte(rest/unit))
		}
		return true
	}
	return false
}

// trimExponent turns e-09 into e-9.
func (w *Writer) trimExponent() {
	if n := len(w.buf); n >= 4 && w.buf[n-4] == 'e' && w.buf[n-2] == '0' {
		w.buf[n-2] = w.buf[n-1]
		w.buf = w.buf[:n-1]
	}
}

// SortedKeys returns the keys of m in ascending order.
func SortedKeys[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
