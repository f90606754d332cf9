package mcp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// C-305
func TestChallengesAreRead(t *testing.T) {
	type params = map[string]string
	for header, want := range map[string][]AuthChallenge{
		``:             nil,
		` , ,`:         nil,
		`"`:            nil,
		`Bearer`:       {{"Bearer", "", params{}}},
		`Basic QWxh==`: {{"Basic", "QWxh==", params{}}},
		`Basic realm="x", Bearer resource_metadata="https://h/.well-known/x?a=b,c", scope="a b"`: {
			{"Basic", "", params{"realm": "x"}},
			{"Bearer", "", params{"resource_metadata": "https://h/.well-known/x?a=b,c", "scope": "a b"}},
		},
		`bearer   REALM = "a \"quoted\" \\ word" ,	Scope=one,error=invalid_token`: {
			{"bearer", "", params{"realm": `a "quoted" \ word`, "scope": "one", "error": "invalid_token"}},
		},
		`Negotiate, NTLM abc=, Bearer error="e"`: {{"Negotiate", "", params{}}, {"NTLM", "abc=", params{}}, {"Bearer", "", params{"error": "e"}}},
		`Bearer resource_metadata=https://h/x?y=z, scope=a:b/c`: {
			{"Bearer", "", params{"resource_metadata": "https://h/x?y=z", "scope": "a:b/c"}},
		},
		`Bearer scope="first", scope="second"`: {{"Bearer", "", params{"scope": "first"}}},
		`Bearer error="never ends`:             {{"Bearer", "", params{"error": "never ends"}}},
		`realm="no scheme"`:                    nil,
		"Bearer error=\"a\r\n b\"":             {{"Bearer", "", params{"error": "a\r\n b"}}},
	} {
		if diff := cmp.Diff(want, readChallenges(header)); diff != "" {
			t.Errorf("%s: %s", header, diff)
		}
	}
	if n := len(readChallenges(strings.Repeat("a,", 10_000))); n > maxChallengeParams {
		t.Errorf("%d challenges are kept", n)
	}
}

func FuzzChallenges(f *testing.F) {
	f.Add(`Basic realm="x", Bearer a=b, c="d\"", NTLM e==`)
	f.Fuzz(func(t *testing.T, header string) {
		for _, c := range readChallenges(header) {
			if c.Scheme == "" || c.Params == nil || len(c.Params) > maxChallengeParams {
				t.Errorf("%q gives %+v", header, c)
			}
		}
	})
}

// C-099 C-305 C-333 B142: what is asked for tells the four kinds apart, on both wires.
func TestAuthErrorsAreToldApart(t *testing.T) {
	for _, test := range []struct {
		status  int
		headers []string
		body    string
		want    AuthError
		text    string
	}{
		{401, nil, "who are you", AuthError{Kind: AuthSignIn, MaxAge: -1}, "tools/call: HTTP status 401 who are you: sign-in required"},
		{401, []string{`Basic realm="r"`, `Bearer error="invalid_token", error_description="it expired", resource_metadata="https://h/m"`}, "",
			AuthError{Kind: AuthSignIn, Code: "invalid_token", Description: "it expired", ResourceMetadata: "https://h/m", MaxAge: -1},
			"sign-in required: invalid_token: it expired"},
		{403, []string{`Bearer error="insufficient_scope", scope="files:read files:write"`}, "",
			AuthError{Kind: AuthStepUp, Code: "insufficient_scope", Scopes: []string{"files:read", "files:write"}, MaxAge: -1},
			"more scopes required: insufficient_scope (scope files:read files:write)"},
		{401, []string{`Bearer error="insufficient_user_authentication", acr_values="phr mfa", max_age="300"`}, "",
			AuthError{Kind: AuthAgain, Code: "insufficient_user_authentication", ACRValues: []string{"phr", "mfa"}, MaxAge: 5 * time.Minute},
			"stronger sign-in required: insufficient_user_authentication"},
		{403, nil, "no", AuthError{Kind: AuthForbidden, MaxAge: -1}, "HTTP status 403 no: forbidden"},
		{403, []string{"Bearer error=\"\u202ex\", max_age=soon"}, "", AuthError{Kind: AuthForbidden, Code: "\u202ex", MaxAge: -1}, "forbidden: \ufffdx"},
	} {
		for _, version := range []string{Version20260728, Version20251125} {
			server := newHTTPServer(t, onCall(version, func(w http.ResponseWriter, _ *http.Request, _ message) {
				for _, h := range test.headers {
					w.Header().Add("WWW-Authenticate", h)
				}
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			}))
			c := connect(t, HTTP(server.URL), WithVersions(version))
			_, err := c.CallTool(t.Context(), "t", nil)
			var auth *AuthError
			var te *TransportError
			if !errors.As(err, &auth) || !errors.As(err, &te) || te.Status != test.status || auth.Status != test.status {
				t.Errorf("%s: error is %v", version, err)
				continue
			}
			if len(auth.Challenges) != len(test.headers) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%s: %d challenges, error is %v", version, len(auth.Challenges), err)
			}
			got := *auth
			got.Status, got.Challenges = 0, nil
			if len(got.Scopes) == 0 {
				got.Scopes = nil
			}
			if len(got.ACRValues) == 0 {
				got.ACRValues = nil
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s %v: %s", version, test.headers, diff)
			}
			if n := len(server.exchanges()); n > 4 {
				t.Errorf("%s: %d exchanges: the refusal was not the end", version, n)
			}
		}
	}
}

// C-099: an answer in JSON-RPC does not hide the challenge.
func TestAuthErrorComesWithAnRPCError(t *testing.T) {
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, _ *http.Request, m message) {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="a"`)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, m.failure(-32000, "more, please", ""))
	}))
	c := connect(t, HTTP(server.URL), WithVersions(Version20260728))
	_, err := c.CallTool(t.Context(), "t", nil)
	var rpc *RPCError
	var auth *AuthError
	if !errors.As(err, &rpc) || rpc.Code != -32000 || !errors.As(err, &auth) || auth.Kind != AuthStepUp {
		t.Errorf("error is %v", err)
	}
}

// C-061 C-305: the door is locked for connecting, too, on every wire.
func TestConnectTellsThatASignInIsNeeded(t *testing.T) {
	server := newHTTPServer(t, func(w http.ResponseWriter, _ *http.Request, _ message) {
		w.Header().Set("WWW-Authenticate", `Bearer scope="a"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	for _, opts := range [][]HTTPOption{nil, {WithSSEOnly()}} {
		c, err := Connect(t.Context(), HTTP(server.URL, opts...))
		var auth *AuthError
		if !errors.As(err, &auth) || auth.Kind != AuthSignIn || !cmp.Equal(auth.Scopes, []string{"a"}) {
			t.Errorf("error is %v", err)
		}
		if err == nil {
			_ = c.Close()
		}
	}
}

// refreshing is a source whose token is replaced by whoever asks for it after it was refused.
type refreshing struct{ current atomic.Pointer[string] }

func (s *refreshing) Token(context.Context) (string, error) { return *s.current.Load(), nil }

// roundTripper is a user's own, which does not say what it answers.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := f(req)
	if resp != nil {
		resp.Request = nil
	}
	return resp, err
}

// C-304 C-313 C-333: a token that was replaced while the request was under way is tried once.
func TestTokenSourceIsAskedAgainAfterA401(t *testing.T) {
	source := &refreshing{}
	source.current.Store(new("old"))
	var calls, replaced atomic.Int64
	server := newHTTPServer(t, onCall(Version20260728, func(w http.ResponseWriter, r *http.Request, m message) {
		calls.Add(1)
		if r.URL.RawQuery != "" {
			t.Errorf("query is %s", r.URL.RawQuery)
		}
		if r.Header.Get("Authorization") == "Bearer new" {
			jsonScript(modern(alwaysOK))(w, r, m)
			return
		}
		if replaced.Load() == 0 {
			source.current.Store(new("new"))
		}
		w.WriteHeader(http.StatusUnauthorized)
	}))
	plain := http.DefaultTransport.(*http.Transport).Clone()
	defer plain.CloseIdleConnections()
	c := connect(t, HTTP(server.URL, WithTokenSource(source), WithRoundTripper(roundTripper(plain.RoundTrip))), WithVersions(Version20260728))
	if _, err := c.CallTool(t.Context(), "t", nil); err != nil || calls.Load() != 2 {
		t.Errorf("%d calls, %v", calls.Load(), err)
	}
	// The same token again is no reason to try again.
	replaced.Store(1)
	source.current.Store(new("bad"))
	_, err := c.CallTool(t.Context(), "t", nil)
	if !errors.As(err, new(*AuthError)) || calls.Load() != 3 {
		t.Errorf("%d calls, %v", calls.Load(), err)
	}
}
