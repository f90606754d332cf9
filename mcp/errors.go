package mcp

// What can go wrong, as types. The first question a caller has is who said so: an RPCError and a
// ToolError are the server's words, everything else is this client's conclusion.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Error codes of JSON-RPC and of MCP.
const (
	CodeParse                        = -32700
	CodeInvalidRequest               = -32600
	CodeMethodNotFound               = -32601
	CodeInvalidParams                = -32602
	CodeInternal                     = -32603
	CodeResourceNotFound             = -32002 // C-013
	CodeHeaderMismatch               = -32020 // C-012
	CodeMissingCapability            = -32021
	CodeUnsupportedVersion           = -32022
	CodeURLElicitationRequired       = -32042 // 2025-11-25 only, C-014
	codeUserRejected                 = -1
	codeTooManyServerRequests        = -32603
	recognisedModernLow        int64 = CodeUnsupportedVersion
	recognisedModernHigh       int64 = CodeHeaderMismatch
)

// Targets for errors.Is. An RPCError matches by its code, whatever its message.
var (
	ErrParse                  = errors.New("parse error")
	ErrInvalidRequest         = errors.New("invalid request")
	ErrMethodNotFound         = errors.New("method not found")
	ErrInvalidParams          = errors.New("invalid params")
	ErrInternal               = errors.New("internal error")
	ErrResourceNotFound       = errors.New("resource not found")
	ErrHeaderMismatch         = errors.New("header mismatch")
	ErrMissingCapability      = errors.New("missing client capability")
	ErrUnsupportedVersion     = errors.New("unsupported protocol version")
	ErrURLElicitationRequired = errors.New("URL elicitation required")

	// ErrClosed is the cause of every error after Close.
	ErrClosed = errors.New("client is closed")
	// ErrTooLarge says that a message exceeds the limit of WithMaxMessageSize.
	ErrTooLarge = errors.New("message too large")
	// ErrNoAnswer says that an exchange ended without the answer to its request.
	ErrNoAnswer = errors.New("stream ended without a response")
)

var codeErrors = map[int64]error{
	CodeParse:                  ErrParse,
	CodeInvalidRequest:         ErrInvalidRequest,
	CodeMethodNotFound:         ErrMethodNotFound,
	CodeInvalidParams:          ErrInvalidParams,
	CodeInternal:               ErrInternal,
	CodeResourceNotFound:       ErrResourceNotFound,
	CodeHeaderMismatch:         ErrHeaderMismatch,
	CodeMissingCapability:      ErrMissingCapability,
	CodeUnsupportedVersion:     ErrUnsupportedVersion,
	CodeURLElicitationRequired: ErrURLElicitationRequired,
}

// RPCError is an error that the server answered a request with.
type RPCError struct {
	Method  string // of the request
	Code    int64
	Message string
	Data    json.RawMessage // as sent; nil if absent
	Status  int             // the HTTP status it came with; 0 elsewhere
	// RetryAfter is what the server said with status 429 or 503: seconds or an HTTP date.
	RetryAfter string

	auth *AuthError // with status 401 or 403
}

func (e *RPCError) Error() string {
	return fmt.Sprintf("%s: server error %d: %s", e.Method, e.Code, printable(e.Message))
}

// Unwrap gives the error as the server put it, and the *AuthError that came with it.
func (e *RPCError) Unwrap() []error {
	causes := []error{&jsonrpc.Error{Code: e.Code, Message: e.Message, Data: e.Data}}
	if e.auth != nil {
		causes = append(causes, e.auth)
	}
	return causes
}

// Is matches the Err… values of this package by code. A 2026-07-28 server reports an unknown
// resource as invalid params, so resources/read matches ErrResourceNotFound for both codes (C-013).
func (e *RPCError) Is(target error) bool {
	if target == ErrResourceNotFound && e.Method == methodReadResource && e.Code == CodeInvalidParams {
		return true
	}
	known, ok := codeErrors[e.Code]
	return ok && target == known
}

// RequiredCapabilities returns the capabilities that a -32021 error says the client lacks, as JSON;
// nil for any other error.
func (e *RPCError) RequiredCapabilities() json.RawMessage {
	if e.Code != CodeMissingCapability {
		return nil
	}
	var found json.RawMessage
	r := jsonwire.NewReader(e.Data)
	if r.Kind() != jsonwire.KindObject {
		return nil
	}
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) == "requiredCapabilities" {
			found = r.Raw()
		} else {
			r.Skip()
		}
	}
	return found
}

// recognisedModern reports whether only a 2026-07-28 server can have sent e (C-056, B054).
func recognisedModern(e *RPCError) bool {
	return e.Code >= recognisedModernLow && e.Code <= recognisedModernHigh
}

// ToolError is a tool's own report that it did not succeed: a result with isError set.
type ToolError struct {
	Tool   string
	Result *CallToolResult
}

// Error returns the text that the tool gave.
func (e *ToolError) Error() string {
	text := resultText(e.Result)
	if text == "" {
		text = "no text given"
	}
	return fmt.Sprintf("tool %q: %s", e.Tool, printable(text))
}

// UnsupportedError says that a request was not sent, because the negotiated version does not define
// its method or the server did not declare the capability that it needs.
// errors.Is(err, ErrMethodNotFound) holds.
type UnsupportedError struct {
	Method     string
	Version    string // the negotiated version
	Capability string // the missing capability of the server; empty if the version lacks the method
}

func (e *UnsupportedError) Error() string {
	if e.Capability != "" {
		return fmt.Sprintf("%s: not sent: the server does not declare the capability %q", e.Method, e.Capability)
	}
	return fmt.Sprintf("%s: not sent: MCP %s does not define it", e.Method, e.Version)
}

func (e *UnsupportedError) Is(target error) bool { return target == ErrMethodNotFound }

// VersionError says that client and server have no protocol version in common.
type VersionError struct {
	Requested []string // what this client offered
	Supported []string // what the server named, if it did
	Cause     error    // how the server put it, if there was an error
}

func (e *VersionError) Error() string {
	text := "no common protocol version: client offers " + listed(e.Requested) + ", server supports " + listed(e.Supported)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

func (e *VersionError) Unwrap() error { return e.Cause }

func listed(versions []string) string {
	if len(versions) == 0 {
		return "none it named"
	}
	quoted := make([]string, len(versions))
	for i, v := range versions {
		quoted[i] = printable(v)
	}
	return strings.Join(quoted, ", ")
}

// TransportError says that a message did not get through or made no sense.
type TransportError struct {
	Method string // of the request; empty if it concerns the connection
	Err    error  // the cause, for errors.Is and errors.As
	Status int    // HTTP status; 0 if there was none
	Body   string // the beginning of the body that came with Status
	Exit   *ExitError
}

// ExitError is how a child process ended.
type ExitError struct {
	PID    int
	Code   int    // exit code; -1 if a signal ended it
	State  string // for instance "exit status 3" or "signal: killed"
	Stderr string // the end of what it wrote to stderr
}

func (e *ExitError) Error() string {
	if e.Stderr == "" {
		return "server process ended: " + e.State
	}
	return "server process ended: " + e.State + ": " + printable(e.Stderr)
}

func (e *TransportError) Error() string {
	var b strings.Builder
	if e.Method != "" {
		b.WriteString(e.Method + ": ")
	}
	if e.Status != 0 {
		fmt.Fprintf(&b, "HTTP status %d", e.Status)
		if e.Body != "" {
			b.WriteString(" " + printable(e.Body))
		}
		if e.Err != nil {
			b.WriteString(": ")
		}
	}
	if e.Err != nil {
		b.WriteString(e.Err.Error())
	}
	if e.Exit != nil && !errors.Is(e.Err, error(e.Exit)) {
		b.WriteString(": " + e.Exit.Error())
	}
	return b.String()
}

// Unwrap gives the causes to errors.Is and errors.As.
func (e *TransportError) Unwrap() []error {
	causes := make([]error, 0, 2)
	if e.Err != nil {
		causes = append(causes, e.Err)
	}
	if e.Exit != nil {
		causes = append(causes, e.Exit)
	}
	return causes
}

// TimeoutError says which limit ended the wait for an answer. errors.Is(err, context.DeadlineExceeded) holds.
type TimeoutError struct {
	Method string
	Limit  string        // "context deadline", "timeout", "timeout without progress", "maximum total time", "task timeout", "acknowledgement"
	After  time.Duration // the limit; for a context deadline and the maximum total time, the time waited
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s: no answer: %s struck after %s", e.Method, e.Limit, e.After.Round(time.Millisecond))
}

func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }
func (e *TimeoutError) Timeout() bool { return true }

// InvalidResultError says that the server's answer to a request cannot be what it must be.
type InvalidResultError struct {
	Method string
	Err    error
}

func (e *InvalidResultError) Error() string { return e.Method + ": invalid result: " + e.Err.Error() }
func (e *InvalidResultError) Unwrap() error { return e.Err }

// ValidationError says where arguments or structured output break their schema.
type ValidationError = jsonwire.ValidationError

// printable makes a peer's text safe and short enough for one line of an error or a log (C-216).
func printable(text string) string {
	const limit = 2000
	text = strings.TrimSpace(text)
	if len(text) > limit {
		text = text[:limit] + "…"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069):
			return '\uFFFD'
		}
		return r
	}, text)
}
