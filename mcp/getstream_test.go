package mcp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// streamServer is a session-era server whose GET a test scripts.
type streamServer struct {
	mu   sync.Mutex
	gets []string // Last-Event-ID of each
	at   []time.Time
	all  []message
	get  func(n int, w http.ResponseWriter, r *http.Request) // n from 1
	post func(w http.ResponseWriter, r *http.Request, m message) bool
}

func (s *streamServer) respond(w http.ResponseWriter, r *http.Request, m message) {
	s.mu.Lock()
	s.all = append(s.all, m)
	if r.Method == http.MethodGet {
		s.gets = append(s.gets, r.Header.Get(headerLastEvent))
		s.at = append(s.at, time.Now())
	}
	n := len(s.gets)
	s.mu.Unlock()
	switch {
	case r.Method == http.MethodGet:
		s.get(n, w, r)
	case r.Method == http.MethodDelete:
	case s.post != nil && s.post(w, r, m):
	case m.Method == methodInitialize:
		w.Header().Set(headerSession, "sid")
		fallthrough
	default:
		jsonScript(wideLegacy(func(m message) []string {
			if len(m.ID) == 0 || m.Method == "" {
				return nil
			}
			return alwaysOK(m)
		}))(w, r, m)
	}
}

func (s *streamServer) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.gets)
}

// seen returns what came so far: the cursors and times of GETs, and all messages.
func (s *streamServer) seen() ([]string, []time.Time, []message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.gets), slices.Clone(s.at), slices.Clone(s.all)
}

func (s *streamServer) ids() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%q", s.gets)
}

// holdOpen keeps a response open until the client leaves.
func holdOpen(r *http.Request) { <-r.Context().Done() }

func holdStream(w http.ResponseWriter, r *http.Request, text string) {
	sse(w, text)
	holdOpen(r)
}

func streaming(t *testing.T, s *streamServer, run func(t *testing.T, c *Client, sub *Subscription)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := handlerClient(t, s.respond)
		sub, err := c.Listen(t.Context(), ListenFilter{Tools: true})
		if err != nil {
			t.Fatal(err)
		}
		run(t, c, sub)
	})
}

func TestB036NoStreamIsNoStream(t *testing.T) {
	for status, header := range map[int]string{200: "text/plain", 204: "", 405: "", 404: "", 400: "text/event-stream", 501: ""} {
		s := &streamServer{get: func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", header)
			w.WriteHeader(status)
		}}
		streaming(t, s, func(t *testing.T, c *Client, sub *Subscription) {
			time.Sleep(time.Hour) // of the fake clock
			if s.count() != 1 || sub.Reason() != EndNone {
				t.Errorf("%d: %d GETs, %s", status, s.count(), sub.Reason())
			}
			checkOK(t, c)
		})
	}
}

func TestB036StreamsThatComeToNothingAreGivenUp(t *testing.T) {
	s := &streamServer{get: func(_ int, w http.ResponseWriter, _ *http.Request) { sse(w, "") }}
	streaming(t, s, func(t *testing.T, c *Client, sub *Subscription) {
		time.Sleep(time.Minute) // of the fake clock
		if n := s.count(); n < 4 || n > 8 {
			t.Errorf("%d GETs in a minute", n)
		}
		time.Sleep(time.Hour)
		if n := s.count(); n != maxStreamTries+1 || sub.Reason() != EndLost {
			t.Errorf("%d GETs in all, ended as %q", n, sub.Reason())
		}
		checkOK(t, c)
		// Whoever asks for it again gets another try.
		if _, err := c.Listen(t.Context(), ListenFilter{Tools: true}); err != nil || s.count() != maxStreamTries+2 {
			t.Errorf("%d GETs, %v", s.count(), err)
		}
	})
}

func TestB037RefusalsOfTheMomentEndNothing(t *testing.T) {
	s := &streamServer{}
	s.get = func(n int, w http.ResponseWriter, r *http.Request) {
		switch n {
		case 1:
			sse(w, "")
			time.Sleep(time.Second) // of the fake clock
		case 2:
			w.WriteHeader(409)
		case 3:
			w.WriteHeader(400)
		case 4: // B094
			w.Header().Set("Retry-After", "20")
			w.WriteHeader(503)
		case 5:
			w.Header().Set("Retry-After", time.Now().Add(40*time.Second).UTC().Format(http.TimeFormat))
			w.WriteHeader(503)
		default:
			holdStream(w, r, data(told(methodToolsChanged, "", "")))
		}
	}
	s.post = func(w http.ResponseWriter, _ *http.Request, m message) bool {
		if m.Method != methodCallTool {
			return false
		}
		time.Sleep(3 * time.Second)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, m.result(okResult))
		return true
	}
	streaming(t, s, func(t *testing.T, c *Client, sub *Subscription) {
		checkOK(t, c)
		if a, b := <-sub.Events(), <-sub.Events(); a != (EventsMissed{}) || b != (ToolsChanged{}) {
			t.Errorf("got %v %v", a, b)
		}
		if _, at, _ := s.seen(); len(at) != 6 || at[4].Sub(at[3]) < 20*time.Second || at[5].Sub(at[4]) < 39*time.Second {
			t.Errorf("GETs at %v", at)
		}
	})
}

// C-095
func TestB039EachStreamHasItsOwnCursor(t *testing.T) {
	s := &streamServer{}
	broken := make(chan struct{})
	s.get = func(_ int, w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get(headerLastEvent) {
		case "":
			sse(w, "id: g1\n"+data(told(methodToolsChanged, "", "")))
			<-broken
		case "p1":
			sse(w, "id: p2\n"+data(`{"jsonrpc":"2.0","id":2,"result":`+okResult+`}`)+data(`{"jsonrpc":"2.0","id":3,"result":`+okResult+`}`))
		case "g1":
			holdStream(w, r, "id: g2\n"+data(told(methodPromptsChanged, "", "")))
		}
	}
	s.post = func(w http.ResponseWriter, _ *http.Request, m message) bool {
		if m.Method != methodCallTool {
			return false
		}
		sse(w, "id: p1\ndata:\n\n")
		close(broken)
		return true
	}
	synctest.Test(t, func(t *testing.T) {
		c := handlerClient(t, s.respond)
		sub, err := c.Listen(t.Context(), ListenFilter{Tools: true, Prompts: true})
		if err != nil {
			t.Fatal(err)
		}
		checkOK(t, c)
		if a, b := <-sub.Events(), <-sub.Events(); a != (ToolsChanged{}) || b != (PromptsChanged{}) {
			t.Errorf("got %v %v", a, b)
		}
		if got := s.ids(); got != `["" "p1" "g1"]` && got != `["" "g1" "p1"]` {
			t.Errorf("resumed %s", got)
		}
		if len(sub.Events()) != 0 {
			t.Error("a resumed stream misses nothing")
		}
	})
}

func TestB040StreamsWithoutIDsAreOpenedAgain(t *testing.T) {
	s := &streamServer{get: func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			sse(w, ": hi\n\n")
			time.Sleep(30 * time.Second) // of the fake clock
			return
		}
		holdStream(w, r, data(told(methodToolsChanged, "", "")))
	}}
	streaming(t, s, func(t *testing.T, _ *Client, sub *Subscription) {
		if a, b := <-sub.Events(), <-sub.Events(); a != (EventsMissed{}) || b != (ToolsChanged{}) {
			t.Errorf("got %v %v", a, b)
		}
		if s.ids() != `["" ""]` {
			t.Errorf("opened %s", s.ids())
		}
	})
}

// C-096
func TestStreamIsOpenedAgainWhenTheServerSaid(t *testing.T) {
	s := &streamServer{get: func(n int, w http.ResponseWriter, r *http.Request) {
		if n < 20 {
			sse(w, fmt.Sprintf("id: g%d\nretry: 7000\n%s", n, data(told(methodToolsChanged, "", ""))))
			return
		}
		holdStream(w, r, "")
	}}
	streaming(t, s, func(t *testing.T, _ *Client, sub *Subscription) {
		time.Sleep(time.Hour) // of the fake clock
		gets, at, _ := s.seen()
		if len(gets) != 20 {
			t.Fatalf("%d GETs", len(gets))
		}
		for i := 1; i < 20; i++ {
			if gap := at[i].Sub(at[i-1]); gap != 7*time.Second || gets[i] != fmt.Sprintf("g%d", i) {
				t.Errorf("GET %d after %v from %q", i, gap, gets[i])
			}
		}
	})
}

func TestB041ForgottenSessionIsOpenedAnewOnce(t *testing.T) {
	s := &streamServer{get: func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 1 {
			sse(w, ": hi\n\n")
			return
		}
		w.WriteHeader(404)
	}}
	streaming(t, s, func(t *testing.T, c *Client, sub *Subscription) {
		time.Sleep(time.Hour) // of the fake clock
		opened := 0
		_, _, all := s.seen()
		for _, m := range all {
			if m.Method == methodInitialize {
				opened++
			}
		}
		if opened != 2 || s.count() != 3 {
			t.Errorf("%d sessions, %d GETs", opened, s.count())
		}
		if e := <-sub.Events(); e != (EventsMissed{}) {
			t.Errorf("got %v", e)
		}
		checkOK(t, c)
	})
}

// B031 B105 C-091
func TestStreamIsOpenedForHandlers(t *testing.T) {
	s := &streamServer{get: func(_ int, w http.ResponseWriter, r *http.Request) {
		holdStream(w, r, strings.Repeat(data(told(methodToolsChanged, "", "")), 3))
	}}
	s.post = func(w http.ResponseWriter, r *http.Request, m message) bool {
		if m.Method == methodListTools {
			jsonScript(func(m message) []string { return []string{m.result(`{"tools":[]}`)} })(w, r, m)
			return true
		}
		return false
	}
	synctest.Test(t, func(t *testing.T) {
		var c *Client
		ready, heard := make(chan struct{}), make(chan error, 10)
		c = handlerClient(t, s.respond, WithNotificationHandler(func(Notification) {
			<-ready
			_, err := c.ListTools(t.Context())
			heard <- err
		}))
		close(ready)
		for range 3 {
			if err := <-heard; err != nil {
				t.Error(err)
			}
		}
		if s.count() != 1 {
			t.Errorf("%d GETs", s.count())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		before := s.count()
		c := handlerClient(t, s.respond)
		checkOK(t, c)
		synctest.Wait()
		if s.count() != before {
			t.Error("opened although nobody listens")
		}
	})
}

// C-046
func TestB106RequestsOnTheStreamAreAnswered(t *testing.T) {
	answered := make(chan message, 1)
	s := &streamServer{get: func(_ int, w http.ResponseWriter, r *http.Request) {
		holdStream(w, r, data(`{"jsonrpc":"2.0","id":"q","method":"ping"}`))
	}}
	s.post = func(_ http.ResponseWriter, r *http.Request, m message) bool {
		if m.Method != "" || r.Method != http.MethodPost || r.Header.Get(headerSession) != "sid" {
			return false
		}
		select {
		case answered <- m:
		default:
		}
		return false
	}
	server := newHTTPServer(t, s.respond)
	c := connect(t, HTTP(server.URL))
	if _, err := c.Listen(t.Context(), ListenFilter{Tools: true}); err != nil {
		t.Fatal(err)
	}
	select {
	case m := <-answered:
		if string(m.ID) != `"q"` || string(m.Result) != "{}" {
			t.Errorf("answered %s", m.raw)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("no answer")
	}
}

func TestSilentGETDoesNotHoldUpListen(t *testing.T) {
	s := &streamServer{get: func(_ int, _ http.ResponseWriter, r *http.Request) { holdOpen(r) }}
	synctest.Test(t, func(t *testing.T) {
		c := handlerClient(t, s.respond)
		began := time.Now()
		if _, err := c.Listen(t.Context(), ListenFilter{Tools: true}); err != nil || time.Since(began) != streamWait {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Listen(ctx, ListenFilter{Tools: true}); err == nil {
			t.Error("the context ended")
		}
	})
}
