package mcp

// The event stream that answers a POST: messages until the answer, resumption where the era has it,
// and an end that leaves neither socket nor goroutine behind.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// maxResumes bounds reconnections without a new event in between (C-097).
	maxResumes   = 5
	resumeDelay  = time.Second
	maxRetryWait = time.Minute
	// drainTime is how long a stream may take to end after the answer before its connection is given up
	// (B024). The caller waits for it, but only a server that keeps the stream open uses it up.
	drainTime = 10 * time.Millisecond
)

// cursor is where one stream can be resumed. It belongs to that stream alone (B039).
type cursor struct {
	id    string
	retry time.Duration // negative: the server asked for none
	fresh bool          // an event has come since the last resumption

	messages int // delivered
}

// readEvents reads the stream that answers out, across interruptions.
func (c *httpConn) readEvents(ctx context.Context, resp *http.Response, out *Outgoing) error {
	at := cursor{retry: -1}
	err := c.readStream(resp, out, &at)
	for tries := 0; err != nil && !out.Answered() && resumable(out, &at, err); {
		if at.fresh {
			tries, at.fresh = 0, false
		}
		if tries++; tries > maxResumes {
			break
		}
		if failed := pause(ctx, at.wait(tries)); failed != nil {
			return failed
		}
		err = c.resume(ctx, out, &at)
	}
	if out.Answered() {
		return nil
	}
	return err
}

// resumable reports whether the answer to out may still come on another GET: only where sessions
// exist, and only once the server has given an id (C-094, C-108).
func resumable(out *Outgoing, at *cursor, err error) bool {
	var te *TransportError
	if errors.As(err, &te) && te.Status >= 400 && !neutralStatus(te.Status) || errors.As(err, new(*AuthError)) {
		return false
	}
	return !out.Stateless && at.id != ""
}

// wait is what the server asked for, or a growing pause (C-096).
func (at *cursor) wait(tries int) time.Duration {
	if at.retry >= 0 {
		return min(at.retry, maxRetryWait)
	}
	return resumeDelay << (tries - 1)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// resume asks for the rest of a stream.
func (c *httpConn) resume(ctx context.Context, out *Outgoing, at *cursor) error {
	resp, err := c.get(ctx, at.id)
	if err != nil {
		return &TransportError{Err: err}
	}
	if resp.StatusCode != http.StatusOK || contentType(resp) != "text/event-stream" {
		return &TransportError{Err: cmp.Or(statusError(resp), errors.New("the stream cannot be resumed")), Status: resp.StatusCode, Body: excerpt(resp)}
	}
	return c.readStream(resp, out, at)
}

// readStream delivers the messages of one response until the answer to out has come. It closes the body.
func (c *httpConn) readStream(resp *http.Response, out *Outgoing, at *cursor) error {
	events := takeEventReader(resp.Body, c.limit)
	defer events.release()
	events.lastID = at.id
	in := new(Incoming) // one for all messages, since a Receiver does not keep it
	for first := true; ; first = false {
		e, err := events.next()
		at.fresh = at.fresh || err == nil || at.id != events.lastID
		at.id = events.lastID
		if events.retry >= 0 {
			at.retry = events.retry
		}
		if err != nil && !errors.Is(err, ErrTooLarge) {
			_ = resp.Body.Close()
			return c.streamEnded(resp, events, first, err)
		}
		if e.name != "" && e.name != "message" {
			continue // C-107, B026
		}
		at.messages++
		*in = Incoming{Data: e.data, Shared: true, Answering: out, Status: resp.StatusCode, Err: tooLarge(err)}
		c.in.Receive(in)
		if out != nil && out.Answered() {
			c.finish(resp, events)
			return nil
		}
	}
}

func tooLarge(err error) error {
	if err != nil {
		return ErrTooLarge
	}
	return nil
}

// streamEnded says how a stream ended without the answer (C-109, B016, B018).
func (c *httpConn) streamEnded(resp *http.Response, events *eventReader, empty bool, err error) error {
	if err == io.EOF {
		err = ErrNoAnswer
	}
	te := &TransportError{Err: err, Status: resp.StatusCode}
	if empty && events.bare() {
		te.Err = errors.New("the body is labelled as an event stream but is bare JSON")
		te.Body = events.bareText
	}
	return te
}

// finish leaves the stream after the answer. The connection is kept if the server ends the stream soon.
func (c *httpConn) finish(resp *http.Response, events *eventReader) {
	if !events.ended() {
		cut := time.AfterFunc(drainTime, func() { _ = resp.Body.Close() })
		_, _ = io.CopyN(io.Discard, resp.Body, readChunk)
		cut.Stop()
	}
	_ = resp.Body.Close()
}
