package mcp

// Results that ask for input before they can be given: the round trips of 2026-07-28. Everything a
// round asks for is matched with its handler and checked before any handler runs; the retry then
// carries the answers and the server's state, byte for byte, and is otherwise the same request.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// DefaultMaxInputRounds is how often a call answers a server that wants input before it gives up.
const DefaultMaxInputRounds = 10

// stateOnlyPause is the wait before the retry of a round that asks nothing: the server sheds load (C-169).
const stateOnlyPause = 250 * time.Millisecond

// InputRequiredError says that the server wants input which was not given: there is no handler for
// it, the handler failed, or the call was made by hand. Nothing was sent since Result arrived, so
// that the caller can finish with the option that Retry makes.
type InputRequiredError struct {
	Method string
	// Result is the server's last answer, as it came. For an error with CodeURLElicitationRequired
	// it is the error's data.
	Result json.RawMessage
	// Err says why no input was given; nil if the call was made by hand. errors.Is finds
	// ErrNoInputHandler, and errors.Is and errors.As whatever a handler returned.
	Err error
}

// ErrNoInputHandler says that no handler is installed for what the server asks.
var ErrNoInputHandler = errors.New("no handler is installed for it")

func (e *InputRequiredError) Error() string {
	text := e.Method + ": the server requires input"
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *InputRequiredError) Unwrap() error  { return e.Err }
func (e *InputRequiredError) isClientError() {}

// Requests returns what the server asks, by key; nothing for an error with CodeURLElicitationRequired.
func (e *InputRequiredError) Requests() (InputRequests, error) {
	if errors.Is(e.Err, ErrURLElicitationRequired) {
		return nil, nil
	}
	var result v20260728.InputRequiredResult
	if err := jsonwire.Unmarshal(e.Result, &result); err != nil {
		return nil, &InvalidResultError{Method: e.Method, Err: err}
	}
	return result.InputRequests, nil
}

// RequestState returns the server's state as the JSON text that it sent; nil if it sent none.
func (e *InputRequiredError) RequestState() json.RawMessage {
	r, err := readRound(e.Result)
	if err != nil {
		return nil
	}
	return r.state
}

// Retry makes the option that finishes the call by hand: the answers to Requests, under the same
// keys, and the state. A value is a result such as *ElicitResult, or anything that encodes as a
// JSON object. Make the same call with it; no other.
func (e *InputRequiredError) Retry(answers map[string]any) CallOption {
	return callOptionFunc(func(o *callOptions) {
		asked, err := readRound(e.Result)
		if err != nil {
			o.err = err
			return
		}
		for key := range asked.requests {
			if _, ok := answers[key]; !ok {
				o.err = fmt.Errorf("no answer to the input request %q", key)
			}
		}
		for key := range answers {
			if _, ok := asked.requests[key]; !ok {
				o.err = fmt.Errorf("answer %q to an input request that was not made", key)
			}
		}
		if len(answers) > 0 {
			WithInputResponses(answers).applyCall(o)
		}
		if asked.state != nil {
			WithRequestState(asked.state).applyCall(o)
		}
	})
}

// recoverInput gets the input that the server requires.
func recoverInput(ctx context.Context, a *attempt, err error) (bool, error) {
	var want *interim
	if errors.As(err, &want) && want.outcome == outcomeInputRequired {
		return a.answerRound(ctx, want)
	}
	var rpc *RPCError
	if errors.As(err, &rpc) && rpc.Code == CodeURLElicitationRequired {
		return a.visit(ctx, rpc)
	}
	return false, err
}

// answerRound prepares the retry after an interim result.
func (a *attempt) answerRound(ctx context.Context, want *interim) (bool, error) {
	asked, err := readRound(want.raw)
	if err != nil {
		return false, &InvalidResultError{Method: a.req.Method, Err: err}
	}
	if !a.req.options.handled() {
		return false, a.unanswered(want.raw, nil)
	}
	if err := a.countRound(); err != nil {
		return false, a.unanswered(want.raw, err)
	}
	if len(asked.requests) == 0 {
		if pause(ctx, stateOnlyPause) != nil {
			return false, contextError(ctx, a.req.Method, time.Time{})
		}
		a.req.rounds = roundMembers(nil, asked.state)
		return true, nil
	}
	from := a.asker()
	if from.Server.Name == "" {
		from.Server = asked.server
	}
	answers, err := a.link.answerAll(ctx, from, asked.requests)
	if err != nil {
		if ctx.Err() != nil {
			return false, contextError(ctx, a.req.Method, time.Time{})
		}
		return false, a.unanswered(want.raw, err)
	}
	a.req.rounds = roundMembers(answers, asked.state)
	return true, nil
}

// countRound bounds the rounds of one call (C-170).
func (a *attempt) countRound() error {
	if n := a.seen(recoveryInput); n >= a.req.options.rounds() {
		return fmt.Errorf("still so after %d rounds; see WithMaxInputRounds", n)
	}
	return nil
}

func (a *attempt) unanswered(raw json.RawMessage, cause error) error {
	var wrong *refusal
	if errors.As(cause, &wrong) {
		cause = &InvalidResultError{Method: a.req.Method, Err: cause}
	}
	return &InputRequiredError{Method: a.req.Method, Result: raw, Err: cause}
}

func (a *attempt) asker() Asker {
	return Asker{
		Server:  a.link.told().Server,
		Version: a.link.speaks().version(),
		Method:  a.req.Method,
		Name:    a.req.Name,
		Round:   a.counts[recoveryInput],
	}
}
