package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC)} }

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// cacheServer answers every cacheable request with hints, and counts.
type cacheServer struct {
	mu    sync.Mutex
	hints string
	asked map[string]int // by method and parameter
	next  func(m message) []string
	heard chan message // subscriptions/listen
}

func newCacheServer(hints string) *cacheServer {
	return &cacheServer{hints: hints, asked: map[string]int{}, heard: make(chan message, 10)}
}

func (s *cacheServer) answer(m message) []string {
	var p struct{ Cursor, URI string }
	_ = json.Unmarshal(m.Params, &p)
	s.mu.Lock()
	key := m.Method + " " + p.Cursor + p.URI
	s.asked[key]++
	n, hints := s.asked[key], s.hints
	s.mu.Unlock()
	if s.next != nil {
		if lines := s.next(m); lines != nil {
			return lines
		}
	}
	switch m.Method {
	case methodListen:
		s.heard <- m
		return nil
	case methodCancelled:
		return nil
	case methodDiscover:
		return []string{m.result(`{"supportedVersions":["2026-07-28"],"capabilities":` + wideCapabilities + hints + `}`)}
	case methodListTools:
		return []string{m.result(fmt.Sprintf(`{"tools":[{"name":"t%d","inputSchema":{"type":"object"}}]%s}`, n, hints))}
	case methodListPrompts:
		return []string{m.result(`{"prompts":[]` + hints + `}`)}
	case methodListResources:
		return []string{m.result(`{"resources":[]` + hints + `}`)}
	case methodListTemplates:
		return []string{m.result(`{"resourceTemplates":[]` + hints + `}`)}
	case methodReadResource:
		return []string{m.result(fmt.Sprintf(`{"contents":[{"uri":%q,"text":"%d"}]%s}`, p.URI, n, hints))}
	}
	return alwaysOK(m)
}

func (s *cacheServer) count(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[key]
}

func firstTool(t *testing.T, c *Client, opts ...CallOption) string {
	t.Helper()
	tools, err := c.ListTools(t.Context(), opts...)
	if err != nil || len(tools) != 1 {
		t.Fatal(tools, err)
	}
	return tools[0].Name
}

func readText(t *testing.T, c *Client, uri string) string {
	t.Helper()
	result, err := c.ReadResource(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	return result.Contents[0].(*TextResourceContents).Text
}

const minuteHints = `,"ttlMs":60000,"cacheScope":"private"`

// C-263 C-264
func TestOnlyCacheableAnswersAreKept(t *testing.T) {
	s := newCacheServer(minuteHints)
	transport, _ := pipe(t, s.answer)
	c := connect(t, transport, WithCache(nil))
	ctx := t.Context()
	second := "2"
	for range 3 {
		_, e1 := c.Discover(ctx)
		_, e2 := c.ListTools(ctx)
		_, e3 := c.ListPrompts(ctx)
		_, e4 := c.ListResources(ctx)
		_, e5 := c.ListResourceTemplates(ctx)
		_, e6 := c.ReadResource(ctx, "a:1")
		_, e7 := c.ReadResource(ctx, "a:2")
		_, e8 := c.ListToolsPage(ctx, &second)
		_, e9 := c.ListToolsPage(ctx, new(""))
		if err := errors.Join(e1, e2, e3, e4, e5, e6, e7, e8, e9); err != nil {
			t.Fatal(err)
		}
		checkOK(t, c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// The first of server/discover is the probe; the empty cursor is not the first page.
	want := map[string]int{"server/discover ": 2, "tools/list ": 2, "tools/list 2": 1, "prompts/list ": 1, "resources/list ": 1,
		"resources/templates/list ": 1, "resources/read a:1": 1, "resources/read a:2": 1, "tools/call ": 3}
	if fmt.Sprint(s.asked) != fmt.Sprint(want) {
		t.Errorf("asked %v\nwant  %v", s.asked, want)
	}
}

// C-265
func TestAnswersAreFreshForTheirTTL(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for hints, life := range map[string]time.Duration{
		`,"ttlMs":1000`: time.Second, `,"ttlMs":3e5`: 5 * time.Minute, `,"ttlMs":1152921504606846976`: 200 * year, `,"ttlMs":1e18`: 200 * year,
		`,"ttlMs":0`: 0, ``: 0, `,"ttlMs":-5`: 0, `,"ttlMs":"100"`: 0, `,"ttlMs":0.5`: 0, `,"ttlMs":null`: 0, `,"ttlMs":1e99`: 0, `,"ttlMs":1000,"cacheScope":7`: time.Second,
	} {
		s, now := newCacheServer(hints), newClock()
		transport, _ := pipe(t, s.answer)
		c := connect(t, transport, WithCache(nil, WithCacheClock(now.read)))
		firstTool(t, c)
		if life > 0 {
			now.add(life - time.Millisecond)
			if got := firstTool(t, c); got != "t1" {
				t.Errorf("%s: 1 ms before the end: %s", hints, got)
			}
			now.add(time.Millisecond)
		}
		if got := firstTool(t, c); got != "t2" && life < year {
			t.Errorf("%s: at the end: %s", hints, got)
		}
	}
}

func TestB089BadHintsAreNoErrors(t *testing.T) {
	for _, hints := range []string{``, `,"ttlMs":-5`, `,"ttlMs":"100","cacheScope":"shared"`, `,"ttlMs":1e18,"cacheScope":null`, `,"ttlMs":0.5,"cacheScope":{}`, `,"_meta":7`} {
		s := newCacheServer(hints)
		transport, _ := pipe(t, s.answer)
		c := connect(t, transport)
		if result, err := c.ReadResource(t.Context(), "a:b"); err != nil || result.CacheScope != "private" || result.ResultType != "complete" || result.TTLMs != nil && *result.TTLMs < 0 {
			t.Errorf("%s: read: %+v %v", hints, result, err)
		}
		if result, err := c.Discover(t.Context()); err != nil || result.CacheScope != "private" || len(result.SupportedVersions) != 1 || result.Capabilities.Tools == nil {
			t.Errorf("%s: discover: %+v %v", hints, result, err)
		}
	}
}

// C-268
func TestNotificationsMakeStale(t *testing.T) {
	s := newCacheServer(minuteHints)
	transport, _ := pipe(t, s.answer)
	c := connect(t, transport, WithCache(nil))
	sub, m := listenAcked(t, c, s.heard, ListenFilter{Tools: true, Prompts: true, Resources: true, URIs: []string{"file:///a/"}})
	fill := func() {
		_, e1 := c.ListTools(t.Context())
		_, e2 := c.ListPrompts(t.Context())
		_, e3 := c.ListResources(t.Context())
		_, e4 := c.ListResourceTemplates(t.Context())
		for _, uri := range []string{"file:///a/", "file:///a/b", "file:///a/b/c", "file:///x"} {
			readText(t, c, uri)
		}
		if err := errors.Join(e1, e2, e3, e4); err != nil {
			t.Fatal(err)
		}
	}
	keys := []string{"tools/list ", "prompts/list ", "resources/list ", "resources/templates/list ", "resources/read file:///a/", "resources/read file:///a/b", "resources/read file:///a/b/c", "resources/read file:///x"}
	counts := func() (n []int) {
		for _, key := range keys {
			n = append(n, s.count(key))
		}
		return n
	}
	fill()
	for _, step := range []struct{ line, want string }{
		{told(methodToolsChanged, string(m.ID), ""), "[2 1 1 1 1 1 1 1]"},
		{told(methodPromptsChanged, string(m.ID), ""), "[2 2 1 1 1 1 1 1]"},
		{told(methodResourcesChanged, string(m.ID), ""), "[2 2 2 2 1 1 1 1]"},
		{told(methodResourceUpdated, string(m.ID), `"uri":"file:///a/b/c"`), "[2 2 2 2 2 2 2 1]"},
		{told(methodResourceUpdated, string(m.ID), `"uri":"file:///x"`), "[2 2 2 2 2 2 2 2]"},
	} {
		m.push(step.line)
		nextEvent(t, sub)
		fill()
		fill()
		if got := fmt.Sprint(counts()); got != step.want {
			t.Errorf("after %s: %s, want %s", step.line, got, step.want)
		}
	}
}

// C-268
func TestB119AnswersInFlightAreStaleToo(t *testing.T) {
	for _, shared := range []bool{false, true} {
		s := newCacheServer(minuteHints)
		held := make(chan message, 1)
		s.next = func(m message) []string {
			if m.Method == methodListTools && s.count("tools/list ") == 1 {
				held <- m
				return []string{}
			}
			return nil
		}
		transport, _ := pipe(t, s.answer)
		var store CacheStore
		if shared {
			store = foreignStore{NewMemoryCache(10, 1<<20)}
		}
		c := connect(t, transport, WithCache(store))
		sub, m := listenAcked(t, c, s.heard, ListenFilter{Tools: true})
		got := make(chan error, 1)
		go func() {
			_, err := c.ListTools(t.Context())
			got <- err
		}()
		list := <-held
		m.push(told(methodToolsChanged, string(m.ID), ""))
		nextEvent(t, sub)
		m.push(list.result(`{"tools":[]` + minuteHints + `}`))
		if err := <-got; err != nil {
			t.Fatal(err)
		}
		if name := firstTool(t, c); name != "t2" {
			t.Errorf("the second list is %s", name)
		}
		if name := firstTool(t, c); !shared && name != "t2" {
			t.Errorf("the third list is %s", name)
		}
	}
}

// foreignStore hides that it is a MemoryCache.
type foreignStore struct{ *MemoryCache }

// C-266 C-267
func TestPrivateAnswersStayWithTheirPrincipal(t *testing.T) {
	for scope, want := range map[string]string{"private": "t1 t2 t1 t3 t4", "public": "t1 t1 t1 t1 t2", "unheard": "t1 t2 t1 t3 t4"} {
		s := newCacheServer(`,"ttlMs":60000,"cacheScope":"` + scope + `"`)
		server := newHTTPServer(t, jsonScript(s.answer))
		store := NewMemoryCache(100, 1<<20)
		open := func(opts ...HTTPOption) *Client { return connect(t, HTTP(server.URL, opts...), WithCache(store)) }
		token := "one"
		source := WithBearerToken(func(context.Context) (string, error) { return token, nil })
		first := open(source)
		got := firstTool(t, first)
		token = "two"
		got += " " + firstTool(t, first)
		token = "one"
		// The same credentials are the same principal; other headers are another server.
		got += " " + firstTool(t, open(source)) + " " + firstTool(t, open()) + " " + firstTool(t, open(source, WithHeader("X-Tenant", "x")))
		if got != want {
			t.Errorf("%s: got %s, want %s", scope, got, want)
		}
	}
}

// Credentials that cannot be seen make every client a principal of its own.
func TestHiddenCredentialsAreNotShared(t *testing.T) {
	s := newCacheServer(minuteHints)
	server := newHTTPServer(t, jsonScript(s.answer))
	store := NewMemoryCache(100, 1<<20)
	for i, want := range []string{"t1", "t2"} {
		c := connect(t, HTTP(server.URL, WithHTTPClient(server.Client())), WithCache(store))
		if a, b := firstTool(t, c), firstTool(t, c); a != want || b != want {
			t.Errorf("client %d got %s %s", i, a, b)
		}
	}
}

func TestPrincipalsMayBeNamed(t *testing.T) {
	s := newCacheServer(minuteHints)
	transport, _ := pipe(t, s.answer)
	type user struct{}
	c := connect(t, transport, WithCache(nil, WithCachePrincipal(func(ctx context.Context) string {
		name, _ := ctx.Value(user{}).(string)
		return name
	})))
	names := map[string]string{}
	for _, name := range []string{"ann", "bob", "ann", "bob"} {
		tools, err := c.ListTools(context.WithValue(t.Context(), user{}, name))
		if err != nil {
			t.Fatal(err)
		}
		names[name] += tools[0].Name
	}
	if names["ann"] != "t1t1" || names["bob"] != "t2t2" {
		t.Errorf("got %v", names)
	}
}

// C-272 C-273
func TestWhatIsNotKept(t *testing.T) {
	s := newCacheServer(minuteHints)
	s.next = func(m message) []string {
		switch {
		case strings.Contains(m.raw, "a:error"):
			return []string{m.failure(-32602, "no", "")}
		case strings.Contains(m.raw, "a:input"):
			return []string{m.result(`{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}` + minuteHints + `}`)}
		}
		return nil
	}
	transport, _ := pipe(t, s.answer)
	c := connect(t, transport, WithCache(nil))
	for range 2 {
		if _, err := c.ReadResource(t.Context(), "a:error"); !errors.Is(err, ErrResourceNotFound) {
			t.Errorf("got %v", err)
		}
		if _, err := c.ReadResource(t.Context(), "a:input"); err == nil {
			t.Error("no error for input that nobody gives")
		}
	}
	if s.count("resources/read a:error") != 2 || s.count("resources/read a:input") < 2 {
		t.Errorf("asked %v", s.asked)
	}
	tools, err := c.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tools[0].Name = "changed"
	if got := firstTool(t, c); got != "t1" {
		t.Errorf("the cache gives %s", got)
	}
	// WithoutCache neither reads nor stores, and neither do calls whose _meta may matter.
	if got := firstTool(t, c, WithoutCache()); got != "t2" {
		t.Errorf("without the cache: %s", got)
	}
	if got := firstTool(t, c, WithMeta(map[string]any{"x": 1})); got != "t3" {
		t.Errorf("with _meta: %s", got)
	}
	if got := firstTool(t, c); got != "t1" {
		t.Errorf("the cache gives %s", got)
	}
}

func TestSessionErasAreNotCached(t *testing.T) {
	s := newCacheServer(minuteHints)
	transport, _ := pipe(t, wideLegacy(s.answer))
	c := connect(t, transport, WithCache(nil))
	if a, b := firstTool(t, c), firstTool(t, c); a != "t1" || b != "t2" {
		t.Errorf("got %s %s", a, b)
	}
}

// C-271
func TestPagesHaveTheirOwnClocks(t *testing.T) {
	now, asked := newClock(), map[string]int{}
	var mu sync.Mutex
	forgotten := false
	transport, _ := pipe(t, wideModern(func(m message) []string {
		mu.Lock()
		defer mu.Unlock()
		second := strings.Contains(m.raw, `"cursor":"two"`)
		asked[fmt.Sprint(second)]++
		switch {
		case second && forgotten:
			forgotten = false
			return []string{m.failure(-32602, "unknown cursor", "")}
		case second:
			return []string{m.result(`{"tools":[{"name":"b","inputSchema":{"type":"object"}}],"ttlMs":1000}`)}
		}
		return []string{m.result(`{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"two","ttlMs":60000}`)}
	}))
	c := connect(t, transport, WithCache(nil, WithCacheClock(now.read)))
	check := func(want string) {
		t.Helper()
		tools, err := c.ListTools(t.Context())
		if err != nil || len(tools) != 2 {
			t.Fatal(tools, err)
		}
		mu.Lock()
		defer mu.Unlock()
		if got := fmt.Sprint(asked); got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
	}
	check("map[false:1 true:1]")
	now.add(2 * time.Second)
	check("map[false:1 true:2]")
	now.add(2 * time.Second)
	mu.Lock()
	forgotten = true
	mu.Unlock()
	check("map[false:2 true:4]")
}

// C-235
func TestCacheIsForgottenAfterAGap(t *testing.T) {
	s := newCacheServer(minuteHints)
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if m.Method != methodListen {
			jsonScript(s.answer)(w, r, m)
			return
		}
		sse(w, data(ackOf(m, m.asked())))
		s.heard <- m
		if s.count("listens") == 0 {
			s.mu.Lock()
			s.asked["listens"]++
			s.mu.Unlock()
			return
		}
		holdOpen(r)
	})
	c := connect(t, HTTP(server.URL), WithCache(nil))
	firstTool(t, c)
	sub, err := c.Listen(t.Context(), ListenFilter{Tools: true}, WithRelisten())
	if err != nil {
		t.Fatal(err)
	}
	if e := nextEvent(t, sub); e != (EventsMissed{}) {
		t.Errorf("got %v", e)
	}
	if got := firstTool(t, c); got != "t2" {
		t.Errorf("after the gap the list is %s", got)
	}
}

func TestB121HeadersFollowTheNewestList(t *testing.T) {
	s := newCacheServer(`,"ttlMs":0`)
	s.next = func(m message) []string {
		if m.Method == methodListTools {
			return []string{m.result(`{"tools":[{"name":"x","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}],"ttlMs":0}`)}
		}
		return nil
	}
	server := newHTTPServer(t, jsonScript(s.answer))
	now := newClock()
	c := connect(t, HTTP(server.URL), WithCache(nil, WithCacheClock(now.read)))
	firstTool(t, c)
	now.add(time.Hour)
	if _, err := c.CallTool(t.Context(), "x", map[string]any{"region": "eu"}); err != nil {
		t.Fatal(err)
	}
	all := server.exchanges()
	if got := all[len(all)-1].header.Get("Mcp-Param-Region"); got != "eu" {
		t.Errorf("the header is %q", got)
	}
}

func TestMemoryCacheIsBounded(t *testing.T) {
	ctx := t.Context()
	m := NewMemoryCache(3, 8<<10)
	for i := range 5 {
		m.Set(ctx, fmt.Sprint("k", i), CacheEntry{})
		m.Get(ctx, "k0")
	}
	if _, kept := m.Get(ctx, "k0"); m.Len() != 3 || !kept {
		t.Errorf("%d entries, the one used last kept: %v", m.Len(), kept)
	}
	m.Set(ctx, "k4", CacheEntry{Result: make([]byte, 1500)})
	m.Set(ctx, "k5", CacheEntry{Result: make([]byte, 1500)})
	m.Set(ctx, "k6", CacheEntry{Result: make([]byte, 3000)})
	if _, kept := m.Get(ctx, "k6"); kept || m.Len() != 3 {
		t.Error("an answer of more than a quarter was kept")
	}
	m.maxEntries = 100
	for i := range 20 {
		m.Set(ctx, fmt.Sprint("b", i), CacheEntry{Result: make([]byte, 1500)})
	}
	if m.bytes > 8<<10 || m.Len() > 5 {
		t.Errorf("%d bytes in %d entries", m.bytes, m.Len())
	}
	m.Clear(ctx, "b")
	m.Clear(ctx, "k")
	if m.Len() != 0 || m.bytes != 0 || m.recent.Len() != 0 {
		t.Errorf("%d bytes left", m.bytes)
	}
}

func TestBrokenEntriesOfAStoreAreFetched(t *testing.T) {
	s := newCacheServer(minuteHints)
	transport, _ := pipe(t, s.answer)
	c := connect(t, transport, WithCache(brokenStore{}))
	if a, b := firstTool(t, c), firstTool(t, c); a != "t1" || b != "t2" {
		t.Errorf("got %s %s", a, b)
	}
}

type brokenStore struct{}

func (brokenStore) Get(context.Context, string) (CacheEntry, bool) {
	return CacheEntry{Result: json.RawMessage(`{"tools":7`), Received: time.Now(), TTL: time.Hour}, true
}
func (brokenStore) Set(context.Context, string, CacheEntry) {}
func (brokenStore) Clear(context.Context, string)           {}

func TestAncestors(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///a/b/c": "file:///a/b/c file:///a/b/ file:///a/b file:///a/ file:///a",
		"a:b":           "a:b", "db://host/t?q=1#x": "db://host/t?q=1#x db://host/t?q=1 db://host/t db://host/ db://host",
	} {
		if got := strings.Join(ancestors(uri), " "); got != want {
			t.Errorf("%s: %s", uri, got)
		}
	}
	if n := len(ancestors("a:" + strings.Repeat("/x", 1000))); n > 33 {
		t.Errorf("%d ancestors", n)
	}
}
