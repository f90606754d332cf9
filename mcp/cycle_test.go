package mcp

import (
	"net/http"
	"runtime"
	"testing"
)

// Connecting, calling and closing again and again leaves nothing behind: no memory here, no
// goroutines in TestMain.
func TestCyclesOfConnectionsKeepMemoryFlat(t *testing.T) {
	cycles := 10_000
	if testing.Short() {
		cycles = 1_000
	}
	respond := jsonScript(modern(alwaysOK))
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { respond(w, r, readMessage(r)) })
	cycle := func(transport Transport) {
		c, err := Connect(t.Context(), transport, WithKeepAlive(defaultTimeout))
		if err != nil {
			t.Fatal(err)
		}
		checkOK(t, c)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, transport := range map[string]func() Transport{
		"handler": func() Transport { return Handler(handler) },
		"stream":  func() Transport { return unrecorded(legacy(Version20251125, alwaysOK)) },
	} {
		t.Run(name, func(t *testing.T) {
			for range cycles / 10 {
				cycle(transport())
			}
			before := heap()
			for range cycles {
				cycle(transport())
			}
			if after := heap(); after > before+1<<20 {
				t.Errorf("heap grew from %d to %d bytes in %d cycles", before, after, cycles)
			}
		})
	}
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
