package mcp

// A server's HTTP handler in the same process: Streamable HTTP without a socket.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

// handlers numbers the transports of Handler, so that what is remembered of one server is not taken
// for a fact about another.
var handlers atomic.Int64

// Handler returns a transport that calls h directly. Each request runs on a goroutine of its own, as
// in a real server, and its context ends when the client loses interest.
func Handler(h http.Handler, opts ...HTTPOption) *HTTPTransport {
	return HTTP(fmt.Sprintf("http://in-process-%d.invalid/mcp", handlers.Add(1)), append([]HTTPOption{WithRoundTripper(handlerTripper{h})}, opts...)...)
}

type handlerTripper struct{ handler http.Handler }

// RoundTrip runs the handler and returns once it has sent its headers.
func (t handlerTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	body, w := io.Pipe()
	rw := &handlerWriter{header: http.Header{}, body: w, sent: make(chan struct{})}
	inner := req.Clone(ctx)
	inner.RequestURI = req.URL.RequestURI()
	inner.RemoteAddr = "127.0.0.1:0"
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	stop := context.AfterFunc(ctx, func() { _ = w.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer stop()
		rw.finish(serveHandler(t.handler, rw, inner))
	}()
	select {
	case <-rw.sent:
	case <-ctx.Done():
		cancel()
		return nil, ctx.Err()
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", rw.status, http.StatusText(rw.status)), StatusCode: rw.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: rw.sentHeader, ContentLength: -1,
		Body: &handlerBody{body, cancel}, Request: req,
	}, nil
}

// serveHandler reports a panic of the handler as the broken connection that a real server makes of it.
func serveHandler(h http.Handler, w http.ResponseWriter, req *http.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("the handler panicked")
		}
	}()
	h.ServeHTTP(w, req)
	return nil
}

// handlerBody ends the handler's request when the client closes the response.
type handlerBody struct {
	*io.PipeReader
	cancel context.CancelFunc
}

func (b *handlerBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

// handlerWriter is an http.ResponseWriter that writes into a pipe.
type handlerWriter struct {
	header     http.Header
	sentHeader http.Header
	status     int
	body       *io.PipeWriter
	sent       chan struct{}
	once       sync.Once
}

func (w *handlerWriter) Header() http.Header { return w.header }

func (w *handlerWriter) WriteHeader(status int) {
	if status >= 100 && status < 200 {
		return
	}
	w.once.Do(func() {
		w.status, w.sentHeader = status, w.header.Clone()
		close(w.sent)
	})
}

func (w *handlerWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Flush sends the headers; what is written is never held back.
func (w *handlerWriter) Flush() { w.WriteHeader(http.StatusOK) }

func (w *handlerWriter) finish(err error) {
	w.WriteHeader(http.StatusOK)
	_ = w.body.CloseWithError(err)
}
