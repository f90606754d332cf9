package mcp

// How long to wait before trying again: twice as long each time, never in step with others, and from
// the start again only after something has worked.

import (
	"math/rand/v2"
	"time"
)

const (
	firstDelay = time.Second
	maxDelay   = time.Minute
	// healthyLife is how long a stream must have lived to count as one that worked.
	healthyLife = 30 * time.Second
)

// backoff counts tries that came to nothing.
type backoff struct{ tries int }

// next counts one more and returns the wait before it: between half and all of 1 s, 2 s, … 60 s.
func (b *backoff) next() time.Duration {
	b.tries++
	d := maxDelay
	if shift := b.tries - 1; shift < 6 {
		d = firstDelay << shift
	}
	return d/2 + rand.N(d/2)
}

func (b *backoff) reset() { b.tries = 0 }
