package jsonwire

import "unsafe"

// Unions choose their arm before they read it: by the scalar in a tag member,
// by which members are there, or by trying one arm after another from a
// savepoint.

// Mark is a savepoint of a Reader.
type Mark struct {
	pos      int
	depth    int
	key      []byte
	keyStart int
	first    bool
	failed   bool
	fault    fault
}

// Mark returns a savepoint of the Reader's place and error.
func (r *Reader) Mark() Mark {
	return Mark{r.pos, r.depth, r.key, r.keyStart, r.first, r.failed, r.fault}
}

// Rewind returns to a savepoint of the same text and forgets any error since.
func (r *Reader) Rewind(m Mark) {
	r.pos, r.depth, r.key, r.keyStart = m.pos, m.depth, m.key, m.keyStart
	r.first, r.failed, r.fault = m.first, m.failed, m.fault
}

// Tag returns the scalar in the named member of the object that comes next and
// consumes nothing: the unescaped text of a string with a leading quote
// (`"text`), or the text of a number, boolean or null. It returns "" when there
// is no such object, member or scalar. The first of several members of that
// name counts. The result may alias the text being read: compare it, do not
// keep it.
func (r *Reader) Tag(member string) string {
	i := r.find(member)
	if i < 0 {
		return ""
	}
	end, bad := i, ""
	if c := r.data[i]; c == '{' || c == '[' {
		return ""
	}
	if end, bad = skipScalar(r.data, i); bad != "" {
		return ""
	}
	if r.data[i] != '"' {
		return unsafe.String(&r.data[i], end-i)
	}
	_, escapes, high := scanString(r.data, i+1)
	if text, changed := unquote(r.data[i+1:end-1], escapes, high); changed {
		return `"` + string(text)
	}
	return unsafe.String(&r.data[i], end-1-i)
}

// Has reports whether the object that comes next has the named member. It
// consumes nothing.
func (r *Reader) Has(member string) bool { return r.find(member) >= 0 }

// find returns the offset of the named member's value in the object that comes
// next, or -1.
func (r *Reader) find(member string) int {
	if r.peek() != '{' {
		return -1
	}
	i := skipSpace(r.data, r.pos+1)
	for i < len(r.data) && r.data[i] == '"' {
		end, escapes, high := scanString(r.data, i+1)
		if end < 0 {
			return -1
		}
		key := r.data[i+1 : end]
		if escapes > 0 || high {
			key = cleanKey(key, escapes, high)
		}
		if i = skipSpace(r.data, end+1); i >= len(r.data) || r.data[i] != ':' {
			return -1
		}
		if i = skipSpace(r.data, i+1); i >= len(r.data) {
			return -1
		}
		if string(key) == member {
			return i
		}
		end, bad := skipValue(r.data, i, r.limit()-r.depth-1)
		if bad != "" {
			return -1
		}
		if i = skipSpace(r.data, end); i >= len(r.data) || r.data[i] != ',' {
			return -1
		}
		i = skipSpace(r.data, i+1)
	}
	return -1
}
