package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// Machines are shared and clocks wander, so nothing is compared across time:
// each round measures every contestant, in an order that rotates, and gives one
// ratio to the floor of that same round. The median of the rounds is reported.

// outcome is one row of the table for one era: the ratio of each contestant to
// the floor, or the plain number where there is no ratio.
type outcome map[string]float64

func measureWall(ctx context.Context, srv *server, w *work, era string, rounds int) (outcome, time.Duration, error) {
	sessions := make([]session, len(contestants))
	for i, c := range contestants {
		s, err := c.open(ctx, srv.target(w.path, era))
		if err != nil {
			return nil, 0, fmt.Errorf("%s: connecting: %w", c.name, err)
		}
		defer s.Close()
		sessions[i] = s
		if err := w.verify(ctx, s); err != nil {
			return nil, 0, fmt.Errorf("%s: checking the answer: %w", c.name, err)
		}
	}
	ratios := make([][]float64, len(contestants))
	var floors []float64
	for round := range rounds {
		times := make([]time.Duration, len(contestants))
		for k := range contestants {
			i := (k + round) % len(contestants)
			runtime.GC()
			start := time.Now()
			if err := w.run(ctx, sessions[i]); err != nil {
				return nil, 0, fmt.Errorf("%s: %w", contestants[i].name, err)
			}
			times[i] = time.Since(start)
		}
		for i := range contestants {
			ratios[i] = append(ratios[i], float64(times[i])/float64(times[0]))
		}
		floors = append(floors, float64(times[0])/float64(w.batch*w.caller))
	}
	out := outcome{}
	for i, c := range contestants {
		out[c.name] = median(ratios[i])
	}
	return out, time.Duration(median(floors)), nil
}

func median(v []float64) float64 {
	slices.Sort(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// measureAllocs counts the allocations of one small call in this process.
func measureAllocs(ctx context.Context, srv *server, path, era string) (outcome, error) {
	out := outcome{}
	for _, c := range contestants {
		s, err := c.open(ctx, srv.target(path, era))
		if err != nil {
			return nil, fmt.Errorf("%s: connecting: %w", c.name, err)
		}
		const calls = 500
		w := work{batch: calls, caller: 1, step: sum}
		if err := w.run(ctx, s); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = w.run(ctx, s)
		runtime.ReadMemStats(&after)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		out[c.name] = float64((after.Mallocs - before.Mallocs) / calls)
		if err := s.Close(); err != nil {
			return nil, fmt.Errorf("%s: closing: %w", c.name, err)
		}
	}
	return out, nil
}

// measureTrips counts the requests that a contestant makes before its first
// call is answered.
func measureTrips(ctx context.Context, srv *server, era string, pinned bool) (outcome, error) {
	out := outcome{}
	for _, c := range contestants {
		open := c.open
		if !pinned {
			open = c.unpinned
		}
		if _, err := srv.trips(); err != nil {
			return nil, err
		}
		s, err := open(ctx, srv.target("json", era))
		if err != nil {
			return nil, fmt.Errorf("%s: connecting: %w", c.name, err)
		}
		if err := sum(ctx, s, 1); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		n, err := srv.trips()
		if err != nil {
			return nil, err
		}
		out[c.name] = float64(n)
		if err := s.Close(); err != nil {
			return nil, fmt.Errorf("%s: closing: %w", c.name, err)
		}
	}
	return out, nil
}
