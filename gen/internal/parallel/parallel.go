// Package parallel spreads independent steps over the processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls step for 0 to n-1, several at a time, and returns when all have
// returned.
func Do(n int, step func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1) - 1); i < n; i = int(next.Add(1) - 1) {
				step(i)
			}
		})
	}
	wg.Wait()
}
