// Command bench measures this runtime beside the official Go SDK, mcp-go and the
// floor, all against the same tiny server in another process, and prints the
// table of doc/performance.md. Run it by `make bench`.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 13, "rounds of each wall-time row")
	flag.StringVar(&o.only, "only", "", "measure only the rows that match this expression")
	flag.StringVar(&o.keep, "keep", "", "put the table into this document")
	flag.BoolVar(&o.strict, "strict", false, "exit with 1 when a row misses what is required")
	flag.StringVar(&o.peak, "peak", "", "measure the peak memory of one contestant (used by the program itself)")
	flag.StringVar(&o.url, "url", "", "where -peak finds the server")
	flag.Parse()
	if err := o.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	rounds                int
	only, keep, peak, url string
	strict                bool
}

func (o *options) run(ctx context.Context) error {
	if o.peak != "" {
		return printPeak(ctx, o.peak, o.url)
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mcpgen-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	srv, err := startServer(ctx, dir)
	if err != nil {
		return err
	}
	defer srv.close()

	table, missed, err := o.table(ctx, srv, only)
	if err != nil {
		return err
	}
	if o.keep != "" {
		if err := keep(o.keep, table); err != nil {
			return err
		}
	}
	fmt.Printf("\n%d rows miss what is required\n", missed)
	if o.strict && missed > 0 {
		return fmt.Errorf("%d rows miss what is required", missed)
	}
	return nil
}

// table measures row after row and prints each as it is done.
func (o *options) table(ctx context.Context, srv *server, only *regexp.Regexp) (text string, missed int, err error) {
	var b strings.Builder
	emit := func(s string) {
		fmt.Print(s)
		b.WriteString(s)
	}
	emit(fmt.Sprintf("%s; %s; %s; %d rounds\n\n", time.Now().UTC().Format(time.DateOnly), machine(), peers(), o.rounds))
	emit(tableHead)
	for _, m := range o.rows() {
		if !only.MatchString(m.name) {
			continue
		}
		r, err := m.measure(ctx, srv)
		if err != nil {
			return "", 0, fmt.Errorf("%s: %w", m.name, err)
		}
		emit(r.line())
		if !r.holds() {
			missed++
		}
	}
	return b.String(), missed, nil
}

type measurement struct {
	name    string
	measure func(ctx context.Context, srv *server) (row, error)
}

func (o *options) rows() []measurement {
	var all []measurement
	for i := range works {
		w := &works[i]
		all = append(all, measurement{w.name, func(ctx context.Context, srv *server) (row, error) { return o.wall(ctx, srv, w) }})
	}
	return append(all,
		measurement{"allocations per small call, HTTP JSON / stdio", allocations},
		measurement{"peak memory, one 16 MiB text, HTTP JSON", peakMemory},
		measurement{"round trips to connect: modern pinned / legacy pinned / legacy unknown", roundTrips},
	)
}

func (o *options) wall(ctx context.Context, srv *server, w *work) (row, error) {
	r := row{name: w.name, limits: []float64{w.limit}}
	if len(w.eras) > 1 {
		r.name += ", " + strings.Join(w.eras, " / ")
	}
	var floors []string
	for _, era := range w.eras {
		out, floor, err := measureWall(ctx, srv, w, era, o.rounds)
		if err != nil {
			return row{}, fmt.Errorf("%s: %w", era, err)
		}
		r.eras = append(r.eras, out)
		floors = append(floors, floor.Round(10*time.Nanosecond).String())
	}
	r.note = strings.Join(floors, " / ")
	return r, nil
}

func allocations(ctx context.Context, srv *server) (row, error) {
	r := row{name: "allocations per small call, HTTP JSON / stdio, 2025", unit: " ", limits: []float64{62, 10}}
	for _, path := range []string{"json", ""} {
		out, err := measureAllocs(ctx, srv, path, "2025")
		if err != nil {
			return row{}, err
		}
		r.eras = append(r.eras, out)
	}
	return r, nil
}

func peakMemory(ctx context.Context, srv *server) (row, error) {
	out, err := measurePeak(ctx, srv)
	return row{name: "peak memory, one 16 MiB text, HTTP JSON", unit: " MiB", limits: []float64{50}, eras: []outcome{out}}, err
}

func roundTrips(ctx context.Context, srv *server) (row, error) {
	r := row{name: "round trips to connect: modern pinned / legacy pinned / legacy unknown", unit: " ", limits: []float64{0, 2, 3}}
	for _, c := range []struct {
		era    string
		pinned bool
	}{{"2026", true}, {"2025", true}, {"2025", false}} {
		out, err := measureTrips(ctx, srv, c.era, c.pinned)
		if err != nil {
			return row{}, err
		}
		r.eras = append(r.eras, out)
	}
	return r, nil
}
