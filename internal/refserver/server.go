// Package refserver is the project's reference MCP server: an independent judge for clients.
//
// It shares no code with the runtime or the generator: it reads and writes the protocol with
// encoding/json alone, in both eras (the initialize session of 2024-11-05 to 2025-11-25 and
// the stateless requests of 2026-07-28), over stdio, Streamable HTTP and the older HTTP+SSE,
// and is strict where the protocol says MUST. Its tools take every common shape of argument
// and give every kind of output; its Options switch on what servers in the wild do differently.
package refserver

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"slices"
	"sync"
	"time"
)

// The protocol versions that the server speaks.
const (
	V20241105 = "2024-11-05"
	V20250326 = "2025-03-26"
	V20250618 = "2025-06-18"
	V20251125 = "2025-11-25"
	V20260728 = "2026-07-28"
)

// AllVersions lists every version, newest first.
func AllVersions() []string {
	return []string{V20260728, V20251125, V20250618, V20250326, V20241105}
}

// LegacyVersions lists the versions that start with initialize, newest first.
func LegacyVersions() []string { return AllVersions()[1:] }

// ModernVersions lists the stateless versions.
func ModernVersions() []string { return AllVersions()[:1] }

func isModernVersion(v string) bool { return v >= V20260728 }

// AnswerMode says how Streamable HTTP answers a request.
type AnswerMode int

const (
	// AnswerAuto answers with JSON unless something precedes the result; then with a stream.
	AnswerAuto AnswerMode = iota
	// AnswerSSE always answers with a stream.
	AnswerSSE
	// AnswerJSON always answers with JSON; what precedes the result is lost.
	AnswerJSON
)

// Options vary the server. The zero value speaks every version and needs no tuning.
type Options struct {
	// Versions restricts the protocol versions; nil means all.
	Versions []string
	// Name is the server's name; "refserver" when empty.
	Name string
	// PageSize bounds every list; 0 puts each list on one page.
	PageSize int
	// EmptyCursor makes the empty string the cursor of the second page.
	EmptyCursor bool
	// Answer is the form of Streamable HTTP answers.
	Answer AnswerMode
	// Sessionless leaves out Mcp-Session-Id: no GET stream, no requests to the client.
	Sessionless bool
	// Tick is the pause between two steps of slow tools; 5 ms when zero.
	Tick time.Duration
	// PollInterval is what tasks tell pollers; 10 ms when zero.
	PollInterval time.Duration
	// Retry is the reconnection delay that streams announce; 10 ms when zero.
	Retry time.Duration
	// TTL is the lifetime of cacheable answers; one minute when zero.
	TTL time.Duration
	// Trace, if set, sees every message. It must not block.
	Trace func(Traffic)
}

// Traffic is one message as it passed, for tests that look at the wire.
type Traffic struct {
	Transport string      // "stdio", "http" or "sse"
	Inbound   bool        // from the client
	Header    http.Header // of the request that carried an inbound message over HTTP
	Raw       []byte
}

// Server is one reference server. Its transports share resources, tasks and subscriptions.
type Server struct {
	opts    Options
	catalog *catalog
	hub     hub
	tasks   taskTable
	key     []byte // signs request states, so that a changed one is noticed

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu       sync.Mutex
	sessions map[string]*session
	closed   bool
}

// New returns a server; Close ends it.
func New(opts Options) *Server {
	if opts.Versions == nil {
		opts.Versions = AllVersions()
	}
	opts.Versions = slices.Clone(opts.Versions)
	slices.Sort(opts.Versions)
	slices.Reverse(opts.Versions)
	setDefault(&opts.Name, "refserver")
	setDefault(&opts.Tick, 5*time.Millisecond)
	setDefault(&opts.PollInterval, 10*time.Millisecond)
	setDefault(&opts.Retry, 10*time.Millisecond)
	setDefault(&opts.TTL, time.Minute)
	s := &Server{opts: opts, catalog: newCatalog(), key: []byte(newID()), sessions: map[string]*session{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

func setDefault[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}

// Close ends every session, stream, subscription and task, and waits for them.
func (s *Server) Close() error {
	s.EndSubscriptions()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.ForgetSessions()
	s.wg.Wait()
	return nil
}

// ForgetSessions drops every HTTP session, as a server restart would: what the clients send
// next with their session ids is answered with 404.
func (s *Server) ForgetSessions() {
	s.mu.Lock()
	lost := s.sessions
	s.sessions = map[string]*session{}
	s.mu.Unlock()
	for _, sess := range lost {
		sess.close()
	}
}

// DropStreams cuts every connection that carries a stream, without ending the streams.
func (s *Server) DropStreams() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sess := range s.sessions {
		sess.streams.cutAll()
	}
}

// start runs f in a goroutine that Close waits for; false when the server is closed.
func (s *Server) start(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		f()
	}()
	return true
}

func (s *Server) speaks(version string) bool { return slices.Contains(s.opts.Versions, version) }

func (s *Server) speaksModern() bool { return slices.ContainsFunc(s.opts.Versions, isModernVersion) }

// legacyVersion picks the version of a session: the client's where it is spoken, else the newest.
func (s *Server) legacyVersion(offered string) (string, bool) {
	if s.speaks(offered) && !isModernVersion(offered) {
		return offered, true
	}
	for _, v := range s.opts.Versions {
		if !isModernVersion(v) {
			return v, true
		}
	}
	return "", false
}

func (s *Server) implementation() obj {
	return obj{"name": s.opts.Name, "version": "1.0.0"}
}

func (s *Server) trace(transport string, inbound bool, header http.Header, raw []byte) {
	if s.opts.Trace != nil {
		s.opts.Trace(Traffic{Transport: transport, Inbound: inbound, Header: header, Raw: raw})
	}
}

// newID returns 128 bits that nobody can guess.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
