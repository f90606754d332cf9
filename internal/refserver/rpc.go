package refserver

// The JSON-RPC layer: the message envelope, error codes and the error type. Everything that
// goes out is built here, so that each message is one line of compact JSON.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// obj is a JSON object under construction.
type obj = map[string]any

const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeNoSession          = -32000
	codeResourceNotFound   = -32002
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
	codeURLElicitation     = -32042
)

type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

func (m *message) isRequest() bool { return m.Method != "" && len(m.ID) > 0 }

// fields are the members of params, or nil when params is not an object.
func (m *message) fields() map[string]json.RawMessage { return members(m.Params) }

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
	status  int    // HTTP status where it is not 200
}

func (e *rpcError) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

func invalidParams(format string, args ...any) *rpcError {
	return &rpcError{Code: codeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

func badRequest(code int, format string, args ...any) *rpcError {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, args...), status: http.StatusBadRequest}
}

// decodeMessage reads one JSON-RPC object and refuses what the protocol refuses: another
// jsonrpc version, a null or fractional id, params that are not an object.
func decodeMessage(raw []byte) (*message, *rpcError) {
	if !json.Valid(raw) {
		return nil, badRequest(codeParse, "the message is not JSON")
	}
	top := members(raw)
	if top == nil {
		return nil, badRequest(codeInvalidRequest, "the message is not an object")
	}
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, badRequest(codeInvalidRequest, "the message is not JSON-RPC: %v", err)
	}
	id, hasID := top["id"]
	switch {
	case m.JSONRPC != "2.0":
		return nil, badRequest(codeInvalidRequest, `"jsonrpc" is not "2.0"`)
	case hasID && !validID(id):
		return nil, badRequest(codeInvalidRequest, "the id is neither a string nor an integer")
	case len(m.Params) > 0 && members(m.Params) == nil:
		return nil, badRequest(codeInvalidRequest, "params is not an object")
	}
	return &m, nil
}

func validID(id json.RawMessage) bool {
	if len(id) == 0 {
		return false
	}
	return id[0] == '"' || (strings.IndexByte("-0123456789", id[0]) >= 0 && !bytes.ContainsAny(id, ".eE"))
}

func members(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// stringAt is the string member name of an object, or "" when it is absent or of another kind.
func stringAt(m map[string]json.RawMessage, name string) string {
	var s string
	_ = json.Unmarshal(m[name], &s)
	return s
}

// encode writes compact JSON without HTML escaping.
func encode(v any) json.RawMessage {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("refserver: an answer that cannot be JSON: " + err.Error())
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

func encodeResult(id json.RawMessage, result obj) []byte {
	return encode(&message{JSONRPC: "2.0", ID: id, Result: encode(result)})
}

func encodeError(id json.RawMessage, err *rpcError) []byte {
	return encode(&message{JSONRPC: "2.0", ID: id, Error: err})
}

func encodeNotification(method string, params obj) []byte {
	return encode(&message{JSONRPC: "2.0", Method: method, Params: encode(params)})
}

// splitBatch returns the members of a JSON array, or the message itself.
func splitBatch(raw []byte) (parts []json.RawMessage, batch bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &parts) == nil {
		return parts, true
	}
	return []json.RawMessage{raw}, false
}
