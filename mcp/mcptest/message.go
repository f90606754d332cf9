package mcptest

// Messages as a test sees them: taken apart, with their text.

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Message is one message of a session. A request has ID and Method, a notification only Method, an
// answer ID and either Result or Error. What is no JSON-RPC message has nothing but its Text.
type Message struct {
	Text   string // as it was sent
	ID     jsonrpc.ID
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// parse takes a message apart; data must not change any more.
func parse(data []byte) Message {
	m := Message{Text: string(data)}
	env, err := jsonrpc.Scan(data)
	if err != nil {
		return m
	}
	m.ID, m.Method = env.ID, env.Method
	m.Params, m.Result, m.Error = env.Params.Of(data), env.Result.Of(data), env.Error.Of(data)
	return m
}

func (m *Message) isRequest() bool      { return m.Method != "" && !m.ID.IsZero() }
func (m *Message) isNotification() bool { return m.Method != "" && m.ID.IsZero() }
func (m *Message) isAnswer() bool       { return m.Result != nil || m.Error != nil }

// member returns a member of an object, or nil.
func member(object json.RawMessage, name string) json.RawMessage {
	var found json.RawMessage
	r := jsonwire.NewReader(object)
	if r.Kind() != jsonwire.KindObject {
		return nil
	}
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) == name {
			found = r.Raw()
		} else {
			r.Skip()
		}
	}
	return found
}

// textMember returns a member that is a string, or "".
func textMember(object json.RawMessage, name string) string {
	raw := member(object, name)
	r := jsonwire.NewReader(raw)
	if r.Kind() != jsonwire.KindString {
		return ""
	}
	return r.String()
}

// What servers need to know of _meta.
const (
	metaVersion       = "io.modelcontextprotocol/protocolVersion"
	metaServerInfo    = "io.modelcontextprotocol/serverInfo"
	metaProgressToken = "progressToken"
)

// result, failure, request and notify write the four kinds of message. result, data and params are JSON text.
func result(id jsonrpc.ID, result string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":` + id.Text() + `,"result":` + result + `}`)
}

func failure(id jsonrpc.ID, err *jsonrpc.Error) []byte {
	w := jsonwire.NewWriter(nil)
	w.BeginObject()
	w.Literal(`"jsonrpc":"2.0","id":` + id.Text())
	w.Member(`"error":`)
	err.WriteJSON(w)
	w.EndObject()
	return w.Bytes()
}

func request(id jsonrpc.ID, method, params string) []byte {
	return call(`"id":`+id.Text()+`,`, method, params)
}

func notification(method, params string) []byte { return call("", method, params) }

func call(id, method, params string) []byte {
	w := jsonwire.NewWriter(nil)
	w.Literal(`{"jsonrpc":"2.0",` + id + `"method":`)
	w.String(method)
	if params != "" {
		w.Literal(`,"params":` + params)
	}
	w.Literal(`}`)
	return w.Bytes()
}
