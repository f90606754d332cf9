package mcp

// Calls that the server turns into tasks.

import (
	"context"
	"errors"
)

// recoverTask follows a task to its end.
func recoverTask(ctx context.Context, a *attempt, err error) (bool, error) {
	var want *interim
	if !errors.As(err, &want) || want.outcome != outcomeTask {
		return false, err
	}
	return false, &InvalidResultError{Method: a.req.Method, Err: err}
}
