package refserver

// stdio: one message per line. One connection may hold one session, or any number of stateless requests.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
)

type stdioConn struct {
	srv     *Server
	sess    *session // nil until initialize
	running tracker  // stateless requests

	ctx  context.Context
	stop context.CancelFunc

	mu     sync.Mutex
	w      io.Writer
	broken bool
}

// ServeStdio serves one client until in ends, ctx is done or the server is closed. A reader that
// is also an io.Closer is closed on the way out, so that no goroutine stays behind in Read.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	c := &stdioConn{srv: s, w: out, ctx: ctx, stop: cancel}
	if closer, ok := in.(io.Closer); ok {
		defer context.AfterFunc(ctx, func() { _ = closer.Close() })()
	}
	err := c.read(in)
	if c.sess != nil {
		c.sess.close()
	}
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (c *stdioConn) read(in io.Reader) error {
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			c.line(line)
		}
		if err != nil {
			return err
		}
	}
}

// line takes one line: a message, or in 2025-03-26 a batch.
func (c *stdioConn) line(raw []byte) {
	c.srv.trace("stdio", true, nil, raw)
	parts, batch := splitBatch(raw)
	if batch && (c.sess == nil || c.sess.version != V20250326) {
		c.send(encodeError(nil, badRequest(codeInvalidRequest, "batches exist in %s only", V20250326)), true, 0)
		return
	}
	for _, part := range parts {
		m, err := decodeMessage(part)
		if err != nil {
			c.send(encodeError(nil, err), true, 0)
			continue
		}
		c.receive(m)
	}
}

func (c *stdioConn) receive(m *message) {
	switch {
	case c.sess != nil:
		c.sess.receive(m, c)
	case m.Method == "initialize" && m.isRequest():
		c.initialize(m)
	case m.Method == "notifications/cancelled":
		c.running.stop(m.fields()["requestId"])
	case !m.isRequest():
	case c.srv.speaksModern():
		c.modern(m)
	case m.Method == "ping":
		c.send(encodeResult(m.ID, obj{}), true, 0)
	default:
		c.send(encodeError(m.ID, uninitialized(m.Method)), true, 0)
	}
}

// uninitialized is a session server's answer to what comes before initialize.
func uninitialized(name string) *rpcError {
	if known, ok := methods[name]; ok && known.since < V20260728 {
		return badRequest(codeInvalidRequest, "%s before initialize", name)
	}
	return &rpcError{Code: codeMethodNotFound, Message: "unknown method " + name}
}

func (c *stdioConn) initialize(m *message) {
	sess := c.srv.newSession()
	result, err := sess.initialize(m)
	if err != nil {
		sess.close()
		c.send(encodeError(m.ID, asRPCError(err)), true, 0)
		return
	}
	c.sess = sess
	c.send(encodeResult(m.ID, result), true, 0)
	sess.mu.Lock()
	sess.out = c
	sess.mu.Unlock()
}

func (c *stdioConn) modern(m *message) {
	ctx, done, fresh := c.running.track(c.ctx, m.ID)
	if !fresh {
		c.send(encodeError(m.ID, badRequest(codeInvalidRequest, "request id %s is in use", m.ID)), true, 0)
		return
	}
	ex := c.srv.modernExchange(m, c, nil)
	if !c.srv.start(func() { ex.run(ctx, done) }) {
		done()
	}
}

// send writes one line. A client that is gone ends the connection.
func (c *stdioConn) send(raw []byte, _ bool, _ int) {
	if raw == nil {
		return
	}
	c.srv.trace("stdio", false, nil, raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken {
		return
	}
	if _, err := c.w.Write(append(raw, '\n')); err != nil {
		c.broken = true
		c.stop()
	}
}
