package jsonwire

// The literals true, false and null.

// Bool reads a boolean.
func (r *Reader) Bool() bool {
	switch r.peek() {
	case 't':
		return r.literal("true")
	case 'f':
		r.literal("false")
	default:
		r.wrongKind(KindBool)
	}
	return false
}

// Null consumes null and reports true, or consumes nothing.
func (r *Reader) Null() bool {
	return r.peek() == 'n' && r.literal("null")
}

func (r *Reader) literal(text string) bool {
	if end := scanLiteral(r.data, r.pos, text); end >= 0 {
		r.pos = end
		return true
	}
	r.fail(r.pos, "syntax", text+" expected")
	return false
}

func scanLiteral(data []byte, i int, text string) int {
	if len(data)-i < len(text) || string(data[i:i+len(text)]) != text {
		return -1
	}
	return i + len(text)
}
