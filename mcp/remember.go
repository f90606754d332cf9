package mcp

// Outcomes of negotiations, kept per server for the life of the process, so that the next connection
// need not probe (C-062). A wrong memory costs one round trip and is then forgotten.

import "sync"

// remembered is how a server was reached last.
type remembered struct {
	stateless bool
	version   string
}

// maxRemembered bounds the memory; beyond it, any entry may go.
const maxRemembered = 1024

var memory = struct {
	sync.Mutex
	outcomes map[string]remembered
}{outcomes: map[string]remembered{}}

func outcomeOf(l *link) remembered {
	return remembered{stateless: l.session.Stateless, version: l.session.Version}
}

func recall(t Transport) (remembered, bool) {
	r, ok := t.(remembering)
	if !ok {
		return remembered{}, false
	}
	memory.Lock()
	defer memory.Unlock()
	o, ok := memory.outcomes[r.memoryKey()]
	return o, ok
}

func remember(t Transport, o remembered) {
	r, ok := t.(remembering)
	if !ok {
		return
	}
	memory.Lock()
	defer memory.Unlock()
	if len(memory.outcomes) >= maxRemembered {
		for key := range memory.outcomes {
			delete(memory.outcomes, key)
			break
		}
	}
	memory.outcomes[r.memoryKey()] = o
}

func forget(t Transport) {
	if r, ok := t.(remembering); ok {
		memory.Lock()
		defer memory.Unlock()
		delete(memory.outcomes, r.memoryKey())
	}
}
