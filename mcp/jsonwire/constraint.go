package jsonwire

import (
	"fmt"
	"math/big"
	"strconv"
	"sync/atomic"
	"unicode/utf8"
)

// The keywords of JSON Schema that bound a scalar or a size. Numbers are
// compared and divided as decimals, exactly, and no exponent is ever expanded.

// MinLength requires at least n code points.
func (v *Validator) MinLength(s string, n int) {
	if len(s) < n || len(s) < utf8.UTFMax*n && utf8.RuneCountInString(s) < n {
		v.Violate("minLength", fmt.Sprintf("at least %d characters expected, %d found", n, utf8.RuneCountInString(s)))
	}
}

// MaxLength allows at most n code points.
func (v *Validator) MaxLength(s string, n int) {
	if len(s) > n && utf8.RuneCountInString(s) > n {
		v.Violate("maxLength", fmt.Sprintf("at most %d characters expected, %d found", n, utf8.RuneCountInString(s)))
	}
}

// Pattern requires that p matches somewhere in s.
func (v *Validator) Pattern(s string, p *Pattern) {
	if !p.Match(s) {
		v.Violate("pattern", excerpt(s)+" does not match "+excerpt(p.expr))
	}
}

var formatCheck atomic.Pointer[func(format, s string) bool]

// RegisterFormat sets the function that checks string formats; it returns true
// for formats that it does not know. Without one, every string passes.
func RegisterFormat(check func(format, s string) bool) { formatCheck.Store(&check) }

// Format requires that s has the format, as the registered function sees it.
func (v *Validator) Format(s, format string) {
	if check := formatCheck.Load(); check != nil && *check != nil && !(*check)(format, s) {
		v.Violate("format", excerpt(s)+" is not of the format "+excerpt(format))
	}
}

// MinInt requires n >= bound.
func (v *Validator) MinInt(n, bound int64) {
	if n < bound {
		v.outside("minimum", "at least", strconv.FormatInt(bound, 10), strconv.FormatInt(n, 10))
	}
}

// MaxInt requires n <= bound.
func (v *Validator) MaxInt(n, bound int64) {
	if n > bound {
		v.outside("maximum", "at most", strconv.FormatInt(bound, 10), strconv.FormatInt(n, 10))
	}
}

// MinUint requires n >= bound.
func (v *Validator) MinUint(n, bound uint64) {
	if n < bound {
		v.outside("minimum", "at least", strconv.FormatUint(bound, 10), strconv.FormatUint(n, 10))
	}
}

// MaxUint requires n <= bound.
func (v *Validator) MaxUint(n, bound uint64) {
	if n > bound {
		v.outside("maximum", "at most", strconv.FormatUint(bound, 10), strconv.FormatUint(n, 10))
	}
}

// MinFloat requires f >= bound.
func (v *Validator) MinFloat(f, bound float64) {
	if f < bound {
		v.outside("minimum", "at least", floatText(bound), floatText(f))
	}
}

// MaxFloat requires f <= bound.
func (v *Validator) MaxFloat(f, bound float64) {
	if f > bound {
		v.outside("maximum", "at most", floatText(bound), floatText(f))
	}
}

// ExclusiveMinFloat requires f > bound.
func (v *Validator) ExclusiveMinFloat(f, bound float64) {
	if f <= bound {
		v.outside("exclusiveMinimum", "more than", floatText(bound), floatText(f))
	}
}

// ExclusiveMaxFloat requires f < bound.
func (v *Validator) ExclusiveMaxFloat(f, bound float64) {
	if f >= bound {
		v.outside("exclusiveMaximum", "less than", floatText(bound), floatText(f))
	}
}

// MinNumber requires n >= bound, a decimal of any length.
func (v *Validator) MinNumber(n Number, bound string) {
	if c, ok := compareTexts(n, bound); ok && c < 0 {
		v.outside("minimum", "at least", bound, string(n))
	}
}

// MaxNumber requires n <= bound.
func (v *Validator) MaxNumber(n Number, bound string) {
	if c, ok := compareTexts(n, bound); ok && c > 0 {
		v.outside("maximum", "at most", bound, string(n))
	}
}

// ExclusiveMinNumber requires n > bound.
func (v *Validator) ExclusiveMinNumber(n Number, bound string) {
	if c, ok := compareTexts(n, bound); ok && c <= 0 {
		v.outside("exclusiveMinimum", "more than", bound, string(n))
	}
}

// ExclusiveMaxNumber requires n < bound.
func (v *Validator) ExclusiveMaxNumber(n Number, bound string) {
	if c, ok := compareTexts(n, bound); ok && c >= 0 {
		v.outside("exclusiveMaximum", "less than", bound, string(n))
	}
}

// IntegerNumber requires that n has no fraction, whatever its spelling.
func (v *Validator) IntegerNumber(n Number) {
	if n.valid() && parseDecimal(n.bytes()).exp < 0 {
		v.Violate("type", "integer expected, number with a fraction found")
	}
}

func (v *Validator) outside(rule, relation, bound, found string) {
	v.Violate(rule, relation+" "+shorten(bound, excerptLimit)+" expected, "+printable(shorten(found, excerptLimit))+" found")
}

// compareTexts orders two decimals; text that is no number is not compared.
func compareTexts(n Number, bound string) (int, bool) {
	if !n.valid() || !Number(bound).valid() {
		return 0, false
	}
	return parseDecimal(n.bytes()).compare(parseDecimal(Number(bound).bytes())), true
}

func floatText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// MultipleOf requires that the decimal n is an exact multiple of the decimal of.
func (v *Validator) MultipleOf(n, of string) {
	if !Number(n).valid() || !Number(of).valid() {
		return
	}
	if !multiple(parseDecimal(Number(n).bytes()), parseDecimal(Number(of).bytes())) {
		v.Violate("multipleOf", "a multiple of "+shorten(of, excerptLimit)+" expected, "+shorten(n, excerptLimit)+" found")
	}
}

// MultipleOfInt requires that n is a multiple of of.
func (v *Validator) MultipleOfInt(n, of int64) {
	if of != 0 && n%of != 0 {
		v.Violate("multipleOf", fmt.Sprintf("a multiple of %d expected, %d found", of, n))
	}
}

// MultipleOfFloat requires that the shortest decimal of f is an exact multiple
// of the decimal of.
func (v *Validator) MultipleOfFloat(f float64, of string) {
	var w Writer
	if w.Float64(f); w.err == nil {
		v.MultipleOf(string(w.buf), of)
	}
}

// multiple reports whether n / of is an integer. Neither has a trailing zero in
// its digits, so a divisor with the higher power of ten divides nothing but
// zero; otherwise the powers are taken modulo the divisor's digits.
func multiple(n, of decimal) bool {
	if len(n.digits) == 0 || len(of.digits) == 0 {
		return len(of.digits) != 0
	}
	power := n.exp - of.exp
	if power < 0 || n.compareMagnitude(of) < 0 {
		return false
	}
	m, _ := new(big.Int).SetString(string(of.digits), 10)
	rest := new(big.Int).Exp(big.NewInt(10), big.NewInt(power), m)
	rest.Mul(rest, remainder(n.digits, m))
	return rest.Mod(rest, m).Sign() == 0
}

// remainder divides a row of digits in time linear in its length, where parsing
// all of it first would be quadratic.
func remainder(digits []byte, m *big.Int) *big.Int {
	const chunk = 18
	rest, part := new(big.Int), new(big.Int)
	for len(digits) > 0 {
		n := min(chunk, len(digits))
		value, _ := strconv.ParseUint(string(digits[:n]), 10, 64)
		scale, _ := strconv.ParseUint("1"+"000000000000000000"[:n], 10, 64)
		rest.Mul(rest, part.SetUint64(scale))
		rest.Add(rest, part.SetUint64(value))
		rest.Mod(rest, m)
		digits = digits[n:]
	}
	return rest
}

// MinItems requires at least bound elements.
func (v *Validator) MinItems(n, bound int) { v.atLeast("minItems", "elements", n, bound) }

// MaxItems allows at most bound elements.
func (v *Validator) MaxItems(n, bound int) { v.atMost("maxItems", "elements", n, bound) }

// MinProperties requires at least bound members.
func (v *Validator) MinProperties(n, bound int) { v.atLeast("minProperties", "members", n, bound) }

// MaxProperties allows at most bound members.
func (v *Validator) MaxProperties(n, bound int) { v.atMost("maxProperties", "members", n, bound) }

func (v *Validator) atLeast(rule, what string, n, bound int) {
	if n < bound {
		v.Violate(rule, fmt.Sprintf("at least %d %s expected, %d found", bound, what, n))
	}
}

func (v *Validator) atMost(rule, what string, n, bound int) {
	if n > bound {
		v.Violate(rule, fmt.Sprintf("at most %d %s expected, %d found", bound, what, n))
	}
}

// NotNil requires that a value is there.
func (v *Validator) NotNil(ok bool) {
	if !ok {
		v.Violate("required", "value is missing")
	}
}
