package jsonwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
)

// Values without a static type are mostly the tree that JSON decoding makes,
// which is written directly. Everything else is left to encoding/json.

// writeDepth bounds the nesting of what Any and Raw write; it is also how a
// tree that contains itself is noticed.
const writeDepth = 10000

var errWriteDepth = errors.New("value nests too deeply or contains itself")

// Any writes a value of any type: directly when it is nil, a scalar, a
// [json.RawMessage], an [Appender] or a map or slice of such values, otherwise
// by encoding/json.
func (w *Writer) Any(v any) {
	switch v := v.(type) {
	case nil:
		w.Null()
	case string:
		w.String(v)
	case bool:
		w.Bool(v)
	case int:
		w.Int64(int64(v))
	case int64:
		w.Int64(v)
	case int32:
		w.Int64(int64(v))
	case uint64:
		w.Uint64(v)
	case float64:
		w.Float64(v)
	case json.Number:
		w.Number(Number(v))
	case Number:
		w.Number(v)
	case json.RawMessage:
		w.Raw(v)
	case map[string]any:
		w.object(v)
	case []any:
		w.array(v)
	case []string:
		w.strings(v)
	case Appender:
		w.appender(v)
	default:
		w.reflected(v)
	}
}

func (w *Writer) enter() bool {
	w.depth++
	if w.depth > writeDepth {
		w.Fail(errWriteDepth)
	}
	return w.err == nil
}

func (w *Writer) object(m map[string]any) {
	if m == nil {
		w.Null()
		return
	}
	w.BeginObject()
	if w.enter() {
		w.ExtraAny(m)
	}
	w.depth--
	w.EndObject()
}

func (w *Writer) array(s []any) {
	if s == nil {
		w.Null()
		return
	}
	w.BeginArray()
	if w.enter() {
		for _, v := range s {
			w.Element()
			w.Any(v)
		}
	}
	w.depth--
	w.EndArray()
}

func (w *Writer) strings(s []string) {
	if s == nil {
		w.Null()
		return
	}
	w.BeginArray()
	for _, v := range s {
		w.Element()
		w.String(v)
	}
	w.EndArray()
}

func (w *Writer) appender(v Appender) {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
		w.Null()
		return
	}
	v.WriteJSON(w)
}

func (w *Writer) reflected(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		w.Fail(err)
		w.Null()
		return
	}
	w.Raw(b.Bytes())
}
