package jsonwire

import (
	"strconv"
	"strings"
)

// The place of an error is found by walking the text from its start to the
// error's offset. The text before it has been accepted by the Reader, so the
// walk may be careless; it must only never leave the text.

const (
	segmentLimit = 64
	pointerLimit = 512
)

// step is where the walk stands in one open container.
type step struct {
	array bool
	index int
	key   []byte // raw text of the current member's name
	named bool   // whether key has been read
}

// pointerAt returns the JSON Pointer of the innermost value at offset; inside a
// member's name, or at a closing bracket, that is the container.
func pointerAt(data []byte, offset int) string {
	var path []step
	for i := 0; i < offset && i < len(data); {
		switch c := data[i]; c {
		case '{', '[':
			path = append(path, step{array: c == '['})
		case '}', ']':
			path = path[:max(len(path)-1, 0)]
		case ',':
			if n := len(path); n > 0 {
				path[n-1].index++
				path[n-1].named = false
			}
		case '"':
			end := closingQuote(data, i+1)
			if offset <= end {
				return renderPath(path)
			}
			nameMember(path, data[i+1:end])
			i = end
		}
		i++
	}
	if offset < len(data) && (data[offset] == '}' || data[offset] == ']') && len(path) > 0 {
		path = path[:len(path)-1]
	}
	return renderPath(path)
}

func nameMember(path []step, key []byte) {
	if n := len(path); n > 0 && !path[n-1].array && !path[n-1].named {
		path[n-1].key = key
		path[n-1].named = true
	}
}

func closingQuote(data []byte, i int) int {
	for i < len(data) && data[i] != '"' {
		if data[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(data))
}

func renderPath(path []step) string {
	var b strings.Builder
	for _, s := range path {
		switch {
		case s.array:
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(s.index))
		case s.named:
			b.WriteByte('/')
			b.WriteString(escapeToken(segment(s.key)))
		}
	}
	return shorten(b.String(), pointerLimit)
}

func segment(raw []byte) string {
	if end, escapes, high := scanString(append(raw[:len(raw):len(raw)], '"'), 0); end == len(raw) {
		text, _ := unquote(raw, escapes, high)
		return shorten(string(text), segmentLimit)
	}
	return shorten(string(raw), segmentLimit)
}

// shorten keeps the two ends of a long text.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	half := limit/2 - 2
	return strings.ToValidUTF8(s[:half], "") + "…" + strings.ToValidUTF8(s[len(s)-half:], "")
}

var tokenEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escapeToken(s string) string { return tokenEscaper.Replace(s) }
