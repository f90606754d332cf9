package jsonwire

import (
	"bytes"
	"fmt"
	"strconv"
	"unsafe"
)

// A JSON number has any number of digits; Go's numeric types do not. Number
// keeps the text, and decimal is its value in a form that can be compared and
// divided exactly without ever expanding an exponent.

// Number is a JSON number with all its digits. The zero Number is 0.
type Number string

// MarshalJSON returns the number's text; text that is no JSON number is an
// error.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("0"), nil
	}
	if !n.valid() {
		return nil, n.malformed()
	}
	return []byte(n), nil
}

// UnmarshalJSON takes over a JSON number as it is written.
func (n *Number) UnmarshalJSON(data []byte) error {
	r := NewReader(data)
	v := r.Number()
	if err := r.End(); err != nil {
		return err
	}
	*n = v
	return nil
}

// String returns the number's text.
func (n Number) String() string {
	if n == "" {
		return "0"
	}
	return string(n)
}

// Int64 returns the number when it is an integer of 64 bits, whatever its
// spelling (5.0 and 1e3 are integers).
func (n Number) Int64() (int64, error) {
	if !n.valid() {
		return 0, n.malformed()
	}
	r := Reader{data: n.bytes()}
	v := r.Int64()
	return v, r.Err()
}

// Float64 returns the nearest float64; overflow is an error.
func (n Number) Float64() (float64, error) {
	if !n.valid() {
		return 0, n.malformed()
	}
	r := Reader{data: n.bytes()}
	v := r.Float64()
	return v, r.Err()
}

func (n Number) malformed() error {
	return fmt.Errorf("%s is not a JSON number", excerpt(string(n)))
}

func (n Number) bytes() []byte {
	s := n.String()
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

func (n Number) valid() bool {
	b := n.bytes()
	return scanNumber(b, 0) == len(b)
}

// decimal is ±digits × 10^exp, where digits has no zero at either end; no
// digits at all is zero.
type decimal struct {
	neg    bool
	digits []byte
	exp    int64
}

// maxExponent bounds exponents so that sums of them cannot overflow.
const maxExponent = 1 << 61

// parseDecimal takes apart a well-formed JSON number.
func parseDecimal(text []byte) decimal {
	var d decimal
	if text[0] == '-' {
		d.neg = true
		text = text[1:]
	}
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		d.exp = parseExponent(text[i+1:])
		text = text[:i]
	}
	if i := bytes.IndexByte(text, '.'); i >= 0 {
		d.exp -= int64(len(text) - i - 1)
		joined := make([]byte, 0, len(text)-1)
		text = append(append(joined, text[:i]...), text[i+1:]...)
	}
	text = bytes.TrimLeft(text, "0")
	d.digits = bytes.TrimRight(text, "0")
	d.exp += int64(len(text) - len(d.digits))
	if len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

func parseExponent(text []byte) int64 {
	e, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || e > maxExponent || e < -maxExponent {
		if text[0] == '-' {
			return -maxExponent
		}
		return maxExponent
	}
	return e
}

// compare orders two decimals by value.
func (d decimal) compare(o decimal) int {
	if d.sign() != o.sign() {
		return d.sign() - o.sign()
	}
	c := d.compareMagnitude(o)
	if d.neg {
		return -c
	}
	return c
}

func (d decimal) sign() int {
	switch {
	case len(d.digits) == 0:
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func (d decimal) compareMagnitude(o decimal) int {
	a, b := d.exp+int64(len(d.digits)), o.exp+int64(len(o.digits))
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return bytes.Compare(d.digits, o.digits)
}

type integerFault byte

const (
	integral integerFault = iota
	notIntegral
	tooLarge
)

// integer returns the magnitude and sign of a decimal that is an integer of at
// most 64 bits.
func integer(d decimal) (mag uint64, neg bool, fault integerFault) {
	if len(d.digits) == 0 {
		return 0, false, integral
	}
	if d.exp < 0 {
		return 0, false, notIntegral
	}
	if int64(len(d.digits))+d.exp > 20 {
		return 0, false, tooLarge
	}
	text := append(make([]byte, 0, 20), d.digits...)
	for range d.exp {
		text = append(text, '0')
	}
	mag, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return 0, false, tooLarge
	}
	return mag, d.neg, integral
}
