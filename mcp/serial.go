package mcp

// A queue whose items are handled in order, one at a time, on a goroutine that exists only while there
// is something to do. So a slow or re-entrant handler stalls nobody but its own queue.

import (
	"context"
	"sync"
)

type serialQueue[T any] struct {
	handle func(T)
	bound  int // items that may wait; beyond, the oldest go

	mu      sync.Mutex
	waiting []T
	running bool
	closed  bool
	dropped int
	idle    chan struct{} // closed when running ends; nil unless somebody waits
}

// deliver queues item.
func (q *serialQueue[T]) deliver(item T) {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return
	}
	if len(q.waiting) >= q.bound {
		q.waiting = q.waiting[1:]
		q.dropped++
	}
	q.waiting = append(q.waiting, item)
	if q.running {
		q.mu.Unlock()
		return
	}
	q.running = true
	q.mu.Unlock()
	go q.run()
}

// run handles items until none is left.
func (q *serialQueue[T]) run() {
	var batch []T
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 || q.closed {
			q.running, q.waiting = false, nil
			if q.idle != nil {
				close(q.idle)
				q.idle = nil
			}
			q.mu.Unlock()
			return
		}
		batch, q.waiting = q.waiting, batch[:0]
		q.mu.Unlock()
		for i, item := range batch {
			var zero T
			if batch[i] = zero; q.isClosed() {
				continue
			}
			q.handle(item)
		}
	}
}

func (q *serialQueue[T]) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// drain waits until everything queued has been handled, or ctx ends. After that nothing more is handled,
// but for what the handler has begun.
func (q *serialQueue[T]) drain(ctx context.Context) {
	q.mu.Lock()
	for q.running && ctx.Err() == nil {
		if q.idle == nil {
			q.idle = make(chan struct{})
		}
		idle := q.idle
		q.mu.Unlock()
		select {
		case <-idle:
		case <-ctx.Done():
		}
		q.mu.Lock()
	}
	q.closed = true
	q.mu.Unlock()
}
