package mcp

// Requests as HTTP has them: which headers go with which message, the three verbs, redirects.

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Header names as Go spells them; they are compared without regard to case (C-128).
const (
	headerSession     = "Mcp-Session-Id"
	headerVersion     = "Mcp-Protocol-Version"
	headerMethod      = "Mcp-Method"
	headerName        = "Mcp-Name"
	headerParamPrefix = "Mcp-Param-"
	headerLastEvent   = "Last-Event-Id"
	headerAccept      = "Accept"
	headerContentType = "Content-Type"
)

const acceptBoth = "application/json, text/event-stream"

// maxRedirects bounds the hops within one origin (B127).
const maxRedirects = 5

// headerCache keeps the headers of requests that look alike; they are never changed once made, so
// requests share them.
type headerCache struct {
	mu    sync.RWMutex
	known map[headerKey]http.Header
}

type headerKey struct {
	method, name, version string
	stateless, request    bool
}

const maxCachedHeaders = 256

func (h *headerCache) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known = nil
}

func (h *headerCache) get(key headerKey, make func() http.Header) http.Header {
	h.mu.RLock()
	header := h.known[key]
	h.mu.RUnlock()
	if header != nil {
		return header
	}
	header = make()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil || len(h.known) >= maxCachedHeaders {
		h.known = map[headerKey]http.Header{}
	}
	h.known[key] = header
	return header
}

// headerFor returns the headers of a POST; they are shared and must not be changed.
func (c *httpConn) headerFor(out *Outgoing) http.Header {
	key := headerKey{version: out.Version, stateless: out.Stateless, request: out.ID != 0}
	if out.Stateless {
		key.method, key.name = out.Method, out.Name
	} else if out.Method == methodInitialize {
		key.method = out.Method
	}
	header := c.headers.get(key, func() http.Header { return c.makeHeader(out) })
	if len(out.Params) > 0 {
		header = header.Clone()
		for _, p := range out.Params {
			header[http.CanonicalHeaderKey(headerParamPrefix+p.Name)] = []string{encodeHeader(p.Value)}
		}
	}
	return header
}

func (c *httpConn) makeHeader(out *Outgoing) http.Header {
	h := c.transport.header.Clone()
	h[headerContentType] = []string{"application/json"}
	h[headerAccept] = []string{acceptBoth}
	switch {
	case out.Stateless: // C-110…C-114
		h[headerVersion] = []string{out.Version}
		if out.Method != "" {
			h[headerMethod] = []string{out.Method}
		}
		if out.Name != "" {
			h[headerName] = []string{encodeHeader(out.Name)}
		}
	case out.Method != methodInitialize:
		c.sessionHeaders(h, out.Version)
	}
	return h
}

// sessionHeaders are what every request within a session carries (C-086, C-090, B049).
func (c *httpConn) sessionHeaders(h http.Header, version string) {
	if id := c.session.Load(); id != nil {
		h[headerSession] = []string{*id}
	}
	if version >= Version20250618 {
		h[headerVersion] = []string{version}
	}
}

// post sends one message.
func (c *httpConn) post(ctx context.Context, out *Outgoing) (*http.Response, error) {
	if !out.Stateless && out.Version != "" && c.version.Load() == nil {
		c.version.Store(&out.Version)
	}
	body := newPostBody(out.Data)
	defer body.detach()
	return c.transport.send(ctx, http.MethodPost, c.transport.url, c.headerFor(out), body)
}

// get opens an event stream, from lastID on if it is not empty.
func (c *httpConn) get(ctx context.Context, lastID string) (*http.Response, error) {
	h := c.bareHeader()
	h[headerAccept] = []string{"text/event-stream"}
	if lastID != "" {
		h[headerLastEvent] = []string{lastID}
	}
	return c.transport.send(ctx, http.MethodGet, c.transport.url, h, nil)
}

// end tells the server that the session is over; what it thinks of that changes nothing.
func (c *httpConn) end(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, deleteLimit)
	defer cancel()
	resp, err := c.transport.send(ctx, http.MethodDelete, c.transport.url, c.bareHeader(), nil)
	if err == nil {
		discard(resp)
	}
}

func (c *httpConn) bareHeader() http.Header {
	h := c.transport.header.Clone()
	version := ""
	if v := c.version.Load(); v != nil {
		version = *v
	}
	c.sessionHeaders(h, version)
	return h
}

// send makes one exchange, with credentials, following redirects within the origin.
func (t *HTTPTransport) send(ctx context.Context, method string, to *url.URL, header http.Header, body *postBody) (*http.Response, error) {
	for challenges := 0; ; challenges++ {
		resp, err := t.follow(ctx, method, to, header, body)
		if err != nil || t.authorize == nil || challenges >= maxChallenges {
			return resp, err
		}
		if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
			return resp, nil
		}
		again, err := t.authorize.Challenged(ctx, resp)
		if err != nil {
			_ = resp.Body.Close()
			return nil, err
		}
		if !again {
			return resp, nil
		}
		_ = resp.Body.Close()
	}
}

// follow follows 307 and 308, and any redirect of a GET, as long as the origin stays the same: a
// POST never becomes a GET, and credentials never leave (C-100, B127).
func (t *HTTPTransport) follow(ctx context.Context, method string, to *url.URL, header http.Header, body *postBody) (*http.Response, error) {
	for range maxRedirects {
		resp, err := t.once(ctx, method, to, header, body)
		if err != nil {
			return nil, err
		}
		location := resp.Header.Get("Location")
		if resp.StatusCode < 300 || resp.StatusCode >= 400 || location == "" || resp.StatusCode == http.StatusNotModified {
			return resp, nil
		}
		_, _ = io.CopyN(io.Discard, resp.Body, smallBuffer)
		_ = resp.Body.Close()
		next, err := to.Parse(location)
		keepsMethod := resp.StatusCode == http.StatusTemporaryRedirect || resp.StatusCode == http.StatusPermanentRedirect
		switch {
		case err != nil:
			return nil, &TransportError{Status: resp.StatusCode, Err: fmt.Errorf("redirect to %q: %w", location, err)}
		case !keepsMethod && method != http.MethodGet:
			return nil, &TransportError{Status: resp.StatusCode, Err: fmt.Errorf("redirect of a %s to %q would lose the message; use that URL", method, next.Redacted())}
		case next.Scheme != t.url.Scheme || next.Host != t.url.Host:
			return nil, &TransportError{Status: resp.StatusCode, Err: fmt.Errorf("redirect to another origin, %q, is not followed", next.Redacted())}
		}
		to = next
	}
	return nil, &TransportError{Err: fmt.Errorf("more than %d redirects", maxRedirects)}
}

// once makes one exchange.
func (t *HTTPTransport) once(ctx context.Context, method string, to *url.URL, header http.Header, body *postBody) (*http.Response, error) {
	req := (&http.Request{
		Method: method, URL: to, Host: to.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if body != nil {
		req.ContentLength = int64(body.size)
		req.Body, _ = body.reader()
		req.GetBody = body.reader
	}
	if t.authorize != nil {
		req.Header = header.Clone()
		if err := t.authorize.Authorize(ctx, req); err != nil {
			return nil, err
		}
	}
	resp, err := t.client.do(req)
	if err == nil && resp.Request == nil {
		resp.Request = req // a user's round tripper may not have said so
	}
	return resp, err
}

// statusError says more about a status than its number; nil if there is nothing to say.
func statusError(resp *http.Response) error {
	if e := authError(resp); e != nil {
		return e
	}
	switch resp.StatusCode {
	case http.StatusRequestEntityTooLarge:
		return fmt.Errorf("the message is too large for the server")
	case http.StatusRequestHeaderFieldsTooLarge:
		return fmt.Errorf("the headers are too large for the server; arguments mirrored in Mcp-Param headers may be the reason")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		if after := resp.Header.Get("Retry-After"); after != "" {
			return &RetryAfterError{After: strings.TrimSpace(after)}
		}
	}
	return nil
}

// RetryAfterError is the cause of a TransportError when the server said when to come back: seconds
// or an HTTP date.
type RetryAfterError struct{ After string }

func (e *RetryAfterError) Error() string { return "retry after " + e.After }
