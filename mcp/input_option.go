package mcp

// Options for calls that may need input: a bound on the rounds, and finishing them by hand.

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// WithMaxInputRounds bounds how often one call answers a server that wants input; default 10. Then
// the call fails with an *InputRequiredError.
func WithMaxInputRounds(n int) CallOption {
	return callOptionFunc(func(o *callOptions) {
		if n < 1 {
			o.err = fmt.Errorf("maximum of input rounds %d: must be positive", n)
		}
		o.maxRounds = n
	})
}

// WithoutInputHandlers returns an *InputRequiredError at once when the server wants input during this
// call, even if it only asks for a retry; no handler runs.
func WithoutInputHandlers() CallOption {
	return callOptionFunc(func(o *callOptions) { o.byHand = true })
}

// WithInputResponses answers by hand what the server asked in the round before, under the same keys.
// A value is a result such as *ElicitResult, or anything that encodes as a JSON object. It works for
// tool calls, prompts and resources of 2026-07-28 servers. See InputRequiredError.Retry.
func WithInputResponses(answers map[string]any) CallOption {
	return callOptionFunc(func(o *callOptions) {
		o.answers = map[string]json.RawMessage{}
		for key, answer := range answers {
			w := jsonwire.NewWriter(nil)
			w.Any(answer)
			text := w.Bytes()
			if err := w.Err(); err != nil {
				o.err = fmt.Errorf("answer %q: %w", key, err)
			} else if text[0] != '{' {
				o.err = fmt.Errorf("answer %q must be a JSON object", key)
			}
			o.answers[key] = text
		}
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
		o.state = r.Raw()
		if err := r.End(); err != nil {
			o.err = fmt.Errorf("request state: %w", err)
		}
	})
}

// firstRound returns the members that a request carries before the server has asked anything.
func (o *callOptions) firstRound() []byte {
	if o.answers == nil && o.state == nil {
		return nil
	}
	return roundMembers(o.answers, o.state)
}
