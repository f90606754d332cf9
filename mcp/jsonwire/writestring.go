package jsonwire

import (
	"unicode/utf8"
	"unsafe"
)

// Most strings need no escape: they are measured eight bytes at a time and
// copied whole. Only quotes, backslashes and control characters are escaped;
// there is no HTML here to protect.

const hexDigits = "0123456789abcdef"

// String writes s as a JSON string; invalid UTF-8 becomes U+FFFD.
func (w *Writer) String(s string) {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	end, high := plain(b, 0)
	if end < len(b) {
		w.escaped(b, end)
		return
	}
	if high && !utf8.Valid(b) {
		b = repair(b)
	}
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, b...)
	w.buf = append(w.buf, '"')
}

// escaped writes a string whose first byte in need of an escape is s[end].
func (w *Writer) escaped(s []byte, end int) {
	if !utf8.Valid(s) {
		s = repair(s)
		end, _ = plain(s, 0)
	}
	buf := append(w.buf, '"')
	for start := 0; ; {
		buf = append(buf, s[start:end]...)
		if end == len(s) {
			break
		}
		buf = appendEscape(buf, s[end])
		start = end + 1
		end, _ = plain(s, start)
	}
	w.buf = append(buf, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
