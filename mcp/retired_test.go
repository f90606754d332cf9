package mcp

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

// A session is lost while a call of it is still being answered: the call gets its answer, and the
// connection it came on is closed as soon as it has.
func TestReplacedConnectionClosesWithItsLastCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold, held := make(chan struct{}), make(chan struct{})
		s := &sessions{}
		c := connect(t, Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			m := readMessage(r)
			if strings.Contains(m.raw, `"slow"`) {
				close(held)
				<-hold
				sse(w, data(m.result(okResult)))
				return
			}
			s.respond(w, r, m)
		})))
		old := c.current
		done := make(chan error)
		go func() {
			_, err := c.CallTool(t.Context(), "slow", nil, WithTimeout(0))
			done <- err
		}()
		<-held
		s.mu.Lock()
		s.dead = true
		s.mu.Unlock()
		checkOK(t, c)
		synctest.Wait()
		if c.current == old || !old.alive() {
			t.Fatalf("replaced: %v, old one alive: %v", c.current != old, old.alive())
		}
		close(hold)
		if err := <-done; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.retired) != 0 || old.alive() {
			t.Errorf("%d connections wait to be closed, old one alive: %v", len(c.retired), old.alive())
		}
	})
}
