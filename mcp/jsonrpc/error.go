package jsonrpc

import (
	"encoding/json"
	"strconv"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// The error object of a response, and the codes that JSON-RPC and MCP define.

// Codes of JSON-RPC 2.0.
const (
	CodeParseError     int64 = -32700
	CodeInvalidRequest int64 = -32600
	CodeMethodNotFound int64 = -32601
	CodeInvalidParams  int64 = -32602
	CodeInternalError  int64 = -32603
)

// Codes of MCP.
const (
	CodeResourceNotFound                int64 = -32002
	CodeHeaderMismatch                  int64 = -32020
	CodeMissingRequiredClientCapability int64 = -32021
	CodeUnsupportedProtocolVersion      int64 = -32022
	CodeURLElicitationRequired          int64 = -32042
)

var codeNames = map[int64]string{
	CodeParseError:                      "parse error",
	CodeInvalidRequest:                  "invalid request",
	CodeMethodNotFound:                  "method not found",
	CodeInvalidParams:                   "invalid params",
	CodeInternalError:                   "internal error",
	CodeResourceNotFound:                "resource not found",
	CodeHeaderMismatch:                  "header mismatch",
	CodeMissingRequiredClientCapability: "missing required client capability",
	CodeUnsupportedProtocolVersion:      "unsupported protocol version",
	CodeURLElicitationRequired:          "URL elicitation required",
}

// CodeName returns what a code stands for, or "" when it is not a standard one.
func CodeName(code int64) string { return codeNames[code] }

// Error is the error object of a response.
type Error struct {
	Code    int64
	Message string
	Data    json.RawMessage            // nil when absent
	Extra   map[string]json.RawMessage // members that JSON-RPC does not define
}

// messageLimit is how much of a peer's message an error text repeats.
const messageLimit = 1024

// Error returns the message, with what the code stands for.
func (e *Error) Error() string {
	text := strconv.FormatInt(e.Code, 10)
	if name := CodeName(e.Code); name != "" {
		text = name + " (" + text + ")"
	}
	if e.Message == "" {
		return text
	}
	return text + ": " + printable(e.Message)
}

// printable shortens a peer's text and escapes what could disturb a terminal.
func printable(s string) string {
	if len(s) > messageLimit {
		s = s[:messageLimit] + "…"
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			q := strconv.QuoteToGraphic(s)
			return q[1 : len(q)-1]
		}
	}
	return s
}

// WriteJSON writes the error object.
func (e *Error) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"code":`)
	w.Int64(e.Code)
	w.Member(`"message":`)
	w.String(e.Message)
	if e.Data != nil {
		w.Member(`"data":`)
		w.Raw(e.Data)
	}
	w.Extra(e.Extra, "code", "message", "data")
	w.EndObject()
}

// ReadJSON reads the error object. The code must be an integer and the message
// a string.
func (e *Error) ReadJSON(r *jsonwire.Reader) {
	*e = Error{}
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "code":
			e.Code = r.Int64()
			seen |= 1 << 0
		case "message":
			e.Message = r.String()
			seen |= 1 << 1
		case "data":
			e.Data = r.Raw()
		default:
			r.Extra(&e.Extra)
		}
	}
	r.Missing(seen, "code", "message")
}

// MarshalJSON returns the error object's JSON text.
func (e *Error) MarshalJSON() ([]byte, error) { return jsonwire.Marshal(e) }

// UnmarshalJSON reads the error object.
func (e *Error) UnmarshalJSON(data []byte) error { return jsonwire.Unmarshal(data, e) }
