package mcp

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// C-222 C-223
func TestSessionsSubscribeToEachResource(t *testing.T) {
	conns := make(chan message, 10)
	transport, rec := pipe(t, wideLegacy(func(m message) []string {
		if strings.Contains(m.raw, "a:bad") {
			return []string{m.failure(-32002, "no such resource", "")}
		}
		if m.Method == methodSubscribe {
			conns <- m
		}
		return alwaysOK(m)
	}))
	c := connect(t, transport, WithRestart())
	filter := ListenFilter{Tools: true, URIs: []string{"a:1", "a:bad"}}
	first, err := c.Listen(t.Context(), filter)
	if err != nil {
		t.Fatal(err)
	}
	second, err := c.Listen(t.Context(), ListenFilter{URIs: []string{"a:1"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := first.Refused(); !slices.Equal(got.URIs, []string{"a:bad"}) || got.Tools {
		t.Errorf("refused %+v", got)
	}
	m := <-conns
	for _, line := range []string{
		told(methodResourceUpdated, "", `"uri":"a:1/part"`), told(methodResourceUpdated, "", `"uri":"a:10"`), told(methodPromptsChanged, "", ""), told(methodToolsChanged, "", ""),
	} {
		m.push(line)
	}
	if a, b := nextEvent(t, first), nextEvent(t, first); a != (ResourceUpdated{"a:1/part"}) || b != (ToolsChanged{}) {
		t.Errorf("got %v %v", a, b)
	}
	if e := nextEvent(t, second); e != (ResourceUpdated{"a:1/part"}) {
		t.Errorf("the second got %v", e)
	}
	if _, err := c.Listen(t.Context(), ListenFilter{URIs: []string{"a:bad"}}); !errors.Is(err, ErrResourceNotFound) && !errors.As(err, new(*RPCError)) {
		t.Errorf("got %v", err)
	}
	// The server dies: with the next call everything is there again, once per resource.
	_ = m.conn.(io.Closer).Close()
	waitLinkEnd(t, c)
	checkOK(t, c)
	m = <-conns
	if e := nextEvent(t, second); e != (EventsMissed{}) {
		t.Errorf("after the restart: %v", e)
	}
	m.push(told(methodResourceUpdated, "", `"uri":"a:1"`))
	if e := nextEvent(t, second); e != (ResourceUpdated{"a:1"}) {
		t.Errorf("after the restart: %v", e)
	}
	if len(conns) != 0 {
		t.Error("subscribed more than once")
	}
	// Only the last one to go unsubscribes.
	_ = first.Close()
	_ = second.Close()
	rec.await(t, methodUnsubscribe)
	checkOK(t, c)
	if n := strings.Count(fmt.Sprint(rec.methods()), methodUnsubscribe); n != 1 {
		t.Errorf("unsubscribed %d times", n)
	}
}

func waitLinkEnd(t *testing.T, c *Client) {
	t.Helper()
	c.mu.Lock()
	l := c.current
	c.mu.Unlock()
	select {
	case <-l.pending.done:
	case <-time.After(10 * time.Second):
		t.Fatal("the connection does not end")
	}
}

func TestLostSessionEndsOrRestoresSubscriptions(t *testing.T) {
	transport, _ := pipe(t, wideLegacy(func(m message) []string {
		if m.Method == methodCallTool {
			_ = m.conn.(io.Closer).Close()
			return nil
		}
		return alwaysOK(m)
	}))
	c := connect(t, transport)
	s, err := c.Listen(t.Context(), ListenFilter{URIs: []string{"a:1"}})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = c.CallTool(t.Context(), "die", nil)
	waitDone(t, s)
	if s.Reason() != EndLost || s.Err() == nil {
		t.Errorf("ended as %s with %v", s.Reason(), s.Err())
	}
}

// C-222
func TestSubscribeNeedsItsCapability(t *testing.T) {
	transport, rec := pipe(t, legacy(Version20251125, alwaysOK))
	c := connect(t, transport)
	var missing *UnsupportedError
	if err := c.Subscribe(t.Context(), "a:b"); !errors.As(err, &missing) || missing.Capability != "resources.subscribe" {
		t.Errorf("got %v", err)
	}
	if slices.Contains(rec.methods(), methodSubscribe) {
		t.Error("it was sent")
	}
	heard := make(chan message, 1)
	modern, _ := pipe(t, listenScript(heard))
	if err := connect(t, modern).Subscribe(t.Context(), "a:b"); !errors.As(err, &missing) || missing.Method != methodSubscribe {
		t.Errorf("got %v", err)
	}
}

// Nobody calls, and yet the subscription comes back: over a child's stream as over HTTP+SSE.
func TestListenBringsBackALostSession(t *testing.T) {
	conns := make(chan message, 10)
	transport, rec := pipe(t, wideLegacy(func(m message) []string {
		if m.Method == methodSubscribe {
			conns <- m
		}
		return alwaysOK(m)
	}))
	c := connect(t, transport, WithRestart())
	s, err := c.Listen(t.Context(), ListenFilter{URIs: []string{"a:1"}}, WithRelisten())
	if err != nil {
		t.Fatal(err)
	}
	m := <-conns
	_ = m.conn.(io.Closer).Close()
	m = <-conns
	if e := nextEvent(t, s); e != (EventsMissed{}) {
		t.Errorf("got %v", e)
	}
	m.push(told(methodResourceUpdated, "", `"uri":"a:1"`))
	if e := nextEvent(t, s); e != (ResourceUpdated{"a:1"}) {
		t.Errorf("got %v", e)
	}
	if n := strings.Count(fmt.Sprint(rec.methods()), methodSubscribe); n != 2 || len(conns) != 0 {
		t.Errorf("subscribed %d times", n)
	}
}
