package jsonwire

import (
	"cmp"
	"slices"
	"strconv"
)

// The canonical form gives equal JSON values equal bytes: members sorted by
// name, strings escaped only where they must be, and each number in the one
// spelling that its digits and exponent determine.

// AppendCanonical appends the canonical form of a JSON text to dst. Of several
// members with one name the last counts, as it does for every reader here. An
// error names the place; an exponent beyond 18 digits is one.
func AppendCanonical(dst, json []byte) ([]byte, error) {
	r := NewReader(json)
	w := Writer{buf: dst}
	canonical(r, &w)
	if err := r.End(); err != nil {
		return dst, err
	}
	return w.buf, nil
}

func canonical(r *Reader, w *Writer) {
	switch r.Kind() {
	case KindObject:
		canonicalObject(r, w)
	case KindArray:
		w.BeginArray()
		for r.BeginArray(); r.NextElement(); {
			w.Element()
			canonical(r, w)
		}
		w.EndArray()
	case KindString:
		w.String(r.String())
	case KindNumber:
		start := r.pos
		d := parseDecimalIn(r)
		if d.exp >= maxExponent/2 || d.exp <= -maxExponent/2 {
			r.fail(start, "range", "exponent is too large")
			return
		}
		w.buf = d.append(w.buf)
	case KindBool:
		w.Bool(r.Bool())
	case KindNull:
		if r.Null() {
			w.Null()
		}
	default:
		r.unexpected("a value")
	}
}

func parseDecimalIn(r *Reader) decimal {
	text := r.number()
	if len(text) == 0 {
		return decimal{}
	}
	return parseDecimal(text)
}

type canonicalMember struct {
	key        string
	start, end int
}

// canonicalObject writes the members behind each other and then puts their
// texts in order.
func canonicalObject(r *Reader, w *Writer) {
	var members []canonicalMember
	base := len(w.buf)
	for r.BeginObject(); r.NextMember(); {
		m := canonicalMember{key: r.KeyString(), start: len(w.buf)}
		canonical(r, w)
		m.end = len(w.buf)
		members = append(members, m)
	}
	if r.failed {
		return
	}
	slices.SortStableFunc(members, func(a, b canonicalMember) int { return cmp.Compare(a.key, b.key) })
	values := slices.Clone(w.buf[base:])
	w.buf = w.buf[:base]
	w.BeginObject()
	for i, m := range members {
		if i+1 < len(members) && members[i+1].key == m.key {
			continue
		}
		w.Key(m.key)
		w.buf = append(w.buf, values[m.start-base:m.end-base]...)
	}
	w.EndObject()
}

// append writes the decimal's one spelling: plain up to 21 digits, otherwise
// digits and an exponent.
func (d decimal) append(dst []byte) []byte {
	n := int64(len(d.digits))
	if n == 0 {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	point := n + d.exp // digits before the decimal point
	switch {
	case d.exp >= 0 && point <= 21:
		dst = append(dst, d.digits...)
		return appendZeros(dst, d.exp)
	case d.exp < 0 && point > 0 && n <= 21:
		dst = append(dst, d.digits[:point]...)
		dst = append(dst, '.')
		return append(dst, d.digits[point:]...)
	case d.exp < 0 && point <= 0 && point > -6 && n <= 21:
		dst = append(dst, '0', '.')
		dst = appendZeros(dst, -point)
		return append(dst, d.digits...)
	}
	dst = append(dst, d.digits[0])
	if n > 1 {
		dst = append(dst, '.')
		dst = append(dst, d.digits[1:]...)
	}
	dst = append(dst, 'e')
	return strconv.AppendInt(dst, point-1, 10)
}

func appendZeros(dst []byte, n int64) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}
