package jsonwire

import "encoding/json"

// Objects and arrays are read by loops over their members:
//
//	for r.BeginObject(); r.NextMember(); {
//		switch string(r.Key()) {
//		case "a":
//			x.A = r.String()
//		default:
//			r.Extra(&x.Extra)
//		}
//	}
//
// The body must consume the member's value; otherwise the next round fails.

// BeginObject opens the object that comes next; any other kind is an error of
// the rule "type".
func (r *Reader) BeginObject() {
	if r.peek() != '{' {
		r.wrongKind(KindObject)
		return
	}
	r.open()
}

// BeginArray opens the array that comes next; any other kind is an error of
// the rule "type".
func (r *Reader) BeginArray() {
	if r.peek() != '[' {
		r.wrongKind(KindArray)
		return
	}
	r.open()
}

func (r *Reader) open() {
	if r.depth >= r.limit() {
		r.fail(r.pos, "depth", "values nest too deeply")
		return
	}
	r.depth++
	r.pos++
	r.first = true
}

// NextMember moves to the next member of the open object and reads its key, or
// closes the object and returns false. After an error it returns false.
func (r *Reader) NextMember() bool {
	c := r.peek()
	if c == '}' {
		r.close()
		return false
	}
	if r.first {
		r.first = false
	} else if c == ',' {
		r.pos++
		c = r.peek()
	} else {
		r.unexpected("',' or '}'")
		return false
	}
	if c != '"' {
		r.unexpected("a member name")
		return false
	}
	return r.readKey()
}

// NextElement moves to the next element of the open array, or closes the array
// and returns false. After an error it returns false.
func (r *Reader) NextElement() bool {
	c := r.peek()
	if c == ']' {
		r.close()
		return false
	}
	if r.first {
		r.first = false
	} else if c == ',' {
		r.pos++
		c = r.peek()
	} else {
		r.unexpected("',' or ']'")
		return false
	}
	if kinds[c] == KindInvalid {
		r.unexpected("a value")
		return false
	}
	return true
}

func (r *Reader) close() {
	r.pos++
	r.depth--
	r.first = false
}

func (r *Reader) readKey() bool {
	start := r.pos
	end, escapes, high := scanString(r.data, start+1)
	if end < 0 {
		r.badString(start)
		return false
	}
	r.keyStart = start
	r.key = r.data[start+1 : end]
	if escapes > 0 || high {
		r.key = cleanKey(r.key, escapes, high)
	}
	r.pos = end + 1
	if r.peek() != ':' {
		r.unexpected("':'")
		return false
	}
	r.pos++
	return true
}

// cleanKey allocates when it has to change the key, so that a key stays valid
// across [Reader.Rewind].
func cleanKey(raw []byte, escapes int, high bool) []byte {
	if s, changed := unquote(raw, escapes, high); changed {
		return s
	}
	return raw
}

// Key returns the current member's name, unescaped. It is valid until the
// member's value has been read.
func (r *Reader) Key() []byte { return r.key }

// KeyString returns a copy of the current member's name.
func (r *Reader) KeyString() string { return string(r.key) }

// Extra stores the current member under its name, making the map when it is
// nil.
func (r *Reader) Extra(m *map[string]json.RawMessage) {
	key := r.KeyString()
	raw := r.Raw()
	if r.failed {
		return
	}
	if *m == nil {
		*m = make(map[string]json.RawMessage)
	}
	(*m)[key] = raw
}

// ExtraAny stores the current member as [Reader.Any] reads it, making the map
// when it is nil.
func (r *Reader) ExtraAny(m *map[string]any) {
	key := r.KeyString()
	v := r.Any()
	if r.failed {
		return
	}
	if *m == nil {
		*m = make(map[string]any)
	}
	(*m)[key] = v
}

// Unknown deals with a member that a closed object does not declare: an error
// of the rule "additionalProperties", or a skipped value when the Reader is
// lenient.
func (r *Reader) Unknown() {
	if r.lenient {
		r.Skip()
		return
	}
	if !r.failed {
		r.fail(r.keyStart, "additionalProperties", "")
		r.fault.name = r.KeyString()
	}
}

// Missing fails with the rule "required" when one of names was not seen: name
// i stands for bit 1<<i. It is called right after the object was closed.
func (r *Reader) Missing(seen uint64, names ...string) {
	for i, name := range names {
		if seen&(1<<uint(i)) == 0 && !r.failed {
			r.fail(r.pos-1, "required", "")
			r.fault.name = name
		}
	}
}
