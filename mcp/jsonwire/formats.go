package jsonwire

// Go types for string formats, for those who opt in with --formats. Both keep
// the text that they were read from, so the round trip is exact.

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// Time is a string of the format date-time (RFC 3339).
type Time struct {
	time.Time
	text string // as it was read
}

// NewTime returns t as it is written: RFC 3339 with as many fractional digits
// as needed.
func NewTime(t time.Time) Time { return Time{Time: t} }

// Text is the JSON string's content: what was read, as long as Time still
// means the same.
func (t Time) Text() string {
	if t.text != "" {
		if read, err := time.Parse(time.RFC3339Nano, upper(t.text)); err == nil && read.Equal(t.Time) {
			return t.text
		}
	}
	return t.Format(time.RFC3339Nano)
}

// WriteJSON appends t to w.
func (t Time) WriteJSON(w *Writer) { w.String(t.Text()) }

// ReadJSON sets t to the next value of r; the rule of the error is "format".
func (t *Time) ReadJSON(r *Reader) {
	s := r.String()
	if r.Err() != nil {
		return
	}
	parsed, err := time.Parse(time.RFC3339Nano, upper(s))
	if err != nil {
		r.Fail("format", fmt.Sprintf("%s is no date-time (RFC 3339)", excerpt(s)))
		return
	}
	*t = Time{Time: parsed, text: s}
}

// upper makes the letters T and Z capitals, which RFC 3339 leaves open.
func upper(s string) string { return strings.ToUpper(s) }

// ValidateJSON has nothing to check: every Time is a date-time.
func (t Time) ValidateJSON(*Validator) {}

// MarshalJSON returns t as JSON.
func (t Time) MarshalJSON() ([]byte, error) { return Marshal(t) }

// UnmarshalJSON sets t to the value of data.
func (t *Time) UnmarshalJSON(data []byte) error { return Unmarshal(data, t) }

// UUID is a string of the format uuid (RFC 9562), as it is written.
type UUID string

// ParseUUID returns s as a UUID.
func ParseUUID(s string) (UUID, error) {
	if _, err := UUID(s).Bytes(); err != nil {
		return "", err
	}
	return UUID(s), nil
}

// Bytes are the 16 bytes of the UUID.
func (u UUID) Bytes() (b [16]byte, err error) {
	s := string(u)
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		raw, err := hex.DecodeString(s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:])
		if err == nil {
			copy(b[:], raw)
			return b, nil
		}
	}
	return b, fmt.Errorf("%s is no UUID", excerpt(s))
}

// WriteJSON appends u to w; what is no UUID fails.
func (u UUID) WriteJSON(w *Writer) {
	if _, err := u.Bytes(); err != nil {
		w.Fail(err)
		return
	}
	w.String(string(u))
}

// ReadJSON sets u to the next value of r; the rule of the error is "format".
func (u *UUID) ReadJSON(r *Reader) {
	s := r.String()
	if r.Err() != nil {
		return
	}
	if _, err := UUID(s).Bytes(); err != nil {
		r.Fail("format", err.Error())
		return
	}
	*u = UUID(s)
}

// ValidateJSON checks that u is a UUID.
func (u UUID) ValidateJSON(v *Validator) {
	if _, err := u.Bytes(); err != nil {
		v.Violate("format", err.Error())
	}
}

// MarshalJSON returns u as JSON.
func (u UUID) MarshalJSON() ([]byte, error) { return Marshal(u) }

// UnmarshalJSON sets u to the value of data.
func (u *UUID) UnmarshalJSON(data []byte) error { return Unmarshal(data, u) }
