package mcp

// The calls that a client offers besides tools and lists, typed by hand; and the way to make any
// other call.

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Call sends any request and returns its result, which may be a protocol type or any type that
// encoding/json can fill. params may be nil, a protocol type, or anything encoding/json makes an
// object of.
func Call[R any](ctx context.Context, c *Client, method string, params any, opts ...CallOption) (*R, error) {
	result := new(R)
	req := c.anyRequest(method, appender(params), decoder(result))
	if err := c.call(ctx, req, opts); err != nil {
		return nil, err
	}
	return result, nil
}

// RawCall sends any request and returns the result as the server wrote it, byte for byte.
func (c *Client) RawCall(ctx context.Context, method string, params jsonwire.Appender, opts ...CallOption) (json.RawMessage, error) {
	result := &rawResult{}
	req := c.anyRequest(method, params, result)
	if err := c.call(ctx, req, opts); err != nil {
		return nil, err
	}
	return result.raw, nil
}

// nameMembers are the members of params that say what a request is about (C-113, C-114).
var nameMembers = map[string]string{
	methodCallTool: "name", methodGetPrompt: "name", methodReadResource: "uri",
	methodGetTask: "taskId", methodTaskResult: "taskId", methodUpdateTask: "taskId", methodCancelTask: "taskId",
}

// anyRequest makes a request of params that this package knows nothing of. What goes into headers is
// found out from their text.
func (c *Client) anyRequest(method string, params jsonwire.Appender, result jsonwire.Decoder) *Request {
	req := &Request{Method: method, Params: params, Result: result}
	member, named := nameMembers[method]
	if !named || params == nil {
		return req
	}
	text, err := jsonwire.Marshal(params)
	if err != nil {
		return req // writing the request fails in the same way
	}
	name, isText := strings.CutPrefix(jsonwire.NewReader(text).Tag(member), `"`)
	if !isText || name == "" {
		return req
	}
	if req.Name = strings.Clone(name); method == methodCallTool {
		if bindings := c.tools.get(req.Name).bindings(nil); len(bindings) > 0 {
			req.headers = bindings
		}
	}
	return req
}

// Ping asks a session-era server whether it is there. Later versions have no ping: UnsupportedError.
func (c *Client) Ping(ctx context.Context, opts ...CallOption) error {
	return c.call(ctx, &Request{Method: methodPing}, opts)
}

// Discover asks a 2026-07-28 server what it is and can do. Session tells it from then on, and what the
// server does not declare is not sent to it (see UnsupportedError).
func (c *Client) Discover(ctx context.Context, opts ...CallOption) (*DiscoverResult, error) {
	x := &discoverResult{}
	if err := c.cachedCall(ctx, &Request{Method: methodDiscover, Result: x}, "", x.meta.hints, opts); err != nil {
		return nil, err
	}
	if err := c.learn(&x.DiscoverResult); err != nil {
		return nil, err
	}
	return &x.DiscoverResult, nil
}

// learn has Session tell what an explicit Discover has found.
func (c *Client) learn(x *DiscoverResult) error {
	s := Session{Stateless: true, Capabilities: x.Capabilities}
	if x.Instructions != nil {
		s.Instructions = *x.Instructions
	}
	if x.Meta != nil && x.Meta.IoModelcontextprotocolServerInfo != nil {
		s.Server = *x.Meta.IoModelcontextprotocolServerInfo
	}
	text, err := jsonwire.Marshal(&x.Capabilities)
	if err != nil {
		return &InvalidResultError{Method: methodDiscover, Err: err}
	}
	s.readCapabilities(jsonwire.NewReader(text))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current.session.Stateless {
		s.Version = c.current.session.Version
		c.current.discovered.Store(&s)
	}
	return nil
}

// discoverResult reads what a server says of itself without minding malformed cache hints (B089).
type discoverResult struct {
	DiscoverResult
	meta listMeta
}

func (x *discoverResult) ReadJSON(r *jsonwire.Reader) {
	x.DiscoverResult, x.meta = DiscoverResult{}, listMeta{resultType: v20260728.ResultTypeComplete}
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "capabilities":
			x.Capabilities.ReadJSON(r)
			seen |= 1
		case "supportedVersions":
			x.SupportedVersions = readTexts(r)
			seen |= 2
		case "instructions":
			lenient(r, func() { x.Instructions = new(r.String()) })
		default:
			x.meta.readMember(r)
		}
	}
	x.meta.settle()
	x.ResultType, x.TTLMs, x.CacheScope, x.Meta, x.Extra = x.meta.resultType, x.meta.ttlMs, x.meta.scope, x.meta.meta, x.meta.extra
	r.Missing(seen, "capabilities", "supportedVersions")
}

// SetLogLevel asks a session-era server for log messages of at least this level; they come to the
// notification handler. It is said again after a reconnect. Later versions: WithLogLevel on each call.
// MCP 2026-07-28 deprecates logging.
func (c *Client) SetLogLevel(ctx context.Context, level LoggingLevel, opts ...CallOption) error {
	set := func(ctx context.Context, l *link) error {
		return l.perform(ctx, &Request{Method: methodSetLevel, Params: levelParams(level)})
	}
	if err := c.call(ctx, &Request{Method: methodSetLevel, Params: levelParams(level)}, opts); err != nil {
		return err
	}
	remove := c.onReconnect(set)
	c.mu.Lock()
	previous := c.forgetLevel
	c.forgetLevel = remove
	c.mu.Unlock()
	if previous != nil {
		previous()
	}
	return nil
}

type levelParams LoggingLevel

func (levelParams) metaFree() {}

func (p levelParams) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"level":`)
	w.String(string(p))
	w.EndObject()
}

// appender makes params of anything.
func appender(params any) jsonwire.Appender {
	switch p := params.(type) {
	case nil:
		return nil
	case jsonwire.Appender:
		return p
	}
	return foreign{params}
}

// foreign is a value that encoding/json knows.
type foreign struct{ value any }

func (f foreign) WriteJSON(w *jsonwire.Writer) { w.Any(f.value) }

// decoder makes a result of anything.
func decoder(result any) jsonwire.Decoder {
	if d, ok := result.(jsonwire.Decoder); ok {
		return d
	}
	return foreignResult{result}
}

type foreignResult struct{ target any }

func (f foreignResult) ReadJSON(r *jsonwire.Reader) {
	if raw := r.RawNoCopy(); r.Err() == nil {
		if err := json.Unmarshal(raw, f.target); err != nil {
			r.Fail("type", fmt.Sprintf("%T: %v", f.target, err))
		}
	}
}
