package mcp

// Buffers that messages are built in and read into. Decoding copies what it keeps, so a buffer goes
// back to the pool as soon as its message has been decoded; large ones are left to the collector.

import (
	"sync"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const (
	smallBuffer     = 4 << 10
	largestPooled   = 64 << 10
	maxMessageBytes = 16 << 20
)

type buffer struct {
	b []byte
	w jsonwire.Writer
}

var buffers = sync.Pool{New: func() any { return &buffer{b: make([]byte, 0, smallBuffer)} }}

func takeBuffer() *buffer {
	b := buffers.Get().(*buffer)
	b.b = b.b[:0]
	return b
}

func (b *buffer) release() {
	if b != nil && cap(b.b) <= largestPooled {
		buffers.Put(b)
	}
}

// keep makes in's data outlive the call to Receive that brought it.
func (in *Incoming) keep() {
	if !in.Shared {
		return
	}
	in.buffer = takeBuffer()
	in.buffer.b = append(in.buffer.b, in.Data...)
	in.Data, in.Shared = in.buffer.b, false
}

// release gives the data back; nothing may refer to it any more.
func (in *Incoming) release() {
	in.buffer.release()
	in.buffer, in.Data = nil, nil
}
