package mcp

// A dialect is how an era talks: what every request carries, how a wait is called off, what a
// result may be, who may ask. It knows nothing of how bytes travel.

import "github.com/mcpgen/mcpgen/mcp/jsonwire"

type dialect interface {
	// version is the protocol version in force.
	version() string
	// writeMeta writes the protocol's own members of params._meta into the object w is in.
	writeMeta(w *jsonwire.Writer, m metaFacts)
	// bareMeta reports whether writeMeta would write nothing.
	bareMeta(m metaFacts) bool
	// address sets what transports with headers need to know about a request.
	address(out *Outgoing, a addressFacts) error
	// outcome tells what kind of result comes next in r, consuming nothing.
	outcome(r *jsonwire.Reader, f outcomeFacts) (outcome, error)
	// cancelsByMessage reports whether the end of a wait is told by notifications/cancelled, given
	// that requests share one stream or not (C-085, C-131, C-141).
	cancelsByMessage(sharedStream bool) bool
	// servesRequests reports whether the server may send requests (C-017, C-019).
	servesRequests() bool
	// batches reports whether a JSON array of messages is legal (C-020, C-023).
	batches() bool
}

// metaFacts are what params._meta depends on.
type metaFacts struct {
	id       int64 // of the request, which is its progress token too
	progress bool
	level    LoggingLevel
}

// addressFacts are what the header fields of a request depend on.
type addressFacts struct {
	req    *Request
	params []byte // the params object as sent
}

// outcomeFacts are what may follow a request.
type outcomeFacts struct {
	method string
	data   []byte // the whole message
	tasks  bool   // the tasks extension was advertised
	asked  bool   // the request asked to be a task (2025-11-25)
}

// outcome is what a result turns out to be.
type outcome uint8

const (
	outcomeComplete outcome = iota
	outcomeInputRequired
	outcomeTask
)

// writeToken writes the progress token of a request: its id, which no other request has (C-150).
func writeToken(w *jsonwire.Writer, m metaFacts) {
	if m.progress {
		w.Member(`"progressToken":`)
		w.Int64(m.id)
	}
}
