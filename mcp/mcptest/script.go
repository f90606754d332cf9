package mcptest

// The scripted server: it expects messages in an order, answers each with the actions of its step, well
// or badly, and keeps everything that went either way.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
)

// A Step is what a script expects and what it does then; see Expect, Always and Handshake.
type Step struct {
	actions map[string][]Action // by method; "" for an answer of the client
	always  bool
}

// Expect is a step of the script's order: a message with the method ("" for an answer to a request of
// the server), then the actions in turn. Without actions the message is left unanswered.
func Expect(method string, actions ...Action) Step {
	return Step{actions: map[string][]Action{method: actions}}
}

// Always does the actions for every message with the method that the order does not expect just then.
func Always(method string, actions ...Action) Step {
	return Step{actions: map[string][]Action{method: actions}, always: true}
}

// Handshake settles a protocol version whenever a client asks, so that the rest of the script may
// begin with what the test is about. The server claims to have every feature.
func Handshake(version string) Step {
	const features = `"capabilities":{"tools":{},"prompts":{},"resources":{},"logging":{},"completions":{}}`
	if version == mcp.Version20260728 {
		return Step{always: true, actions: map[string][]Action{
			"server/discover": {Result(fmt.Sprintf(`{"supportedVersions":[%q],%s%s}`, version, features, cacheHints))},
		}}
	}
	return Step{always: true, actions: map[string][]Action{
		"server/discover":           {Fail(mcp.CodeMethodNotFound, "method not found")},
		"initialize":                {Result(fmt.Sprintf(`{"protocolVersion":%q,%s,"serverInfo":{"name":"script","version":"0"}}`, version, features))},
		"notifications/initialized": nil,
	}}
}

// A Script is a server that follows steps. It is an [mcp.Transport]; a client that connects again goes
// on where the script stands.
type Script struct {
	pipe   mcp.Transport
	always map[string][]Action

	mu       sync.Mutex
	order    []Step
	next     int
	received []Message
	sent     []Message
	faults   []string
	changed  chan struct{} // closed and replaced with every message received
}

// NewScript returns a server that follows the steps.
func NewScript(steps ...Step) *Script {
	s := &Script{always: map[string][]Action{}, changed: make(chan struct{})}
	for _, step := range steps {
		if !step.always {
			s.order = append(s.order, step)
			continue
		}
		for method, actions := range step.actions {
			s.always[method] = actions
		}
	}
	s.pipe = Pipe(s.serve)
	return s
}

// Open connects a client.
func (s *Script) Open(ctx context.Context, in mcp.Receiver) (mcp.Conn, error) {
	return s.pipe.Open(ctx, in)
}

// serve plays one connection.
func (s *Script) serve(ctx context.Context, peer *Peer) {
	var later sync.WaitGroup
	defer later.Wait()
	for {
		data, err := peer.Receive(ctx)
		if err != nil {
			return
		}
		x := &Exchange{Message: parse(data), ctx: ctx, script: s, peer: peer, later: &later}
		for _, act := range s.take(x) {
			act(x)
		}
	}
}

// take notes what arrived and finds the actions for it.
func (s *Script) take(x *Exchange) []Action {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received = append(s.received, x.Message)
	close(s.changed)
	s.changed = make(chan struct{})
	if s.next < len(s.order) {
		if actions, ok := s.order[s.next].actions[x.Method]; ok {
			s.next++
			return actions
		}
	}
	if actions, ok := s.always[x.Method]; ok {
		return actions
	}
	if !x.isRequest() {
		return nil
	}
	fault := fmt.Sprintf("%s came, %s was expected", x.Method, s.expected())
	s.faults = append(s.faults, fault)
	return []Action{Fail(mcp.CodeMethodNotFound, fault)}
}

// expected names the next message of the order.
func (s *Script) expected() string {
	if s.next == len(s.order) {
		return "nothing"
	}
	for method := range s.order[s.next].actions {
		if method != "" {
			return method
		}
	}
	return "an answer"
}

// Received returns every message of the client so far.
func (s *Script) Received() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// Sent returns every message of the server so far.
func (s *Script) Sent() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

// Await returns the first message with the method ("" for an answer), as soon as it has come.
func (s *Script) Await(ctx context.Context, method string) (Message, error) {
	for {
		s.mu.Lock()
		i := slices.IndexFunc(s.received, func(m Message) bool { return m.Method == method })
		if i >= 0 {
			defer s.mu.Unlock()
			return s.received[i], nil
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return Message{}, fmt.Errorf("no %s came: %w", method, context.Cause(ctx))
		}
	}
}

// Done returns an error if requests came that the script did not expect, or steps are left.
func (s *Script) Done() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	faults := slices.Clone(s.faults)
	if s.next < len(s.order) {
		faults = append(faults, fmt.Sprintf("%s never came (step %d of %d)", s.expected(), s.next+1, len(s.order)))
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("script: %s", strings.Join(faults, "; "))
}

// An Exchange is a message that has come, with the ways to react to it.
type Exchange struct {
	Message
	ctx    context.Context
	script *Script
	peer   *Peer
	later  *sync.WaitGroup
}

// Context ends with the connection.
func (x *Exchange) Context() context.Context { return x.ctx }

// Send sends any text.
func (x *Exchange) Send(text string) {
	m := parse([]byte(text))
	x.script.mu.Lock()
	x.script.sent = append(x.script.sent, m)
	x.script.mu.Unlock()
	x.peer.Send([]byte(text))
}

// HangUp ends the connection.
func (x *Exchange) HangUp(reason error) { x.peer.HangUp(reason) }

// id is the id to answer to; a step for a notification may answer all the same, to nobody.
func (x *Exchange) id() jsonrpc.ID {
	if x.ID.IsZero() {
		return jsonrpc.IntID(0)
	}
	return x.ID
}
