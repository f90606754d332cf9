package mcp

// One round of required input on the wire: what an interim result asks, and what the retry answers.

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// inputRound is what an interim result asks.
type inputRound struct {
	requests map[string]inputRequest
	state    json.RawMessage // the JSON text of a string, never looked into (C-165, C-166); nil if absent
	server   Implementation  // who answers, if it says so
}

// inputRequest is one entry of inputRequests, unread.
type inputRequest struct {
	method string
	params json.RawMessage // nil if absent
}

var errEmptyRound = errors.New("input is required, but there is neither inputRequests nor requestState") // C-163

// readRound reads an InputRequiredResult.
func readRound(result []byte) (*inputRound, error) {
	round, asks := &inputRound{}, false
	r := jsonwire.NewReader(result)
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "inputRequests":
			if !r.Null() {
				asks = true
				round.readRequests(r)
			}
		case "requestState":
			switch {
			case r.Null():
			case r.Kind() != jsonwire.KindString:
				r.Fail("type", "requestState is a string")
			default:
				round.state = r.Raw()
			}
		case "_meta":
			round.readMeta(r)
		default:
			r.Skip()
		}
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	if !asks && round.state == nil {
		return nil, errEmptyRound
	}
	return round, nil
}

func (x *inputRound) readRequests(r *jsonwire.Reader) {
	x.requests = map[string]inputRequest{}
	for r.BeginObject(); r.NextMember(); {
		key := r.KeyString()
		if _, twice := x.requests[key]; twice {
			r.Fail("inputRequests", fmt.Sprintf("two requests have the key %q", key))
		}
		x.requests[key] = readInputRequest(r)
	}
}

func readInputRequest(r *jsonwire.Reader) (x inputRequest) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "method":
			x.method = r.String()
			seen |= 1
		case "params":
			if !r.Null() {
				x.params = r.Raw()
			}
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "method")
	return x
}

// readMeta takes the server's name from _meta, where it is well formed.
func (x *inputRound) readMeta(r *jsonwire.Reader) {
	meta := r.RawNoCopy()
	if r.Err() != nil {
		return
	}
	m := jsonwire.NewReader(meta)
	if m.Kind() != jsonwire.KindObject || !enterMember(m, metaServerInfo) {
		return
	}
	var server Implementation
	if server.ReadJSON(m); m.Err() == nil {
		x.server = server
	}
}

// roundMembers writes the members that a retry adds to params. Answers stand bare under the keys of
// their requests (B109); only what the last round asked and said goes back (C-168, C-170).
func roundMembers(answers map[string]json.RawMessage, state json.RawMessage) []byte {
	w := jsonwire.NewWriter(nil)
	if answers != nil {
		w.Literal(`"inputResponses":`)
		w.BeginObject()
		for _, key := range jsonwire.SortedKeys(answers) {
			w.Key(key)
			w.Literal(string(answers[key]))
		}
		w.EndObject()
	}
	if state != nil {
		if answers != nil {
			w.Literal(",")
		}
		w.Literal(`"requestState":`)
		w.Literal(string(state))
	}
	return w.Bytes()
}
