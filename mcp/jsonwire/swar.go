package jsonwire

import (
	"encoding/binary"
	"math/bits"
)

// Strings are searched eight bytes at a time: a word holds a zero byte at the
// lowest set bit of (x-ones)&^x&tops, so one subtraction finds the first byte
// equal to c (after x ^= c) and another finds the first below a bound. Bits
// above the lowest one may be false; only the lowest is used.

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// special marks quotes, backslashes and control characters in x.
func special(x uint64) uint64 {
	q := x ^ (ones * '"')
	b := x ^ (ones * '\\')
	return ((q-ones)&^q | (b-ones)&^b | (x-ones*0x20)&^x) & tops
}

// plain returns the index of the first quote, backslash or control character
// in s at or after i, or len(s), and whether a non-ASCII byte comes before it.
func plain(s []byte, i int) (end int, high bool) {
	var seen uint64
	for ; len(s)-i >= 8; i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		if m := special(x); m != 0 {
			low := m & -m
			seen |= x & (low - 1)
			return i + bits.TrailingZeros64(low)>>3, seen&tops != 0
		}
		seen |= x
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c < 0x20 || c == '"' || c == '\\' {
			break
		}
		seen |= uint64(c)
	}
	return i, seen&tops != 0
}
