package mcp

// The end of what a child process writes to stderr, kept to explain why it left.

import (
	"io"
	"os"
	"sync"
)

const tailSize = 8 << 10

type tail struct {
	mu   sync.Mutex
	last []byte
	copy io.Writer // may be nil
}

// drain reads from f until it ends, so that the child never blocks on stderr (C-071).
func (t *tail) drain(f *os.File) {
	chunk := make([]byte, 4<<10)
	for {
		n, err := f.Read(chunk)
		if n > 0 {
			t.add(chunk[:n])
		}
		if err != nil {
			return
		}
	}
}

func (t *tail) add(text []byte) {
	t.mu.Lock()
	t.last = append(t.last, text...)
	if extra := len(t.last) - tailSize; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	t.mu.Unlock()
	if t.copy != nil {
		_, _ = t.copy.Write(text)
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last)
}
