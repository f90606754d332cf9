package mcp

// What servers may ask of a client, whatever the era: a form, a visit to a page, the model, the
// roots. An interim result of 2026-07-28 and a request of an older server end in the same handlers,
// after the same checks (C-175).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Asker says who asks, and during what. Show it to the user (C-187).
type Asker struct {
	// Server is who asks; its name is empty if the server never told one. It is the server's own claim.
	Server Implementation
	// Version is the negotiated protocol version.
	Version string
	// Method and Name are those of the call that needs the input, for instance "tools/call" and the
	// tool's name. They are empty when a server of the session era asks by a request of its own.
	Method, Name string
	// Key is what the server calls this question; empty when it comes as a request of its own.
	Key string
	// Round counts the rounds of the call, from 1; 0 when there are none.
	Round int
}

// inputHandlers are the handlers that options install; nil fields are absent.
type inputHandlers struct {
	form   FormHandler
	page   URLHandler
	visits *visits // goes with page
	sample SamplingHandler
	model  samplingAbilities
	roots  RootsHandler
	// movable says that the roots may change.
	movable bool
}

// question is a checked request for input that only awaits its handler's answer.
type question func(ctx context.Context) (jsonwire.Appender, error)

// refusal says that a request for input cannot be put to a handler. In the session era it is the
// answer to the server.
type refusal struct {
	code int64
	err  error
}

func (e *refusal) Error() string { return e.err.Error() }
func (e *refusal) Unwrap() error { return e.err }

func refuse(code int64, format string, args ...any) error {
	return &refusal{code, fmt.Errorf(format, args...)}
}

// question checks one request for input.
func (l *link) question(from Asker, method string, params []byte) (question, error) {
	h := &l.client.opts.inputs
	switch method {
	case methodElicit:
		return h.elicitation(from, params)
	case methodCreateMessage:
		return h.sampling(from, params)
	case methodListRoots:
		return h.listRoots(from)
	}
	return nil, refuse(CodeMethodNotFound, "%s is nothing to ask of a client", printable(method))
}

// answerAll checks all requests, then has them answered one after the other in the order of their
// keys, and returns the answers as JSON objects. Nothing is asked if one of them cannot be.
func (l *link) answerAll(ctx context.Context, from Asker, requests map[string]inputRequest) (map[string]json.RawMessage, error) {
	keys := jsonwire.SortedKeys(requests)
	questions := make([]question, len(keys))
	for i, key := range keys {
		from.Key = key
		var err error
		if questions[i], err = l.question(from, requests[key].method, requests[key].params); err != nil {
			return nil, fmt.Errorf("input request %q: %s: %w", key, printable(requests[key].method), err)
		}
	}
	answers := map[string]json.RawMessage{}
	for i, key := range keys {
		text, err := askOne(ctx, questions[i])
		if err != nil {
			return nil, fmt.Errorf("input request %q: %s: %w", key, requests[key].method, err)
		}
		answers[key] = text
	}
	return answers, nil
}

// askOne runs one handler; an answer that comes after ctx has ended is not used (C-173).
func askOne(ctx context.Context, ask question) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer, err := ask(ctx)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := jsonwire.NewWriter(nil)
	answer.WriteJSON(w)
	return w.Bytes(), w.Err()
}

// serveInput answers the requests of one method in the session era.
func serveInput(method string) serverHandler {
	return func(ctx context.Context, l *link, params []byte) (jsonwire.Appender, error) {
		if !l.settled.Load() {
			return nil, &RPCError{Code: CodeInvalidRequest, Message: "the session is not initialized"}
		}
		ask, err := l.question(Asker{Server: l.told().Server, Version: l.speaks().version()}, method, params)
		if err == nil {
			var answer json.RawMessage
			if answer, err = askOne(ctx, ask); err == nil {
				return rawObject(answer), nil
			}
		}
		var wrong *refusal
		switch {
		case errors.As(err, &wrong):
			return nil, &RPCError{Code: wrong.code, Message: err.Error()}
		case errors.Is(err, ErrNoInputHandler):
			return nil, &RPCError{Code: CodeMethodNotFound, Message: err.Error()}
		case errors.Is(err, ErrUserRejected):
			return nil, &RPCError{Code: codeUserRejected, Message: "User rejected sampling request"}
		}
		return nil, &RPCError{Code: CodeInternal, Message: err.Error()}
	}
}

// rawObject is an answer that is JSON text already.
type rawObject json.RawMessage

func (x rawObject) WriteJSON(w *jsonwire.Writer) { w.Literal(string(x)) }

// malformed turns an error of reading params into the refusal that names what is wrong.
func malformed(err error) error { return refuse(CodeInvalidParams, "params: %w", err) }
