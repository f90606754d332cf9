package mcp

// Options of a single call. Each is a sealed small value, so that options can grow without breaking
// callers.

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"
)

// A CallOption changes one call.
//
// A CallOption is a TaskOption, too: it holds for each request that is made about the task.
type CallOption interface {
	TaskOption
	applyCall(*callOptions)
}

type callOptionFunc func(*callOptions)

func (f callOptionFunc) applyCall(o *callOptions) { f(o) }

// WithTimeout limits the wait for each answer; default 30 s, or what WithDefaultTimeout says. Zero or
// less means no limit beyond the context's. The error is a *TimeoutError.
func WithTimeout(limit time.Duration) CallOption {
	return callOptionFunc(func(o *callOptions) {
		o.timeout = limit
		if limit <= 0 {
			o.timeout = -1
		}
	})
}

// DefaultMaxTotal is the cap of WithProgressResetsTimeout when none is given.
const DefaultMaxTotal = 10 * time.Minute

// WithProgressResetsTimeout starts the timeout again whenever the server reports progress, up to
// maxTotal (10 min if zero or less) for the whole wait (C-140).
func WithProgressResetsTimeout(maxTotal time.Duration) CallOption {
	if maxTotal <= 0 {
		maxTotal = DefaultMaxTotal
	}
	return callOptionFunc(func(o *callOptions) { o.maxTotal = maxTotal })
}

// WithProgress asks the server for progress and hands it to handle, in order and one at a time. All
// that arrived before the answer is delivered before the call returns. handle may use the client. In
// 2025-11-25 a task that Start made goes on reporting until Get or Await has seen its end (C-154).
func WithProgress(handle func(Progress)) CallOption {
	return callOptionFunc(func(o *callOptions) { o.progress = handle })
}

// WithMeta adds members to the request's _meta. Values are encoded by encoding/json. A key must
// follow the protocol's grammar for keys (C-032); of the protocol's own keys only those that a
// caller may choose are taken (C-033).
func WithMeta(meta map[string]any) CallOption {
	return callOptionFunc(func(o *callOptions) {
		for key, value := range meta {
			if err := checkMetaKey(key); err != nil {
				o.err = err
				return
			}
			text, err := json.Marshal(value)
			if err != nil {
				o.err = fmt.Errorf("_meta member %q: %w", key, err)
				return
			}
			o.addMeta(key, text)
		}
	})
}

// WithLogLevel asks a 2026-07-28 server for log messages of at least this level with the answer to
// this call (C-213). Older servers have SetLogLevel. MCP 2026-07-28 deprecates logging.
func WithLogLevel(level LoggingLevel) CallOption {
	return callOptionFunc(func(o *callOptions) { o.level = level })
}

// WithMaxPages bounds how many pages a list walks; default 1,000.
func WithMaxPages(n int) CallOption {
	return callOptionFunc(func(o *callOptions) { o.maxPages = n })
}

// WithoutCache neither reads nor stores cached answers.
func WithoutCache() CallOption {
	return callOptionFunc(func(o *callOptions) { o.withoutCache = true })
}

// WithoutOutputValidation takes structured output as it comes.
func WithoutOutputValidation() CallOption {
	return callOptionFunc(func(o *callOptions) { o.unvalidated = true })
}

func (o *callOptions) addMeta(key string, text json.RawMessage) {
	if o.meta == nil {
		o.meta = map[string]json.RawMessage{}
	} else {
		o.meta = maps.Clone(o.meta)
	}
	o.meta[key] = text
}

func (o *callOptions) apply(opts []CallOption) error {
	for _, opt := range opts {
		opt.applyCall(o)
	}
	return o.err
}
