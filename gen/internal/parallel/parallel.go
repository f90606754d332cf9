// Package parallel spreads independent steps over the processors.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do calls step for 0 to n-1, several at a time, and returns when all have
// returned. A step that panics makes Do panic, so that callers may recover.
func Do(n int, step func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	var failed atomic.Pointer[string]
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failed.CompareAndSwap(nil, new(fmt.Sprintf("%v\n%s", r, debug.Stack())))
				}
			}()
			for i := int(next.Add(1) - 1); i < n && failed.Load() == nil; i = int(next.Add(1) - 1) {
				step(i)
			}
		})
	}
	wg.Wait()
	if text := failed.Load(); text != nil {
		panic(*text)
	}
}
