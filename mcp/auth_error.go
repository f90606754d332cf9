package mcp

// What a server says when it wants other credentials: 401 and 403 with WWW-Authenticate (RFC 9110,
// 6750, 9470, 9728). What to do about it is an Authorizer's business.

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// AuthKind says what would help.
type AuthKind string

// Values of AuthKind.
const (
	// AuthSignIn: the request had no credentials, or none that count any more.
	AuthSignIn AuthKind = "sign-in required"
	// AuthStepUp: the credentials are good but do not cover the request; Scopes would (insufficient_scope).
	AuthStepUp AuthKind = "more scopes required"
	// AuthAgain: the user has to sign in again, in a stronger way (ACRValues) or because the last time
	// is too long ago (MaxAge): insufficient_user_authentication of RFC 9470.
	AuthAgain AuthKind = "stronger sign-in required"
	// AuthForbidden: a 403 that asks for nothing. Other credentials of the same kind will not help.
	AuthForbidden AuthKind = "forbidden"
)

// AuthError says that the server refused a request because of its credentials. It is the cause of a
// *TransportError, or of an *RPCError if the server said so in JSON-RPC; errors.As finds it in both.
// All texts are the server's.
type AuthError struct {
	Kind   AuthKind
	Status int // 401 or 403
	// Challenges are those of WWW-Authenticate, in their order; none if the header is missing.
	Challenges []AuthChallenge

	// The rest is from the first Bearer challenge.

	Code             string        // error: "invalid_token", "insufficient_scope", …; empty if not given
	Description      string        // error_description
	Scopes           []string      // scope
	ResourceMetadata string        // resource_metadata: the URL of the resource's metadata, not checked
	ACRValues        []string      // acr_values: ways of signing in, the preferred first
	MaxAge           time.Duration // max_age: how long ago the sign-in may be; negative if not given
}

// AuthChallenge is one challenge of WWW-Authenticate.
type AuthChallenge struct {
	Scheme string            // as sent; schemes differ in more than case
	Token  string            // a token68, which few schemes have instead of parameters
	Params map[string]string // by name in lower case; the first counts
}

func (e *AuthError) Error() string {
	text := string(e.Kind)
	if e.Code != "" {
		text += ": " + printable(e.Code)
	}
	if e.Description != "" {
		text += ": " + printable(e.Description)
	}
	if len(e.Scopes) > 0 {
		text += " (scope " + printable(strings.Join(e.Scopes, " ")) + ")"
	}
	return text
}

// authError reads the challenges of a 401 or 403; nil for another status (C-305).
func authError(resp *http.Response) *AuthError {
	if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
		return nil
	}
	e := &AuthError{Kind: AuthSignIn, Status: resp.StatusCode, MaxAge: -1}
	if resp.StatusCode == http.StatusForbidden {
		e.Kind = AuthForbidden
	}
	for _, line := range resp.Header.Values("Www-Authenticate") {
		e.Challenges = append(e.Challenges, readChallenges(line)...)
	}
	for _, c := range e.Challenges {
		if strings.EqualFold(c.Scheme, "Bearer") {
			e.take(c.Params)
			break
		}
	}
	return e
}

func (e *AuthError) take(params map[string]string) {
	e.Code, e.Description = params["error"], params["error_description"]
	e.Scopes, e.ACRValues = strings.Fields(params["scope"]), strings.Fields(params["acr_values"])
	e.ResourceMetadata = params["resource_metadata"]
	if seconds, err := strconv.ParseUint(params["max_age"], 10, 31); err == nil {
		e.MaxAge = time.Duration(seconds) * time.Second
	}
	switch e.Code {
	case "insufficient_scope":
		e.Kind = AuthStepUp
	case "insufficient_user_authentication":
		e.Kind = AuthAgain
	case "invalid_token":
		e.Kind = AuthSignIn
	}
}

// maxChallengeParams bounds what is kept of one header.
const maxChallengeParams = 64

// readChallenges reads one WWW-Authenticate header as far as it makes sense. A comma separates
// parameters as well as challenges: a word is a parameter if an equals sign and a value follow it.
func readChallenges(header string) []AuthChallenge {
	p := challengeReader{rest: header}
	var list []AuthChallenge
	for kept := 0; kept < maxChallengeParams; {
		p.skip(", \t\r\n")
		word := p.word()
		if word == "" {
			return list
		}
		if value, ok := p.value(); ok {
			if len(list) > 0 {
				params := list[len(list)-1].Params
				if name := strings.ToLower(word); params[name] == "" {
					params[name] = value
					kept++
				}
			}
			continue
		}
		c := AuthChallenge{Scheme: word, Params: map[string]string{}}
		c.Token = p.token68()
		list = append(list, c)
		kept++
	}
	return list
}

type challengeReader struct{ rest string }

func (p *challengeReader) skip(set string) { p.rest = strings.TrimLeft(p.rest, set) }

// take cuts off the longest beginning that ok approves of.
func (p *challengeReader) take(ok func(b byte) bool) string {
	n := 0
	for n < len(p.rest) && ok(p.rest[n]) {
		n++
	}
	text := p.rest[:n]
	p.rest = p.rest[n:]
	return text
}

func (p *challengeReader) word() string { return p.take(isTokenByte) }

// value reads "= token" or "= quoted string", and leaves everything else alone.
func (p *challengeReader) value() (string, bool) {
	after, found := strings.CutPrefix(strings.TrimLeft(p.rest, " \t"), "=")
	if !found {
		return "", false
	}
	next := challengeReader{strings.TrimLeft(after, " \t")}
	if strings.HasPrefix(next.rest, `"`) {
		text := next.quoted()
		p.rest = next.rest
		return text, true
	}
	// Unquoted URLs and scopes are no tokens, but servers send them.
	text := next.take(func(b byte) bool { return b > ' ' && b != ',' && b != '"' })
	p.rest = next.rest
	return text, true
}

// quoted reads a quoted string; one that does not end ends with the header.
func (p *challengeReader) quoted() string {
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			return b.String()
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	p.rest = ""
	return b.String()
}

// token68 reads the credentials that may follow a scheme instead of parameters.
func (p *challengeReader) token68() string {
	if !strings.HasPrefix(p.rest, " ") {
		return ""
	}
	next := challengeReader{strings.TrimLeft(p.rest, " \t")}
	text := next.take(func(b byte) bool { return isLetterOrDigit(b) || strings.IndexByte("-._~+/", b) >= 0 })
	text += next.take(func(b byte) bool { return b == '=' })
	if end := strings.TrimLeft(next.rest, " \t"); text == "" || end != "" && end[0] != ',' {
		return ""
	}
	p.rest = next.rest
	return text
}

func isTokenByte(b byte) bool {
	return isLetterOrDigit(b) || strings.IndexByte("!#$%&'*+-.^_`|~", b) >= 0
}

func isLetterOrDigit(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}
