package mcp

// Newline-delimited JSON over a stream of bytes: the framing of stdio, and of any socket or pipe. One
// goroutine reads, one writes. The writer takes all that callers have queued since its last write, so
// many callers share a write, and a peer that stops reading blocks nobody but the writer (B147).

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	readChunk = 64 << 10
	// maxQueued is how much may wait for the peer to read before senders wait too.
	maxQueued = 16 << 20
)

var (
	errStreamEnded = errors.New("connection closed by the server")
	byteOrderMark  = []byte("\xef\xbb\xbf")
)

// Stream returns a transport over one byte stream: a Unix socket, TCP, a pipe. The stream is closed
// with the connection. It can be opened once; a client that has to reconnect needs DialStream.
func Stream(rwc io.ReadWriteCloser) Transport {
	var once sync.Once
	return &streamTransport{dial: func(context.Context) (io.ReadWriteCloser, error) {
		err := errors.New("the stream has been used up")
		once.Do(func() { err = nil })
		return rwc, err
	}}
}

// DialStream returns a transport over byte streams that dial opens, one for each connection.
func DialStream(dial func(ctx context.Context) (io.ReadWriteCloser, error)) Transport {
	return &streamTransport{dial: dial}
}

type streamTransport struct {
	dial func(ctx context.Context) (io.ReadWriteCloser, error)
}

func (t *streamTransport) Open(ctx context.Context, in Receiver) (Conn, error) {
	rwc, err := t.dial(ctx)
	if err != nil {
		return nil, &TransportError{Err: err}
	}
	c := newLineConn(rwc, rwc, in)
	c.closers = []io.Closer{rwc}
	c.start()
	return c, nil
}

// lineConn is a connection of newline-delimited messages.
type lineConn struct {
	in      Receiver
	limit   int
	reader  io.Reader
	writer  io.Writer
	closers []io.Closer
	line    Incoming              // of the reading goroutine
	ended   func(err error) error // turns the reason why reading ended into what the receiver is told

	crowded atomic.Bool // many callers wait for answers, so more messages will soon follow

	mu     sync.Mutex
	queue  []byte
	spare  []byte
	err    error
	signal chan struct{} // the writer has something to do
	space  chan struct{} // closed when the queue has been taken; nil unless somebody waits
	busy   bool          // a batch is being written
	idle   chan struct{} // closed when all is written; nil unless somebody waits
	done   chan struct{}
	told   sync.Once
	once   sync.Once
	work   sync.WaitGroup
}

func newLineConn(r io.Reader, w io.Writer, in Receiver) *lineConn {
	return &lineConn{
		in: in, limit: messageLimit(in), reader: r, writer: w,
		signal: make(chan struct{}, 1), done: make(chan struct{}),
	}
}

func (c *lineConn) SendsAsync() bool { return true }

func (c *lineConn) start() {
	c.work.Go(c.write)
	c.work.Go(c.read)
}

// Send queues one line. It waits only while the peer leaves too much unread.
func (c *lineConn) Send(ctx context.Context, out *Outgoing) error {
	for {
		c.mu.Lock()
		if c.err != nil {
			err := c.err
			c.mu.Unlock()
			return err
		}
		if len(c.queue) == 0 || len(c.queue)+len(out.Data) < maxQueued {
			c.queue = append(append(c.queue, out.Data...), '\n')
			c.crowded.Store(out.crowded)
			c.mu.Unlock()
			select {
			case c.signal <- struct{}{}:
			default:
			}
			return nil
		}
		if c.space == nil {
			c.space = make(chan struct{})
		}
		space := c.space
		c.mu.Unlock()
		if err := c.waitForSpace(ctx, out, space); err != nil {
			return err
		}
	}
}

func (c *lineConn) waitForSpace(ctx context.Context, out *Outgoing, space chan struct{}) error {
	if !out.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, out.Deadline, errExpired)
		defer cancel()
	}
	select {
	case <-space:
		return nil
	case <-c.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// write writes what is queued until the connection ends.
func (c *lineConn) write() {
	for {
		select {
		case <-c.signal:
		case <-c.done:
			return
		}
		c.mu.Lock()
		if c.crowded.Load() {
			// The signal makes the writer run before other callers that are ready to send: let them.
			c.mu.Unlock()
			runtime.Gosched()
			c.mu.Lock()
		}
		if len(c.queue) == 0 {
			c.mu.Unlock()
			continue
		}
		batch := c.queue
		c.busy = true
		c.queue = c.spare[:0]
		if c.space != nil {
			close(c.space)
			c.space = nil
		}
		c.mu.Unlock()
		_, err := c.writer.Write(batch)
		if cap(batch) > largestPooled {
			batch = nil
		}
		c.mu.Lock()
		c.spare = batch
		c.busy = false
		if c.idle != nil && len(c.queue) == 0 {
			close(c.idle)
			c.idle = nil
		}
		c.mu.Unlock()
		if err != nil {
			c.broken(&TransportError{Err: err})
			return
		}
	}
}

// flush waits until what is queued has been written.
func (c *lineConn) flush(ctx context.Context) {
	c.mu.Lock()
	if !c.busy && len(c.queue) == 0 {
		c.mu.Unlock()
		return
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
	case <-c.done:
	case <-ctx.Done():
	}
}

// brokenWait is how long the end of the stream, which a peer that left also causes, has to tell the
// reason better than a failed write does.
const brokenWait = time.Second

// broken ends a connection that cannot be written to.
func (c *lineConn) broken(err error) {
	c.fail(err)
	wait := time.NewTimer(brokenWait)
	defer wait.Stop()
	select {
	case <-c.done:
	case <-wait.C:
		c.close(err)
	}
}

// close tells the receiver that nothing more will arrive.
func (c *lineConn) close(err error) {
	c.told.Do(func() { c.in.Closed(err) })
	c.once.Do(func() { close(c.done) })
}

// fail stops sending.
func (c *lineConn) fail(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = err
	}
	c.mu.Unlock()
}

// read delivers lines until the stream ends.
func (c *lineConn) read() {
	err := c.readLines()
	if c.ended != nil {
		err = c.ended(err)
	} else if errors.Is(err, io.EOF) {
		err = &TransportError{Err: errStreamEnded}
	} else {
		err = &TransportError{Err: err}
	}
	c.fail(err)
	c.close(err)
}

// readLines splits the stream. A line beyond the limit is skipped, and its beginning told (C-069, B012).
func (c *lineConn) readLines() error {
	r := bufio.NewReaderSize(c.reader, readChunk)
	if mark, err := r.Peek(len(byteOrderMark)); err == nil && bytes.Equal(mark, byteOrderMark) {
		_, _ = r.Discard(len(byteOrderMark)) // B011
	}
	for {
		if r.Buffered() == 0 && c.crowded.Load() {
			// Let the callers go on that have their answers: more of them will have come until then.
			runtime.Gosched()
		}
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if err = c.readLong(r, line); err != nil {
				return err
			}
			continue
		}
		c.deliver(line, true)
		if err != nil {
			return err
		}
	}
}

// readLong reads on where line leaves off.
func (c *lineConn) readLong(r *bufio.Reader, line []byte) error {
	long := append(make([]byte, 0, 4*readChunk), line...)
	for {
		part, err := r.ReadSlice('\n')
		if len(long)+len(part) > c.limit+1 {
			c.in.Receive(&Incoming{Data: long[:min(len(long), smallBuffer)], Err: ErrTooLarge})
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			return err
		}
		long = append(long, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		c.deliver(long, false)
		return err
	}
}

// deliver hands over one line, which may end in CR and may be blank (B007).
func (c *lineConn) deliver(line []byte, shared bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	c.line = Incoming{Data: line, Shared: shared}
	if len(line) > c.limit {
		c.line.Data, c.line.Err = line[:min(len(line), smallBuffer)], ErrTooLarge
	}
	c.in.Receive(&c.line)
}

// Close closes the stream and waits for the goroutines.
func (c *lineConn) Close(ctx context.Context) error {
	c.fail(&TransportError{Err: ErrClosed})
	c.once.Do(func() { close(c.done) })
	for _, closer := range c.closers {
		_ = closer.Close()
	}
	waitFor(ctx, &c.work)
	return nil
}

// messageLimit is the limit that the receiver sets on one message, if it sets one.
func messageLimit(in Receiver) int {
	if l, ok := in.(interface{ MessageLimit() int }); ok {
		return l.MessageLimit()
	}
	return maxMessageBytes
}
