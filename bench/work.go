package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/mcpgen/mcpgen/bench/jsonengines"
)

// The rows of the table. Each measured step checks its answer cheaply; before
// the clock starts, each contestant's answer is compared whole.

type work struct {
	name   string
	path   string // "json" or "sse" over HTTP, "" for stdio
	eras   []string
	limit  float64 // what the ratio to the floor must not exceed
	batch  int     // steps per measurement, of each caller
	caller int     // how many callers at once
	step   func(ctx context.Context, s session, n int64) error
	verify func(ctx context.Context, s session) error
}

var bothEras = []string{"2025", "2026"}

var works = []work{
	{name: "small typed call, HTTP JSON", path: "json", eras: bothEras, limit: 1.10, batch: 400, caller: 1, step: sum, verify: verifySum},
	{name: "small typed call, SSE", path: "sse", eras: bothEras, limit: 1.15, batch: 400, caller: 1, step: sum, verify: verifySum},
	{name: "small typed call, stdio", eras: bothEras, limit: 1.00, batch: 3000, caller: 1, step: sum, verify: verifySum},
	{name: "64 callers, HTTP JSON", path: "json", eras: bothEras, limit: 1.15, batch: 20, caller: 64, step: sum, verify: verifySum},
	{name: "64 callers, stdio", eras: bothEras, limit: 0.80, batch: 200, caller: 64, step: sum, verify: verifySum},
	{name: "1 MiB text, HTTP JSON", path: "json", eras: bothEras[:1], limit: 0.50, batch: 6, caller: 1, step: text("text1", 1<<20), verify: verifyText("text1", 1<<20)},
	{name: "16 MiB text, HTTP JSON", path: "json", eras: bothEras[:1], limit: 0.40, batch: 1, caller: 1, step: text("text16", 16<<20), verify: verifyText("text16", 16<<20)},
	{name: "10,000 typed rows, HTTP JSON", path: "json", eras: bothEras[:1], limit: 0.45, batch: 2, caller: 1, step: rows, verify: verifyRows},
	{name: "tools/list of 1,000 tools, HTTP JSON", path: "json", eras: bothEras[:1], limit: 0.70, batch: 6, caller: 1, step: list, verify: verifyList},
	{name: "10,000 progress notifications in one call, SSE", path: "sse", eras: bothEras[:1], limit: 0.50, batch: 1, caller: 1, step: progress, verify: func(ctx context.Context, s session) error { return progress(ctx, s, 0) }},
}

var errWrong = errors.New("the answer is wrong")

func sum(ctx context.Context, s session, n int64) error {
	got, err := s.Sum(ctx, n, 7)
	if err == nil && (got.Sum != n+7 || got.Unit != "m") {
		err = errWrong
	}
	return err
}

func verifySum(ctx context.Context, s session) error {
	for n := range int64(50) {
		if err := sum(ctx, s, n*n); err != nil {
			return err
		}
	}
	return nil
}

func text(tool string, size int) func(ctx context.Context, s session, _ int64) error {
	return func(ctx context.Context, s session, _ int64) error {
		got, err := s.Text(ctx, tool)
		if err == nil && len(got) != size {
			err = errWrong
		}
		return err
	}
}

func verifyText(tool string, size int) func(ctx context.Context, s session) error {
	return func(ctx context.Context, s session) error {
		got, err := s.Text(ctx, tool)
		if err == nil && got != jsonengines.LongText(size) {
			err = errWrong
		}
		return err
	}
}

func rows(ctx context.Context, s session, _ int64) error {
	got, err := s.Rows(ctx)
	if err == nil && (got.len() != rowCount || got.id(rowCount-1) != (rowCount-1)*7919) {
		err = errWrong
	}
	return err
}

func verifyRows(ctx context.Context, s session) error {
	got, err := s.Rows(ctx)
	if err == nil && !reflect.DeepEqual(got.plain(), jsonengines.ManyRows(rowCount).Rows) {
		err = errWrong
	}
	return err
}

func list(ctx context.Context, s session, _ int64) error {
	got, err := s.List(ctx)
	if err == nil && len(got) != toolCount {
		err = errWrong
	}
	return err
}

func verifyList(ctx context.Context, s session) error {
	got, err := s.List(ctx)
	if err != nil {
		return err
	}
	for i, tool := range jsonengines.ManyTools(toolCount).Tools {
		if i >= len(got) || got[i] != tool.Name {
			return errWrong
		}
	}
	return nil
}

func progress(ctx context.Context, s session, _ int64) error {
	n, err := s.Progress(ctx)
	if err == nil && n != progressCount {
		err = fmt.Errorf("%d of %d reports arrived", n, progressCount)
	}
	return err
}

// run does the work's batch once, with all its callers.
func (w *work) run(ctx context.Context, s session) error {
	if w.caller == 1 {
		return w.runOne(ctx, s, 0)
	}
	var wg sync.WaitGroup
	faults := make([]error, w.caller)
	for c := range w.caller {
		wg.Go(func() { faults[c] = w.runOne(ctx, s, int64(c)*1_000_000) })
	}
	wg.Wait()
	return errors.Join(faults...)
}

func (w *work) runOne(ctx context.Context, s session, from int64) error {
	for n := range int64(w.batch) {
		if err := w.step(ctx, s, from+n); err != nil {
			return err
		}
	}
	return nil
}
