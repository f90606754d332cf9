package refserver

// HTTP+SSE, the transport of 2024-11-05: a GET holds the stream of everything the server says,
// and its first event names the address to POST to.

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

type sseHandler struct{ srv *Server }

// SSEHandler serves HTTP+SSE at any path; messages are posted to the same path with a session in the query.
func (s *Server) SSEHandler() http.Handler { return sseHandler{s} }

func (h sseHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, legacy := h.srv.legacyVersion("")
	switch {
	case !localOrigin(r.Header.Get("Origin")):
		http.Error(w, "foreign origin", http.StatusForbidden)
	case r.Method == http.MethodGet && legacy:
		h.get(w, r)
	case r.Method == http.MethodPost && legacy && r.URL.Query().Get("session") != "":
		h.post(w, r)
	default:
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (h sseHandler) get(w http.ResponseWriter, r *http.Request) {
	sess := h.srv.newSession()
	defer sess.close()
	out := newStream("")
	sess.out = out
	h.srv.mu.Lock()
	h.srv.sessions[sess.id] = sess
	h.srv.mu.Unlock()
	defer func() {
		h.srv.mu.Lock()
		delete(h.srv.sessions, sess.id)
		h.srv.mu.Unlock()
	}()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(sess.ctx, cancel)()
	sw := streamWriter{w: w, trace: func(raw []byte) { h.srv.trace("sse", false, nil, raw) }}
	sw.endpoint = fmt.Sprintf("%s?session=%s", r.URL.Path, sess.id)
	sw.copy(ctx, out, 0)
}

func (h sseHandler) post(w http.ResponseWriter, r *http.Request) {
	h.srv.mu.Lock()
	sess := h.srv.sessions[r.URL.Query().Get("session")]
	h.srv.mu.Unlock()
	if sess == nil {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	h.srv.trace("sse", true, r.Header.Clone(), body)
	m, bad := decodeMessage(body)
	if bad != nil {
		http.Error(w, bad.Message, http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	sess.first(m, kept{sess.out})
}

// kept is a sink that answers do not end, because it carries many of them.
type kept struct{ sink }

func (k kept) send(raw []byte, _ bool, status int) { k.sink.send(raw, false, status) }

// first takes a message of a session that may not be initialized yet.
func (sess *session) first(m *message, out sink) {
	sess.mu.Lock()
	version := sess.version
	sess.mu.Unlock()
	switch {
	case version != "":
		sess.receive(m, out)
	case m.Method == "ping" && m.isRequest():
		out.send(encodeResult(m.ID, obj{}), true, 0)
	case m.Method != "initialize" || !m.isRequest():
		if m.isRequest() {
			out.send(encodeError(m.ID, uninitialized(m.Method)), true, 0)
		}
	default:
		result, err := sess.initialize(m)
		if err != nil {
			out.send(encodeError(m.ID, asRPCError(err)), true, 0)
			return
		}
		out.send(encodeResult(m.ID, result), true, 0)
	}
}
