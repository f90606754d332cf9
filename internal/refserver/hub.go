package refserver

// Changes and who hears of them: sessions, and the subscriptions of the stateless era.

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
)

// change is one of: a list changed, a resource was updated, a task moved on.
type change struct {
	list string // "tools", "prompts" or "resources"
	uri  string
	task *task
}

type listener interface{ deliver(change) }

type hub struct {
	mu        sync.Mutex
	listeners []listener
	ending    chan struct{} // closed to end the subscriptions that are open now
}

// add registers a listener. first runs before it can hear of anything.
func (h *hub) add(l listener, first func()) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	first()
	if h.ending == nil {
		h.ending = make(chan struct{})
	}
	h.listeners = append(h.listeners, l)
	return h.ending
}

func (h *hub) remove(l listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners = slices.DeleteFunc(h.listeners, func(other listener) bool { return other == l })
}

func (h *hub) publish(c change) {
	h.mu.Lock()
	all := slices.Clone(h.listeners)
	h.mu.Unlock()
	for _, l := range all {
		l.deliver(c)
	}
}

// ListChanged announces that a list ("tools", "prompts" or "resources") is another one now.
func (s *Server) ListChanged(list string) { s.hub.publish(change{list: list}) }

// ResourceUpdated announces that a resource has new contents.
func (s *Server) ResourceUpdated(uri string) { s.hub.publish(change{uri: uri}) }

// EndSubscriptions ends the open subscriptions of the stateless era the graceful way: each gets its result.
func (s *Server) EndSubscriptions() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if s.hub.ending != nil {
		close(s.hub.ending)
		s.hub.ending = nil
	}
}

// subscription is one subscriptions/listen request.
type subscription struct {
	ex     *exchange
	filter filter
}

type filter struct {
	Tools     bool     `json:"toolsListChanged,omitempty"`
	Prompts   bool     `json:"promptsListChanged,omitempty"`
	Resources bool     `json:"resourcesListChanged,omitempty"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
	TaskIDs   []string `json:"taskIds,omitempty"`
}

func (f *filter) wants(c change) bool {
	switch {
	case c.task != nil:
		return slices.Contains(f.TaskIDs, c.task.id)
	case c.uri != "":
		return slices.Contains(f.URIs, c.uri)
	}
	return map[string]bool{"tools": f.Tools, "prompts": f.Prompts, "resources": f.Resources}[c.list]
}

func (sub *subscription) deliver(c change) {
	if !sub.filter.wants(c) {
		return
	}
	switch {
	case c.task != nil:
		sub.notify("notifications/tasks", c.task.view())
	case c.uri != "":
		sub.notify("notifications/resources/updated", obj{"uri": c.uri})
	default:
		sub.notify("notifications/"+c.list+"/list_changed", obj{})
	}
}

func (sub *subscription) notify(method string, params obj) {
	params["_meta"] = obj{metaSubscription: sub.ex.id}
	sub.ex.notify(method, params)
}

// serveListen acknowledges first, then forwards until the client or the server ends it.
func serveListen(ctx context.Context, ex *exchange) (obj, error) {
	sub := &subscription{ex: ex}
	raw := ex.params["notifications"]
	if members(raw) == nil {
		return nil, invalidParams("subscriptions/listen lacks notifications")
	}
	if err := json.Unmarshal(raw, &sub.filter); err != nil {
		return nil, invalidParams("notifications: %v", err)
	}
	if len(sub.filter.TaskIDs) > 0 {
		if err := ex.needTasks(); err != nil {
			return nil, err
		}
		sub.filter.TaskIDs = slices.DeleteFunc(sub.filter.TaskIDs, func(id string) bool { return ex.srv.tasks.find(id) == nil })
	}
	ending := ex.srv.hub.add(sub, func() {
		sub.notify("notifications/subscriptions/acknowledged", obj{"notifications": sub.filter})
	})
	defer ex.srv.hub.remove(sub)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-ending:
		return obj{"_meta": obj{metaSubscription: ex.id}}, nil
	}
}

func serveSubscribe(_ context.Context, ex *exchange) (obj, error) {
	ex.sess.watch(stringAt(ex.params, "uri"), true)
	return obj{}, nil
}

func serveUnsubscribe(_ context.Context, ex *exchange) (obj, error) {
	ex.sess.watch(stringAt(ex.params, "uri"), false)
	return obj{}, nil
}
