package jsonwire

import "encoding/json"

// Skipping checks the grammar of a value without building anything. It keeps
// its own stack, one bit per open container, so that hostile nesting costs
// bits instead of stack frames.

// Skip checks the next value and moves past it.
func (r *Reader) Skip() { r.RawNoCopy() }

// Raw returns a copy of the next value's text, checked, without the white space
// around it.
func (r *Reader) Raw() json.RawMessage {
	raw := r.RawNoCopy()
	if raw == nil || r.shares(len(raw)) {
		return raw
	}
	return append(make(json.RawMessage, 0, len(raw)), raw...)
}

// RawSince returns a copy of the text of the values read since the savepoint,
// for callers that keep a value both typed and as it was written: it saves
// reading the value twice. It returns nil after an error.
func (r *Reader) RawSince(m Mark) json.RawMessage {
	raw := r.RawSinceNoCopy(m)
	if raw == nil || r.shares(len(raw)) {
		return raw
	}
	return append(make(json.RawMessage, 0, len(raw)), raw...)
}

// RawSinceNoCopy is [Reader.RawSince] without the copy: the result aliases the
// text that is being read.
func (r *Reader) RawSinceNoCopy(m Mark) []byte {
	if r.failed {
		return nil
	}
	start := skipSpace(r.data, m.pos)
	return r.data[start:max(r.pos, start):max(r.pos, start)]
}

// RawNoCopy is [Reader.Raw] without the copy: the result aliases the text that
// is being read.
func (r *Reader) RawNoCopy() []byte {
	r.peek()
	start := r.pos
	end, bad := skipValue(r.data, start, r.limit()-r.depth)
	if bad != "" {
		r.failSkip(end, bad)
		return nil
	}
	r.pos = end
	return r.data[start:end:end]
}

const (
	tooDeep         = "values nest too deeply"
	malformedString = "malformed string"
)

func (r *Reader) failSkip(at int, bad string) {
	if bad == tooDeep {
		r.fail(at, "depth", bad)
		return
	}
	r.fail(at, "syntax", bad)
}

// skipper walks one value.
type skipper struct {
	data  []byte
	depth int
	limit int
	kinds [16]uint64 // bit d: the container at depth d is an object
	more  []uint64   // the same beyond 1024 levels

	spaced bool // there is white space inside the value
	high   bool // there are bytes beyond ASCII
}

// skipValue returns the end of the value at i. If the value is malformed, bad
// says how and end is where.
func skipValue(data []byte, i, limit int) (end int, bad string) {
	if i < len(data) && data[i] != '{' && data[i] != '[' {
		return skipScalar(data, i)
	}
	s := skipper{data: data, limit: limit}
	return s.run(i)
}

func (s *skipper) run(i int) (end int, bad string) {
	for {
		if i, bad = s.value(i); bad != "" {
			return i, bad
		}
		for {
			if s.depth == 0 {
				return i, ""
			}
			i = s.space(i)
			if i >= len(s.data) {
				return i, "unexpected end of the text"
			}
			if c := s.data[i]; c == ',' {
				break
			} else if object := s.object(); object && c == '}' || !object && c == ']' {
				s.depth--
				i++
				continue
			}
			return i, "',' or the end of the container expected"
		}
		if i, bad = s.next(i + 1); bad != "" {
			return i, bad
		}
	}
}

// value skips a scalar or an empty container, or opens containers down to the
// first scalar.
func (s *skipper) value(i int) (end int, bad string) {
	for {
		i = s.space(i)
		if i >= len(s.data) {
			return i, "unexpected end of the text"
		}
		c := s.data[i]
		if c != '{' && c != '[' {
			return s.scalar(i)
		}
		if s.depth >= s.limit {
			return i, tooDeep
		}
		s.push(c == '{')
		i = s.space(i + 1)
		if i < len(s.data) && s.data[i] == c+2 { // '{'+2 is '}', '['+2 is ']'
			s.depth--
			return i + 1, ""
		}
		if i, bad = s.next(i); bad != "" {
			return i, bad
		}
	}
}

// next moves to the value of the next member or element.
func (s *skipper) next(i int) (end int, bad string) {
	if !s.object() {
		return i, ""
	}
	i = s.space(i)
	if i >= len(s.data) || s.data[i] != '"' {
		return i, "a member name expected"
	}
	if i, bad = s.scalar(i); bad != "" {
		return i, bad
	}
	i = s.space(i)
	if i >= len(s.data) || s.data[i] != ':' {
		return i, "':' expected"
	}
	return i + 1, ""
}

func (s *skipper) space(i int) int {
	if i < len(s.data) && s.data[i] > ' ' {
		return i
	}
	end := skipSpace(s.data, i)
	s.spaced = s.spaced || end > i
	return end
}

func (s *skipper) scalar(i int) (end int, bad string) {
	if s.data[i] != '"' {
		return skipScalar(s.data, i)
	}
	end, _, high := scanString(s.data, i+1)
	if end < 0 {
		return i, malformedString
	}
	s.high = s.high || high
	return end + 1, ""
}

func (s *skipper) push(object bool) {
	word := s.word(s.depth)
	bit := uint64(1) << (s.depth & 63)
	*word &^= bit
	if object {
		*word |= bit
	}
	s.depth++
}

func (s *skipper) object() bool {
	d := s.depth - 1
	return *s.word(d)&(1<<(d&63)) != 0
}

func (s *skipper) word(d int) *uint64 {
	d >>= 6
	if d < len(s.kinds) {
		return &s.kinds[d]
	}
	for d -= len(s.kinds); d >= len(s.more); {
		s.more = append(s.more, 0)
	}
	return &s.more[d]
}

func skipScalar(data []byte, i int) (end int, bad string) {
	if i >= len(data) {
		return i, "unexpected end of the text"
	}
	bad = "a value expected"
	switch data[i] {
	case '"':
		end, _, _ = scanString(data, i+1)
		if end++; end == 0 {
			end = -1
		}
		bad = malformedString
	case 't':
		end = scanLiteral(data, i, "true")
	case 'f':
		end = scanLiteral(data, i, "false")
	case 'n':
		end = scanLiteral(data, i, "null")
	default:
		end = scanNumber(data, i)
		if kinds[data[i]] == KindNumber {
			bad = "malformed number"
		}
	}
	if end < 0 {
		return i, bad
	}
	return end, ""
}

func skipSpace(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ' ', '\n', '\r', '\t':
			i++
		default:
			return i
		}
	}
	return i
}

// Valid reports whether data is one JSON text of at most [DefaultMaxDepth]
// nested values.
func Valid(data []byte) bool {
	end, bad := skipValue(data, skipSpace(data, 0), DefaultMaxDepth)
	return bad == "" && skipSpace(data, end) == len(data)
}
