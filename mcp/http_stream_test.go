package mcp

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// C-109
func TestB016StreamWithoutAnAnswer(t *testing.T) {
	for _, version := range []string{Version20251125, Version20260728} {
		for _, body := range []string{": hi\n\n", data(`{"jsonrpc":"2.0","method":"notifications/x"}`), `data: {"jsonrpc":"2.0",`, "id: 1\n\n"[:0]} {
			server := newHTTPServer(t, onCall(version, func(w http.ResponseWriter, _ *http.Request, _ message) { sse(w, body) }))
			_, err := connect(t, HTTP(server.URL)).CallTool(t.Context(), "x", nil)
			if !errors.Is(err, ErrNoAnswer) || errors.As(err, new(*TimeoutError)) {
				t.Errorf("%s %q: %v", version, body, err)
			}
		}
	}
}

func TestB018BareJSONLabelledAsStream(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20251125, func(w http.ResponseWriter, _ *http.Request, m message) { sse(w, m.result(okResult)+"\n") }))
	_, err := connect(t, HTTP(server.URL)).CallTool(t.Context(), "x", nil)
	if err == nil || !strings.Contains(err.Error(), "bare JSON") {
		t.Fatalf("got %v", err)
	}
}

// C-103 C-107
func TestB026OtherEventsAreIgnored(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20251125, func(w http.ResponseWriter, _ *http.Request, m message) {
		sse(w, "event: ping\ndata: ping 2026-01-01\n\n: c\n\nevent: message\n"+data(m.result(okResult))+data("late"))
	}))
	checkOK(t, connect(t, HTTP(server.URL)))
}

// C-095
func TestB029PrimingEvent(t *testing.T) {
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if m.Method == methodInitialize {
			sse(w, "id: p1\ndata: \n\nevent: message\nid: p2\n"+data(m.result(leg(Version20251125))))
			return
		}
		jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
	})
	checkOK(t, connect(t, HTTP(server.URL)))
}

func TestB024StreamLeftOpenAfterTheAnswer(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20251125, func(w http.ResponseWriter, r *http.Request, m message) {
		sse(w, data(m.result(okResult)))
		<-r.Context().Done()
	}))
	c := connect(t, HTTP(server.URL))
	for range 50 {
		checkOK(t, c)
	}
}

// C-094 C-096 C-097
func TestB038CursorSurvivesEmptyResumptions(t *testing.T) {
	var gets atomic.Int64
	var call message
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		switch {
		case r.Method == http.MethodGet:
			if r.Header.Get("Last-Event-ID") != "e1" {
				t.Errorf("resumed from %q", r.Header.Get("Last-Event-ID"))
			}
			if gets.Add(1) == 1 {
				sse(w, "")
				return
			}
			sse(w, "id: e2\n"+data(call.result(okResult)))
		case m.Method == methodCallTool:
			call = m
			sse(w, "id: e1\nretry: 20\ndata:\n\n")
		default:
			jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
		}
	})
	c := connect(t, HTTP(server.URL))
	started := time.Now()
	checkOK(t, c)
	if took := time.Since(started); took < 40*time.Millisecond {
		t.Fatalf("resumed too early: %v", took)
	}
	if gets.Load() != 2 {
		t.Fatalf("%d GETs", gets.Load())
	}
}

// C-097
func TestRefusedResumptionFailsTheCall(t *testing.T) {
	var gets atomic.Int64
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		switch {
		case r.Method == http.MethodGet:
			gets.Add(1)
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.Method == methodCallTool:
			sse(w, "id: e1\nretry: 1\ndata:\n\n")
		default:
			jsonScript(legacy(Version20251125, alwaysOK))(w, r, m)
		}
	})
	_, err := connect(t, HTTP(server.URL)).CallTool(t.Context(), "x", nil)
	if !errors.As(err, new(*TransportError)) || gets.Load() != 1 {
		t.Fatalf("got %v after %d GETs", err, gets.Load())
	}
}

// C-108
func TestStatelessStreamIsNeverResumed(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, _ *http.Request, _ message) {
		sse(w, "id: e1\nretry: 1\ndata:\n\n")
	}))
	_, err := connect(t, HTTP(server.URL)).CallTool(t.Context(), "x", nil)
	if !errors.Is(err, ErrNoAnswer) {
		t.Fatalf("got %v", err)
	}
	for _, x := range server.exchanges() {
		if x.method != http.MethodPost {
			t.Fatalf("sent %s", x.method)
		}
	}
}

func TestB097OneBrokenEventHurtsOneCall(t *testing.T) {
	release := make(chan struct{})
	server := newHTTPServer(t, onCall(Version20251125, func(w http.ResponseWriter, r *http.Request, m message) {
		switch {
		case strings.Contains(m.raw, "broken"):
			sse(w, data("{oops"))
		case strings.Contains(m.raw, "first"):
			sse(w, ": hi\n\n")
			<-release
			sse(w, data(m.result(okResult)))
		default:
			sse(w, data(m.result(okResult)))
		}
	}))
	c := connect(t, HTTP(server.URL))
	first := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), "first", nil)
		first <- err
	}()
	server.rec.await(t, methodCallTool)
	if _, err := c.CallTool(t.Context(), "broken", nil); err == nil {
		t.Fatal("no error")
	}
	close(release)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	checkOK(t, c)
}
