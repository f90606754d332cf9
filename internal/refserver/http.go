package refserver

// Streamable HTTP: one endpoint, POST for every message; sessions add GET for what belongs to
// no request and for resuming, and DELETE to end.

import (
	"context"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "MCP-Protocol-Version"
	maxBody       = 32 << 20
)

type streamable struct{ srv *Server }

// HTTPHandler serves Streamable HTTP in both eras at any path.
func (s *Server) HTTPHandler() http.Handler { return streamable{s} }

func (h streamable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !localOrigin(r.Header.Get("Origin")) {
		http.Error(w, "foreign origin", http.StatusForbidden)
		return
	}
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case r.Method == http.MethodGet && h.sessions():
		h.get(w, r)
	case r.Method == http.MethodDelete && h.sessions():
		h.delete(w, r)
	default:
		w.Header().Set("Allow", "POST")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (h streamable) sessions() bool {
	_, legacy := h.srv.legacyVersion("")
	return legacy && !h.srv.opts.Sessionless
}

// localOrigin keeps web pages of other hosts out.
func localOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1" || u.Hostname() == "::1")
}

func (h streamable) post(w http.ResponseWriter, r *http.Request) {
	if problem, status := postProblem(r); problem != "" {
		http.Error(w, problem, status)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	h.srv.trace("http", true, r.Header.Clone(), body)
	if parts, batch := splitBatch(body); batch {
		h.batch(w, r, parts)
		return
	}
	m, bad := decodeMessage(body)
	if bad != nil {
		h.refuse(w, nil, bad)
		return
	}
	h.route(w, r, m)
}

func postProblem(r *http.Request) (string, int) {
	if t, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); t != "application/json" {
		return "Content-Type must be application/json", http.StatusUnsupportedMediaType
	}
	accept := strings.ToLower(strings.Join(r.Header.Values("Accept"), ","))
	if !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream") {
		return "Accept must list application/json and text/event-stream", http.StatusNotAcceptable
	}
	return "", 0
}

// route finds the era of a message: a session id or initialize means a session, a version in
// _meta or a modern version header a stateless request.
func (h streamable) route(w http.ResponseWriter, r *http.Request, m *message) {
	modern := h.srv.speaksModern() && (looksModern(m) || isModernVersion(r.Header.Get(headerVersion)))
	_, legacy := h.srv.legacyVersion("")
	switch {
	case legacy && r.Header.Get(headerSession) != "":
		if sess := h.session(w, r); sess != nil {
			h.message(w, r, sess, m)
		}
	case modern || !legacy:
		h.modern(w, r, m)
	case m.Method == "initialize" && m.isRequest():
		h.initialize(w, r, m)
	case h.srv.opts.Sessionless:
		h.sessionless(w, r, m)
	default:
		h.refuse(w, m.ID, badRequest(codeNoSession, "no session: send initialize first"))
	}
}

func (h streamable) modern(w http.ResponseWriter, r *http.Request, m *message) {
	if !m.isRequest() {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	out := newStream("")
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.srv.ctx, cancel)()
	ex := h.srv.modernExchange(m, out, r.Header)
	if !h.srv.start(func() { ex.run(ctx, func() {}) }) {
		http.Error(w, "closed", http.StatusServiceUnavailable)
		return
	}
	h.reply(ctx, w, out, streamWriter{})
}

// reply carries a request's stream in the form that the options and its content ask for.
func (h streamable) reply(ctx context.Context, w http.ResponseWriter, s *stream, sw streamWriter) {
	sw.w = w
	sw.trace = func(raw []byte) { h.srv.trace("http", false, nil, raw) }
	if h.srv.opts.Answer == AnswerJSON {
		if ev, ok := s.last(ctx); ok {
			h.json(w, ev)
		} else {
			w.WriteHeader(http.StatusAccepted)
		}
		return
	}
	if h.srv.opts.Answer == AnswerSSE && sw.prime {
		sw.copy(ctx, s, 0)
		return
	}
	ev, alone := s.first(ctx)
	if alone && (h.srv.opts.Answer == AnswerAuto || ev.status != 0) {
		h.json(w, ev)
		return
	}
	sw.copy(ctx, s, 0)
}

func (h streamable) json(w http.ResponseWriter, ev event) {
	h.srv.trace("http", false, nil, ev.data)
	w.Header().Set("Content-Type", "application/json")
	if ev.status != 0 {
		w.WriteHeader(ev.status)
	}
	_, _ = w.Write(ev.data)
}

func (h streamable) refuse(w http.ResponseWriter, id []byte, err *rpcError) {
	h.json(w, event{encodeError(id, err), err.status})
}
