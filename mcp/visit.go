package mcp

// Calls of 2025-11-25 that fail because the user must visit pages first. Consent is asked once for
// each page; the call is then made again when the server reports the visits done, or after waits
// that grow, since the report is optional (B108).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const (
	methodElicitComplete = "notifications/elicitation/complete"
	// The wait for a report is firstVisitWait in the first round and doubles up to lastVisitWait.
	firstVisitWait = time.Second
	lastVisitWait  = 30 * time.Second
)

// ErrUserDeclined says that the user did not consent to a visit which the call needs.
var ErrUserDeclined = errors.New("the user did not consent")

// visit answers CodeURLElicitationRequired. Without a handler of URLs, and in other versions, the
// error is the caller's (C-193, C-194).
func (a *attempt) visit(ctx context.Context, rpc *RPCError) (bool, error) {
	h := &a.client.opts.inputs
	if h.page == nil || a.link.speaks().version() != Version20251125 {
		return false, rpc
	}
	stop := func(cause error) (bool, error) {
		if ctx.Err() != nil {
			return false, contextError(ctx, a.req.Method, time.Time{})
		}
		if cause == nil {
			return false, a.unanswered(rpc.Data, rpc)
		}
		return false, a.unanswered(rpc.Data, fmt.Errorf("%w: %w", rpc, cause))
	}
	if !a.req.options.handled() {
		return stop(nil)
	}
	pages, err := readPages(rpc.Data)
	if err != nil {
		return stop(err)
	}
	if err := a.countRound(); err != nil {
		return stop(err)
	}
	ids, err := a.consent(ctx, pages)
	if err != nil {
		return stop(err)
	}
	round := a.counts[recoveryInput]
	wait := min(firstVisitWait<<min(round-1, 10), lastVisitWait)
	if h.visits.await(ctx, ids, wait) != nil {
		return stop(nil)
	}
	return true, nil
}

// readPages returns the pages that the error names, each the params of an elicitation.
func readPages(data []byte) (pages []json.RawMessage, err error) {
	r := jsonwire.NewReader(data)
	if r.Kind() == jsonwire.KindObject && enterMember(r, "elicitations") && r.Kind() == jsonwire.KindArray {
		for r.BeginArray(); r.NextElement(); {
			pages = append(pages, r.Raw())
		}
	}
	if len(pages) == 0 {
		return nil, errors.New("the error names no page")
	}
	return pages, r.Err()
}

// consent asks for every page that this call has not asked for yet.
func (a *attempt) consent(ctx context.Context, pages []json.RawMessage) (ids []string, err error) {
	h, from := &a.client.opts.inputs, a.asker()
	questions := make([]question, len(pages))
	for i, page := range pages {
		id, err := pageID(page)
		if err != nil {
			return nil, err
		}
		from.Key = id
		if questions[i], err = h.askVisit(from, page); err != nil {
			return nil, fmt.Errorf("page %q: %w", id, err)
		}
		ids = append(ids, id)
	}
	for i, id := range ids {
		if slices.Contains(a.visited, id) {
			continue
		}
		answer, err := questions[i](ctx)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if action := answer.(*ElicitResult).Action; action != v20260728.ElicitResultActionAccept {
			return nil, fmt.Errorf("%w: %s", ErrUserDeclined, action)
		}
		a.visited = append(a.visited, id)
	}
	return ids, nil
}

func pageID(page []byte) (string, error) {
	r := jsonwire.NewReader(page)
	if r.Kind() != jsonwire.KindObject || !enterMember(r, "elicitationId") || r.Kind() != jsonwire.KindString {
		return "", refuse(CodeInvalidParams, "a page without elicitationId")
	}
	return r.String(), r.Err()
}

// visits are the visits that the server has reported done, the newest last.
type visits struct {
	mu      sync.Mutex
	done    []string
	changed chan struct{} // closed at the next report; nil if nobody waits
}

// maxVisits bounds how many reports are remembered.
const maxVisits = 256

func newVisits() *visits { return &visits{} }

// observe notes a report; one that nobody waits for has no effect (C-192).
func (v *visits) observe(_ *link, n *Notification) {
	if n.Method != methodElicitComplete {
		return
	}
	id, err := pageID(n.Params)
	if err != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if slices.Contains(v.done, id) {
		return
	}
	if len(v.done) == maxVisits {
		v.done = v.done[1:]
	}
	v.done = append(v.done, id)
	if v.changed != nil {
		close(v.changed)
		v.changed = nil
	}
}

// await waits until all ids are reported, but not longer than limit. The error is ctx's.
func (v *visits) await(ctx context.Context, ids []string, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		changed := v.pending(ids)
		if changed == nil {
			return nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pending returns a channel that is closed at the next report; nil if none of ids is open.
func (v *visits) pending(ids []string) <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(v.done, id) }) {
		return nil
	}
	if v.changed == nil {
		v.changed = make(chan struct{})
	}
	return v.changed
}
