package mcp

// Opening a session: initialize, then notifications/initialized, and what both eras tell about the
// server.

import (
	"context"
	"errors"
	"slices"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// initialize opens a session, offering the newest of versions, or of all that are allowed (C-040,
// C-041). A server that names others gets one more try (C-044).
func (c *Client) initialize(ctx context.Context, l *link, versions []string) error {
	if len(versions) == 0 {
		versions = c.opts.versions.session
	}
	answer, err := c.offer(ctx, l, versions[0])
	var rpc *RPCError
	if errors.As(err, &rpc) {
		named := supportedVersions(rpc.Data)
		other := newestCommon(c.opts.versions.session, named)
		switch {
		case len(named) == 0:
		case other == "" || other == versions[0]:
			return &VersionError{Requested: c.opts.versions.all(), Supported: named, Cause: err}
		default:
			answer, err = c.offer(ctx, l, other)
		}
	}
	if err != nil {
		return err
	}
	version := answer.version
	if !slices.Contains(c.opts.versions.session, version) {
		return &VersionError{Requested: c.opts.versions.session, Supported: []string{version}} // C-043
	}
	l.speak(&sessionDialect{agreed: version})
	l.session = answer.session
	l.session.Version = version
	l.settled.Store(true)
	l.confirmed.Store(true)
	if err := l.notify(ctx, methodInitialized, ""); err != nil {
		return withMethod(err, methodInitialized)
	}
	switch {
	case c.opts.answersRequests():
		l.awaitStream(ctx, firstStreamWait)
	case c.opts.listensFromStart():
		l.openStream()
	}
	return nil
}

// offer sends initialize with one version. Nothing of the stateless era is in it (B061, B062).
func (c *Client) offer(ctx context.Context, l *link, version string) (*initializeResult, error) {
	l.speak(&sessionDialect{agreed: version})
	answer := &initializeResult{}
	req := &Request{
		Method: methodInitialize,
		Params: &initializeParams{opts: c.opts, version: version},
		Result: answer,
	}
	return answer, l.perform(ctx, req)
}

type initializeParams struct {
	opts    *options
	version string
}

func (*initializeParams) metaFree() {}

func (p *initializeParams) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"protocolVersion":`)
	w.String(p.version)
	w.Member(`"capabilities":`)
	if err := p.opts.writeCapabilities(w, p.version); err != nil {
		w.Fail(err)
	}
	w.Member(`"clientInfo":`)
	p.opts.info.WriteJSON(w)
	w.EndObject()
}

type initializeResult struct {
	version string
	session Session
}

// ReadJSON takes what it understands: a peculiar description of the server is no reason not to talk to it.
func (x *initializeResult) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "protocolVersion":
			x.version = r.String()
			seen |= 1
		default:
			x.session.readMember(r)
		}
	}
	if x.session.declared == nil {
		x.session.declared = []string{}
	}
	r.Missing(seen, "protocolVersion")
}

// discovery is what a DiscoverResult says.
type discovery struct {
	supported []string
	session   Session
}

func (x *discovery) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "supportedVersions":
			seen |= 1
			x.supported = x.supported[:0]
			for r.BeginArray(); r.NextElement(); {
				x.supported = append(x.supported, r.String())
			}
		case "_meta":
			readServerInfo(r, &x.session.Server)
		default:
			x.session.readMember(r)
		}
	}
	r.Missing(seen, "supportedVersions")
}

// readMember reads the current member of an object that describes the server.
func (s *Session) readMember(r *jsonwire.Reader) {
	switch string(r.Key()) {
	case "capabilities":
		s.readCapabilities(r)
	case "serverInfo":
		lenient(r, func() { s.Server.ReadJSON(r) })
	case "instructions":
		lenient(r, func() { s.Instructions = r.String() })
	default:
		r.Skip()
	}
}

func (s *Session) readCapabilities(r *jsonwire.Reader) {
	if r.Kind() != jsonwire.KindObject {
		r.Skip()
		return
	}
	s.declared = []string{}
	start := r.Mark()
	for r.BeginObject(); r.NextMember(); {
		name := r.KeyString()
		if r.Kind() != jsonwire.KindNull {
			s.declared = append(s.declared, name)
		}
		r.Skip()
	}
	if r.Err() != nil {
		return
	}
	r.Rewind(start)
	lenient(r, func() { s.Capabilities.ReadJSON(r) })
}

// readServerInfo reads the server's name out of a result's _meta (C-029).
func readServerInfo(r *jsonwire.Reader, info *Implementation) {
	if r.Kind() != jsonwire.KindObject {
		r.Skip()
		return
	}
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) == metaServerInfo {
			lenient(r, func() { info.ReadJSON(r) })
		} else {
			r.Skip()
		}
	}
}

// lenient reads a value that may be skipped if it is not what it should be.
func lenient(r *jsonwire.Reader, read func()) {
	start := r.Mark()
	read()
	if r.Err() != nil {
		r.Rewind(start)
		r.Skip()
	}
}
