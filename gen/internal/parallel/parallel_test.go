package parallel

import (
	"strings"
	"sync/atomic"
	"testing"
)

func TestEveryStepIsDoneOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		done := make([]atomic.Int32, n)
		Do(n, func(i int) { done[i].Add(1) })
		for i := range done {
			if done[i].Load() != 1 {
				t.Errorf("step %d of %d was done %d times", i, n, done[i].Load())
			}
		}
	}
}

func TestAPanicReachesTheCaller(t *testing.T) {
	defer func() {
		if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "boom\n") {
			t.Errorf("recovered %q", text)
		}
	}()
	Do(100, func(i int) {
		if i == 7 {
			panic("boom")
		}
	})
	t.Error("Do returned")
}
