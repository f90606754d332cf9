package mcptest

// Replaying: a server that answers from a record. A request is answered like the first recorded one
// with the same method and params that has not been used yet; ids, progress tokens and _meta are not
// compared, and are made to fit.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
)

// A Replay is an [mcp.Transport] to a server that is a record of NewRecorder.
type Replay struct {
	pipe      mcp.Transport
	redaction redaction

	mu        sync.Mutex
	greeting  []event // sent before any request
	plays     []*play
	unmatched []string
}

// NewReplay reads a record. opts are those of the Recorder.
func NewReplay(r io.Reader, opts ...RecordOption) (*Replay, error) {
	p := &Replay{redaction: newRedaction(opts)}
	if err := p.load(r); err != nil {
		return nil, err
	}
	p.pipe = Pipe(p.serve)
	return p, nil
}

// Open connects a client.
func (p *Replay) Open(ctx context.Context, in mcp.Receiver) (mcp.Conn, error) {
	return p.pipe.Open(ctx, in)
}

// Done returns an error if requests came that the record does not have, or recorded ones never came.
func (p *Replay) Done() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	faults := slices.Clone(p.unmatched)
	for _, play := range p.plays {
		if !play.used {
			faults = append(faults, "never asked: "+play.key)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("replay: %s", strings.Join(faults, "; "))
}

// A play is one recorded request and what happened until its answer.
type play struct {
	key     string
	request Message
	events  []event
	used    bool
}

// An event is one thing that happened: the server sent something, the client answered a request of the
// server, or the connection ended.
type event struct {
	message Message
	awaited bool   // the message is the client's
	hangUp  string // why the connection ended; then there is no message
}

func (p *Replay) load(r io.Reader) error {
	loader := loader{replay: p}
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		text, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(text))) > 0 {
			var line record
			if err := json.Unmarshal(text, &line); err != nil {
				return fmt.Errorf("record, line %d: %w", number, err)
			}
			loader.add(line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("record: %w", err)
		}
	}
}

// key is what requests are matched by.
func (p *Replay) key(m *Message) string {
	params := map[string]json.RawMessage{}
	_ = json.Unmarshal(m.Params, &params)
	delete(params, "_meta")
	if m.Method == "initialize" { // a newer client may have another name and other features
		delete(params, "clientInfo")
		delete(params, "capabilities")
	}
	text, err := json.Marshal(params)
	if err == nil {
		text, err = p.redaction.apply(text)
	}
	if err == nil {
		text, err = canonical(text)
	}
	if err != nil {
		text = m.Params
	}
	return m.Method + " " + string(text)
}

// A performance is a play on a live connection.
type performance struct {
	play  *play
	next  int
	id    jsonrpc.ID
	token json.RawMessage
}

// serve answers one connection.
func (p *Replay) serve(ctx context.Context, peer *Peer) {
	answered := map[jsonrpc.ID]bool{}
	var running []*performance
	for _, e := range p.greeting {
		peer.Send([]byte(e.message.Text))
	}
	for {
		data, err := peer.Receive(ctx)
		if err != nil {
			return
		}
		m := parse(data)
		switch {
		case m.isAnswer():
			answered[m.ID] = true
		case m.isRequest():
			play := p.find(&m)
			if play == nil {
				peer.Send(failure(m.ID, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the record has no such request: " + p.key(&m)}))
				continue
			}
			running = append(running, &performance{play: play, id: m.ID, token: member(member(m.Params, "_meta"), metaProgressToken)})
		}
		running = slices.DeleteFunc(running, func(f *performance) bool { return f.goOn(peer, answered) })
	}
}

func (p *Replay) find(m *Message) *play {
	key := p.key(m)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, play := range p.plays {
		if !play.used && play.key == key {
			play.used = true
			return play
		}
	}
	p.unmatched = append(p.unmatched, "not recorded: "+key)
	return nil
}

// goOn sends what comes next, until the client has to answer first, and reports whether that was all.
func (f *performance) goOn(peer *Peer, answered map[jsonrpc.ID]bool) bool {
	for ; f.next < len(f.play.events); f.next++ {
		e := &f.play.events[f.next]
		switch {
		case e.hangUp != "":
			peer.HangUp(fmt.Errorf("%s", e.hangUp))
		case !e.awaited:
			peer.Send(f.fit(&e.message))
		case !answered[e.message.ID]:
			return false
		}
	}
	return true
}

// fit makes a recorded message one for the request as it is now.
func (f *performance) fit(m *Message) []byte {
	recorded := &f.play.request
	switch {
	case m.Method == "" && m.ID == recorded.ID && m.Result != nil:
		return result(f.id, string(m.Result))
	case m.Method == "" && m.ID == recorded.ID && m.Error != nil:
		return []byte(`{"jsonrpc":"2.0","id":` + f.id.Text() + `,"error":` + string(m.Error) + `}`)
	case m.isNotification():
		return notification(m.Method, f.fitParams(m.Params))
	}
	return []byte(m.Text)
}

// fitParams gives a notification the token, or the subscription id, of the request as it is now.
func (f *performance) fitParams(params json.RawMessage) string {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(params, &members) != nil {
		return string(params)
	}
	if members[metaProgressToken] != nil && f.token != nil {
		members[metaProgressToken] = f.token
	}
	meta := map[string]json.RawMessage{}
	if json.Unmarshal(members["_meta"], &meta) == nil && string(meta[metaSubscriptionID]) == f.play.request.ID.Text() {
		meta[metaSubscriptionID] = json.RawMessage(f.id.Text())
		members["_meta"], _ = json.Marshal(meta)
	}
	text, err := json.Marshal(members)
	if err != nil {
		return string(params)
	}
	return string(text)
}
