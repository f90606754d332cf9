package mcp

// How often a task is asked about. The server's interval counts, also when it changes, between a floor
// that protects servers which mean seconds and write 2, and a ceiling that protects callers (B131). Each
// task has a pace of its own.

import (
	"math/rand/v2"
	"time"
)

const (
	pollFloor       = 100 * time.Millisecond
	pollDefault     = 500 * time.Millisecond // where the server does not say
	pollCalm        = 5 * time.Second        // what the client's own intervals grow to
	pollCeiling     = 5 * time.Minute
	maxPollFailures = 5 // in a row
)

type pace struct {
	minimum  time.Duration // the caller's
	waits    int           // so far without a usable interval of the server
	failures int           // in a row
	after    time.Duration // what the last failure asked for
}

// next is the wait before the next poll, given the server's interval or zero.
func (p *pace) next(server time.Duration) time.Duration {
	wait := server
	if server < pollFloor {
		base := pollDefault
		if server > 0 {
			base = pollFloor
		}
		wait = growing(base, p.waits)
		p.waits++
	}
	if p.failures > 0 {
		wait = max(wait, growing(pollDefault, p.failures))
	}
	wait = min(max(wait, p.after), pollCeiling)
	p.after = 0
	return max(wait, p.minimum)
}

// growing is base, half as long again for each step, with a little chance so that clients that started
// together drift apart.
func growing(base time.Duration, steps int) time.Duration {
	for ; steps > 0 && base < pollCalm; steps-- {
		base += base / 2
	}
	base = min(base, pollCalm)
	return base + rand.N(base/10)
}

func (p *pace) failed(err error) {
	p.failures++
	p.after = retryAfter(err, time.Now())
}

func (p *pace) succeeded() { p.failures = 0 }
