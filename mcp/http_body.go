package mcp

// Request bodies. net/http may still be writing a body when its exchange is over and the message's
// buffer serves again, so a body must not refer to the message then. A small one is copied: net/http
// sends a body that it knows to be in memory in one write with the headers, which is worth far more
// than the copy. A large one, which takes several writes in any case, is cut off instead.

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// postBody is the body of one message, for as many attempts as it takes.
type postBody struct {
	size  int
	copy  []byte       // of a small message
	first bytes.Reader // of the first attempt

	mu   sync.Mutex
	data []byte // of a large message; nil once detached
}

var errDetached = errors.New("request is over")

func newPostBody(data []byte) *postBody {
	b := &postBody{size: len(data)}
	if len(data) <= smallBuffer {
		b.copy = bytes.Clone(data)
	} else {
		b.data = data
	}
	return b
}

func (b *postBody) detach() {
	if b.copy != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data = nil
}

// reader returns a body for one more attempt.
func (b *postBody) reader() (io.ReadCloser, error) {
	switch {
	case b.copy == nil:
		return &postReader{body: b}, nil
	case b.first.Size() == 0:
		b.first.Reset(b.copy)
		return io.NopCloser(&b.first), nil
	}
	return io.NopCloser(bytes.NewReader(b.copy)), nil
}

// postReader reads a large message until it is detached.
type postReader struct {
	body *postBody
	off  int
}

func (r *postReader) Read(p []byte) (int, error) {
	if r.off == r.body.size {
		return 0, io.EOF
	}
	r.body.mu.Lock()
	defer r.body.mu.Unlock()
	if r.body.data == nil {
		return 0, errDetached
	}
	n := copy(p, r.body.data[r.off:])
	r.off += n
	return n, nil
}

func (r *postReader) Close() error { return nil }
