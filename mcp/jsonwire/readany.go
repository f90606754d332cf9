package jsonwire

import "encoding/json"

// Values without a static type become Go's usual tree, with numbers kept as
// text so that none of their digits is lost.

// Any reads a value as map[string]any, []any, string, [json.Number] or bool.
// Null is nil inside a tree and json.RawMessage("null") as the whole value, so
// that a member that is null can be told from one that is absent.
func (r *Reader) Any() any {
	if r.Null() {
		return json.RawMessage("null")
	}
	return r.tree()
}

func (r *Reader) tree() any {
	switch r.Kind() {
	case KindObject:
		m := map[string]any{}
		for r.BeginObject(); r.NextMember(); {
			key := r.KeyString()
			m[key] = r.tree()
		}
		return r.unlessFailed(m)
	case KindArray:
		s := []any{}
		for r.BeginArray(); r.NextElement(); {
			s = append(s, r.tree())
		}
		return r.unlessFailed(s)
	case KindString:
		return r.unlessFailed(r.String())
	case KindNumber:
		return r.unlessFailed(json.Number(r.Number()))
	case KindBool:
		return r.unlessFailed(r.Bool())
	case KindNull:
		r.Null()
	default:
		r.unexpected("a value")
	}
	return nil
}

func (r *Reader) unlessFailed(v any) any {
	if r.failed {
		return nil
	}
	return v
}
