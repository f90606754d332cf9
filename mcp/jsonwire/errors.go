package jsonwire

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// While reading, a failure is three words and an offset; it becomes an [Error]
// with a pointer and a sentence only when somebody asks. Unions read by trial
// fail often and must not pay for text nobody sees.

// Error is a fault in a JSON text: a violation of the grammar (rule "syntax"),
// of a bound ("depth", "range") or of the expected type ("type", "const",
// "required", "additionalProperties", and whatever [Reader.Fail] was given).
type Error struct {
	Pointer string // RFC 6901 pointer of the value; long ones are shortened
	Offset  int    // in bytes from the start of the text
	Rule    string
	Detail  string
}

// Error returns a text such as
// "/content/0/text: type: string expected, number found (offset 57)".
func (e *Error) Error() string {
	var b strings.Builder
	if e.Pointer != "" {
		b.WriteString(printable(e.Pointer))
		b.WriteString(": ")
	}
	b.WriteString(e.Rule)
	if e.Detail != "" {
		b.WriteString(": ")
		b.WriteString(e.Detail)
	}
	b.WriteString(" (offset ")
	b.WriteString(strconv.Itoa(e.Offset))
	b.WriteByte(')')
	return b.String()
}

// fault is an [Error] before it is put into words.
type fault struct {
	offset    int
	rule      string
	detail    string
	name      string // of a member, for "required" and "additionalProperties"
	want, got Kind   // for "type"
}

func (f *fault) text() string {
	switch {
	case f.want != KindInvalid:
		return f.want.String() + " expected, " + f.got.String() + " found"
	case f.rule == "required":
		return "member " + excerpt(f.name) + " is missing"
	case f.rule == "additionalProperties" && f.detail == "":
		return "member " + excerpt(f.name) + " is not allowed"
	}
	return f.detail
}

// Err returns the first error as an [*Error], or nil.
func (r *Reader) Err() error {
	if !r.failed {
		return nil
	}
	return &Error{
		Pointer: pointerAt(r.data, r.fault.offset),
		Offset:  r.fault.offset,
		Rule:    r.fault.rule,
		Detail:  r.fault.text(),
	}
}

// Fail reports a violation of rule by the value that was just read, or, before
// a value is read, by the one that comes next. Only the first error counts.
// The detail must be the caller's own words or a bounded quotation.
func (r *Reader) Fail(rule, detail string) {
	r.fail(r.blame(), rule, detail)
}

// blame returns an offset inside the value that was just read, or else the
// offset of the next one.
func (r *Reader) blame() int {
	for i := r.pos - 1; i >= 0; i-- {
		switch r.data[i] {
		case ' ', '\n', '\r', '\t':
		case '{', '[', ',', ':':
			r.peek()
			return r.pos
		default:
			return i
		}
	}
	r.peek()
	return r.pos
}

// fail records the first error and moves to the end of the text, where every
// other method finds nothing to read.
func (r *Reader) fail(offset int, rule, detail string) {
	if !r.failed {
		r.failed = true
		r.fault = fault{offset: offset, rule: rule, detail: detail}
	}
	r.pos = len(r.data)
}

// wrongKind fails because the next value is not of the kind wanted.
func (r *Reader) wrongKind(want Kind) {
	got := r.Kind()
	if got == KindInvalid {
		r.unexpected("a value")
		return
	}
	if !r.failed {
		r.fail(r.pos, "type", "")
		r.fault.want, r.fault.got = want, got
	}
}

// unexpected fails because the next byte does not continue the text.
func (r *Reader) unexpected(wanted string) {
	switch {
	case r.failed:
	case r.pos >= len(r.data):
		r.fail(len(r.data), "syntax", "unexpected end of the text, "+wanted+" expected")
	default:
		_, n := utf8.DecodeRune(r.data[r.pos:])
		r.fail(r.pos, "syntax", wanted+" expected, "+excerpt(string(r.data[r.pos:r.pos+n]))+" found")
	}
}

// excerptLimit is how many bytes of foreign text an error may quote.
const excerptLimit = 48

// excerpt quotes the start of foreign text with everything unprintable escaped.
func excerpt(s string) string {
	if len(s) > excerptLimit {
		cut := excerptLimit
		for cut > excerptLimit-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}

// printable escapes what could disturb a terminal or a log line.
func printable(s string) string {
	if strings.IndexFunc(s, func(c rune) bool { return !unicode.IsPrint(c) || c == utf8.RuneError }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}
