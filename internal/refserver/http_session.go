package refserver

// The session half of Streamable HTTP.

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// session finds the session of a request and checks the headers that go with it; nil after it
// has answered with the reason.
func (h streamable) session(w http.ResponseWriter, r *http.Request) *session {
	h.srv.mu.Lock()
	sess := h.srv.sessions[r.Header.Get(headerSession)]
	h.srv.mu.Unlock()
	if sess == nil {
		h.refuse(w, nil, &rpcError{Code: codeNoSession, Message: "session not found", status: http.StatusNotFound})
		return nil
	}
	got := r.Header.Get(headerVersion)
	switch {
	case got == "" && sess.version >= V20250618:
		h.refuse(w, nil, badRequest(codeInvalidRequest, "%s is missing", headerVersion))
		return nil
	case got != "" && got != sess.version:
		h.refuse(w, nil, badRequest(codeInvalidRequest, "%s is %q in a session of %s", headerVersion, got, sess.version))
		return nil
	}
	return sess
}

func (h streamable) initialize(w http.ResponseWriter, r *http.Request, m *message) {
	sess := h.srv.newSession()
	result, err := sess.initialize(m)
	if err != nil {
		sess.close()
		h.refuse(w, m.ID, asRPCError(err))
		return
	}
	if h.srv.opts.Sessionless {
		sess.close()
	} else {
		h.keep(sess)
		w.Header().Set(headerSession, sess.id)
	}
	out := newStream("")
	out.send(encodeResult(m.ID, result), true, 0)
	h.reply(r.Context(), w, out, streamWriter{})
}

// keep registers a session; its own stream is the first that GET offers.
func (h streamable) keep(sess *session) {
	own := sess.streams.add()
	sess.mu.Lock()
	sess.out = own
	sess.mu.Unlock()
	h.srv.mu.Lock()
	h.srv.sessions[sess.id] = sess
	h.srv.mu.Unlock()
}

// message serves one message of a session. A request goes on when its connection is lost.
func (h streamable) message(w http.ResponseWriter, r *http.Request, sess *session, m *message) {
	switch {
	case m.Method == "initialize":
		h.refuse(w, m.ID, badRequest(codeInvalidRequest, "the session is already initialized"))
	case !m.isRequest():
		sess.receive(m, sess.out)
		w.WriteHeader(http.StatusAccepted)
	default:
		out := sess.streams.add()
		sess.receive(m, out)
		h.carry(w, r, sess, out)
	}
}

// carry replies with a stream of the session until it, the connection or the session ends.
func (h streamable) carry(w http.ResponseWriter, r *http.Request, sess *session, out *stream) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(sess.ctx, cancel)()
	h.reply(ctx, w, out, streamWriter{prime: sess.version >= V20251125, retry: h.srv.opts.Retry})
}

// sessionless serves one message of a client that has no session, in a session of its own.
func (h streamable) sessionless(w http.ResponseWriter, r *http.Request, m *message) {
	if !m.isRequest() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	version := r.Header.Get(headerVersion)
	if version == "" {
		version = V20250326
	}
	if settled, ok := h.srv.legacyVersion(version); !ok || settled != version {
		h.refuse(w, m.ID, badRequest(codeInvalidRequest, "%s %q is not spoken here", headerVersion, version))
		return
	}
	sess := h.srv.newSession()
	defer sess.close()
	sess.version, sess.caps = version, json.RawMessage("{}")
	out := newStream("")
	sess.receive(m, out)
	h.carry(w, r, sess, out)
}

// batch serves an array of messages, which only 2025-03-26 has.
func (h streamable) batch(w http.ResponseWriter, r *http.Request, parts []json.RawMessage) {
	if r.Header.Get(headerSession) == "" {
		h.refuse(w, nil, badRequest(codeInvalidRequest, "batches need a session of %s", V20250326))
		return
	}
	sess := h.session(w, r)
	if sess == nil {
		return
	}
	if sess.version != V20250326 {
		h.refuse(w, nil, badRequest(codeInvalidRequest, "batches exist in %s only", V20250326))
		return
	}
	requests, rest := splitRequests(parts)
	for _, m := range rest {
		sess.receive(m, sess.out)
	}
	if len(requests) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	out := sess.streams.add()
	shared := &batchSink{out: out, left: len(requests)}
	for _, m := range requests {
		sess.receive(m, shared)
	}
	h.carry(w, r, sess, out)
}

func splitRequests(parts []json.RawMessage) (requests, rest []*message) {
	for _, part := range parts {
		m, err := decodeMessage(part)
		switch {
		case err != nil:
		case m.isRequest():
			requests = append(requests, m)
		default:
			rest = append(rest, m)
		}
	}
	return requests, rest
}

// batchSink ends the shared stream with the last of several answers.
type batchSink struct {
	out  *stream
	mu   sync.Mutex
	left int
}

func (b *batchSink) send(raw []byte, final bool, status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if final {
		b.left--
	}
	b.out.send(raw, final && b.left == 0, status)
}

// get opens the session's own stream, or resumes any stream after Last-Event-ID.
func (h streamable) get(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(strings.ToLower(r.Header.Get("Accept")), "text/event-stream") {
		http.Error(w, "Accept must list text/event-stream", http.StatusNotAcceptable)
		return
	}
	if r.Header.Get(headerSession) == "" {
		http.Error(w, "no session", http.StatusBadRequest)
		return
	}
	sess := h.session(w, r)
	if sess == nil {
		return
	}
	h.srv.trace("http", true, r.Header.Clone(), nil)
	out, from := sess.out.(*stream), 0
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		if out, from = sess.streams.find(last); out == nil {
			http.Error(w, "unknown event id", http.StatusBadRequest)
			return
		}
	} else {
		out.mu.Lock()
		from = out.sent
		out.mu.Unlock()
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(sess.ctx, cancel)()
	sw := streamWriter{w: w, prime: sess.version >= V20251125, retry: h.srv.opts.Retry}
	sw.trace = func(raw []byte) { h.srv.trace("http", false, nil, raw) }
	sw.copy(ctx, out, from)
}

func (h streamable) delete(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(headerSession) == "" {
		http.Error(w, "no session", http.StatusBadRequest)
		return
	}
	sess := h.session(w, r)
	if sess == nil {
		return
	}
	h.srv.trace("http", true, r.Header.Clone(), nil)
	h.srv.mu.Lock()
	delete(h.srv.sessions, sess.id)
	h.srv.mu.Unlock()
	sess.close()
	w.WriteHeader(http.StatusNoContent)
}
