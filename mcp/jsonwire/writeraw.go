package jsonwire

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Raw values come from elsewhere: a line break in one would break the framing
// of a transport, so they are checked and closed up on their way out.

// Raw writes a JSON value without the white space outside its strings, or null
// when it is nil. Text that is no JSON value fails.
func (w *Writer) Raw(raw json.RawMessage) {
	if raw == nil {
		w.Null()
		return
	}
	start := skipSpace(raw, 0)
	s := skipper{data: raw, limit: writeDepth}
	end, bad := s.run(start)
	if bad == "" && skipSpace(raw, end) < len(raw) {
		bad = "nothing expected after the value"
	}
	if bad != "" {
		w.Fail(fmt.Errorf("raw JSON value: %s (offset %d)", bad, end))
		w.Null()
		return
	}
	raw = raw[start:end]
	if s.high && !utf8.Valid(raw) {
		raw = repair(raw)
	}
	if s.spaced {
		w.compact(raw)
		return
	}
	w.buf = append(w.buf, raw...)
}

// compact appends well-formed JSON without the white space outside strings.
func (w *Writer) compact(raw []byte) {
	start := 0
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			end, _, _ := scanString(raw, i+1)
			i = end + 1
		case c <= ' ':
			w.buf = append(w.buf, raw[start:i]...)
			i = skipSpace(raw, i)
			start = i
		default:
			i++
		}
	}
	w.buf = append(w.buf, raw[start:]...)
}

// Extra writes the members of m in the order of their names, without those
// that are declared, which the caller writes itself.
func (w *Writer) Extra(m map[string]json.RawMessage, declared ...string) {
	for _, k := range SortedKeys(m) {
		if !slices.Contains(declared, k) {
			w.Key(k)
			w.Raw(m[k])
		}
	}
}

// ExtraAny is [Writer.Extra] for values of any type.
func (w *Writer) ExtraAny(m map[string]any, declared ...string) {
	for _, k := range SortedKeys(m) {
		if !slices.Contains(declared, k) {
			w.Key(k)
			w.Any(m[k])
		}
	}
}
