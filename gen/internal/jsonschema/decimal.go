package jsonschema

import (
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Numbers of a schema are decimal texts of any length. They are compared as
// sign, digits and exponent, so that 1e999999999 costs no more than 1.

// decimal is sign·0.digits·10^exponent; equal numbers are equal structs.
type decimal struct {
	negative bool
	digits   string // no leading or trailing zeros; "" is zero
	exponent string // decimal text of an integer, so that any size compares
}

func parseDecimal(text string) decimal {
	var d decimal
	text, d.negative = strings.CutPrefix(text, "-")
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return decimal{}
	}
	point := len(whole) - (len(whole+fraction) - len(digits))
	d.digits = strings.TrimRight(digits, "0")
	d.exponent = addExponent(exponent, point)
	return d
}

// addExponent adds a small number to the text of an exponent that may be huge.
func addExponent(exponent string, n int) string {
	if exponent == "" {
		return strconv.Itoa(n)
	}
	if e, err := strconv.Atoi(exponent); err == nil && e < 1e15 && e > -1e15 {
		return strconv.Itoa(e + n)
	}
	if len(exponent) > 1000 {
		return exponent
	}
	e, ok := new(big.Int).SetString(exponent, 10)
	if !ok {
		return exponent
	}
	return e.Add(e, big.NewInt(int64(n))).String()
}

func (d decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	sign := ""
	if d.negative {
		sign = "-"
	}
	return sign + "0." + d.digits + "e" + d.exponent
}

// integral reports whether the number has no fraction.
func (d decimal) integral() bool {
	if d.digits == "" {
		return true
	}
	e, err := strconv.Atoi(d.exponent)
	if err != nil {
		return !strings.HasPrefix(d.exponent, "-")
	}
	return e >= len(d.digits)
}

// plausible reports whether a bound has a size that can be calculated with.
func plausible(text string) bool {
	if len(text) > 1000 {
		return false
	}
	d := parseDecimal(text)
	if d.digits == "" {
		return true
	}
	e, err := strconv.Atoi(d.exponent)
	return err == nil && e <= 1000 && e >= -1000
}

// CompareNumbers orders two decimal texts that a Node holds as bounds.
func CompareNumbers(a, b string) int {
	x, _ := new(big.Rat).SetString(a)
	y, _ := new(big.Rat).SetString(b)
	if x == nil || y == nil {
		return 0
	}
	return x.Cmp(y)
}

// asInt reads an integral number, 2.0 and 1e1 included. Numbers that do not fit
// are cut to the largest int: as a count they mean the same.
func asInt(text string) (int, bool) {
	d := parseDecimal(text)
	if !d.integral() {
		return 0, false
	}
	if d.digits == "" {
		return 0, true
	}
	const most = int(^uint(0) >> 1)
	e, err := strconv.Atoi(d.exponent)
	if err != nil || e > 18 {
		return most, !d.negative
	}
	n, err := strconv.Atoi(d.digits + strings.Repeat("0", e-len(d.digits)))
	if err != nil {
		return most, !d.negative
	}
	if d.negative {
		n = -n
	}
	return n, true
}

func (v *Value) canonical(b *strings.Builder) {
	switch v.Kind {
	case NumberValue:
		b.WriteString(parseDecimal(v.Text).String())
	case StringValue:
		b.Write(appendString(nil, v.Text))
	case ArrayValue:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.canonical(b)
		}
		b.WriteByte(']')
	case ObjectValue:
		v.canonicalObject(b)
	default:
		b.WriteString(v.Text)
	}
}

func (v *Value) canonicalObject(b *strings.Builder) {
	index := make(map[string]*Value, len(v.Members))
	for _, m := range v.Members {
		index[m.Name] = m.Value
	}
	b.WriteByte('{')
	for i, name := range slices.Sorted(maps.Keys(index)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(appendString(nil, name))
		b.WriteByte(':')
		index[name].canonical(b)
	}
	b.WriteByte('}')
}
