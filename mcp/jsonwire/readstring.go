package jsonwire

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// A string is first measured (where it ends, whether it has escapes or bytes
// beyond ASCII) and then either copied as it is or rebuilt into a buffer whose
// size is known beforehand.

// String reads a string. Invalid UTF-8 and lone surrogates become U+FFFD.
func (r *Reader) String() string {
	if r.peek() != '"' {
		r.wrongKind(KindString)
		return ""
	}
	start := r.pos + 1
	end, escapes, high := scanString(r.data, start)
	if end < 0 {
		r.badString(r.pos)
		return ""
	}
	r.pos = end + 1
	raw := r.data[start:end]
	if escapes > 0 || high {
		if s, changed := unquote(raw, escapes, high); changed {
			return unsafe.String(unsafe.SliceData(s), len(s))
		}
	}
	if r.alias && r.shares(len(raw)) {
		return unsafe.String(unsafe.SliceData(raw), len(raw))
	}
	return string(raw)
}

// scanString returns the index of the quote that closes the string whose text
// starts at i, by how many bytes at least its escapes shorten it, and whether
// it has bytes beyond ASCII. An end below zero means that it is malformed.
func scanString(data []byte, i int) (end, escapes int, high bool) {
	for {
		next, h := plain(data, i)
		high = high || h
		if next == len(data) || data[next] < 0x20 {
			return -1, 0, false
		}
		if data[next] == '"' {
			return next, escapes, high
		}
		n := escapeLen(data[next:])
		if n == 0 {
			return -1, 0, false
		}
		if n == 2 {
			escapes++
		} else {
			escapes += 3 // six bytes become three at most
		}
		i = next + n
	}
}

// escapeLen returns the length of the escape sequence that s starts with, or 0
// when it is malformed.
func escapeLen(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	if s[1] != 'u' {
		if simpleEscape[s[1]] != 0 {
			return 2
		}
		return 0
	}
	if _, ok := hex4(s); ok {
		return 6
	}
	return 0
}

var simpleEscape = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// hex4 reads the code unit of a \uXXXX sequence.
func hex4(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var u rune
	for _, c := range s[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	return u, true
}

// unquote rebuilds the text of a well-formed string; changed is false when it
// is to be taken as it is.
func unquote(raw []byte, escapes int, high bool) (text []byte, changed bool) {
	broken := high && !utf8.Valid(raw)
	if escapes == 0 {
		if !broken {
			return raw, false
		}
		return repair(raw), true
	}
	text = unescape(make([]byte, 0, len(raw)-escapes), raw)
	if broken {
		text = repair(text)
	}
	return text, true
}

func unescape(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		s = s[i:]
		if s[1] != 'u' {
			dst = append(dst, simpleEscape[s[1]])
			s = s[2:]
			continue
		}
		u, _ := hex4(s)
		s = s[6:]
		if utf16.IsSurrogate(u) {
			low, _ := hex4(s)
			if u = utf16.DecodeRune(u, low); u != utf8.RuneError {
				s = s[6:]
			}
		}
		dst = utf8.AppendRune(dst, u)
	}
}

// repair replaces each byte of invalid UTF-8 by U+FFFD.
func repair(s []byte) []byte {
	dst := make([]byte, 0, len(s)+len(s)/8+16)
	for len(s) > 0 {
		c, n := utf8.DecodeRune(s)
		dst = utf8.AppendRune(dst, c)
		s = s[n:]
	}
	return dst
}

// badString says what is wrong with the string that starts at start.
func (r *Reader) badString(start int) {
	for i := start + 1; ; {
		i, _ = plain(r.data, i)
		switch {
		case i == len(r.data):
			r.fail(i, "syntax", "string is not closed")
			return
		case r.data[i] < 0x20:
			r.fail(i, "syntax", "control character in string")
			return
		}
		n := escapeLen(r.data[i:])
		if n == 0 {
			r.fail(i, "syntax", "malformed escape in string")
			return
		}
		i += n
	}
}
