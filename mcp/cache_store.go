package mcp

// Where cached answers live: in memory, or wherever the application wants.

import (
	"container/list"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

const (
	defaultCacheEntries = 256
	defaultCacheBytes   = 16 << 20
)

// A CacheStore keeps answers for WithCache. It is used by many goroutines at once. What it fails to
// keep or to find is fetched again, so it has no errors to report; it decides itself what to throw
// away when it is full, and need not look at TTL.
type CacheStore interface {
	// Get returns the entry that was set for key. The entry is not changed by the caller.
	Get(ctx context.Context, key string) (CacheEntry, bool)
	// Set keeps entry, which is not changed afterwards.
	Set(ctx context.Context, key string, entry CacheEntry)
	// Clear removes every entry whose key begins with prefix. Keys have a form like
	// "server/method/parameter/principal", each part free of further slashes except the method.
	Clear(ctx context.Context, prefix string)
}

// CacheEntry is one answer.
type CacheEntry struct {
	Result   json.RawMessage // the result object as the server sent it
	Received time.Time       // by the clock of the client that got it
	TTL      time.Duration   // how long after that it is fresh
}

// MemoryCache is a CacheStore in memory. When it is full, what was used longest ago goes.
type MemoryCache struct {
	maxEntries int
	maxBytes   int

	mu      sync.Mutex
	entries map[string]*list.Element
	recent  *list.List // of *storedEntry, used last in front
	bytes   int
}

type storedEntry struct {
	key string
	CacheEntry
}

// NewMemoryCache returns a cache of at most that many entries and bytes. An answer that takes more
// than a quarter of the bytes is not kept.
func NewMemoryCache(entries, bytes int) *MemoryCache {
	return &MemoryCache{maxEntries: entries, maxBytes: bytes, entries: map[string]*list.Element{}, recent: list.New()}
}

// entryOverhead is about what an entry takes besides its text.
const entryOverhead = 256

func (e *storedEntry) size() int { return len(e.key) + len(e.Result) + entryOverhead }

// Get implements CacheStore.
func (m *MemoryCache) Get(_ context.Context, key string) (CacheEntry, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	element := m.entries[key]
	if element == nil {
		return CacheEntry{}, false
	}
	m.recent.MoveToFront(element)
	return element.Value.(*storedEntry).CacheEntry, true
}

// Set implements CacheStore.
func (m *MemoryCache) Set(_ context.Context, key string, entry CacheEntry) {
	e := &storedEntry{key, entry}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(m.entries[key])
	if e.size() > m.maxBytes/4 {
		return
	}
	m.entries[key] = m.recent.PushFront(e)
	m.bytes += e.size()
	for len(m.entries) > m.maxEntries || m.bytes > m.maxBytes {
		m.remove(m.recent.Back())
	}
}

// Clear implements CacheStore.
func (m *MemoryCache) Clear(_ context.Context, prefix string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, element := range m.entries {
		if strings.HasPrefix(key, prefix) {
			m.remove(element)
		}
	}
}

// Len returns how many entries there are, fresh or not.
func (m *MemoryCache) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.entries)
}

func (m *MemoryCache) remove(element *list.Element) {
	if element == nil {
		return
	}
	e := m.recent.Remove(element).(*storedEntry)
	delete(m.entries, e.key)
	m.bytes -= e.size()
}
