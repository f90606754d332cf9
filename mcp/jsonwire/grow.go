package jsonwire

import "unsafe"

// How long an array is shows only at its end, but how much text is left shows
// at once. Growing a slice by that estimate instead of by append's rule saves
// most of the copies of a long list, and the bound on each step keeps a wrong
// estimate cheap.

// Grow returns s with room for at least one more element, for a loop over the
// array that r is reading:
//
//	for r.BeginArray(); r.NextElement(); {
//		x.Rows = append(jsonwire.Grow(r, x.Rows), Row{})
//		x.Rows[len(x.Rows)-1].ReadJSON(r)
//	}
func Grow[T any](r *Reader, s []T) []T {
	if len(s) < cap(s) {
		return s
	}
	if len(s) == 0 {
		return make([]T, 0, firstRoom[T]())
	}
	return append(make([]T, 0, r.expect(len(s))), s...)
}

// firstRoom is four for strings and the like, one for structs.
func firstRoom[T any]() int {
	var element T
	if unsafe.Sizeof(element) <= unsafe.Sizeof("") {
		return 4
	}
	return 1
}

// expect estimates the capacity for an array of which n elements have been read:
// as many more to a byte as so far, but at most four times n.
//
//go:noinline
func (r *Reader) expect(n int) int {
	total := float64(n) * float64(len(r.data)) / float64(max(r.pos, 1))
	return min(max(int(total*1.02)+1, n+n/4+1), 4*n)
}
