package refserver

// A stream is an append-only log of messages that HTTP connections read from. Because the log
// outlives the connection, resuming is reading again from an earlier place.

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

type event struct {
	data   []byte
	status int // HTTP status if this is the only message
}

type stream struct {
	name string // events have ids when it is not empty

	mu      sync.Mutex
	events  []event
	sent    int  // events that some connection has written
	done    bool // the answer, if any, is in events
	changed chan struct{}
	cut     chan struct{} // closed to end the connections that carry the stream
}

func newStream(name string) *stream {
	return &stream{name: name, changed: make(chan struct{}), cut: make(chan struct{})}
}

func (s *stream) send(raw []byte, final bool, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return
	}
	if raw != nil {
		s.events = append(s.events, event{raw, status})
	}
	s.done = final
	s.broadcast()
}

// open makes connections start the stream although there is nothing to say yet.
func (s *stream) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, event{})
	s.broadcast()
}

// broadcast wakes whoever waits; mu is held.
func (s *stream) broadcast() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// after returns the events from an index on, whether more may follow, and what to wait for.
func (s *stream) after(from int) ([]event, bool, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[min(from, len(s.events)):], s.done, s.changed
}

func (s *stream) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.cut)
	s.cut = make(chan struct{})
}

func (s *stream) connection() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cut
}

func (s *stream) wrote(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = max(s.sent, n)
	s.broadcast()
}

// delivered waits until a connection has written n events.
func (s *stream) delivered(ctx context.Context, n int) {
	for {
		s.mu.Lock()
		sent, changed := s.sent, s.changed
		s.mu.Unlock()
		if sent >= n {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// first waits for the first event or the end; alone reports that it is all there will be.
func (s *stream) first(ctx context.Context) (ev event, alone bool) {
	for {
		events, done, changed := s.after(0)
		if len(events) > 0 || done {
			if len(events) == 1 && done {
				return events[0], true
			}
			return event{}, false
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return event{}, false
		}
	}
}

// last waits for the end of the stream and returns its last event.
func (s *stream) last(ctx context.Context) (event, bool) {
	for {
		events, done, changed := s.after(0)
		if done {
			if len(events) == 0 {
				return event{}, false
			}
			return events[len(events)-1], true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return event{}, false
		}
	}
}

// streamWriter carries a stream over one HTTP response.
type streamWriter struct {
	w     http.ResponseWriter
	prime bool          // start with an event that only has an id (2025-11-25)
	retry time.Duration // announced with the first event, unless zero
	trace func([]byte)
	// endpoint is the address to POST to, announced first on HTTP+SSE.
	endpoint string
}

func (sw *streamWriter) start() {
	h := sw.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	sw.w.WriteHeader(http.StatusOK)
}

func (sw *streamWriter) flush() { _ = http.NewResponseController(sw.w).Flush() }

// copy writes the events from an index on until the stream ends, is cut, or ctx is done.
func (sw *streamWriter) copy(ctx context.Context, s *stream, from int) {
	cut := s.connection()
	sw.start()
	sw.preamble(s, from)
	sw.flush()
	for {
		events, done, changed := s.after(from)
		select {
		case <-cut:
			return
		default:
		}
		for _, ev := range events {
			from++
			sw.event(s.name, from, ev.data)
		}
		sw.flush()
		if len(events) > 0 {
			s.wrote(from)
		}
		if done {
			return
		}
		select {
		case <-changed:
		case <-cut:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (sw *streamWriter) preamble(s *stream, from int) {
	_, _ = fmt.Fprint(sw.w, ": stream opens\n\n")
	if sw.endpoint != "" {
		_, _ = fmt.Fprintf(sw.w, "event: endpoint\ndata: %s\n\n", sw.endpoint)
	}
	if sw.prime && s.name != "" {
		_, _ = fmt.Fprintf(sw.w, "id: %s/%d\nretry: %d\ndata:\n\n", s.name, from, sw.retry.Milliseconds())
	} else if sw.retry > 0 {
		_, _ = fmt.Fprintf(sw.w, "retry: %d\n\n", sw.retry.Milliseconds())
	}
}

func (sw *streamWriter) event(name string, n int, data []byte) {
	if data == nil {
		sw.blank(name, n)
		return
	}
	if sw.trace != nil {
		sw.trace(data)
	}
	if name != "" {
		_, _ = fmt.Fprintf(sw.w, "id: %s/%d\n", name, n)
	}
	_, _ = fmt.Fprintf(sw.w, "event: message\ndata: %s\n\n", data)
}

// blank writes what clients do not dispatch: an id to resume from, or a comment.
func (sw *streamWriter) blank(name string, n int) {
	if name != "" {
		_, _ = fmt.Fprintf(sw.w, "id: %s/%d\ndata:\n\n", name, n)
	} else {
		_, _ = fmt.Fprint(sw.w, ": nothing yet\n\n")
	}
}

// streams are the resumable streams of a session, by name.
type streams struct {
	mu    sync.Mutex
	made  int
	known map[string]*stream
	names []string // oldest first
}

const keptStreams = 64

// add makes a stream that can be resumed later.
func (ss *streams) add() *stream {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.made++
	s := newStream("s" + strconv.Itoa(ss.made))
	if ss.known == nil {
		ss.known = map[string]*stream{}
	}
	ss.known[s.name] = s
	ss.names = append(ss.names, s.name)
	if len(ss.names) > keptStreams {
		delete(ss.known, ss.names[0])
		ss.names = ss.names[1:]
	}
	return s
}

// find splits a Last-Event-ID into its stream and the number of events already seen.
func (ss *streams) find(lastEventID string) (*stream, int) {
	name, count, _ := strings.Cut(lastEventID, "/")
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		return nil, 0
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.known[name], n
}

func (ss *streams) cutAll() {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.known {
		s.drop()
	}
}
