package mcp

// Results that ask for input before they can be given.

import (
	"context"
	"encoding/json"
	"errors"
)

// InputRequiredError says that the server wants input which nobody here can give. Result is its last
// answer, with inputRequests and requestState, so that the caller can finish by hand.
type InputRequiredError struct {
	Method string
	Result json.RawMessage
}

func (e *InputRequiredError) Error() string {
	return e.Method + ": the server requires input that no handler gives"
}

// recoverInput answers an interim result that requires input.
func recoverInput(ctx context.Context, a *attempt, err error) (bool, error) {
	var want *interim
	if !errors.As(err, &want) || want.outcome != outcomeInputRequired {
		return false, err
	}
	return false, &InputRequiredError{Method: a.req.Method, Result: want.raw}
}
