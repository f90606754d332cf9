package mcp

// The era without sessions, from 2026-07-28: every request says who asks, in which version and what
// the client can do; only the client asks; a result says itself what kind it is.

import (
	"bytes"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

type statelessDialect struct {
	agreed string
	// block holds the members that every _meta of the connection has, without braces.
	block string
}

// newStatelessDialect prebuilds what every request carries (C-026, C-027).
func newStatelessDialect(version string, o *options) (*statelessDialect, error) {
	w := jsonwire.NewWriter(nil)
	w.BeginObject()
	w.Member(`"` + metaVersion + `":`)
	w.String(version)
	w.Member(`"` + metaCapabilities + `":`)
	if err := o.writeCapabilities(w, version); err != nil {
		return nil, err
	}
	if !o.anonymous {
		w.Member(`"` + metaClientInfo + `":`)
		o.info.WriteJSON(w)
	}
	if err := w.Err(); err != nil {
		return nil, err
	}
	return &statelessDialect{agreed: version, block: string(w.Bytes()[1:])}, nil
}

func (d *statelessDialect) version() string { return d.agreed }

func (d *statelessDialect) writeMeta(w *jsonwire.Writer, m metaFacts) {
	w.Literal(d.block)
	writeToken(w, m)
	if m.level != "" {
		w.Member(`"` + metaLogLevel + `":`)
		w.String(string(m.level))
	}
}

func (d *statelessDialect) bareMeta(metaFacts) bool { return false }

func (d *statelessDialect) address(out *Outgoing, a addressFacts) error {
	out.Version, out.Stateless = d.agreed, true
	if a.req.headers == nil {
		return nil
	}
	fields, err := a.req.headers.headerFields(a.params)
	out.Params = fields
	return err
}

// outcome reads resultType, wherever it stands; absent means complete (C-024, C-025, B103).
func (d *statelessDialect) outcome(r *jsonwire.Reader, f outcomeFacts) (outcome, error) {
	if plainlyComplete(f.data) {
		return outcomeComplete, nil
	}
	switch tag := r.Tag("resultType"); tag {
	case "", `"complete`:
		return outcomeComplete, nil
	case `"input_required`:
		if !methodTable[f.method].rounds {
			return 0, fmt.Errorf("resultType %q is not allowed for this method", tag[1:])
		}
		return outcomeInputRequired, nil
	case `"task`:
		// Two examples of the extension show tasks/get answering so; it is the final answer there.
		if f.method == methodGetTask {
			return outcomeComplete, nil
		}
		if !f.tasks || f.method != methodCallTool {
			return 0, fmt.Errorf("resultType %q was not asked for", tag[1:])
		}
		return outcomeTask, nil
	default:
		return 0, fmt.Errorf("resultType %s is not known", printable(tag))
	}
}

var (
	resultTypeName = []byte(`resultType"`) // quotes are too frequent to begin a search with
	completeValue  = []byte(`resultType":"complete"`)
)

// plainlyComplete spares a look-ahead over a large result: a member name cannot hide inside a JSON
// string, where its quotes would be escaped, so if every resultType anywhere says complete, the
// result's own does.
func plainlyComplete(data []byte) bool {
	for {
		i := bytes.Index(data, resultTypeName)
		switch {
		case i < 0:
			return true
		case i > 0 && data[i-1] != '"':
			data = data[i+len(resultTypeName):]
		case bytes.HasPrefix(data[i:], completeValue):
			data = data[i+len(completeValue):]
		default:
			return false
		}
	}
}

func (d *statelessDialect) cancelsByMessage(sharedStream bool) bool { return sharedStream }
func (d *statelessDialect) servesRequests() bool                    { return false }
func (d *statelessDialect) batches() bool                           { return false }
