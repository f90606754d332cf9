// The way to a running server, through package mcp.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

var protocolVersions = []string{
	mcp.Version20260728, mcp.Version20251125, mcp.Version20250618, mcp.Version20250326, mcp.Version20241105,
}

type dialOptions struct {
	protocol string        // the one version to talk; "" for any
	timeout  time.Duration // of the whole exchange, for bounds inside it
	stderr   io.Writer     // where the child's stderr goes; nil to keep only its end
	heard    *hearsay      // gets what makes no sense
}

type dialFunc func(context.Context, *target, dialOptions) (session, error)

// dialLive connects to the server of t.
func dialLive(ctx context.Context, t *target, opts dialOptions) (session, error) {
	transport, err := t.transport(opts)
	if err != nil {
		return nil, err
	}
	options := []mcp.Option{
		mcp.WithClientInfo(mcp.Implementation{Name: "mcpgen", Version: strings.TrimPrefix(version(), "v")}),
		mcp.WithDefaultTimeout(opts.timeout),
		mcp.WithLogger(slog.New(opts.heard)),
		// A silent probe must leave time for the older handshake.
		mcp.WithProbeTimeout(min(10*time.Second, opts.timeout/3)),
	}
	if opts.protocol != "" {
		options = append(options, mcp.WithVersions(opts.protocol))
	}
	client, err := mcp.Connect(ctx, transport, options...)
	if err != nil {
		return nil, t.explain(err)
	}
	s := &liveSession{client: client, target: t}
	if err := s.learn(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (t *target) transport(opts dialOptions) (mcp.Transport, error) {
	if t.url == "" {
		c := mcp.Command(t.command[0], t.command[1:]...)
		c.Dir, c.Stderr = t.dir, opts.stderr
		c.Env = map[string]*string{}
		for name, value := range t.env {
			c.Env[name] = &value
		}
		return c, nil
	}
	var options []mcp.HTTPOption
	for _, name := range slices.Sorted(maps.Keys(t.header)) {
		for _, value := range t.header[name] {
			options = append(options, mcp.WithHeader(name, value))
		}
	}
	return mcp.HTTP(t.url, options...), nil
}

// liveSession is a session with a server that package mcp is connected to.
type liveSession struct {
	client *mcp.Client
	target *target
	info   serverInfo
}

// learn reads what the server said of itself. A server of the stateless era
// that was not probed has said nothing yet.
func (s *liveSession) learn(ctx context.Context) error {
	session := s.client.Session()
	if session.Stateless && session.Server.Name == "" {
		if _, err := s.client.Discover(ctx); err != nil {
			return s.target.explain(err)
		}
		session = s.client.Session()
	}
	c := session.Capabilities
	s.info = serverInfo{
		name: session.Server.Name, version: session.Server.Version, protocol: session.Version,
		tools: c.Tools != nil, prompts: c.Prompts != nil, resources: c.Resources != nil,
	}
	return nil
}

func (s *liveSession) server() serverInfo { return s.info }

func (s *liveSession) request(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	raw, err := s.client.RawCall(ctx, method, members(params))
	if errors.Is(err, mcp.ErrMethodNotFound) {
		return nil, fmt.Errorf("%s: %w: %w", s.target, errMethodNotFound, err)
	}
	return raw, s.target.explain(err)
}

func (s *liveSession) call(ctx context.Context, tool string, args json.RawMessage) (json.RawMessage, error) {
	result, err := s.client.CallTool(ctx, tool, args)
	if err != nil {
		return nil, s.target.explain(err)
	}
	return json.Marshal(result)
}

func (s *liveSession) close() { _ = s.client.Close() }

// members writes the params of a request.
type members map[string]any

// WriteJSON writes an object, empty for nil.
func (m members) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.ExtraAny(m)
	w.EndObject()
}
