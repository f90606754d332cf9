package mcptest

// Reading a record: every message of the server is given to the request that it belongs to.

import (
	"encoding/json"
	"slices"

	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const metaSubscriptionID = "io.modelcontextprotocol/subscriptionId"

func canonical(text []byte) ([]byte, error) { return jsonwire.AppendCanonical(nil, text) }

// loader follows a session through its record.
type loader struct {
	replay *Replay
	open   []*openPlay
	last   *play
}

// openPlay is a request that has no answer yet.
type openPlay struct {
	*play
	connection int
	asked      []jsonrpc.ID // by the server meanwhile
}

func (l *loader) add(line record) {
	switch {
	case line.Closed != "":
		l.open = slices.DeleteFunc(l.open, func(o *openPlay) bool {
			if o.connection == line.Connection {
				o.events = append(o.events, event{hangUp: line.Closed})
			}
			return o.connection == line.Connection
		})
	case line.Failed != "":
		id := jsonrpc.IntID(line.ID)
		if o := l.find(line.Connection, func(o *openPlay) bool { return o.request.ID == id }); o != nil {
			l.answer(o, parse(failure(id, undelivered(o.request.Method, line.Failed))))
		}
	case line.Text != "":
		l.server(line.Connection, Message{Text: line.Text})
	default:
		var batch []json.RawMessage
		if json.Unmarshal(line.Message, &batch) != nil {
			batch = []json.RawMessage{line.Message}
		}
		for _, data := range batch {
			if m := parse(data); line.From == fromClient {
				l.client(line.Connection, m)
			} else {
				l.server(line.Connection, m)
			}
		}
	}
}

// undelivered stands for a request that the recorded transport failed to deliver. A probe of the era has
// to end as one that the server does not know.
func undelivered(method, why string) *jsonrpc.Error {
	if method == "server/discover" {
		return jsonrpc.MethodNotFound(method)
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "as recorded: " + why}
}

func (l *loader) find(connection int, is func(*openPlay) bool) *openPlay {
	for _, o := range slices.Backward(l.open) {
		if o.connection == connection && is(o) {
			return o
		}
	}
	return nil
}

func (l *loader) client(connection int, m Message) {
	switch {
	case m.isRequest():
		p := &play{key: l.replay.key(&m), request: m}
		l.replay.plays = append(l.replay.plays, p)
		l.open = append(l.open, &openPlay{play: p, connection: connection})
		l.last = p
	case m.isAnswer():
		asker := l.find(connection, func(o *openPlay) bool { return slices.Contains(o.asked, m.ID) })
		if asker != nil {
			asker.events = append(asker.events, event{message: m, awaited: true})
		}
	}
}

// server gives a message to the request that it answers, that it names, that was sent last of those
// without an answer, or that was sent last at all.
func (l *loader) server(connection int, m Message) {
	if m.isAnswer() {
		if o := l.find(connection, func(o *openPlay) bool { return o.request.ID == m.ID }); o != nil {
			l.answer(o, m)
			return
		}
	}
	o := l.find(connection, func(o *openPlay) bool { return o.named(&m) })
	if o == nil {
		o = l.find(connection, func(*openPlay) bool { return true })
	}
	switch {
	case o != nil:
		if m.isRequest() {
			o.asked = append(o.asked, m.ID)
		}
		o.events = append(o.events, event{message: m})
	case l.last != nil:
		l.last.events = append(l.last.events, event{message: m})
	default:
		l.replay.greeting = append(l.replay.greeting, event{message: m})
	}
}

func (l *loader) answer(o *openPlay, m Message) {
	o.events = append(o.events, event{message: m})
	l.last = o.play
	l.open = slices.DeleteFunc(l.open, func(other *openPlay) bool { return other == o })
}

// named reports whether a notification is about the request.
func (o *openPlay) named(m *Message) bool {
	token := member(m.Params, metaProgressToken)
	if token != nil && string(token) == string(member(member(o.request.Params, "_meta"), metaProgressToken)) {
		return true
	}
	return string(member(member(m.Params, "_meta"), metaSubscriptionID)) == o.request.ID.Text()
}
