package jsonwire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// What generated codecs need beside values and members.

// AppendFunc makes an Appender of a function.
type AppendFunc func(*Writer)

// WriteJSON calls f.
func (f AppendFunc) WriteJSON(w *Writer) { f(w) }

var errNoValue = errors.New("a required value is nil")

// Value writes a union. A nil union has no JSON form and fails.
func (w *Writer) Value(x Appender) {
	if x == nil {
		w.Fail(errNoValue)
		return
	}
	x.WriteJSON(w)
}

// Gap fails because item i of a tuple is absent while a later one is not.
func (w *Writer) Gap(i int) {
	w.Fail(fmt.Errorf("item %d of a tuple is absent but a later one is not", i))
}

// Value checks a union. A nil union breaks the rule "required".
func (v *Validator) Value(x Checker) {
	if x == nil || isNilPointer(x) {
		v.NotNil(false)
		return
	}
	x.ValidateJSON(v)
}

func isNilPointer(x any) bool {
	p := reflect.ValueOf(x)
	return p.Kind() == reflect.Pointer && p.IsNil()
}

// Enum records that a value is none of the listed ones.
func (v *Validator) Enum(found string) {
	v.Violate("enum", fmt.Sprintf("%s is not one of the allowed values", excerpt(found)))
}

// KeyPattern checks a member name that only members matching p may have.
func (v *Validator) KeyPattern(key string, p *Pattern) {
	if !p.Match(key) {
		v.Violate("additionalProperties", fmt.Sprintf("no member may be called %s", excerpt(key)))
	}
}

// Unknown is the arm of a union for values that fit no alternative: it keeps
// their bytes.
type Unknown struct{ Raw json.RawMessage }

// ReadUnknown keeps the next value of r.
func ReadUnknown(r *Reader) Unknown { return Unknown{Raw: r.Raw()} }

// WriteJSON appends the bytes as they came.
func (x *Unknown) WriteJSON(w *Writer) { w.Raw(x.Raw) }

// ValidateJSON always finds a violation.
func (x *Unknown) ValidateJSON(v *Validator) {
	v.Violate("anyOf", "the value fits no known alternative")
}

// MarshalJSON returns the bytes as they came.
func (x *Unknown) MarshalJSON() ([]byte, error) { return Marshal(x) }

// UnmarshalUnion reads a whole JSON text with the Read function of a union.
func UnmarshalUnion[T any](data []byte, read func(*Reader) T) (T, error) {
	r := NewReader(data)
	x := read(r)
	if err := r.End(); err != nil {
		var none T
		return none, err
	}
	return x, nil
}
