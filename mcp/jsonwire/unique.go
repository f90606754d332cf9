package jsonwire

import (
	"encoding/json"
	"fmt"
)

// Uniqueness and enumerations are about JSON values: 1 and 1.0 are the same
// element, and so are two objects with their members in another order.

// Unique requires that no two elements are equal.
func Unique[T comparable](v *Validator, s []T) {
	if len(s) < 2 {
		return
	}
	seen := make(map[T]int, len(s))
	for i, x := range s {
		if first, ok := seen[x]; ok {
			v.repeated(first, i)
			return
		}
		seen[x] = i
	}
}

// UniqueJSON requires that no two elements have equal JSON values. Elements are
// written by their WriteJSON (of the value or of its pointer) or, without one,
// as [Writer.Any] does.
func UniqueJSON[T any](v *Validator, s []T) {
	if len(s) < 2 {
		return
	}
	seen := make(map[string]int, len(s))
	for i := range s {
		text, err := canonicalText(&s[i])
		if err != nil {
			v.Violate("uniqueItems", fmt.Sprintf("element %d: %s", i, excerpt(err.Error())))
			return
		}
		if first, ok := seen[string(text)]; ok {
			v.repeated(first, i)
			return
		}
		seen[string(text)] = i
	}
}

func (v *Validator) repeated(first, second int) {
	v.Violate("uniqueItems", fmt.Sprintf("elements %d and %d are equal", first, second))
}

func canonicalText[T any](x *T) ([]byte, error) {
	var w Writer
	if a, ok := any(x).(Appender); ok {
		a.WriteJSON(&w)
	} else {
		w.Any(*x)
	}
	if w.err != nil {
		return nil, w.err
	}
	return AppendCanonical(nil, w.buf)
}

// EnumJSON requires that a JSON value equals one of the literals.
func (v *Validator) EnumJSON(value json.RawMessage, literals ...string) {
	text, err := AppendCanonical(nil, value)
	if err == nil {
		for _, l := range literals {
			if c, err := AppendCanonical(nil, []byte(l)); err == nil && string(c) == string(text) {
				return
			}
		}
	}
	v.Violate("enum", excerptJSON(string(value))+" is not one of the allowed values")
}

// ConstJSON requires that a JSON value equals the literal.
func (v *Validator) ConstJSON(value json.RawMessage, literal string) {
	if !EqualJSON(value, []byte(literal)) {
		v.Violate("const", excerptJSON(literal)+" expected, "+excerptJSON(string(value))+" found")
	}
}
