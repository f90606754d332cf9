package jsonwire

// A union whose alternatives no member tells apart is read by trial: every
// alternative reads the same value, and the best fit stays.

// Trial reads one value several times. T is the union.
type Trial[T any] struct {
	r     *Reader
	start Mark
	end   Mark
	best  T
	extra int
	found bool
}

// NewTrial starts a trial at the next value of r.
func NewTrial[T any](r *Reader) *Trial[T] {
	return &Trial[T]{r: r, start: r.Mark()}
}

// Offer judges the alternative x that was just read: it must have been read
// without error and be valid. Of several, the one with the fewest members that
// it has no field for wins, the first among equals. The reader goes back.
func (t *Trial[T]) Offer(x T, c Checker, extra int) {
	if t.valid(c) && (!t.found || extra < t.extra) {
		t.best, t.extra, t.found = x, extra, true
		t.end = t.r.Mark()
	}
	t.r.Rewind(t.start)
}

// Fits reports whether the alternative that was just read is valid. If it is
// not, the reader goes back.
func (t *Trial[T]) Fits(_ T, c Checker, _ int) bool {
	if t.valid(c) {
		return true
	}
	t.r.Rewind(t.start)
	return false
}

func (t *Trial[T]) valid(c Checker) bool {
	if t.r.failed {
		return false
	}
	var v Validator
	c.ValidateJSON(&v)
	return v.Err() == nil
}

// Best returns the alternative that fits best and leaves the reader behind the
// value; without one the reader is where the trial began.
func (t *Trial[T]) Best() (T, bool) {
	if t.found {
		t.r.Rewind(t.end)
	}
	return t.best, t.found
}
