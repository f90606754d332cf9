package jsonwire

// Whole members in one call, for the shapes that generated structs have most:
// a scalar that is always there, one behind a pointer, and one that may be null.

// String, Int64, Float64 and Bool members; name is the quoted name and a colon.

// StringMember writes a member.
func (w *Writer) StringMember(name, x string) {
	w.Member(name)
	w.String(x)
}

// Int64Member writes a member.
func (w *Writer) Int64Member(name string, x int64) {
	w.Member(name)
	w.Int64(x)
}

// Float64Member writes a member.
func (w *Writer) Float64Member(name string, x float64) {
	w.Member(name)
	w.Float64(x)
}

// BoolMember writes a member.
//
//go:noinline
func (w *Writer) BoolMember(name string, x bool) {
	w.Member(name)
	w.Bool(x)
}

// OptionalString writes a member, or nothing for nil.
func (w *Writer) OptionalString(name string, x *string) {
	if x != nil {
		w.Member(name)
		w.String(*x)
	}
}

// OptionalInt64 writes a member, or nothing for nil.
func (w *Writer) OptionalInt64(name string, x *int64) {
	if x != nil {
		w.Member(name)
		w.Int64(*x)
	}
}

// OptionalFloat64 writes a member, or nothing for nil.
func (w *Writer) OptionalFloat64(name string, x *float64) {
	if x != nil {
		w.Member(name)
		w.Float64(*x)
	}
}

// OptionalBool writes a member, or nothing for nil.
//
//go:noinline
func (w *Writer) OptionalBool(name string, x *bool) {
	if x != nil {
		w.Member(name)
		w.Bool(*x)
	}
}

// OptionalMember writes a member whose value writes itself if present is true.
//
//go:noinline
func (w *Writer) OptionalMember(name string, present bool, x Appender) {
	if present {
		w.Member(name)
		x.WriteJSON(w)
	}
}

// NullableString writes a member, null, or nothing.
func (w *Writer) NullableString(name string, x *Nullable[string]) {
	if w.nullable(name, x.state) {
		w.String(x.value)
	}
}

// NullableInt64 writes a member, null, or nothing.
func (w *Writer) NullableInt64(name string, x *Nullable[int64]) {
	if w.nullable(name, x.state) {
		w.Int64(x.value)
	}
}

// NullableFloat64 writes a member, null, or nothing.
func (w *Writer) NullableFloat64(name string, x *Nullable[float64]) {
	if w.nullable(name, x.state) {
		w.Float64(x.value)
	}
}

// NullableBool writes a member, null, or nothing.
func (w *Writer) NullableBool(name string, x *Nullable[bool]) {
	if w.nullable(name, x.state) {
		w.Bool(x.value)
	}
}

// NullableMember writes a member whose value writes itself, null, or nothing.
func NullableMember[T any, P interface {
	*T
	Appender
}](w *Writer, name string, x *Nullable[T]) {
	if w.nullable(name, x.state) {
		P(&x.value).WriteJSON(w)
	}
}

// nullable writes the name, and null; it tells whether a value has to follow.
func (w *Writer) nullable(name string, state presence) bool {
	if state == absent {
		return false
	}
	w.Member(name)
	if state == null {
		w.Null()
		return false
	}
	return true
}

// NullableString reads a string or null.
func (r *Reader) NullableString(x *Nullable[string]) {
	if r.Null() {
		x.SetNull()
		return
	}
	x.Set(r.String())
}

// NullableInt64 reads an integer or null.
func (r *Reader) NullableInt64(x *Nullable[int64]) {
	if r.Null() {
		x.SetNull()
		return
	}
	x.Set(r.Int64())
}

// NullableFloat64 reads a number or null.
func (r *Reader) NullableFloat64(x *Nullable[float64]) {
	if r.Null() {
		x.SetNull()
		return
	}
	x.Set(r.Float64())
}

// NullableBool reads a boolean or null.
func (r *Reader) NullableBool(x *Nullable[bool]) {
	if r.Null() {
		x.SetNull()
		return
	}
	x.Set(r.Bool())
}

// ReadNullable reads a value that reads itself, or null.
func ReadNullable[T any, P interface {
	*T
	Decoder
}](r *Reader, x *Nullable[T]) {
	if r.Null() {
		x.SetNull()
		return
	}
	x.state = present
	x.value = *new(T)
	P(&x.value).ReadJSON(r)
}
