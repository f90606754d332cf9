package mcp

// Lists, page by page: walked to the end, guarded against servers that never end them, and read so
// that one bad entry costs only itself (B081).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// page is the part of a list result that the walk needs.
type page[T any] struct {
	items []T
	next  *string // nil at the end; "" is a cursor like any other (C-157)
}

// listing is what differs between the lists.
type listing[T any] struct {
	method string
	member string                                         // of the result that holds the entries
	read   func(c *Client, r *jsonwire.Reader, x *T) bool // reads one entry; false leaves it out
}

// cursorParams are the params of a list request; the first has no cursor (C-161).
type cursorParams struct{ cursor *string }

func (cursorParams) metaFree() {}

func (p cursorParams) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	if p.cursor != nil {
		w.Member(`"cursor":`)
		w.String(*p.cursor)
	}
	w.EndObject()
}

// fetch asks for one page.
func fetch[T any](ctx context.Context, c *Client, l *listing[T], cursor *string, opts []CallOption) (page[T], error) {
	result, err := fetchWhole(ctx, c, l, cursor, opts)
	return result.page, err
}

func fetchWhole[T any](ctx context.Context, c *Client, l *listing[T], cursor *string, opts []CallOption) (*pageResult[T], error) {
	result := &pageResult[T]{client: c, listing: l}
	req := &Request{Method: l.method, Result: result}
	if cursor != nil {
		req.Params = cursorParams{cursor}
	}
	return result, c.cachedCall(ctx, req, cursorKey(cursor), result.meta.hints, opts)
}

// cursorKey tells pages apart, the first from one whose cursor is empty.
func cursorKey(cursor *string) string {
	if cursor == nil {
		return ""
	}
	return "=" + *cursor
}

// walk yields all entries of a list.
func walk[T any](ctx context.Context, c *Client, l *listing[T], opts []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		most := maxPages(opts)
		seen := map[string]bool{}
		var cursor *string
		for n := 1; ; n++ {
			p, err := fetch(ctx, c, l, cursor, opts)
			if err != nil {
				yield(zero, err)
				return
			}
			for _, item := range p.items {
				if !yield(item, nil) {
					return
				}
			}
			if p.next == nil {
				return
			}
			if seen[*p.next] || n >= most {
				yield(zero, &PageError{Method: l.method, Pages: n, Cursor: *p.next, Repeated: seen[*p.next]})
				return
			}
			seen[*p.next] = true
			cursor = p.next
		}
	}
}

// collect is walk into a slice. With an error it returns what came before.
func collect[T any](ctx context.Context, c *Client, l *listing[T], opts []CallOption) ([]T, error) {
	items, err := collectOnce(ctx, c, l, opts)
	if c.cache != nil && errors.Is(err, ErrInvalidParams) {
		// A cached page may have named a cursor that the server has forgotten (C-271).
		c.cache.forget(l.method)
		return collectOnce(ctx, c, l, opts)
	}
	return items, err
}

func collectOnce[T any](ctx context.Context, c *Client, l *listing[T], opts []CallOption) ([]T, error) {
	items := []T{}
	for item, err := range walk(ctx, c, l, opts) {
		if err != nil {
			return items, err
		}
		items = append(items, item)
	}
	return items, nil
}

func maxPages(opts []CallOption) int {
	var o callOptions
	_ = o.apply(opts)
	if o.maxPages > 0 {
		return o.maxPages
	}
	return defaultMaxPages
}

// PageError says that a list does not come to an end (C-159, B078).
type PageError struct {
	Method   string
	Pages    int    // pages read
	Cursor   string // of the page that was not read
	Repeated bool   // the server gave this cursor before
}

func (e *PageError) Error() string {
	if e.Repeated {
		return fmt.Sprintf("%s: the server gives the cursor %q again after %d pages", e.Method, printable(e.Cursor), e.Pages)
	}
	return fmt.Sprintf("%s: no end after %d pages; see WithMaxPages", e.Method, e.Pages)
}

// pageResult reads the parts of a list result that a walk needs.
type pageResult[T any] struct {
	client  *Client
	listing *listing[T]
	page    page[T]
	meta    listMeta
}

// listMeta are the other members of a list result.
type listMeta struct {
	resultType v20260728.ResultType
	ttlMs      *int64 // nil if absent or no number of milliseconds
	scope      v20260728.CacheScope
	meta       *v20260728.ResultMetaObject
	extra      map[string]json.RawMessage
}

// ReadJSON refuses a result without its list and drops entries that are not what they should be.
func (x *pageResult[T]) ReadJSON(r *jsonwire.Reader) {
	x.page, x.meta = page[T]{}, listMeta{resultType: v20260728.ResultTypeComplete}
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch key := r.Key(); string(key) {
		case x.listing.member:
			seen |= 1
			x.readItems(r)
		case "nextCursor":
			if !r.Null() {
				x.page.next = new(r.String())
			}
		default:
			x.meta.readMember(r)
		}
	}
	x.meta.settle()
	r.Missing(seen, x.listing.member)
}

func (x *pageResult[T]) readItems(r *jsonwire.Reader) {
	x.page.items = []T{}
	i := 0
	for r.BeginArray(); r.NextElement(); i++ {
		var item T
		start := r.Mark()
		keep := x.listing.read(x.client, r, &item)
		err := r.Err()
		if err != nil {
			r.Rewind(start)
			r.SetMaxDepth(math.MaxInt) // an entry that nests too deeply costs only itself, too
			r.Skip()
			r.SetMaxDepth(0)
			if r.Err() != nil {
				return
			}
		}
		if err != nil {
			x.client.opts.logger.Warn("mcp: entry of a list dropped", "method", x.listing.method, "index", i, "error", err)
		} else if keep {
			x.page.items = append(x.page.items, item)
		}
	}
}

func (m *listMeta) hints() cacheHints { return cacheHints{m.ttlMs, m.scope} }

// settle fills in what is absent: complete, private.
func (m *listMeta) settle() {
	if m.scope != v20260728.CacheScopePublic {
		m.scope = v20260728.CacheScopePrivate
	}
}

// readMember tolerates cache hints that are missing or malformed (B089).
func (m *listMeta) readMember(r *jsonwire.Reader) {
	switch string(r.Key()) {
	case "resultType":
		lenient(r, func() { m.resultType = v20260728.ResultType(r.String()) })
	case "ttlMs":
		lenient(r, func() { readTTL(r, &m.ttlMs) })
	case "cacheScope":
		lenient(r, func() { m.scope = v20260728.CacheScope(r.String()) })
	case "_meta":
		m.meta = readResultMeta(r)
	default:
		r.Extra(&m.extra)
	}
}

func readTTL(r *jsonwire.Reader, ttl **int64) {
	if ms := r.Int64(); r.Err() == nil {
		*ttl = new(max(ms, 0))
	}
}
