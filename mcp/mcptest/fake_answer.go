package mcptest

// How a Fake answers, in both eras. A request whose _meta names a version belongs to the era without
// sessions; any other to the one that begins with initialize.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const (
	fakeCapabilities = `"capabilities":{"tools":{}}`
	fakeInfo         = `{"name":"fake","version":"0.0.0"}`
	cacheHints       = `,"resultType":"complete","ttlMs":0,"cacheScope":"private"`
)

var sessionVersions = []string{mcp.Version20251125, mcp.Version20250618, mcp.Version20250326, mcp.Version20241105}

// answer returns the whole answer to a request.
func (s *fakeSession) answer(ctx context.Context, m Message) []byte {
	text, err := s.result(ctx, m)
	if err != nil {
		rpc, ok := errors.AsType[*jsonrpc.Error](err) // an *mcp.RPCError unwraps to one
		if !ok {
			rpc = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		}
		return failure(m.ID, rpc)
	}
	return result(m.ID, text)
}

func unsupported(version string) *jsonrpc.Error {
	requested, _ := json.Marshal(version)
	return &jsonrpc.Error{
		Code: jsonrpc.CodeUnsupportedProtocolVersion, Message: "unsupported protocol version",
		Data: json.RawMessage(fmt.Sprintf(`{"supported":[%q],"requested":%s}`, mcp.Version20260728, requested)),
	}
}

// result returns the JSON text of a result.
func (s *fakeSession) result(ctx context.Context, m Message) (string, error) {
	version := textMember(member(m.Params, "_meta"), metaVersion)
	stateless, hints := version != "", ""
	if stateless {
		hints = cacheHints
	}
	switch {
	case stateless && version != mcp.Version20260728:
		return "", unsupported(version)
	case m.Method == "tools/call":
		return s.callTool(ctx, m, stateless)
	case m.Method == "tools/list":
		return `{"tools":[` + s.fake.entries() + `]` + hints + `}`, nil
	case m.Method == "server/discover" && stateless:
		return fmt.Sprintf(`{"supportedVersions":[%q],%s,"_meta":{%q:%s}%s}`, mcp.Version20260728, fakeCapabilities, metaServerInfo, fakeInfo, hints), nil
	case m.Method == "initialize" && !stateless:
		return fmt.Sprintf(`{"protocolVersion":%q,%s,"serverInfo":%s}`, agreed(textMember(m.Params, "protocolVersion")), fakeCapabilities, fakeInfo), nil
	case m.Method == "ping" && !stateless:
		return `{}`, nil
	}
	return "", jsonrpc.MethodNotFound(m.Method)
}

// agreed is the version that a session gets: the one asked for, or else the newest.
func agreed(version string) string {
	if slices.Contains(sessionVersions, version) {
		return version
	}
	return sessionVersions[0]
}

func (f *Fake) entries() string {
	list := make([]string, len(f.tools))
	for i, t := range f.tools {
		list[i] = t.entry
	}
	return strings.Join(list, ",")
}

// callTool lets the double answer and writes what it returns.
func (s *fakeSession) callTool(ctx context.Context, m Message, stateless bool) (string, error) {
	name := textMember(m.Params, "name")
	tool, ok := s.fake.byName[name]
	if !ok {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", name)}
	}
	args := member(m.Params, "arguments")
	if args == nil {
		args = json.RawMessage(`{}`)
	}
	ctx = context.WithValue(ctx, progressKey{}, &progressSender{s.peer, member(member(m.Params, "_meta"), metaProgressToken)})
	answer, err := guarded(ctx, tool, args)
	if err != nil {
		if answer = errorResult(err); answer == nil {
			return "", err
		}
	}
	whole := *answer
	whole.ResultType = "complete"
	text, err := jsonwire.Marshal(&whole)
	if err == nil && !stateless {
		text, err = without(text, "resultType")
	}
	if err != nil {
		return "", fmt.Errorf("result of tool %q: %w", name, err)
	}
	return string(text), nil
}

// without takes a member out of an object.
func without(object []byte, member string) ([]byte, error) {
	w := jsonwire.NewWriter(nil)
	w.BeginObject()
	r := jsonwire.NewReader(object)
	for r.BeginObject(); r.NextMember(); {
		key := r.KeyString()
		if raw := r.RawNoCopy(); key != member {
			w.Key(key)
			w.Raw(raw)
		}
	}
	w.EndObject()
	return w.Bytes(), r.End()
}

// guarded calls a tool and makes an error of a panic, for instance of a method that the double only
// has from an embedded interface.
func guarded(ctx context.Context, tool FakeTool, args []byte) (answer *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("the double of tool %q panicked: %v", tool.name, p)}
		}
	}()
	answer, err = tool.call(ctx, args)
	if err == nil && answer == nil {
		err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("tool %q: %v", tool.name, errNothing)}
	}
	return answer, err
}

// errorResult is the result that reports a double's error, or nil if the error is one of the protocol.
func errorResult(err error) *mcp.CallToolResult {
	if _, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return nil
	}
	text := err.Error()
	if failed, ok := errors.AsType[*mcp.ToolError](err); ok && failed.Result != nil {
		whole := *failed.Result
		whole.IsError = new(true)
		return &whole
	}
	return &mcp.CallToolResult{IsError: new(true), Content: []mcp.ContentBlock{&mcp.TextContent{Text: text}}}
}

type progressKey struct{}

type progressSender struct {
	peer  *Peer
	token json.RawMessage // nil if the client did not ask for progress
}

// ReportProgress sends progress of the call that a double is answering; ctx is the double's. It does
// nothing if the client did not ask for progress.
func ReportProgress(ctx context.Context, p mcp.Progress) {
	s, ok := ctx.Value(progressKey{}).(*progressSender)
	if !ok || s.token == nil {
		return
	}
	w := jsonwire.NewWriter(nil)
	w.BeginObject()
	w.Member(`"progressToken":`)
	w.Raw(s.token)
	w.Member(`"progress":`)
	w.Float64(p.Progress)
	if p.Total != 0 {
		w.Member(`"total":`)
		w.Float64(p.Total)
	}
	if p.Message != "" {
		w.Member(`"message":`)
		w.String(p.Message)
	}
	w.EndObject()
	s.peer.Send(notification("notifications/progress", string(w.Bytes())))
}
