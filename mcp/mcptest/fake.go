package mcptest

// The typed fake server. A generated NewFake hands over each tool's ToolSpec and the method of a test
// double; a call then takes the whole way: the client's JSON is read into the tool's
// argument type, checked, handed to the double, and what the double returns is written as JSON again.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// A FakeTool is one tool of a Fake; see Tool, ToolNoArgs, ToolOutput and ToolNoArgsOutput.
type FakeTool struct {
	name  string
	entry string // of tools/list
	call  func(ctx context.Context, args []byte) (*mcp.CallToolResult, error)
}

// Tool makes a tool without an output schema of a double's method.
func Tool[Args any](spec *mcp.ToolSpec[Args, mcp.NoOutput],
	double func(context.Context, Args, ...mcp.CallOption) (*mcp.CallToolResult, error)) FakeTool {
	return fakeTool(spec, func(ctx context.Context, data []byte) (*mcp.CallToolResult, error) {
		args, err := readArgs(spec, data)
		if err != nil {
			return nil, err
		}
		return double(ctx, *args)
	})
}

// ToolNoArgs is Tool for a tool without arguments.
func ToolNoArgs(spec *mcp.ToolSpec[mcp.NoArgs, mcp.NoOutput], double func(context.Context, ...mcp.CallOption) (*mcp.CallToolResult, error)) FakeTool {
	return fakeTool(spec, func(ctx context.Context, _ []byte) (*mcp.CallToolResult, error) { return double(ctx) })
}

// ToolOutput makes a tool with an output schema of a double's method. Where the double leaves the
// content away, it is the output's JSON text.
func ToolOutput[Args, Output any](spec *mcp.ToolSpec[Args, Output],
	double func(context.Context, Args, ...mcp.CallOption) (*mcp.ToolResult[Output], error)) FakeTool {
	return fakeTool(spec, func(ctx context.Context, data []byte) (*mcp.CallToolResult, error) {
		args, err := readArgs(spec, data)
		if err != nil {
			return nil, err
		}
		typed, err := double(ctx, *args)
		return structured(spec, typed, err)
	})
}

// ToolNoArgsOutput is ToolOutput for a tool without arguments.
func ToolNoArgsOutput[Output any](spec *mcp.ToolSpec[mcp.NoArgs, Output],
	double func(context.Context, ...mcp.CallOption) (*mcp.ToolResult[Output], error)) FakeTool {
	return fakeTool(spec, func(ctx context.Context, _ []byte) (*mcp.CallToolResult, error) {
		typed, err := double(ctx)
		return structured(spec, typed, err)
	})
}

// fakeTool describes the tool as the server did that the spec was generated from.
func fakeTool[Args, Output any](spec *mcp.ToolSpec[Args, Output], call func(context.Context, []byte) (*mcp.CallToolResult, error)) FakeTool {
	w := jsonwire.NewWriter(nil)
	w.BeginObject()
	w.Member(`"name":`)
	w.String(spec.Name)
	if spec.Title != "" {
		w.Member(`"title":`)
		w.String(spec.Title)
	}
	w.Member(`"inputSchema":`)
	w.Raw(json.RawMessage(spec.InputSchema))
	if spec.OutputSchema != "" {
		w.Member(`"outputSchema":`)
		w.Raw(json.RawMessage(spec.OutputSchema))
	}
	if spec.ReadOnly || spec.Idempotent {
		w.Member(`"annotations":`)
		w.Literal(fmt.Sprintf(`{"readOnlyHint":%t,"idempotentHint":%t}`, spec.ReadOnly, spec.Idempotent))
	}
	w.EndObject()
	return FakeTool{name: spec.Name, entry: string(w.Bytes()), call: call}
}

// readArgs reads and checks arguments. What does not fit is an error with the code -32602.
func readArgs[Args, Output any](spec *mcp.ToolSpec[Args, Output], data []byte) (*Args, error) {
	args := new(Args)
	codec := codecOf(args, spec.Args)
	err := jsonwire.Unmarshal(data, codec)
	if err == nil {
		var v jsonwire.Validator
		codec.ValidateJSON(&v)
		err = v.Err()
	}
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("arguments of tool %q: %v", spec.Name, err)}
	}
	return args, nil
}

// codecOf is the codec of a tool's type: its own, or the one that the spec makes.
func codecOf[T any](x *T, of func(*T) jsonwire.Codec) jsonwire.Codec {
	if of != nil {
		return of(x)
	}
	return any(x).(jsonwire.Codec)
}

var errNothing = errors.New("the double returned neither a result nor an error")

// structured makes the whole result of a typed one.
func structured[Args, Output any](spec *mcp.ToolSpec[Args, Output], typed *mcp.ToolResult[Output], err error) (*mcp.CallToolResult, error) {
	if err != nil || typed == nil {
		return nil, err
	}
	w := jsonwire.NewWriter(nil)
	codecOf(&typed.Output, spec.Output).WriteJSON(w)
	if err := w.Err(); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "output of the double: " + err.Error()}
	}
	whole := mcp.CallToolResult{}
	if typed.CallToolResult != nil {
		whole = *typed.CallToolResult
	}
	whole.StructuredContent = w.Bytes()
	if whole.Content == nil {
		whole.Content = []mcp.ContentBlock{&mcp.TextContent{Text: string(w.Bytes())}}
	}
	return &whole, nil
}

// A Fake is a server in this process that has tools and nothing else. It is an [mcp.Transport] and may
// be connected to by any number of clients, in every protocol version.
type Fake struct {
	tools  []FakeTool
	byName map[string]FakeTool
	pipe   mcp.Transport
}

// NewFake returns a server with the tools.
//
// Arguments that do not fit a tool's schema, and unknown tools, are answered with -32602. A
// *mcp.ToolError of a double becomes its result with isError set; a *mcp.RPCError or *jsonrpc.Error
// becomes that error; any other error becomes a result with isError set and the error's text. A double
// that panics, or returns nothing at all, is an error with the code -32603. The context of a double
// ends when the client cancels the call or closes.
func NewFake(tools ...FakeTool) *Fake {
	f := &Fake{tools: tools, byName: map[string]FakeTool{}}
	for _, t := range tools {
		f.byName[t.name] = t
	}
	f.pipe = Pipe(f.serve)
	return f
}

// Open connects a client.
func (f *Fake) Open(ctx context.Context, in mcp.Receiver) (mcp.Conn, error) {
	return f.pipe.Open(ctx, in)
}

// serve answers the messages of one connection, each request on a goroutine of its own.
func (f *Fake) serve(ctx context.Context, peer *Peer) {
	s := &fakeSession{fake: f, peer: peer, running: map[jsonrpc.ID]context.CancelFunc{}}
	var work sync.WaitGroup
	defer work.Wait()
	for {
		data, err := peer.Receive(ctx)
		if err != nil {
			return
		}
		m := parse(data)
		switch {
		case m.isRequest():
			ctx, done := s.begin(ctx, m.ID)
			work.Go(func() {
				defer done()
				if answer := s.answer(ctx, m); ctx.Err() == nil {
					peer.Send(answer)
				}
			})
		case m.Method == "notifications/cancelled":
			s.cancel(member(m.Params, "requestId"))
		}
	}
}

// fakeSession is one connection to a Fake.
type fakeSession struct {
	fake *Fake
	peer *Peer

	mu      sync.Mutex
	running map[jsonrpc.ID]context.CancelFunc
}

func (s *fakeSession) begin(ctx context.Context, id jsonrpc.ID) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[id] = cancel
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, id)
		cancel()
	}
}

func (s *fakeSession) cancel(requestID []byte) {
	var id jsonrpc.ID
	if err := json.Unmarshal(requestID, &id); err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[id]; cancel != nil {
		cancel()
	}
}
