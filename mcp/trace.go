package mcp

// Trace context in _meta (C-035), after W3C Trace Context and Baggage.

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// TraceContext is where a call stands in a distributed trace. Empty fields are left out.
type TraceContext struct {
	// Parent is a traceparent of version 00: 00-<trace id>-<span id>-<flags>, in lower-case hex.
	Parent string
	// State is a tracestate; it needs a Parent.
	State string
	// Baggage is a baggage header.
	Baggage string
}

// WithTraceContext adds traceparent, tracestate and baggage to the request's _meta. A key that
// WithMeta sets wins. A malformed value is an error, and nothing is sent.
func WithTraceContext(t TraceContext) CallOption {
	return callOptionFunc(func(o *callOptions) {
		if err := t.check(); err != nil {
			o.err = err
			return
		}
		for _, member := range []struct{ key, value string }{
			{"traceparent", t.Parent}, {"tracestate", t.State}, {"baggage", t.Baggage},
		} {
			if _, taken := o.meta[member.key]; member.value != "" && !taken {
				w := jsonwire.NewWriter(nil)
				w.String(member.value)
				o.addMeta(member.key, w.Bytes())
			}
		}
	})
}

func (t TraceContext) check() error {
	switch {
	case t.Parent != "" && !validTraceParent(t.Parent):
		return fmt.Errorf("traceparent %q is malformed: use 00-<32 hex digits>-<16 hex digits>-<2 hex digits>", t.Parent)
	case t.State != "" && t.Parent == "":
		return fmt.Errorf("tracestate without a traceparent")
	case t.State != "" && !validMembers(t.State, 512, 32):
		return fmt.Errorf("tracestate %q is malformed: use key=value[,key=value…], at most 32 members and 512 characters", t.State)
	case t.Baggage != "" && !validMembers(t.Baggage, 8192, 180):
		return fmt.Errorf("baggage %q is malformed: use key=value[,key=value…], at most 180 members and 8192 characters", t.Baggage)
	}
	return nil
}

func validTraceParent(text string) bool {
	parts := strings.Split(text, "-")
	if len(parts) != 4 || parts[0] != "00" {
		return false
	}
	for i, length := range []int{2, 32, 16, 2} {
		if len(parts[i]) != length || strings.Trim(parts[i], "0123456789abcdef") != "" {
			return false
		}
	}
	return strings.Trim(parts[1], "0") != "" && strings.Trim(parts[2], "0") != ""
}

// validMembers checks a comma-separated list of key=value in printable ASCII.
func validMembers(text string, longest, most int) bool {
	if len(text) > longest || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return false
	}
	members := strings.Split(text, ",")
	for _, member := range members {
		key, _, ok := strings.Cut(strings.TrimSpace(member), "=")
		if !ok || strings.TrimSpace(key) == "" {
			return false
		}
	}
	return len(members) <= most
}
