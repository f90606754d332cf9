package refserver

// The session era: initialize settles version and capabilities for the life of a connection,
// the server may send requests of its own, and cancelling is a notification.

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

type session struct {
	srv     *Server
	id      string
	version string
	caps    json.RawMessage
	out     sink // carries what belongs to no request
	streams streams
	running tracker

	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex
	level   string
	watched map[string]bool         // resources/subscribe
	pending map[string]chan message // requests to the client, by id
	asked   int
	visited map[string]bool // URL elicitations that were announced
}

func (s *Server) newSession() *session {
	sess := &session{
		srv: s, id: newID(), watched: map[string]bool{}, pending: map[string]chan message{},
		visited: map[string]bool{},
	}
	sess.ctx, sess.cancel = context.WithCancel(s.ctx)
	s.hub.add(sess, func() {})
	return sess
}

func (sess *session) close() {
	sess.srv.hub.remove(sess)
	sess.srv.tasks.forget(sess)
	sess.cancel()
}

// initialize serves the first request of a session.
func (sess *session) initialize(m *message) (obj, error) {
	params := m.fields()
	for _, name := range []string{"protocolVersion", "capabilities", "clientInfo"} {
		if _, ok := params[name]; !ok {
			return nil, invalidParams("initialize lacks %q", name)
		}
	}
	version, ok := sess.srv.legacyVersion(stringAt(params, "protocolVersion"))
	if !ok {
		return nil, sess.srv.unsupported(stringAt(params, "protocolVersion"))
	}
	sess.mu.Lock()
	sess.version, sess.caps = version, params["capabilities"]
	sess.mu.Unlock()
	return obj{
		"protocolVersion": version,
		"capabilities":    sess.srv.capabilities(version),
		"serverInfo":      sess.srv.implementation(),
		"instructions":    instructions,
	}, nil
}

// receive takes one message of an initialized session. It returns at once; a request is served
// in the background and answered on out.
func (sess *session) receive(m *message, out sink) {
	switch {
	case m.isRequest():
		sess.serve(m, out)
	case m.Method == "notifications/cancelled":
		sess.running.stop(m.fields()["requestId"])
	case m.Method == "":
		sess.resolve(m)
	}
}

func (sess *session) serve(m *message, out sink) {
	params := m.fields()
	ex := &exchange{
		srv: sess.srv, sess: sess, version: sess.version, id: m.ID, method: m.Method,
		params: params, meta: members(params["_meta"]), caps: sess.caps, out: out,
	}
	ctx, done, fresh := sess.running.track(sess.ctx, m.ID)
	if !fresh {
		out.send(encodeError(m.ID, badRequest(codeInvalidRequest, "request id %s is in use", m.ID)), true, 400)
		return
	}
	if !sess.srv.start(func() { ex.run(ctx, done) }) {
		done()
		out.send(nil, true, 0)
	}
}

// ask sends a request to the client on out and waits for the answer.
func (sess *session) ask(ctx context.Context, out sink, method string, params obj) (json.RawMessage, error) {
	id, reply := sess.expect()
	defer sess.forget(id)
	out.send(encode(&message{JSONRPC: "2.0", ID: encode(id), Method: method, Params: encode(params)}), false, 0)
	select {
	case m := <-reply:
		if m.Error != nil {
			return nil, fmt.Errorf("the client refused %s: %w", method, m.Error)
		}
		return m.Result, nil
	case <-ctx.Done():
		out.send(encodeNotification("notifications/cancelled", obj{"requestId": id, "reason": "the call was cancelled"}), false, 0)
		return nil, ctx.Err()
	}
}

func (sess *session) expect() (string, chan message) {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	sess.asked++
	id := fmt.Sprintf("ask-%d", sess.asked)
	reply := make(chan message, 1)
	sess.pending[id] = reply
	return id, reply
}

func (sess *session) forget(id string) {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	delete(sess.pending, id)
}

// resolve hands a client's answer to whoever asked; unknown ids are ignored.
func (sess *session) resolve(m *message) {
	var id string
	_ = json.Unmarshal(m.ID, &id)
	sess.mu.Lock()
	reply := sess.pending[id]
	delete(sess.pending, id)
	sess.mu.Unlock()
	if reply != nil {
		reply <- *m
	}
}

func (sess *session) logLevel() string {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	return sess.level
}

func (sess *session) setLogLevel(level string) {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	sess.level = level
}

func (sess *session) watch(uri string, on bool) {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	if on {
		sess.watched[uri] = true
	} else {
		delete(sess.watched, uri)
	}
}

// deliver tells the client about a change: lists always, resources when subscribed.
func (sess *session) deliver(c change) {
	sess.mu.Lock()
	version, out := sess.version, sess.out
	wanted := c.task == nil && (c.uri == "" || sess.watched[c.uri])
	if c.task != nil {
		wanted = c.task.sess == sess
	}
	sess.mu.Unlock()
	if !wanted || version == "" || out == nil {
		return
	}
	switch {
	case c.task != nil:
		out.send(encodeNotification("notifications/tasks/status", c.task.legacyView()), false, 0)
	case c.uri != "":
		out.send(encodeNotification("notifications/resources/updated", obj{"uri": c.uri}), false, 0)
	default:
		out.send(encodeNotification("notifications/"+c.list+"/list_changed", obj{}), false, 0)
	}
}

// firstVisit reports whether a URL elicitation is announced for the first time.
func (sess *session) firstVisit(id string) bool {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	seen := sess.visited[id]
	sess.visited[id] = true
	return !seen
}

// tracker knows the requests in flight, by the JSON text of their ids.
type tracker struct {
	mu    sync.Mutex
	stops map[string]context.CancelFunc
}

func (t *tracker) track(ctx context.Context, id json.RawMessage) (_ context.Context, done func(), fresh bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stops == nil {
		t.stops = map[string]context.CancelFunc{}
	}
	key := string(id)
	if _, busy := t.stops[key]; busy {
		return nil, nil, false
	}
	ctx, cancel := context.WithCancel(ctx)
	t.stops[key] = cancel
	return ctx, func() {
		cancel()
		t.mu.Lock()
		delete(t.stops, key)
		t.mu.Unlock()
	}, true
}

// stop cancels the request with that id, if it is in flight.
func (t *tracker) stop(id json.RawMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cancel := t.stops[string(id)]; cancel != nil {
		cancel()
	}
}
