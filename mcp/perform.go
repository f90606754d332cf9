package mcp

// A request from its first attempt to its outcome. Where an answer is not the end, a recovery decides
// whether to send the request again; each recovery is a file of its own.

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// attempt is one failed try and what it learns from.
type attempt struct {
	client *Client
	link   *link
	req    *Request
	counts [recoveryKinds]int // so that no recovery goes on for ever
	// visited are the pages that the user has consented to during this request.
	visited []string
	// waited is how long retries have paused.
	waited time.Duration
}

// A recovery looks at err and either prepares req for another try or says what the caller gets,
// which is err itself if the recovery has nothing to do with it.
type recovery func(ctx context.Context, a *attempt, err error) (again bool, out error)

type recoveryKind int

const (
	recoveryReplaced recoveryKind = iota
	recoveryVersion
	recoverySession
	recoveryEra
	recoveryHeaders
	recoveryInput
	recoveryTask
	recoveryRetry
	recoveryKinds
)

var recoveries = [recoveryKinds]recovery{
	recoveryReplaced: recoverReplaced,
	recoveryVersion:  recoverVersion,
	recoverySession:  recoverSession,
	recoveryEra:      recoverEra,
	recoveryHeaders:  recoverHeaders,
	recoveryInput:    recoverInput,
	recoveryTask:     recoverTask,
	recoveryRetry:    recoverRetry,
}

// seen counts the uses of one recovery within a request and returns how many there were before.
func (a *attempt) seen(kind recoveryKind) int {
	a.counts[kind]++
	return a.counts[kind] - 1
}

// perform is the innermost Invoker.
func (c *Client) perform(ctx context.Context, req *Request) error {
	req.rounds = req.options.firstRound()
	defer func() { req.endProgress(ctx) }()
	l, err := c.live(ctx)
	if err != nil {
		return withMethod(err, req.Method)
	}
	if err = l.perform(ctx, req); err == nil {
		return nil
	}
	return c.persist(ctx, &attempt{client: c, link: l, req: req}, err)
}

// persist tries again as long as a recovery says so.
func (c *Client) persist(ctx context.Context, a *attempt, err error) error {
	for err != nil {
		again := false
		for _, recover := range recoveries {
			if again, err = recover(ctx, a, err); again {
				break
			}
		}
		if !again {
			return err
		}
		if a.link, err = c.live(ctx); err != nil {
			return withMethod(err, a.req.Method)
		}
		err = a.link.perform(ctx, a.req)
	}
	return nil
}

// perform makes one try on one link.
func (l *link) perform(ctx context.Context, req *Request) error {
	if err := l.admit(req); err != nil {
		return err
	}
	in, err := l.roundTrip(ctx, req)
	if err != nil {
		return err
	}
	err = l.decode(&in, req)
	in.release()
	if err == nil || errors.As(err, new(*interim)) {
		l.confirmed.Store(true)
	}
	return err
}

func (l *link) admit(req *Request) error {
	declared := l.told().declared
	if l.client.opts.unchecked {
		declared = nil
	}
	version := l.speaks().version()
	if len(req.rounds) > 0 && (version < Version20260728 || !methodTable[req.Method].rounds) {
		return &UnsupportedError{Method: req.Method + " with input responses", Version: version}
	}
	return admit(req.Method, version, declared)
}

// recoverReplaced goes on to the link that has taken the place of the one that the request picked.
func recoverReplaced(_ context.Context, a *attempt, err error) (bool, error) {
	return errors.Is(err, errReplaced) && a.seen(recoveryReplaced) < maxReplaced, err
}

// recoverSession starts a new session when the server has forgotten the old one (C-087, B044). The
// request is sent once more, since a server that does not know the session has not acted on it.
func recoverSession(ctx context.Context, a *attempt, err error) (bool, error) {
	if !errors.Is(err, errSessionLost) || a.seen(recoverySession) > 0 {
		return false, err
	}
	a.link.lost.Store(true)
	_, failed := a.client.replace(ctx, a.link, a.client.establish)
	if failed != nil {
		return false, fmt.Errorf("%w; no new session: %w", err, failed)
	}
	return true, nil
}

// maxReplaced bounds how often one request may find its link replaced.
const maxReplaced = 8

// errSessionLost is what a transport reports when the server no longer knows the session.
var errSessionLost = errors.New("the server has ended the session")
