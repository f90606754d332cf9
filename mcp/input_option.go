package mcp

// Options for calls that may need input: a bound on the rounds, and finishing them by hand.

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// inputOptions are what the options of this file set.
type inputOptions struct {
	maxRounds int  // 0: the default
	byHand    bool // no handler answers
	answers   map[string]json.RawMessage
	state     json.RawMessage // nil: none
}

// inputs returns the options to change; each call has its own.
func (o *callOptions) inputs() *inputOptions {
	if o.input == nil {
		o.input = &inputOptions{}
	}
	return o.input
}

// handled reports whether handlers may answer what the server asks.
func (o *callOptions) handled() bool { return o.input == nil || !o.input.byHand }

// rounds is how many rounds the call may take.
func (o *callOptions) rounds() int {
	if o.input == nil || o.input.maxRounds == 0 {
		return DefaultMaxInputRounds
	}
	return o.input.maxRounds
}

// WithMaxInputRounds bounds how often one call answers a server that wants input; default 10. Then
// the call fails with an *InputRequiredError.
func WithMaxInputRounds(n int) CallOption {
	return callOptionFunc(func(o *callOptions) {
		if n < 1 {
			o.err = fmt.Errorf("maximum of input rounds %d: must be positive", n)
		}
		o.inputs().maxRounds = n
	})
}

// WithoutInputHandlers returns an *InputRequiredError at once when the server wants input during this
// call, even if it only asks for a retry; no handler runs.
func WithoutInputHandlers() CallOption {
	return callOptionFunc(func(o *callOptions) { o.inputs().byHand = true })
}

// WithInputResponses answers by hand what the server asked in the round before, under the same keys.
// A value is a result such as *ElicitResult, or anything that encodes as a JSON object. It works for
// tool calls, prompts and resources of 2026-07-28 servers. See InputRequiredError.Retry.
func WithInputResponses(answers map[string]any) CallOption {
	return callOptionFunc(func(o *callOptions) {
		texts := map[string]json.RawMessage{}
		for key, answer := range answers {
			w := jsonwire.NewWriter(nil)
			w.Any(answer)
			text := w.Bytes()
			if err := w.Err(); err != nil {
				o.err = fmt.Errorf("answer %q: %w", key, err)
			} else if text[0] != '{' {
				o.err = fmt.Errorf("answer %q must be a JSON object", key)
			}
			texts[key] = text
		}
		o.inputs().answers = texts
	})
}

// WithRequestState sends back by hand the state of the round before. state is the JSON text of a
// string just as it came, which InputRequiredError.RequestState returns; it goes out byte for byte.
func WithRequestState(state json.RawMessage) CallOption {
	return callOptionFunc(func(o *callOptions) {
		r := jsonwire.NewReader(state)
		if r.Kind() != jsonwire.KindString {
			o.err = fmt.Errorf("request state must be the JSON text of a string")
			return
		}
		o.inputs().state = r.Raw()
		if err := r.End(); err != nil {
			o.err = fmt.Errorf("request state: %w", err)
		}
	})
}

// firstRound returns the members that a request carries before the server has asked anything.
func (o *callOptions) firstRound() []byte {
	if o.input == nil || o.input.answers == nil && o.input.state == nil {
		return nil
	}
	return roundMembers(o.input.answers, o.input.state)
}
