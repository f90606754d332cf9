package mcp

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func pings(rec *recorder) int { return strings.Count(strings.Join(rec.methods(), " "), methodPing) }

// C-148 C-149
func TestB048KeepAlive(t *testing.T) {
	for name, test := range map[string]struct {
		serve script
		pings int // within ten intervals
		alive bool
	}{
		"answered":     {legacy(Version20251125, alwaysOK), 10, true},
		"unknown":      {legacy(Version20251125, func(m message) []string { return []string{m.failure(-32601, "no", "")} }), 1, true},
		"failing":      {legacy(Version20251125, func(m message) []string { return []string{m.failure(-32603, "no", "")} }), 10, true},
		"silent":       {legacy(Version20251125, func(message) []string { return nil }), 3, false},
		"no such ping": {modern(alwaysOK), 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport, rec := pipe(t, test.serve)
				c := connect(t, transport, WithKeepAlive(time.Second))
				time.Sleep(10*time.Second + time.Millisecond) // of the fake clock
				synctest.Wait()
				if got := pings(rec); got != test.pings {
					t.Errorf("%d pings, want %d", got, test.pings)
				}
				if c.current.alive() != test.alive {
					t.Errorf("connection alive: %v", c.current.alive())
				}
				_, err := c.CallTool(t.Context(), "x", nil)
				if !test.alive && (!errors.As(err, new(*TransportError)) || !strings.Contains(err.Error(), "unanswered")) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

func TestKeepAliveFindsTheNewConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var deaf atomic.Bool
		deaf.Store(true)
		transport, rec := pipe(t, legacy(Version20251125, func(m message) []string {
			if deaf.Load() {
				return nil
			}
			return alwaysOK(m)
		}))
		c := connect(t, transport, WithKeepAlive(time.Second), WithRestart())
		time.Sleep(10 * time.Second) // of the fake clock
		deaf.Store(false)
		checkOK(t, c)
		before := pings(rec)
		time.Sleep(5*time.Second + time.Millisecond) // of the fake clock
		synctest.Wait()
		if got := pings(rec) - before; got != 5 {
			t.Errorf("%d pings on the new connection", got)
		}
	})
}
