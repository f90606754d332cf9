package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// C-040 C-041 C-045 C-046
func TestInitializeComesFirstAndIsFollowedByInitialized(t *testing.T) {
	c, rec := answering(t, Version20251125, alwaysOK, WithVersions(Version20251125, Version20250618), WithClientInfo(Implementation{Name: "app", Version: "9"}))
	checkOK(t, c)
	all := rec.all()
	if got := fmt.Sprint(rec.methods()); got != "[initialize notifications/initialized tools/call]" {
		t.Fatalf("sent %s", got)
	}
	if got := string(all[0].Params); got != `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"app","version":"9"}}` {
		t.Fatalf("sent %s", got)
	}
}

// C-042
func TestB053OlderVersionsAreAccepted(t *testing.T) {
	for _, v := range sessionVersions {
		c, _ := answering(t, v, alwaysOK)
		if got := c.Session(); got.Version != v || got.Stateless || got.Server.Name != "fake" || got.Capabilities.Tools == nil {
			t.Errorf("%s: got %+v", v, got)
		}
		checkOK(t, c)
	}
}

// C-043
func TestB148UnknownVersionEndsTheConnection(t *testing.T) {
	transport, rec := pipe(t, legacy("1999-01-01", alwaysOK))
	_, err := Connect(t.Context(), transport)
	var ve *VersionError
	if !errors.As(err, &ve) || fmt.Sprint(ve.Supported) != "[1999-01-01]" || len(ve.Requested) != 4 {
		t.Fatalf("got %v", err)
	}
	if got := fmt.Sprint(rec.methods()); got != "[server/discover initialize]" {
		t.Fatalf("sent %s", got)
	}
}

// C-044
func TestInitializeIsOfferedAgainInANamedVersion(t *testing.T) {
	refusing := func(supported string) script {
		return func(m message) []string {
			if m.Method == methodInitialize && !strings.Contains(m.raw, `"2024-11-05"`) {
				return []string{m.failure(-32602, "Unsupported protocol version", `{"supported":`+supported+`,"requested":"x"}`)}
			}
			return legacy(Version20241105, alwaysOK)(m)
		}
	}
	transport, _ := pipe(t, refusing(`["2024-11-05"]`))
	if v := connect(t, transport).Session().Version; v != Version20241105 {
		t.Fatalf("got %s", v)
	}
	// C-064
	transport, _ = pipe(t, refusing(`["2027-01-01"]`))
	if _, err := Connect(t.Context(), transport); !errors.As(err, new(*VersionError)) || !strings.Contains(err.Error(), "2027-01-01") {
		t.Fatalf("got %v", err)
	}
}

// C-047 C-048 C-217
func TestUndeclaredCapabilitiesAreNotUsed(t *testing.T) {
	bare := func(version string) script {
		return func(m message) []string {
			if m.Method == methodInitialize {
				return []string{m.result(`{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"f","version":"0"}}`)}
			}
			return legacy(version, func(m message) []string {
				return []string{m.result(`{"prompts":[],"completion":{"values":[]}}`)}
			})(m)
		}
	}
	transport, rec := pipe(t, bare(Version20250326))
	c := connect(t, transport)
	_, err := c.ListPrompts(t.Context())
	var ue *UnsupportedError
	if !errors.As(err, &ue) || ue.Capability != "prompts" || !errors.Is(err, ErrMethodNotFound) {
		t.Fatalf("got %v", err)
	}
	if _, err = c.Complete(t.Context(), Completion{Ref: PromptRef("p"), Argument: "a"}); !errors.As(err, &ue) {
		t.Fatalf("got %v", err)
	}
	if got := fmt.Sprint(rec.methods()); strings.Contains(got, "prompts") {
		t.Fatalf("sent %s", got)
	}
	transport, _ = pipe(t, bare(Version20250326))
	if _, err = connect(t, transport, WithoutCapabilityChecks()).ListPrompts(t.Context()); err != nil {
		t.Fatal(err)
	}
	transport, _ = pipe(t, bare(Version20241105))
	if _, err = connect(t, transport).Complete(t.Context(), Completion{Ref: PromptRef("p"), Argument: "a"}); err != nil {
		t.Fatal(err)
	}
}

// C-049
func TestInitializeIsNotCancelled(t *testing.T) {
	transport, rec := pipe(t, func(message) []string { return nil })
	_, err := Connect(t.Context(), transport, WithVersions(Version20251125), WithDefaultTimeout(30*time.Millisecond))
	if !errors.As(err, new(*TimeoutError)) {
		t.Fatalf("got %v", err)
	}
	if got := fmt.Sprint(rec.methods()); got != "[initialize]" {
		t.Fatalf("sent %s", got)
	}
}

// C-054 C-051 C-052
func TestDiscoverSettlesTheVersion(t *testing.T) {
	transport, rec := pipe(t, func(m message) []string {
		if m.Method == methodDiscover {
			return []string{m.result(`{"supportedVersions":["2025-11-25","2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"instructions":"be kind","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`)}
		}
		return alwaysOK(m)
	})
	c := connect(t, transport)
	s := c.Session()
	if s.Version != Version20260728 || !s.Stateless || s.Instructions != "be kind" || s.Server.Name != "s" {
		t.Fatalf("got %+v", s)
	}
	checkOK(t, c)
	// C-065 C-149
	if err := c.Ping(t.Context()); !errors.As(err, new(*UnsupportedError)) {
		t.Fatalf("ping: %v", err)
	}
	if err := c.SetLogLevel(t.Context(), "debug"); !errors.As(err, new(*UnsupportedError)) {
		t.Fatalf("set level: %v", err)
	}
	if got := fmt.Sprint(rec.methods()); got != "[server/discover tools/call]" {
		t.Fatalf("sent %s", got)
	}
}

// C-055
func TestB061DiscoverWithLegacyVersionsOnly(t *testing.T) {
	transport, rec := pipe(t, func(m message) []string {
		if m.Method == methodDiscover {
			return []string{m.result(`{"supportedVersions":["2025-06-18","2025-11-25"],"capabilities":{}}`)}
		}
		if m.Method == methodInitialize && strings.Contains(m.raw, "_meta") {
			return []string{m.failure(-32600, "duplicate", "")}
		}
		return legacy(Version20251125, alwaysOK)(m)
	})
	if v := connect(t, transport).Session().Version; v != Version20251125 {
		t.Fatalf("got %s", v)
	}
	if p := string(rec.await(t, methodInitialize).Params); !strings.Contains(p, `"2025-11-25"`) {
		t.Fatalf("offered %s", p)
	}
}

// C-056 C-057 C-011
func TestB054AnyOtherErrorMeansSessions(t *testing.T) {
	for _, code := range []int{-32601, -32602, -32600, -32000, -32001, -32002, -32003, -32004, -32700, -32603, 1, 404} {
		s := func(m message) []string {
			if m.Method == methodDiscover {
				return []string{m.failure(code, "header mismatch", "")}
			}
			return legacy(Version20250618, alwaysOK)(m)
		}
		transport, _ := pipe(t, s)
		checkOK(t, connect(t, transport))
		for _, status := range []int{200, 400, 404} {
			server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
				if m.Method == methodDiscover {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(status)
					_, _ = io.WriteString(w, m.failure(code, "no", ""))
					return
				}
				jsonScript(s)(w, r, m)
			})
			checkOK(t, connect(t, HTTP(server.URL)))
		}
	}
}

// C-053 C-060
func TestB060VersionErrorIsAnsweredOnce(t *testing.T) {
	for _, test := range []struct {
		supported string
		answers   int // refusals before success
		good      bool
		sent      string
	}{
		{`["2026-07-28"]`, 1, true, "[server/discover server/discover]"},
		{`["2026-07-28"]`, 99, false, "[server/discover server/discover]"},
		{`["2027-01-01"]`, 99, false, "[server/discover]"},
		{`["2025-11-25"]`, 99, true, "[server/discover initialize notifications/initialized]"},
	} {
		refused := 0
		transport, rec := pipe(t, func(m message) []string {
			if m.Method == methodDiscover && refused < test.answers {
				refused++
				return []string{m.failure(-32022, "no", `{"supported":`+test.supported+`,"requested":"x"}`)}
			}
			if test.answers == 1 {
				return modern(alwaysOK)(m)
			}
			return legacy(Version20251125, alwaysOK)(m)
		})
		c, err := Connect(t.Context(), transport)
		if (err == nil) != test.good {
			t.Errorf("%s: %v", test.supported, err)
		}
		if err == nil {
			_ = c.Ping(t.Context()) // so that everything sent has been read
			_ = c.Close()
		}
		if got := strings.TrimSuffix(fmt.Sprint(rec.methods()), " ping]"); !strings.HasPrefix(test.sent, got) {
			t.Errorf("%s: sent %s", test.supported, got)
		}
	}
}

// C-058
func TestB055SilenceMeansSessions(t *testing.T) {
	var late string
	transport, rec := pipe(t, func(m message) []string {
		switch m.Method {
		case methodDiscover:
			late = m.result(mod)
			return nil
		case methodInitialize:
			return []string{late, m.result(leg(Version20250618))}
		}
		return legacy(Version20250618, alwaysOK)(m)
	})
	c := connect(t, transport, WithProbeTimeout(20*time.Millisecond))
	checkOK(t, c)
	if c.Session().Stateless {
		t.Fatal("the late answer counted")
	}
	if got := fmt.Sprint(rec.methods()); got != "[server/discover initialize notifications/initialized tools/call]" {
		t.Fatalf("sent %s", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	transport, _ = pipe(t, func(m message) []string {
		if m.Method == methodDiscover {
			return nil
		}
		return legacy(Version20250618, alwaysOK)(m)
	})
	c2, err := Connect(ctx, transport)
	if err != nil {
		t.Fatalf("the probe used up the context: %v", err)
	}
	_ = c2.Close()
}

// C-059
func TestB056HTTPRefusalsOfTheProbeMeanSessions(t *testing.T) {
	for _, test := range []struct {
		status int
		kind   string
		body   string
	}{
		{404, "text/plain", "Invalid session ID"}, {400, "text/plain", "Bad Request"}, {400, "", ""},
		{400, "text/html", "<html>"}, {400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}`},
		{405, "", ""}, {406, "", ""}, {415, "", ""}, {422, "", ""},
		{200, "application/json", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"},"id":null}`}, // B059
		{400, "application/json", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"},"id":null}`},
	} {
		server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
			if m.Method != methodDiscover {
				jsonScript(legacy(Version20250618, alwaysOK))(w, r, m)
				return
			}
			if test.kind != "" {
				w.Header().Set("Content-Type", test.kind)
			}
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})
		c := connect(t, HTTP(server.URL))
		checkOK(t, c)
		if c.Session().Stateless {
			t.Errorf("%d %s: stateless", test.status, test.body)
		}
	}
}

// C-061
func TestB058LockedDoorsSayNothingAboutTheEra(t *testing.T) {
	for _, status := range []int{401, 403, 429, 500, 502, 503} {
		first := true
		server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
			if first {
				first = false
				w.WriteHeader(status)
				return
			}
			jsonScript(modern(alwaysOK))(w, r, m)
		})
		_, err := Connect(t.Context(), HTTP(server.URL))
		var te *TransportError
		if !errors.As(err, &te) || te.Status != status {
			t.Fatalf("%d: got %v", status, err)
		}
		if got := fmt.Sprint(server.rec.methods()); got != "[server/discover]" {
			t.Fatalf("%d: sent %s", status, got)
		}
		if c := connect(t, HTTP(server.URL)); !c.Session().Stateless {
			t.Fatal("not stateless")
		}
	}
}

// C-062
func TestOutcomeIsRememberedUntilItFails(t *testing.T) {
	var now script
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) { jsonScript(now)(w, r, m) })
	now = modern(alwaysOK)
	checkOK(t, connect(t, HTTP(server.URL)))
	checkOK(t, connect(t, HTTP(server.URL)))
	now = legacy(Version20250618, func(m message) []string {
		if m.meta()[metaVersion] != nil {
			return []string{m.failure(-32600, "not initialized", "")}
		}
		return alwaysOK(m)
	})
	checkOK(t, connect(t, HTTP(server.URL)))
	checkOK(t, connect(t, HTTP(server.URL)))
	now = func(m message) []string {
		if m.Method == methodInitialize {
			return []string{m.failure(-32601, "no such method", "")}
		}
		return modern(alwaysOK)(m)
	}
	checkOK(t, connect(t, HTTP(server.URL)))
	want := "[server/discover tools/call tools/call " +
		"tools/call server/discover initialize notifications/initialized tools/call " +
		"initialize notifications/initialized tools/call " +
		"initialize server/discover tools/call]"
	if got := fmt.Sprint(server.rec.methods()); got != want {
		t.Fatalf("sent %s\nwant %s", got, want)
	}
}

// A client that may only speak sessions does not know whether the server could do without them, so
// one that comes after it still probes.
func TestPinnedClientsTeachOthersNothing(t *testing.T) {
	sessions := legacy(Version20251125, alwaysOK)
	server := newHTTPServer(t, jsonScript(func(m message) []string {
		if m.Method == methodInitialize || m.meta()[metaVersion] == nil {
			return sessions(m)
		}
		return modern(alwaysOK)(m)
	}))
	transport := HTTP(server.URL)
	checkOK(t, connect(t, transport, WithVersions(Version20251125)))
	c := connect(t, transport)
	checkOK(t, c)
	if got := c.Session().Version; got != Version20260728 {
		t.Errorf("settled on %s after a pinned client", got)
	}
}

// C-063 C-052
func TestPinnedStatelessVersionSendsNoProbe(t *testing.T) {
	transport, rec := pipe(t, modern(alwaysOK))
	c := connect(t, transport, WithVersions(Version20260728))
	checkOK(t, c)
	if got := fmt.Sprint(rec.methods()); got != "[tools/call]" {
		t.Fatalf("sent %s", got)
	}
	d, err := c.Discover(t.Context())
	if err != nil || len(d.SupportedVersions) != 1 {
		t.Fatalf("got %v, %v", d, err)
	}
}

// A pinned client knows nothing of the server until it asks; then it goes by the answer.
func TestDiscoverTellsASessionOfAPinnedClient(t *testing.T) {
	transport, rec := pipe(t, func(m message) []string {
		if m.Method == methodDiscover {
			return []string{m.result(`{"resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"private","capabilities":{"tools":{}},` +
				`"instructions":"Be kind.","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"7"}}}`)}
		}
		return []string{m.result(`{"resultType":"complete","prompts":[],"tools":[],"ttlMs":0,"cacheScope":"private"}`)}
	})
	c := connect(t, transport, WithVersions(Version20260728))
	if s := c.Session(); s.Version != Version20260728 || !s.Stateless || s.Server.Name != "" || s.Capabilities.Tools != nil {
		t.Errorf("before: %+v", s)
	}
	if _, err := c.ListPrompts(t.Context()); err != nil {
		t.Errorf("before: %v", err)
	}
	if _, err := c.Discover(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := c.Session()
	if s.Version != Version20260728 || !s.Stateless || s.Server.Name != "s" || s.Server.Version != "7" || s.Instructions != "Be kind." || s.Capabilities.Tools == nil || s.Capabilities.Prompts != nil {
		t.Errorf("after: %+v", s)
	}
	if _, err := c.ListPrompts(t.Context()); !errors.As(err, new(*UnsupportedError)) {
		t.Errorf("after: %v", err)
	}
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Errorf("after: %v", err)
	}
	if got := fmt.Sprint(rec.methods()); got != "[prompts/list server/discover tools/list]" {
		t.Errorf("sent %s", got)
	}
}

func TestUnknownPinIsRefused(t *testing.T) {
	transport, _ := pipe(t, alwaysOK)
	if _, err := Connect(t.Context(), transport, WithVersions("2030-01-01")); err == nil || !strings.Contains(err.Error(), "2030-01-01") {
		t.Fatalf("got %v", err)
	}
}

func TestB062InitializeCarriesNoVersionHeader(t *testing.T) {
	server := newHTTPServer(t, jsonScript(legacy(Version20250618, alwaysOK)))
	checkOK(t, connect(t, HTTP(server.URL)))
	for _, x := range server.exchanges() {
		has := len(x.header.Values("MCP-Protocol-Version")) == 1
		if want := x.Method != methodInitialize; has != want {
			t.Errorf("%s: version header %v", x.Method, x.header)
		}
	}
}

func TestB067SilentServerDoesNotHoldUpConnect(t *testing.T) {
	hold := make(chan struct{})
	server := newHTTPServer(t, func(_ http.ResponseWriter, r *http.Request, _ message) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	defer close(hold)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	started := time.Now()
	_, err := Connect(ctx, HTTP(server.URL))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
	if took := time.Since(started); took > time.Second {
		t.Fatalf("took %v", took)
	}
}

func TestB096RefusedConnectionsAreNoEvidence(t *testing.T) {
	server := newHTTPServer(t, jsonScript(alwaysOK))
	server.Close()
	_, err := Connect(t.Context(), HTTP(server.URL))
	var te *TransportError
	if !errors.As(err, &te) || te.Method != methodDiscover {
		t.Fatalf("got %v", err)
	}
}
