package jsonwire

import (
	"bytes"
	"sync"
)

// The two methods every generated type has, and the two functions that turn
// them into json.Marshaler and json.Unmarshaler.

// Appender writes itself as one JSON value.
type Appender interface{ WriteJSON(*Writer) }

// Decoder reads one JSON value into itself.
type Decoder interface{ ReadJSON(*Reader) }

// Codec is a pointer to a value that writes, reads and checks itself: a pointer
// to any generated type that has methods.
type Codec interface {
	Appender
	Decoder
	Checker
}

// CodecOf makes a Codec for a type without methods out of functions. One that
// is never asked for may be nil.
func CodecOf[T any](x *T, write func(*T, *Writer), read func(*T, *Reader), check func(*T, *Validator)) Codec {
	return &codec[T]{x, write, read, check}
}

type codec[T any] struct {
	x     *T
	write func(*T, *Writer)
	read  func(*T, *Reader)
	check func(*T, *Validator)
}

func (c *codec[T]) WriteJSON(w *Writer) { c.write(c.x, w) }

func (c *codec[T]) ReadJSON(r *Reader) { c.read(c.x, r) }

func (c *codec[T]) ValidateJSON(v *Validator) {
	if c.check != nil {
		c.check(c.x, v)
	}
}

// pooledLimit is the largest buffer worth keeping for the next Marshal.
const pooledLimit = 64 << 10

var writers = sync.Pool{New: func() any { return new(Writer) }}

// Marshal returns the JSON text of x.
func Marshal(x Appender) ([]byte, error) {
	w := writers.Get().(*Writer)
	w.Reset(w.buf[:0])
	x.WriteJSON(w)
	text, err := bytes.Clone(w.buf), w.err
	if cap(w.buf) > pooledLimit {
		w.buf = nil
	}
	writers.Put(w)
	if err != nil {
		return nil, err
	}
	return text, nil
}

// Unmarshal reads the whole of data into x. A null leaves x as it is, as
// encoding/json has it for its own types, only if x's ReadJSON does so.
func Unmarshal(data []byte, x Decoder) error {
	r := NewReader(data)
	x.ReadJSON(r)
	return r.End()
}
