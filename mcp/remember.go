package mcp

// Outcomes of negotiations, kept so that the next connection to the same server need not probe
// (C-062). A wrong memory costs one round trip and is then forgotten.

import "sync"

// remembered is how a server was reached last.
type remembered struct {
	stateless bool
	version   string
}

// A remembering transport has a key under which outcomes are kept for other transports to the same
// server.
type remembering interface {
	memoryKey() string
	// lasting reports whether the key means the same server for the life of the process. An address
	// does not: something else may listen there once this server is gone, so what is known of it is
	// forgotten with the last client, except by the transport itself.
	lasting() bool
	// own is the transport's own memory; nil if it has none.
	own() *ownMemory
}

type ownMemory struct {
	mu      sync.Mutex
	outcome *remembered
}

func (m *ownMemory) get() *remembered {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.outcome
}

func (m *ownMemory) set(o *remembered) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.outcome = o
	}
}

// maxRemembered bounds the memory; beyond it, any entry may go.
const maxRemembered = 1024

type memoryEntry struct {
	outcome *remembered
	holders int // open clients
}

var memory = struct {
	sync.Mutex
	entries map[string]*memoryEntry
}{entries: map[string]*memoryEntry{}}

func outcomeOf(l *link) remembered {
	return remembered{stateless: l.session.Stateless, version: l.session.Version}
}

func recall(t Transport) (remembered, bool) {
	r, ok := innermost(t).(remembering)
	if !ok {
		return remembered{}, false
	}
	if o := r.own().get(); o != nil {
		return *o, true
	}
	memory.Lock()
	defer memory.Unlock()
	if e := memory.entries[r.memoryKey()]; e != nil && e.outcome != nil {
		return *e.outcome, true
	}
	return remembered{}, false
}

func remember(t Transport, o remembered) { keep(t, &o, 0) }

func forget(t Transport) { keep(t, nil, 0) }

// hold says that a client to t is open, and the result that it is closed.
func hold(t Transport) (release func()) {
	keep(t, nil, 1)
	return func() { keep(t, nil, -1) }
}

// keep changes what is remembered: the number of holders, or if that stays the same the outcome.
func keep(t Transport, o *remembered, holders int) {
	r, ok := innermost(t).(remembering)
	if !ok {
		return
	}
	memory.Lock()
	defer memory.Unlock()
	key := r.memoryKey()
	e := memory.entries[key]
	if e == nil {
		for other := range memory.entries {
			if len(memory.entries) < maxRemembered {
				break
			}
			delete(memory.entries, other)
		}
		e = &memoryEntry{}
		memory.entries[key] = e
	}
	if holders == 0 {
		e.outcome = o
		r.own().set(o)
	}
	if e.holders += holders; e.holders <= 0 && holders < 0 && !r.lasting() {
		delete(memory.entries, key)
	}
}
