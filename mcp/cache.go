package mcp

// Answers that 2026-07-28 servers allow to be used again: server/discover, the lists page by page, and
// resources. Fresh is what is younger than the server's ttlMs; a notification makes stale what it is
// about, also while it is being fetched. Nothing is fetched in the background (C-269).

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// WithCache keeps the answers of 2026-07-28 servers to Discover, the lists and ReadResource in store
// for as long as the server says (ttlMs). With a nil store it is a MemoryCache of this client's own
// with 256 entries and 16 MiB. WithoutCache bypasses it for one call, and so does WithMeta.
//
// Entries become stale before their time when the server announces a change, which it does while a
// subscription is open: see Client.Listen. A cached answer does not pass the interceptors.
//
// A store may be shared. What the server calls public is then shared by all clients of the same URL,
// headers, version and capabilities; anything else only by those with the same credentials, and only
// where this package can see the credentials: not with a round tripper, HTTP client or transport of
// the application's own, unless WithCachePrincipal tells who is who.
func WithCache(store CacheStore, opts ...CacheOption) Option {
	return optionFunc(func(o *options) {
		if store == nil {
			store = NewMemoryCache(defaultCacheEntries, defaultCacheBytes)
		}
		o.cache = &cacheOptions{store: store, now: time.Now}
		for _, opt := range opts {
			opt.applyCache(o.cache)
		}
	})
}

// A CacheOption changes how a client caches.
type CacheOption interface{ applyCache(*cacheOptions) }

type cacheOptionFunc func(*cacheOptions)

func (f cacheOptionFunc) applyCache(o *cacheOptions) { f(o) }

type cacheOptions struct {
	store     CacheStore
	now       func() time.Time
	principal func(ctx context.Context) string
}

// WithCachePrincipal names on whose behalf a call is made. Private answers are used again for the
// same principal only; without this option a principal is told by the credentials sent.
func WithCachePrincipal(principal func(ctx context.Context) string) CacheOption {
	return cacheOptionFunc(func(o *cacheOptions) { o.principal = principal })
}

// WithCacheClock takes the time from now.
func WithCacheClock(now func() time.Time) CacheOption {
	return cacheOptionFunc(func(o *cacheOptions) { o.now = now })
}

// answerCache is the cache as one client sees it. A nil one caches nothing.
type answerCache struct {
	client *Client
	opts   *cacheOptions
	nonce  string // of this client, for what must not be shared

	mu       sync.Mutex
	fetches  map[*cacheFetch]bool
	clearing map[string]int // prefixes that a slow store is still clearing
}

// cacheFetch is one answer on its way from the server.
type cacheFetch struct {
	place cachePlace
	stale bool // a notification has come since
}

// cacheHints are what the server says about an answer.
type cacheHints struct {
	ttlMs *int64
	scope v20260728.CacheScope
}

func newAnswerCache(c *Client) *answerCache {
	if c.opts.cache == nil {
		return nil
	}
	a := &answerCache{client: c, opts: c.opts.cache, nonce: newNonce(), fetches: map[*cacheFetch]bool{}, clearing: map[string]int{}}
	c.hub.observe(a.notice)
	c.onReconnect(func(context.Context, *link) error {
		a.forgetAll()
		return nil
	})
	return a
}

// cacheable are the methods whose answers may be used again (C-263).
var cacheable = map[string]bool{
	methodDiscover: true, methodListTools: true, methodListPrompts: true, methodListResources: true, methodListTemplates: true, methodReadResource: true,
}

// cachedCall answers req from the cache or asks the server. param is what the answer depends on
// besides the method: a cursor or a URI.
func (c *Client) cachedCall(ctx context.Context, req *Request, param string, hints func() cacheHints, opts []CallOption) error {
	var o callOptions
	if err := o.apply(opts); err != nil || c.cache == nil || !cacheable[req.Method] || o.withoutCache || affectsAnswer(o.meta) || o.firstRound() != nil {
		return c.call(ctx, req, opts)
	}
	place, ok := c.cache.place(ctx, req.Method, param)
	if !ok {
		return c.call(ctx, req, opts)
	}
	if c.cache.lookUp(ctx, place, req.Result) {
		return nil
	}
	f := c.cache.begin(place)
	defer c.cache.end(f)
	req.capturing = true
	if err := c.call(ctx, req, opts); err != nil {
		return err
	}
	if len(req.rounds) == 0 { // C-272
		c.cache.keep(ctx, f, req.captured, hints())
	}
	return nil
}

// affectsAnswer reports whether a caller's _meta may change the answer: all but trace context may.
func affectsAnswer(meta map[string]json.RawMessage) bool {
	for key := range meta {
		if key != "traceparent" && key != "tracestate" && key != "baggage" {
			return true
		}
	}
	return false
}

// lookUp fills result from a fresh entry. A store's entry that makes no sense is no entry.
func (a *answerCache) lookUp(ctx context.Context, place cachePlace, result jsonwire.Decoder) bool {
	if a.isClearing(place.prefix()) {
		return false
	}
	for _, key := range []string{place.private(), place.public()} {
		entry, ok := a.opts.store.Get(ctx, key)
		if ok && a.opts.now().Sub(entry.Received) < entry.TTL && jsonwire.Unmarshal(entry.Result, result) == nil {
			return true
		}
	}
	return false
}

func (a *answerCache) begin(place cachePlace) *cacheFetch {
	f := &cacheFetch{place: place}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fetches[f] = true
	return f
}

func (a *answerCache) end(f *cacheFetch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.fetches, f)
}

// keep stores an answer, unless it is stale already (C-265, C-268, B119) or the credentials have
// changed on the way, so that nobody knows whose it is.
func (a *answerCache) keep(ctx context.Context, f *cacheFetch, result json.RawMessage, hints cacheHints) {
	if hints.ttlMs == nil || *hints.ttlMs <= 0 || result == nil {
		return
	}
	entry := CacheEntry{Result: result, Received: a.opts.now(), TTL: milliseconds(*hints.ttlMs)}
	key := f.place.public()
	if hints.scope != v20260728.CacheScopePublic { // C-266
		now, ok := a.place(ctx, f.place.method, f.place.param)
		if !ok || now != f.place {
			return
		}
		key = f.place.private()
	}
	a.mu.Lock()
	stale := f.stale
	a.mu.Unlock()
	if stale {
		return
	}
	a.opts.store.Set(ctx, key, entry)
	a.mu.Lock()
	stale = f.stale
	a.mu.Unlock()
	if stale { // made so while it was being stored
		a.opts.store.Clear(ctx, f.place.prefix())
	}
}

func milliseconds(ms int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Millisecond)
	return time.Duration(min(ms, most)) * time.Millisecond
}

// notice makes stale what a notification is about (C-268). It runs on the reading goroutine.
func (a *answerCache) notice(l *link, n *Notification) {
	switch n.Method {
	case methodToolsChanged:
		a.forget(methodListTools)
	case methodPromptsChanged:
		a.forget(methodListPrompts)
	case methodResourcesChanged:
		a.forget(methodListResources)
		a.forget(methodListTemplates)
	case methodResourceUpdated:
		if told := readNoticed(n); told.uri != "" {
			for _, uri := range ancestors(told.uri) {
				a.drop(func(p *cachePlace) bool { return p.method == methodReadResource && p.param == uri },
					func(server string) string {
						return (&cachePlace{server: server, method: methodReadResource, param: uri}).prefix()
					})
			}
		}
	}
}

// ancestors returns uri and what it is part of: a server that announces a part has changed the whole.
func ancestors(uri string) []string {
	const most = 32
	list := []string{uri}
	for len(list) < most {
		last := list[len(list)-1]
		i := strings.LastIndexAny(strings.TrimRight(last, "/"), "/?#")
		if i <= 0 || strings.HasSuffix(last[:i], "/") || strings.HasSuffix(last[:i], ":") {
			return list
		}
		if last[i] == '/' && i+1 < len(last) {
			list = append(list, last[:i+1])
		}
		list = append(list, last[:i])
	}
	return list
}

// forget drops all answers to a method.
func (a *answerCache) forget(method string) {
	if a == nil {
		return
	}
	a.drop(func(p *cachePlace) bool { return p.method == method },
		func(server string) string { return server + "/" + method + "/" })
}

// forgetAll drops all answers of the server.
func (a *answerCache) forgetAll() {
	if a == nil {
		return
	}
	a.drop(func(*cachePlace) bool { return true }, func(server string) string { return server + "/" })
}

// drop makes fetches in flight stale and clears the store. A store that may be slow is cleared in the
// background; until then nothing is read from there.
func (a *answerCache) drop(about func(*cachePlace) bool, prefixOf func(server string) string) {
	a.mu.Lock()
	for f := range a.fetches {
		f.stale = f.stale || about(&f.place)
	}
	a.mu.Unlock()
	l, server := a.server()
	if l == nil {
		return
	}
	prefix := prefixOf(server)
	if _, quick := a.opts.store.(*MemoryCache); quick {
		a.opts.store.Clear(context.Background(), prefix)
		return
	}
	a.mark(prefix, 1)
	a.client.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), backgroundLimit)
		defer cancel()
		a.opts.store.Clear(ctx, prefix)
		a.mark(prefix, -1)
	})
}

func (a *answerCache) mark(prefix string, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.clearing[prefix] += n; a.clearing[prefix] <= 0 {
		delete(a.clearing, prefix)
	}
}

func (a *answerCache) isClearing(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for prefix := range a.clearing {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}
