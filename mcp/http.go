package mcp

// Streamable HTTP: every message to the server is a POST of its own, and the answer comes in that
// POST's response, as one JSON text or as a stream of events.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// HTTPTransport reaches a server over Streamable HTTP. Use HTTP to make one.
type HTTPTransport struct {
	url       *url.URL
	err       error // of the URL or an option; reported by Open
	client    httpClient
	header    http.Header
	authorize Authorizer
	noSSE     bool
	onlySSE   bool
	memory    *ownMemory

	endpointWait time.Duration
}

// HTTP returns a transport for the MCP endpoint at rawURL. When the server turns out to know only the
// HTTP+SSE transport of 2024-11-05, that is used (C-135).
func HTTP(rawURL string, opts ...HTTPOption) *HTTPTransport {
	t := &HTTPTransport{header: http.Header{}, memory: &ownMemory{}}
	for _, opt := range opts {
		opt.applyHTTP(t)
	}
	t.client.fill()
	u, err := url.Parse(rawURL)
	switch {
	case err != nil:
		t.err = errors.Join(t.err, err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		t.err = errors.Join(t.err, fmt.Errorf("URL %q: use http://host/path or https://host/path", rawURL))
	default:
		u.Fragment = ""
		t.url = u
	}
	return t
}

// Open prepares a connection; nothing is sent yet.
func (t *HTTPTransport) Open(ctx context.Context, in Receiver) (Conn, error) {
	if t.err != nil {
		return nil, t.err
	}
	if t.onlySSE {
		return t.openSSE(ctx, in)
	}
	c := &httpConn{transport: t, in: in, limit: messageLimit(in)}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// memoryKey is the origin (C-062): servers behind one gateway are of one kind as a rule, and if not,
// it costs a round trip. The transport itself remembers its own endpoint.
func (t *HTTPTransport) memoryKey() string {
	if t.url == nil {
		return ""
	}
	return "http\x00" + t.url.Scheme + "\x00" + t.url.Host
}

func (t *HTTPTransport) lasting() bool   { return false }
func (t *HTTPTransport) own() *ownMemory { return t.memory }

// fallback returns the HTTP+SSE transport if err is how a server without Streamable HTTP refuses a POST (B051).
func (t *HTTPTransport) fallback(err error) Transport {
	var te *TransportError
	if t.noSSE || t.onlySSE || !errors.As(err, &te) {
		return nil
	}
	switch te.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusNotAcceptable, http.StatusGone, http.StatusLengthRequired, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity:
		older := *t
		older.onlySSE, older.memory = true, nil
		return &older
	}
	return nil
}

// httpConn is one connection: at most one session.
type httpConn struct {
	transport *HTTPTransport
	in        Receiver
	limit     int

	session atomic.Pointer[string] // the session id; nil if there is none
	version atomic.Pointer[string] // the version in force, for requests without a message

	ctx    context.Context // ends with the connection
	cancel context.CancelFunc
	work   sync.WaitGroup
	once   sync.Once

	headers headerCache
	stream  ownStream
}

// Send posts one message and, for a request, reads its answer (C-082).
func (c *httpConn) Send(ctx context.Context, out *Outgoing) error {
	resp, err := c.post(ctx, out)
	if err != nil {
		return c.explain(ctx, err)
	}
	if out.Method == methodInitialize && resp.StatusCode < 300 {
		if err := c.begin(resp); err != nil {
			discard(resp)
			return err
		}
	}
	switch {
	case resp.StatusCode >= 300:
		return refused(c.in, resp, out)
	case out.ID == 0:
		discard(resp) // any 2xx will do, whatever comes with it (C-084, B017)
		return nil
	}
	return c.explain(ctx, c.answer(ctx, resp, out))
}

// begin takes the session id of an initialize answer (C-086).
func (c *httpConn) begin(resp *http.Response) error {
	ids := resp.Header.Values(headerSession)
	if len(ids) == 0 || ids[0] == "" {
		return nil
	}
	for i := range len(ids[0]) {
		if b := ids[0][i]; b < 0x21 || b > 0x7e {
			return &TransportError{Err: errors.New("the server's session id is not visible ASCII"), Status: resp.StatusCode}
		}
	}
	c.session.Store(&ids[0])
	c.headers.reset()
	return nil
}

// answer reads the response to a request.
func (c *httpConn) answer(ctx context.Context, resp *http.Response, out *Outgoing) error {
	switch contentType(resp) {
	case "text/event-stream":
		return c.readEvents(ctx, resp, out)
	case "application/json":
		return c.readJSON(resp, out)
	}
	body := excerpt(resp)
	err := fmt.Errorf("neither JSON nor an event stream but %q", resp.Header.Get("Content-Type"))
	if len(body) == 0 {
		err = ErrNoAnswer
	}
	return &TransportError{Err: err, Status: resp.StatusCode, Body: body}
}

// contentType returns the media type, without parameters and in lower case (C-083, B019).
func contentType(resp *http.Response) string {
	header := resp.Header.Get("Content-Type")
	switch header { // what nearly all servers send
	case "application/json", "text/event-stream":
		return header
	}
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(header), ";")
	}
	return strings.TrimSpace(kind)
}

var incomings = sync.Pool{New: func() any { return new(Incoming) }}

// readJSON hands over a body that is one message.
func (c *httpConn) readJSON(resp *http.Response, out *Outgoing) error {
	in := incomings.Get().(*Incoming)
	defer incomings.Put(in)
	*in = Incoming{Answering: out, Status: resp.StatusCode, buffer: takeBuffer()}
	var err error
	in.buffer.b, err = readBody(resp, in.buffer.b, c.limit)
	_ = resp.Body.Close()
	in.Data = in.buffer.b
	switch {
	case errors.Is(err, ErrTooLarge):
		in.Err = ErrTooLarge
	case err != nil:
		in.release()
		return &TransportError{Err: err, Status: resp.StatusCode}
	}
	c.in.Receive(in)
	if !out.Answered() {
		return &TransportError{Err: ErrNoAnswer, Status: resp.StatusCode, Body: clip(in.Data)}
	}
	return nil
}

// readBody appends the body to b, growing it once if its length is known.
func readBody(resp *http.Response, b []byte, limit int) ([]byte, error) {
	if n := resp.ContentLength; n > int64(limit) {
		n, err := io.ReadFull(resp.Body, b[:smallBuffer])
		return b[:n], errors.Join(ErrTooLarge, err)
	} else if n >= int64(cap(b)) {
		b = make([]byte, 0, n+1) // one more, so that the read that finds the end needs no growth
	}
	for {
		n, err := resp.Body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case len(b) > limit:
			return b[:min(len(b), smallBuffer)], ErrTooLarge
		case err == io.EOF:
			return b, nil
		case err != nil:
			return b, err
		case len(b) == cap(b):
			b = append(b, 0)[:len(b)]
		}
	}
}

// refused turns an HTTP error into the JSON-RPC error in its body, or else an error of its own (C-099, C-130).
func refused(in Receiver, resp *http.Response, out *Outgoing) error {
	const most = 64 << 10
	body, _ := io.ReadAll(io.LimitReader(resp.Body, most))
	discard(resp)
	// A 404 to a request that named a session means that the session is gone, whatever the body (C-087);
	// without one it is a wrong URL or an unknown method (C-088, C-129).
	if resp.StatusCode == http.StatusNotFound && resp.Request.Header.Get(headerSession) != "" {
		return &TransportError{Err: errSessionLost, Status: resp.StatusCode, Body: clip(body)}
	}
	why := statusError(resp)
	if out.ID != 0 && looksLikeError(body) {
		message := &Incoming{Data: body, Answering: out, Status: resp.StatusCode}
		switch why := why.(type) {
		case *RetryAfterError:
			message.retryAfter = why.After
		case *AuthError:
			message.auth = why
		}
		in.Receive(message)
		if out.Answered() {
			return nil
		}
	}
	return &TransportError{Status: resp.StatusCode, Body: clip(body), Err: why}
}

func looksLikeError(body []byte) bool {
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	return len(trimmed) > 0 && trimmed[0] == '{' && bytes.Contains(trimmed, []byte(`"error"`)) && bytes.Contains(trimmed, []byte(`"jsonrpc"`))
}

// clip returns the beginning of a body as text.
func clip(body []byte) string {
	const most = 1024
	if len(body) > most {
		body = body[:most]
	}
	return strings.ToValidUTF8(string(body), "\uFFFD")
}

func excerpt(resp *http.Response) string {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 1024))
	discard(resp)
	return clip(body)
}

// discard reads a little of what is left, so that the connection can serve again, and closes the body.
func discard(resp *http.Response) {
	if resp.ContentLength != 0 {
		_, _ = io.CopyN(io.Discard, resp.Body, smallBuffer)
	}
	_ = resp.Body.Close()
}

// explain says that the connection was closed, if that is why an exchange failed.
func (c *httpConn) explain(ctx context.Context, err error) error {
	if err != nil && c.ctx.Err() != nil {
		return &TransportError{Err: ErrClosed}
	}
	if err == nil {
		return nil
	}
	return transportError(ctx, err)
}

// transportError prefers the reason why ctx ended over what the network made of it.
func transportError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if errors.As(err, new(*TransportError)) {
		return err
	}
	return &TransportError{Err: err}
}

// Close ends the session with DELETE (C-089, B068) and what is still being read.
func (c *httpConn) Close(ctx context.Context) error {
	c.once.Do(func() {
		c.stream.shut()
		if id := c.session.Load(); id != nil && !sessionLost(c.in) {
			c.end(ctx)
		}
		c.cancel()
	})
	waitFor(ctx, &c.work)
	c.transport.client.idle()
	c.in.Closed(nil)
	return nil
}

func sessionLost(in Receiver) bool {
	l, ok := receiverAs[*link](in)
	return ok && l.lost.Load()
}
