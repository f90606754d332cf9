package jsonwire

import (
	"bytes"
	"encoding/json"
)

// An optional member that may also be null has three states, which a pointer
// cannot hold.

type presence byte

const (
	absent presence = iota
	null
	present
)

// Nullable is a value, null, or nothing at all. The zero Nullable is absent and,
// as a struct field with the option omitzero, is left out by encoding/json.
type Nullable[T any] struct {
	value T
	state presence
}

// Value returns a Nullable that holds v.
func Value[T any](v T) Nullable[T] { return Nullable[T]{value: v, state: present} }

// Null returns a Nullable that is null.
func Null[T any]() Nullable[T] { return Nullable[T]{state: null} }

// Get returns the value, and whether there is one.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == present }

// IsNull reports whether n is null.
func (n Nullable[T]) IsNull() bool { return n.state == null }

// IsAbsent reports whether n is neither a value nor null.
func (n Nullable[T]) IsAbsent() bool { return n.state == absent }

// IsZero reports whether n is absent, for the option omitzero of encoding/json.
func (n Nullable[T]) IsZero() bool { return n.state == absent }

// Ptr returns a pointer to the value inside n, or nil when there is none.
func (n *Nullable[T]) Ptr() *T {
	if n.state != present {
		return nil
	}
	return &n.value
}

// Set makes n hold v.
func (n *Nullable[T]) Set(v T) { *n = Value(v) }

// SetNull makes n null.
func (n *Nullable[T]) SetNull() { *n = Null[T]() }

// Clear makes n absent.
func (n *Nullable[T]) Clear() { *n = Nullable[T]{} }

// MarshalJSON returns the value's JSON text; null and absent are both null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.state != present {
		return []byte("null"), nil
	}
	return json.Marshal(n.value)
}

// UnmarshalJSON reads null or a value.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	if string(bytes.TrimSpace(data)) == "null" {
		n.SetNull()
		return nil
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	n.Set(v)
	return nil
}
