package mcptest

// Recording: a transport around a transport that writes one line of JSON for every message, in the
// order in which they passed, with secrets blacked out.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/mcpgen/mcpgen/mcp"
)

// A Recorder is an [mcp.Transport] that records what passes through another one.
type Recorder struct {
	transport mcp.Transport
	redaction redaction

	mu          sync.Mutex
	w           io.Writer
	err         error
	connections int
}

// NewRecorder returns a transport that behaves like transport and writes every message to w: one line
// of JSON each, which NewReplay reads. Members such as "password" and "access_token" are blacked out,
// and what opts say besides.
func NewRecorder(transport mcp.Transport, w io.Writer, opts ...RecordOption) *Recorder {
	return &Recorder{transport: transport, w: w, redaction: newRedaction(opts)}
}

// Err returns the first error of writing the record.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Open opens a connection of the other transport.
func (r *Recorder) Open(ctx context.Context, in mcp.Receiver) (mcp.Conn, error) {
	return r.open(ctx, r.transport, in)
}

// Unwrap returns the transport that is recorded.
func (r *Recorder) Unwrap() mcp.Transport { return r.transport }

// Rewrap returns a transport that records what passes through another one into the same record.
func (r *Recorder) Rewrap(transport mcp.Transport) mcp.Transport { return &rewrapped{r, transport} }

// rewrapped records another transport than the one that the recorder was made for.
type rewrapped struct {
	recorder  *Recorder
	transport mcp.Transport
}

func (r *rewrapped) Open(ctx context.Context, in mcp.Receiver) (mcp.Conn, error) {
	return r.recorder.open(ctx, r.transport, in)
}

func (r *rewrapped) Unwrap() mcp.Transport { return r.transport }

func (r *rewrapped) Rewrap(transport mcp.Transport) mcp.Transport {
	return r.recorder.Rewrap(transport)
}

func (r *Recorder) open(ctx context.Context, transport mcp.Transport, in mcp.Receiver) (mcp.Conn, error) {
	r.mu.Lock()
	r.connections++
	number := r.connections
	r.mu.Unlock()
	conn, err := transport.Open(ctx, &recordingReceiver{in, r, number})
	if err != nil {
		return nil, err
	}
	return &recordingConn{conn, r, number}, nil
}

// record is one line. Exactly one of Message, Text, Failed and Closed is set.
type record struct {
	Connection int             `json:"connection"`
	From       string          `json:"from"`
	Message    json.RawMessage `json:"message,omitempty"`
	Text       string          `json:"text,omitempty"`   // what is no JSON
	Failed     string          `json:"failed,omitempty"` // why the request ID could not be delivered
	ID         int64           `json:"id,omitempty"`
	Closed     string          `json:"closed,omitempty"` // why the connection ended
}

const (
	fromClient = "client"
	fromServer = "server"
)

func (r *Recorder) message(connection int, from string, data []byte) {
	line := record{Connection: connection, From: from}
	if text, err := r.redaction.apply(data); err == nil {
		line.Message = text
	} else {
		line.Text = r.redaction.plain(string(data))
	}
	r.write(line)
}

func (r *Recorder) write(line record) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(line)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		_, err = r.w.Write(text.Bytes())
	}
	if r.err == nil {
		r.err = err
	}
}

type recordingConn struct {
	mcp.Conn
	recorder *Recorder
	number   int
}

// SendsAsync promises what the recorded connection promises.
func (c *recordingConn) SendsAsync() bool {
	a, ok := c.Conn.(interface{ SendsAsync() bool })
	return ok && a.SendsAsync()
}

// Unwrap returns the recorded connection.
func (c *recordingConn) Unwrap() mcp.Conn { return c.Conn }

func (c *recordingConn) Send(ctx context.Context, out *mcp.Outgoing) error {
	c.recorder.message(c.number, fromClient, out.Data)
	err := c.Conn.Send(ctx, out)
	if err != nil && ctx.Err() == nil && out.ID != 0 && !out.Answered() {
		c.recorder.write(record{Connection: c.number, From: fromServer, Failed: c.recorder.redaction.plain(err.Error()), ID: out.ID})
	}
	return err
}

type recordingReceiver struct {
	mcp.Receiver
	recorder *Recorder
	number   int
}

// MessageLimit is the limit of the client behind.
func (r *recordingReceiver) MessageLimit() int {
	if l, ok := r.Receiver.(interface{ MessageLimit() int }); ok {
		return l.MessageLimit()
	}
	return defaultMessageLimit
}

// defaultMessageLimit is that of a client without WithMaxMessageSize.
const defaultMessageLimit = 16 << 20

// Unwrap returns the client behind.
func (r *recordingReceiver) Unwrap() mcp.Receiver { return r.Receiver }

func (r *recordingReceiver) Receive(in *mcp.Incoming) {
	r.recorder.message(r.number, fromServer, in.Data)
	r.Receiver.Receive(in)
}

func (r *recordingReceiver) Closed(err error) {
	if err != nil && !errors.Is(err, mcp.ErrClosed) {
		r.recorder.write(record{Connection: r.number, From: fromServer, Closed: r.recorder.redaction.plain(err.Error())})
	}
	r.Receiver.Closed(err)
}
