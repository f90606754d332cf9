package mcptest

// The in-memory transport. A connection is two queues of whole messages: what the client sends waits
// until the peer takes it; what the peer sends goes to the client's receiver at once, on the goroutine
// that sends it, which then is the connection's reading goroutine.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/mcpgen/mcpgen/mcp"
)

var (
	errHungUp = errors.New("connection closed by the server")
	errUsed   = errors.New("the pair is connected already: use Pipe for a client that connects again")
)

// Pipe returns a transport whose every connection is served by serve, on a goroutine of its own. ctx
// ends when the client closes the connection; the connection ends when serve returns.
func Pipe(serve func(ctx context.Context, peer *Peer)) mcp.Transport { return pipe(serve) }

type pipe func(ctx context.Context, peer *Peer)

func (serve pipe) Open(_ context.Context, in mcp.Receiver) (mcp.Conn, error) {
	c := newMemoryConn(in)
	c.work.Go(func() {
		defer c.peer.HangUp(nil)
		serve(c.ctx, c.peer)
	})
	return c, nil
}

// NewPair returns a transport and the other end of its only connection. What the test does not take
// with Receive waits.
func NewPair() (mcp.Transport, *Peer) {
	p := &pair{conn: newMemoryConn(nil)}
	return p, p.conn.peer
}

type pair struct {
	once sync.Once
	conn *memoryConn
}

func (p *pair) Open(_ context.Context, in mcp.Receiver) (mcp.Conn, error) {
	err := errUsed
	p.once.Do(func() {
		p.conn.peer.open(in)
		err = nil
	})
	if err != nil {
		return nil, &mcp.TransportError{Err: err}
	}
	return p.conn, nil
}

// A Peer is the server's end of an in-memory connection. It is safe for concurrent use.
type Peer struct {
	mu     sync.Mutex
	in     mcp.Receiver  // nil until the client connects
	early  [][]byte      // sent before that
	queue  [][]byte      // sent by the client, not yet received
	signal chan struct{} // something changed
	done   chan struct{} // closed with the connection
	ended  bool
	reason error
}

// open joins the client, which then gets what was sent too early for it.
func (p *Peer) open(in mcp.Receiver) {
	p.mu.Lock()
	p.in = in
	early, ended, reason := p.early, p.ended, p.reason
	p.early = nil
	p.mu.Unlock()
	for _, data := range early {
		in.Receive(&mcp.Incoming{Data: data})
	}
	if ended {
		in.Closed(reason)
	}
}

// Receive returns the client's next message. The error is io.EOF once the connection has ended and
// all messages have been taken, or the context's.
func (p *Peer) Receive(ctx context.Context) ([]byte, error) {
	for {
		p.mu.Lock()
		if len(p.queue) > 0 {
			data := p.queue[0]
			p.queue = p.queue[1:]
			if len(p.queue) > 0 {
				p.wake()
			}
			p.mu.Unlock()
			return data, nil
		}
		ended := p.ended
		p.mu.Unlock()
		if ended {
			return nil, io.EOF
		}
		select {
		case <-p.signal:
		case <-p.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// wake tells one Receive to look again.
func (p *Peer) wake() {
	select {
	case p.signal <- struct{}{}:
	default:
	}
}

// Send gives the client one message, which is usually JSON but need not be. After the end of the
// connection it does nothing.
func (p *Peer) Send(data []byte) {
	data = bytes.Clone(data)
	p.mu.Lock()
	in := p.in
	if in == nil && !p.ended {
		p.early = append(p.early, data)
	}
	ended := p.ended
	p.mu.Unlock()
	if in != nil && !ended {
		in.Receive(&mcp.Incoming{Data: data})
	}
}

// HangUp ends the connection, as a server does that dies; the client is told why. Without a reason it
// is told that the server closed the connection.
func (p *Peer) HangUp(reason error) {
	if reason == nil {
		reason = errHungUp
	}
	var own *mcp.TransportError
	if !errors.As(reason, &own) {
		reason = &mcp.TransportError{Err: reason}
	}
	p.end(reason)
}

// end ends the connection once.
func (p *Peer) end(reason error) {
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		return
	}
	p.ended, p.reason = true, reason
	in := p.in
	close(p.done)
	p.mu.Unlock()
	if in != nil {
		in.Closed(reason)
	}
}

// memoryConn is the client's end.
type memoryConn struct {
	peer   *Peer
	ctx    context.Context // of whoever serves
	cancel context.CancelFunc
	work   sync.WaitGroup
}

func newMemoryConn(in mcp.Receiver) *memoryConn {
	c := &memoryConn{peer: &Peer{in: in, signal: make(chan struct{}, 1), done: make(chan struct{})}}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// SendsAsync promises that Send waits for nothing.
func (c *memoryConn) SendsAsync() bool { return true }

func (c *memoryConn) Send(_ context.Context, out *mcp.Outgoing) error {
	p := c.peer
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return p.reason
	}
	p.queue = append(p.queue, bytes.Clone(out.Data))
	p.wake()
	return nil
}

// Close waits for whoever serves, who is told by the end of its context.
func (c *memoryConn) Close(ctx context.Context) error {
	c.peer.end(&mcp.TransportError{Err: mcp.ErrClosed})
	c.cancel()
	finished := make(chan struct{})
	go func() {
		c.work.Wait()
		close(finished)
	}()
	select {
	case <-finished:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
