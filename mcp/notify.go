package mcp

// Notifications of the server that belong to no single call: changed lists, updated resources, log
// messages. Parts of the client observe them on the reading goroutine; the application's handler gets
// them on a goroutine of its own.

import (
	"encoding/json"
	"slices"
	"sync"
)

// Notification is one notification of the server.
type Notification struct {
	Method string
	Params json.RawMessage // nil if absent

	exchange int64 // id of the request whose own exchange carried it; 0 if it came on a shared stream
}

// An observer sees notifications on the reading goroutine. It must not block and must not keep Params.
type observer func(l *link, n *Notification)

// notificationBound is how many notifications may wait for the application's handler.
const notificationBound = 1000

// hub hands notifications to those who want them.
type hub struct {
	mu        sync.RWMutex
	observers []*observer
	enders    []*func(*link)
	handler   *serialQueue[Notification] // nil unless the application has one
}

func newHub(o *options) *hub {
	h := &hub{}
	for i := range o.observers {
		h.observers = append(h.observers, &o.observers[i])
	}
	if o.notified != nil {
		h.handler = &serialQueue[Notification]{handle: o.notified, bound: notificationBound}
	}
	return h
}

// observe adds an observer until remove is called.
func (h *hub) observe(o observer) (remove func()) {
	entry := &o
	h.mu.Lock()
	h.observers = append(slices.Clone(h.observers), entry)
	h.mu.Unlock()
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.observers = slices.DeleteFunc(slices.Clone(h.observers), func(e *observer) bool { return e == entry })
	}
}

func (h *hub) publish(l *link, n *Notification) {
	h.mu.RLock()
	observers := h.observers
	h.mu.RUnlock()
	for _, o := range observers {
		(*o)(l, n)
	}
	if h.handler != nil {
		h.handler.deliver(Notification{Method: n.Method, Params: slices.Clone(n.Params)})
	}
}

// onEnd runs end, which must not block, when a link has ended, until remove is called.
func (h *hub) onEnd(end func(*link)) (remove func()) {
	entry := &end
	h.mu.Lock()
	h.enders = append(slices.Clone(h.enders), entry)
	h.mu.Unlock()
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.enders = slices.DeleteFunc(slices.Clone(h.enders), func(e *func(*link)) bool { return e == entry })
	}
}

func (h *hub) ended(l *link) {
	h.mu.RLock()
	enders := h.enders
	h.mu.RUnlock()
	for _, end := range enders {
		(*end)(l)
	}
}
