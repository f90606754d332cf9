package mcp

// What to do when a request of the stateless era is refused because of its version or its era.

import (
	"context"
	"errors"
	"slices"
)

// recoverVersion answers -32022 with a version that both sides speak (C-053, B060).
func recoverVersion(ctx context.Context, a *attempt, err error) (bool, error) {
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Code != CodeUnsupportedVersion || !a.link.session.Stateless {
		return false, err
	}
	v, supported := a.client.opts.versions, supportedVersions(rpc.Data)
	version := newestCommon(v.stateless, supported)
	session := newestCommon(v.session, supported)
	switch {
	case version == "" && session == "":
		return false, &VersionError{Requested: v.all(), Supported: supported, Cause: rpc}
	case a.seen(recoveryVersion) > 0:
		return false, err
	case version == "":
		return switchEra(ctx, a, err, func(ctx context.Context) (*link, error) {
			forget(a.client.way())
			return a.client.openSession(ctx, a.client.way(), []string{session})
		})
	case version == a.link.speaks().version():
		return true, nil
	}
	d, failed := newStatelessDialect(version, a.client.opts)
	if failed != nil {
		return false, failed
	}
	a.link.speak(d)
	return true, nil
}

// recoverEra negotiates anew when a server that was never heard in the stateless era refuses its
// first request: the era was pinned, or remembered from before the server changed (C-062).
func recoverEra(ctx context.Context, a *attempt, err error) (bool, error) {
	l, c := a.link, a.client
	if l.confirmed.Load() || !l.session.Stateless || neutral(ctx, err) || errors.Is(err, context.DeadlineExceeded) {
		return false, err
	}
	var rpc *RPCError
	if errors.As(err, &rpc) && (recognisedModern(rpc) || !eraCodes(rpc)) {
		return false, err
	}
	if !errors.As(err, &rpc) && !errors.As(err, new(*TransportError)) {
		return false, err
	}
	if len(c.opts.versions.session) == 0 || a.seen(recoveryEra) > 0 {
		return false, err
	}
	return switchEra(ctx, a, err, func(ctx context.Context) (*link, error) {
		forget(c.way())
		return c.negotiate(ctx, c.way())
	})
}

// eraCodes reports whether a session-era server may answer so to a request that came without initialize.
func eraCodes(rpc *RPCError) bool {
	return slices.Contains([]int64{CodeParse, CodeInvalidRequest, CodeMethodNotFound, CodeInvalidParams}, rpc.Code) ||
		rpc.Code <= -32000 && rpc.Code > -32020
}

func switchEra(ctx context.Context, a *attempt, err error, dial func(context.Context) (*link, error)) (bool, error) {
	if _, failed := a.client.replace(ctx, a.link, dial); failed != nil {
		return false, errors.Join(err, failed)
	}
	return true, nil
}
