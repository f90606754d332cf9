package jsonwire

// A Reader is a cursor over one complete JSON text. Three ideas keep it fast:
// the text is never copied except into results; a failure moves the cursor to
// the end, so the hot path needs no error checks; and the place of a failure
// is worked out from its offset afterwards, so no path is kept while reading.

// DefaultMaxDepth is how deep objects and arrays may nest unless
// [Reader.SetMaxDepth] says otherwise.
const DefaultMaxDepth = 1000

// aliasFloor is the message size from which strings may alias their input.
const aliasFloor = 64 << 10

// Reader reads one JSON text value by value. The zero Reader reads an empty
// text; use [NewReader] or [Reader.Reset]. A Reader is not safe for concurrent
// use.
type Reader struct {
	data     []byte
	pos      int
	depth    int
	maxDepth int
	key      []byte
	keyStart int
	first    bool // a container has just been opened
	lenient  bool
	alias    bool
	failed   bool
	fault    fault
}

// NewReader returns a Reader over data, which must not change while it is read.
func NewReader(data []byte) *Reader { return &Reader{data: data} }

// Reset makes r read data from its start. It keeps what [Reader.SetLenient]
// and [Reader.SetMaxDepth] set and withdraws [Reader.SetAlias], which is a
// promise about one buffer.
func (r *Reader) Reset(data []byte) {
	*r = Reader{data: data, maxDepth: r.maxDepth, lenient: r.lenient}
}

// SetLenient chooses what [Reader.Unknown] does with a member that a closed
// object does not declare: skip it (true) or refuse it (false, the default).
func (r *Reader) SetLenient(on bool) { r.lenient = on }

// SetMaxDepth bounds the nesting of objects and arrays; n <= 0 restores
// [DefaultMaxDepth].
func (r *Reader) SetMaxDepth(n int) { r.maxDepth = max(n, 0) }

// SetAlias hands the text over to r's results: a string or raw value that
// makes up more than half of a text larger than 64 KiB then shares the text's
// memory instead of being copied. The caller must never change or reuse the
// buffer afterwards.
func (r *Reader) SetAlias(on bool) { r.alias = on }

// Offset returns how many bytes have been read, or where reading failed.
func (r *Reader) Offset() int {
	if r.failed {
		return r.fault.offset
	}
	return r.pos
}

// End reports the first error, or an error unless only white space is left.
func (r *Reader) End() error {
	if r.peek(); r.pos < len(r.data) {
		r.fail(r.pos, "syntax", "nothing expected after the value")
	}
	return r.Err()
}

// peek skips white space and returns the next byte without consuming it, or 0
// at the end of the text.
func (r *Reader) peek() byte {
	if r.pos < len(r.data) {
		if c := r.data[r.pos]; c > ' ' {
			return c
		}
	}
	return r.peekSpace()
}

func (r *Reader) peekSpace() byte {
	for r.pos < len(r.data) {
		switch c := r.data[r.pos]; c {
		case ' ', '\n', '\r', '\t':
			r.pos++
		default:
			return c
		}
	}
	return 0
}

func (r *Reader) limit() int {
	if r.maxDepth > 0 {
		return r.maxDepth
	}
	return DefaultMaxDepth
}

// shares reports whether a value of n bytes may alias the text.
func (r *Reader) shares(n int) bool {
	return r.alias && len(r.data) > aliasFloor && n > len(r.data)/2
}
