package jsonrpc

import (
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// A transport only has to know whose message it holds. Scan walks the members
// of the message once, checks their grammar, and remembers where the big ones
// are; who waits for the message decodes those.

// Span is a range of bytes in the scanned message.
type Span struct{ Start, End int }

// IsZero reports whether there is no such member.
func (s Span) IsZero() bool { return s.End == 0 }

// Of returns the bytes of the span in the message that was scanned.
func (s Span) Of(message []byte) []byte {
	if s.IsZero() {
		return nil
	}
	return message[s.Start:s.End:s.End]
}

// Envelope is what a message says about itself.
type Envelope struct {
	ID     ID
	NullID bool // the message has an id that is null
	Method string

	HasMethod, HasResult, HasError bool

	Params, Result, Error Span
}

// IsRequest reports whether the message asks for an answer.
func (e *Envelope) IsRequest() bool { return e.HasMethod && !e.ID.IsZero() }

// IsNotification reports whether the message wants no answer.
func (e *Envelope) IsNotification() bool { return e.HasMethod && e.ID.IsZero() }

// IsResponse reports whether the message answers a request.
func (e *Envelope) IsResponse() bool { return e.HasResult || e.HasError }

// Unaddressed reports whether the message is an error response without an id or
// with a null one: its sender could not tell which request it answers.
func (e *Envelope) Unaddressed() bool { return e.HasError && e.ID.IsZero() }

// Scan checks one whole message (its grammar throughout, and that it is a
// well-formed request, notification or response) and says what it is.
// Malformed are: a jsonrpc member other than "2.0" (C-001); an id that is not a
// string or an integer, except a null or missing id of an error response; both
// or neither of result and error in a response (C-006); a message with a method
// and a result or error. A message of any other kind than an object, batches
// included, is an error of the rule "type".
func Scan(data []byte) (Envelope, error) {
	var s scanner
	s.r.Reset(data)
	s.scan()
	if s.r.Err() == nil {
		s.check()
	}
	return s.env, s.r.End()
}

// Peek is Scan without its second half: it stops at the params, result or error
// of a message whose id it has seen, or whose method says that it is a
// notification, and leaves the rest of the message unread. Its answer is only good for finding the goroutine that
// waits for the message; that one must read the whole message, which checks
// what Peek left out. The spans of an Envelope from Peek are not set beyond the
// place where it stopped.
func Peek(data []byte) (Envelope, error) {
	s := scanner{early: true}
	s.r.Reset(data)
	s.scan()
	return s.env, s.r.Err()
}

type scanner struct {
	r       jsonwire.Reader
	env     Envelope
	version bool
	hasID   bool
	early   bool
}

func (s *scanner) scan() {
	r := &s.r
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "jsonrpc":
			r.Const(`"2.0"`)
			s.version = true
		case "id":
			s.id()
		case "method":
			s.env.Method, s.env.HasMethod = methodName(r), true
		case "params":
			if s.member(&s.env.Params) {
				return
			}
		case "result":
			s.env.HasResult = true
			if s.member(&s.env.Result) {
				return
			}
		case "error":
			s.env.HasError = true
			if s.member(&s.env.Error) {
				return
			}
		default:
			r.Skip()
		}
	}
}

func (s *scanner) id() {
	s.hasID = true
	if s.env.NullID = s.r.Kind() == jsonwire.KindNull; s.env.NullID {
		s.r.Null()
		return
	}
	s.env.ID.ReadJSON(&s.r)
}

// member remembers where the current value is, or reports that a Peek needs to
// read no further.
func (s *scanner) member(span *Span) (stop bool) {
	if s.early && s.version && (s.hasID || strings.HasPrefix(s.env.Method, "notifications/")) {
		return true
	}
	raw := s.r.RawNoCopy()
	*span = Span{s.r.Offset() - len(raw), s.r.Offset()}
	return false
}

// check fails unless the members seen make a message.
func (s *scanner) check() {
	e := &s.env
	switch {
	case !s.version:
		s.invalid(`member "jsonrpc" is missing`)
	case e.HasResult && e.HasError:
		s.invalid("result and error in one message")
	case e.HasMethod && e.IsResponse():
		s.invalid("method and result or error in one message")
	case !e.HasMethod && !e.IsResponse():
		s.invalid("none of method, result and error")
	case e.HasResult && e.ID.IsZero():
		s.invalid("result without an id")
	case e.HasMethod && e.NullID:
		s.invalid("request with a null id")
	}
}

func (s *scanner) invalid(detail string) { s.r.Fail("message", detail) }

// methodName reads a method's name; those that a server sends often cost no
// allocation.
func methodName(r *jsonwire.Reader) string {
	if r.Kind() != jsonwire.KindString {
		return r.String()
	}
	raw := r.RawNoCopy()
	if len(raw) < 2 {
		return ""
	}
	if name, ok := frequent[string(raw[1:len(raw)-1])]; ok {
		return name
	}
	return jsonwire.NewReader(raw).String()
}

var frequent = func() map[string]string {
	m := make(map[string]string)
	for _, name := range []string{
		"notifications/progress", "notifications/message", "notifications/cancelled", "notifications/resources/updated", "ping",
		"notifications/resources/list_changed", "notifications/tools/list_changed", "notifications/prompts/list_changed",
		"notifications/tasks/status", "sampling/createMessage", "elicitation/create", "roots/list", "tools/call",
	} {
		m[name] = name
	}
	return m
}()
