package mcp

// Options of the HTTP transport, and the client that sends its requests.

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"
)

// An HTTPOption changes an HTTP transport.
type HTTPOption interface{ applyHTTP(*HTTPTransport) }

type httpOptionFunc func(*HTTPTransport)

func (f httpOptionFunc) applyHTTP(t *HTTPTransport) { f(t) }

// An Authorizer puts credentials on requests and answers challenges. It is used by many goroutines.
type Authorizer interface {
	// Authorize adds credentials to a request that is about to be sent.
	Authorize(ctx context.Context, req *http.Request) error
	// Challenged looks at a 401 or 403 and reports whether the same request should be sent again, now
	// that Authorize knows better. It may read but not close the body.
	Challenged(ctx context.Context, resp *http.Response) (again bool, err error)
}

const (
	maxChallenges = 2
	deleteLimit   = 2 * time.Second
)

// protocolHeaders belong to the protocol; a user's header of that name is ignored (B126).
var protocolHeaders = []string{headerSession, headerVersion, headerMethod, headerName, headerLastEvent, headerAccept, headerContentType, "Content-Length", "Host"}

// WithHTTPClient sends requests through client's Transport and keeps its cookies. Its Timeout is not
// used, since it would cut healthy streams; its CheckRedirect neither, see HTTPTransport.
func WithHTTPClient(client *http.Client) HTTPOption {
	return httpOptionFunc(func(t *HTTPTransport) { t.client = httpClient{via: client.Transport, jar: client.Jar} })
}

// WithRoundTripper sends requests through rt.
func WithRoundTripper(rt http.RoundTripper) HTTPOption {
	return httpOptionFunc(func(t *HTTPTransport) { t.client.via = rt })
}

// WithHeader sends a header with every request to the server. Headers that belong to the protocol are ignored.
func WithHeader(name, value string) HTTPOption {
	return httpOptionFunc(func(t *HTTPTransport) {
		name = http.CanonicalHeaderKey(name)
		if !slices.Contains(protocolHeaders, name) {
			t.header[name] = append(t.header[name], value)
		}
	})
}

// WithAuthorizer lets a add credentials and answer challenges.
func WithAuthorizer(a Authorizer) HTTPOption {
	return httpOptionFunc(func(t *HTTPTransport) { t.authorize = a })
}

// A TokenSource knows the bearer token for a server. It is used by many goroutines (C-313).
type TokenSource interface {
	// Token returns the token to send now. It is called for every request and should cache. After a
	// 401 it is called again: another token than the one refused is tried, twice at most.
	Token(ctx context.Context) (string, error)
}

// WithTokenSource sends the token of source in the Authorization header of every request, never in the
// URL (C-304).
func WithTokenSource(source TokenSource) HTTPOption { return WithAuthorizer(bearer{source}) }

// WithBearerToken is WithTokenSource for a function.
func WithBearerToken(source func(ctx context.Context) (string, error)) HTTPOption {
	return WithTokenSource(tokenFunc(source))
}

type tokenFunc func(ctx context.Context) (string, error)

func (f tokenFunc) Token(ctx context.Context) (string, error) { return f(ctx) }

// bearer is the Authorizer of a TokenSource.
type bearer struct{ source TokenSource }

func (b bearer) Authorize(ctx context.Context, req *http.Request) error {
	header, err := b.header(ctx)
	if err != nil {
		return err
	}
	req.Header["Authorization"] = []string{header}
	return nil
}

func (b bearer) header(ctx context.Context) (string, error) {
	token, err := b.source.Token(ctx)
	if err != nil {
		return "", err
	}
	if token == "" {
		return "", errors.New("the token source returned no token")
	}
	return "Bearer " + token, nil
}

// Challenged has tried again what was refused with a token that the source has replaced meanwhile.
func (b bearer) Challenged(ctx context.Context, resp *http.Response) (bool, error) {
	if resp.StatusCode != http.StatusUnauthorized {
		return false, nil
	}
	header, err := b.header(ctx)
	return err == nil && header != resp.Request.Header.Get("Authorization"), nil
}

// WithoutSSEFallback never tries the HTTP+SSE transport of 2024-11-05.
func WithoutSSEFallback() HTTPOption {
	return httpOptionFunc(func(t *HTTPTransport) { t.noSSE = true })
}

// WithSSEOnly uses the HTTP+SSE transport of 2024-11-05 without trying Streamable HTTP.
func WithSSEOnly() HTTPOption { return httpOptionFunc(func(t *HTTPTransport) { t.onlySSE = true }) }

// WithEndpointTimeout bounds the wait for the first event of the HTTP+SSE transport; default 10 s.
// Comments of the server do not extend it.
func WithEndpointTimeout(limit time.Duration) HTTPOption {
	return httpOptionFunc(func(t *HTTPTransport) { t.endpointWait = limit })
}

// httpClient is what is used of an http.Client: how requests travel, and cookies. Redirects and
// time limits are the transport's own business.
type httpClient struct {
	via http.RoundTripper
	jar http.CookieJar
	own bool // via was made here
}

// idlePerHost lets many callers keep their connections between calls.
const idlePerHost = 128

// fill makes a round tripper unless there is one.
func (h *httpClient) fill() {
	if h.via != nil {
		return
	}
	base, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		h.via = http.DefaultTransport
		return
	}
	own := base.Clone()
	own.MaxIdleConnsPerHost, own.MaxIdleConns = idlePerHost, 2*idlePerHost
	h.via, h.own = own, true
}

func (h *httpClient) do(req *http.Request) (*http.Response, error) {
	if h.jar == nil {
		return h.via.RoundTrip(req)
	}
	req.Header = req.Header.Clone()
	for _, cookie := range h.jar.Cookies(req.URL) {
		req.AddCookie(cookie)
	}
	resp, err := h.via.RoundTrip(req)
	if err == nil {
		if cookies := resp.Cookies(); len(cookies) > 0 {
			h.jar.SetCookies(req.URL, cookies)
		}
	}
	return resp, err
}

// idle gives up kept connections that nobody else can use.
func (h *httpClient) idle() {
	if h.own {
		h.via.(*http.Transport).CloseIdleConnections()
	}
}
