package mcp

// What to do when the server says that headers and body disagree: the tool's schema has changed.

import (
	"context"
	"errors"
)

// recoverHeaders answers -32020 with one fresh list and one retry (C-127, B123).
func recoverHeaders(ctx context.Context, a *attempt, err error) (bool, error) {
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Code != CodeHeaderMismatch || a.req.Method != methodCallTool || a.seen(recoveryHeaders) > 0 {
		return false, err
	}
	a.client.cache.forget(methodListTools)
	if _, failed := a.client.ListTools(ctx, WithoutCache()); failed != nil {
		return false, err
	}
	var generated []HeaderBinding
	if t, ok := a.req.Params.(*toolCall); ok {
		generated = t.headers
	}
	a.req.headers = nil
	if bindings := a.client.tools.get(a.req.Name).bindings(generated); len(bindings) > 0 {
		a.req.headers = bindings
	}
	return true, nil
}
