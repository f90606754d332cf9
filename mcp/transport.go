package mcp

// A Transport is how bytes travel between a client and one server: a child process, HTTP, a byte
// stream, a handler in the same process. It knows nothing of eras or sessions beyond the facts an
// Outgoing carries, and the rest of the client knows nothing of how its messages travel.

import (
	"context"
	"sync/atomic"
	"time"
)

// A Transport opens connections to one server. Implementations must allow Open to be called again
// after a connection has ended: a client that is told to restart, or that falls back to another
// era after the server left, opens a second connection.
type Transport interface {
	// Open makes one connection. What the server sends goes to in, possibly before Open returns.
	// ctx bounds the opening only; the connection lives until Close.
	Open(ctx context.Context, in Receiver) (Conn, error)
}

// A Conn carries the messages of one connection. All methods are safe for concurrent use.
type Conn interface {
	// Send hands one message to the server. It may return as soon as the message is on its way, or,
	// where every request has an exchange of its own, when that exchange has ended. out.Data belongs
	// to the caller again when Send returns. Send returns soon after ctx ends.
	Send(ctx context.Context, out *Outgoing) error
	// Close ends the connection and everything that it holds: goroutines, descriptors, processes.
	// It is bounded by ctx and by limits of its own, and may be called again.
	Close(ctx context.Context) error
}

// A Receiver takes what arrives on a connection. It is safe for concurrent use and never blocks on
// user code, so a Conn may call it from its reading goroutine.
type Receiver interface {
	// Receive takes one message. in itself must not be kept.
	Receive(in *Incoming)
	// Closed says that nothing more will arrive, and why. A Conn calls it once, at the latest when
	// its Close returns; err is nil after an orderly end.
	Closed(err error)
}

// Outgoing is one message on its way to the server.
type Outgoing struct {
	// Data is one compact JSON-RPC message without a line end. It must not be kept after Send.
	Data []byte
	// ID is the id of a request; 0 for a notification or an answer.
	ID int64
	// Method is empty for an answer to a request of the server.
	Method string
	// Name is what the request is about: a tool, a prompt, a resource URI, a task id; or empty.
	Name string
	// Params are the arguments that the tool's schema wants mirrored in headers.
	Params []HeaderField
	// Version is the protocol version in force; empty during initialize.
	Version string
	// Stateless says that Version belongs to the era without sessions (2026-07-28 and later).
	Stateless bool
	// Deadline is when the caller stops waiting; zero if never.
	Deadline time.Time

	answered atomic.Bool
	crowded  bool // many other requests wait on the same connection
}

// Answered reports whether the answer to this request has been received, on whatever stream.
func (o *Outgoing) Answered() bool { return o.answered.Load() }

// HeaderField is one name and value that a transport with headers sends along.
type HeaderField struct{ Name, Value string }

// Incoming is one message, or one batch of messages, from the server.
type Incoming struct {
	// Data is the JSON text.
	Data []byte
	// Shared says that Data is valid only until Receive returns. Otherwise it now belongs to the receiver.
	Shared bool
	// Answering is the request whose own exchange carried the message; nil on a stream that all share.
	Answering *Outgoing
	// Status is the HTTP status that came with the message; 0 elsewhere.
	Status int
	// Err says what is wrong with a message that could not be read in full, for instance ErrTooLarge.
	// Data then holds its beginning.
	Err error

	retryAfter string     // the header of that name, with status 429 or 503
	auth       *AuthError // what the headers say, with status 401 or 403
	buffer     *buffer
}

// An asyncConn promises that Send never waits for the server's answer and hardly ever blocks, so
// that a caller need not derive a context of its own for it. The method is exported so that a Conn of
// another package, mcptest's for one, can make the promise too.
type asyncConn interface{ SendsAsync() bool }

// Transports, connections and receivers may be wrapped by other packages, as mcptest's recorder does.
// A wrapper that says what it wraps, by Unwrap() Transport, Unwrap() Conn or Unwrap() Receiver, takes
// nothing away that this package finds out about its own. A transport that can put another one in the
// place of what it wraps, by Rewrap(Transport) Transport, can fall back.

// innermost is what t wraps.
func innermost(t Transport) Transport {
	for {
		w, ok := t.(interface{ Unwrap() Transport })
		if !ok {
			return t
		}
		t = w.Unwrap()
	}
}

// connAs finds the first of conn and what it wraps that is a T.
func connAs[T any](conn Conn) (found T, ok bool) {
	for {
		if found, ok = conn.(T); ok {
			return found, true
		}
		w, wraps := conn.(interface{ Unwrap() Conn })
		if !wraps {
			return found, false
		}
		conn = w.Unwrap()
	}
}

// receiverAs finds the first of in and what it wraps that is a T.
func receiverAs[T any](in Receiver) (found T, ok bool) {
	for {
		if found, ok = in.(T); ok {
			return found, true
		}
		w, wraps := in.(interface{ Unwrap() Receiver })
		if !wraps {
			return found, false
		}
		in = w.Unwrap()
	}
}

// fallbackOf returns the older way to reach the server behind t; nil if there is none.
func fallbackOf(t Transport, err error) Transport {
	if f, ok := t.(fallingBack); ok {
		return f.fallback(err)
	}
	w, ok := t.(interface {
		Unwrap() Transport
		Rewrap(Transport) Transport
	})
	if !ok {
		return nil
	}
	older := fallbackOf(w.Unwrap(), err)
	if older == nil {
		return nil
	}
	return w.Rewrap(older)
}

// A fallingBack transport has an older way to reach the same server.
type fallingBack interface {
	// fallback returns the older way, or nil if err does not suggest that the server needs it.
	fallback(err error) Transport
}
