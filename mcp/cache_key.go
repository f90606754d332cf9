package mcp

// Where an answer is kept. A key tells server, question and, unless the answer is for everybody, who
// asked; so that neither another question (C-264) nor another principal (C-266) finds it.

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// cachePlace is a question and who asks. Keys are made of digests, so that they show no secrets.
type cachePlace struct {
	server    string // digest of what all answers depend on
	method    string
	param     string // cursor or URI
	principal string // digest of who asks
}

func (p *cachePlace) prefix() string  { return p.server + "/" + p.method + "/" + digest(p.param) + "/" }
func (p *cachePlace) private() string { return p.prefix() + p.principal }
func (p *cachePlace) public() string  { return p.prefix() + "public" }

// place returns where the answer belongs; false if it cannot be cached.
func (a *answerCache) place(ctx context.Context, method, param string) (cachePlace, bool) {
	l, server := a.server()
	if l == nil {
		return cachePlace{}, false
	}
	principal, ok := a.principal(ctx)
	return cachePlace{server: server, method: method, param: param, principal: principal}, ok
}

// server identifies the server as the client talks to it now; nil unless it is in the stateless era.
func (a *answerCache) server() (*link, string) {
	c := a.client
	c.mu.Lock()
	l, transport := c.current, c.transport
	c.mu.Unlock()
	if l == nil {
		return nil, ""
	}
	d, ok := l.speaks().(*statelessDialect)
	if !ok {
		return nil, ""
	}
	identity := a.nonce
	if t, ok := innermost(transport).(*HTTPTransport); ok && t.url != nil {
		identity = t.url.String() + "\x00" + headerText(t.header, false)
	}
	return l, digest(identity + "\x00" + d.agreed + "\x00" + d.block)
}

// principal identifies who asks: the application says, or the credentials do. What this package
// cannot see makes the client a principal of its own.
func (a *answerCache) principal(ctx context.Context) (string, bool) {
	if a.opts.principal != nil {
		return digest("named\x00" + a.opts.principal(ctx)), true
	}
	t, ok := innermost(a.client.way()).(*HTTPTransport)
	if !ok {
		return digest(a.nonce), true
	}
	shown := headerText(t.header, true)
	if t.authorize != nil {
		req := (&http.Request{Method: http.MethodPost, URL: t.url, Host: t.url.Host, Header: http.Header{}}).WithContext(ctx)
		if err := t.authorize.Authorize(ctx, req); err != nil {
			return "", false
		}
		shown += "\x00" + headerText(req.Header, true) + headerText(req.Header, false)
	}
	if !t.client.own || t.client.jar != nil {
		shown += "\x00" + a.nonce
	}
	return digest("shown\x00" + shown), true
}

// headerText lists the headers that are credentials, or all others.
func headerText(h http.Header, credentials bool) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if (name == "Authorization" || name == "Cookie" || name == "Proxy-Authorization") == credentials {
			b.WriteString(name + ":" + strings.Join(h[name], "\x01") + "\n")
		}
	}
	return b.String()
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

func newNonce() string { return rand.Text() }
