package jsonwire

import (
	"math"
	"strconv"
	"unsafe"
)

// Numbers are read from their digits. Up to eighteen digits fit an integer
// without any check for overflow, and a decimal of up to fifteen digits with a
// small exponent is one exact float operation; everything else takes the slow
// and equally exact path.

// Int64 reads an integer. Integral spellings such as 5.0 and 1e3 are integers;
// a fraction is an error of the rule "type", a value beyond 64 bits one of the
// rule "range".
func (r *Reader) Int64() int64 {
	if kinds[r.peek()] != KindNumber {
		r.wrongKind(KindNumber)
		return 0
	}
	start := r.pos
	neg := r.data[start] == '-'
	i := start
	if neg {
		i++
	}
	if v, end := shortDigits(r.data, i); end > 0 {
		r.pos = end
		if neg {
			return -int64(v)
		}
		return int64(v)
	}
	mag, neg := r.magnitude()
	if neg && mag <= 1<<63 {
		return -int64(mag)
	}
	if neg || mag > math.MaxInt64 {
		r.outOfRange(start, "64-bit signed integer")
		return 0
	}
	return int64(mag)
}

// Uint64 reads an integer that is not negative, by the rules of Int64.
func (r *Reader) Uint64() uint64 {
	if kinds[r.peek()] != KindNumber {
		r.wrongKind(KindNumber)
		return 0
	}
	start := r.pos
	if v, end := shortDigits(r.data, start); end > 0 {
		r.pos = end
		return v
	}
	mag, neg := r.magnitude()
	if neg && mag != 0 {
		r.outOfRange(start, "64-bit unsigned integer")
		return 0
	}
	return mag
}

// shortDigits reads up to eighteen digits that make a whole JSON number; an
// end of 0 asks for the slow path.
func shortDigits(data []byte, i int) (v uint64, end int) {
	start := i
	for i < len(data) {
		c := data[i] - '0'
		if c > 9 {
			break
		}
		v = v*10 + uint64(c)
		i++
	}
	n := i - start
	if n == 0 || n > 18 || n > 1 && data[start] == '0' {
		return 0, 0
	}
	if i < len(data) && (data[i] == '.' || data[i]|0x20 == 'e') {
		return 0, 0
	}
	return v, i
}

// magnitude reads a number whose value is an integer.
func (r *Reader) magnitude() (mag uint64, neg bool) {
	start := r.pos
	text := r.number()
	if r.failed {
		return 0, false
	}
	mag, neg, fault := integer(parseDecimal(text))
	switch fault {
	case notIntegral:
		r.fail(start, "type", "integer expected, number with a fraction found")
	case tooLarge:
		r.outOfRange(start, "64-bit integer")
	}
	return mag, neg
}

func (r *Reader) outOfRange(start int, what string) {
	if !r.failed {
		r.fail(start, "range", "number does not fit a "+what)
	}
}

// Number reads a number with all its digits.
func (r *Reader) Number() Number {
	return Number(string(r.number()))
}

// number reads a number as text that aliases the input.
func (r *Reader) number() []byte {
	if kinds[r.peek()] != KindNumber {
		r.wrongKind(KindNumber)
		return nil
	}
	start := r.pos
	end := scanNumber(r.data, start)
	if end < 0 {
		r.fail(start, "syntax", "malformed number")
		return nil
	}
	r.pos = end
	return r.data[start:end]
}

// scanNumber returns the end of the number that starts at i, or -1.
func scanNumber(data []byte, i int) int {
	if i < len(data) && data[i] == '-' {
		i++
	}
	n := digits(data, i)
	if n == i || n > i+1 && data[i] == '0' {
		return -1
	}
	if i = n; i < len(data) && data[i] == '.' {
		if n = digits(data, i+1); n == i+1 {
			return -1
		}
		i = n
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		if i++; i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if n = digits(data, i); n == i {
			return -1
		}
		i = n
	}
	return i
}

func digits(data []byte, i int) int {
	for i < len(data) && data[i]-'0' <= 9 {
		i++
	}
	return i
}

// Float64 reads a number as the nearest float64; one that overflows is an error
// of the rule "range".
func (r *Reader) Float64() float64 {
	text := r.number()
	if len(text) == 0 {
		return 0
	}
	if f, ok := shortFloat(text); ok {
		return f
	}
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), 64)
	if err != nil {
		r.outOfRange(r.pos-len(text), "64-bit float")
		return 0
	}
	return f
}

var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
}

// shortFloat computes decimals of at most fifteen digits without an exponent:
// both operands are exact, so their quotient is correctly rounded.
func shortFloat(text []byte) (float64, bool) {
	neg := text[0] == '-'
	if neg {
		text = text[1:]
	}
	if len(text) > 16 {
		return 0, false
	}
	var mant uint64
	point := -1
	for i, c := range text {
		if c == '.' {
			point = i
			continue
		}
		if c -= '0'; c > 9 {
			return 0, false
		}
		mant = mant*10 + uint64(c)
	}
	f := float64(mant)
	if point >= 0 {
		f /= powersOfTen[len(text)-1-point]
	} else if len(text) > 15 {
		return 0, false
	}
	if neg {
		f = -f
	}
	return f, true
}
