package peers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	initializeText  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	initializedText = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	listText        = `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`
	modernMeta      = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	modernListText  = `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + modernMeta + `}}`
	discoverText    = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`
	answerTimeout   = 30 * time.Second
)

// answer is a response to one of the requests above.
type answer struct {
	ID     int
	Result struct {
		ProtocolVersion   string
		SupportedVersions []string
		Tools             []struct{ Name string }
	}
	Error *struct{ Message string }
}

func (a answer) has(t *testing.T, tool string) {
	t.Helper()
	if a.Error != nil {
		t.Fatalf("tools/list: %s", a.Error.Message)
	}
	for _, one := range a.Result.Tools {
		if one.Name == tool {
			return
		}
	}
	t.Errorf("no tool %q among %v", tool, a.Result.Tools)
}

// dialogue is a raw client on the pipes of a peer.
type dialogue struct {
	t       *testing.T
	p       *process
	w       io.Writer
	answers chan answer
}

func talk(t *testing.T, c Command) *dialogue {
	t.Helper()
	stdin, w := io.Pipe()
	r, stdout := io.Pipe()
	d := &dialogue{t: t, w: w, answers: make(chan answer, 100)}
	d.p = launch(t, c, nil, stdin, stdout)
	t.Cleanup(func() {
		_ = w.Close()
		_ = stdout.Close()
	})
	go func() {
		lines := bufio.NewReader(r)
		for {
			line, err := lines.ReadBytes('\n')
			var a answer
			if json.Unmarshal(line, &a) == nil && a.ID != 0 {
				d.answers <- a
			}
			if err != nil {
				return
			}
		}
	}()
	return d
}

func (d *dialogue) ask(text string) answer {
	d.t.Helper()
	d.tell(text)
	select {
	case a := <-d.answers:
		return a
	case <-time.After(answerTimeout):
		d.t.Fatalf("no answer to %s; stderr:\n%s", text, d.p.errors())
	}
	return answer{}
}

func (d *dialogue) tell(text string) {
	d.t.Helper()
	if _, err := io.WriteString(d.w, text+"\n"); err != nil {
		d.t.Fatal(err)
	}
}

func TestStdioPeersListTheirTools(t *testing.T) {
	for name, tc := range map[string]struct {
		command func(testing.TB) Command
		tool    string
	}{
		"everything":   {Everything, "echo"},
		"filesystem":   {func(t testing.TB) Command { return Filesystem(t, t.TempDir()) }, "list_directory"},
		"typescriptV1": {TypeScriptV1, "describe-person"},
		"typescriptV2": {TypeScriptV2, "measure"},
		"gosdk":        {func(t testing.TB) Command { return GoSDK(t) }, "plan_route"},
	} {
		t.Run(name, func(t *testing.T) {
			d := talk(t, tc.command(t))
			a := d.ask(initializeText)
			if a.Result.ProtocolVersion != "2025-11-25" {
				t.Errorf("settled on %q", a.Result.ProtocolVersion)
			}
			d.tell(initializedText)
			d.ask(listText).has(t, tc.tool)
		})
	}
}

func TestModernStdioPeersNeedNoSession(t *testing.T) {
	for name, command := range map[string]func(testing.TB) Command{
		"typescriptV2": TypeScriptV2,
		"gosdk":        func(t testing.TB) Command { return GoSDK(t) },
	} {
		t.Run(name, func(t *testing.T) {
			d := talk(t, command(t))
			if got := fmt.Sprint(d.ask(discoverText).Result.SupportedVersions); !strings.Contains(got, "2026-07-28") {
				t.Errorf("supports %s", got)
			}
			d.ask(modernListText).has(t, "multiply")
		})
	}
}

// post sends one message and reads the answer, whether it comes as JSON or as a stream.
func post(t *testing.T, url, text string, headers map[string]string) (answer, http.Header) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	client := &http.Client{Timeout: answerTimeout, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadString('\n')
		var a answer
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &a) == nil && a.ID != 0 {
			return a, resp.Header
		}
		if err != nil {
			return a, resp.Header
		}
	}
}

func TestHTTPPeersKeepSessions(t *testing.T) {
	for name, tc := range map[string]struct {
		url  func(testing.TB) string
		tool string
	}{
		"everything":   {EverythingHTTP, "echo"},
		"typescriptV1": {TypeScriptV1HTTP, "join-words"},
		"gosdk":        {func(t testing.TB) string { return GoSDKHTTP(t, "2025-11-25") }, "tally"},
	} {
		t.Run(name, func(t *testing.T) {
			url := tc.url(t)
			a, header := post(t, url, initializeText, nil)
			if a.Result.ProtocolVersion != "2025-11-25" || header.Get("Mcp-Session-Id") == "" {
				t.Fatalf("initialize gave version %q, session %q", a.Result.ProtocolVersion, header.Get("Mcp-Session-Id"))
			}
			session := map[string]string{"Mcp-Session-Id": header.Get("Mcp-Session-Id"), "MCP-Protocol-Version": "2025-11-25"}
			post(t, url, initializedText, session)
			list, _ := post(t, url, listText, session)
			list.has(t, tc.tool)
		})
	}
}

func TestModernHTTPPeersNeedNoSession(t *testing.T) {
	for name, url := range map[string]func(testing.TB) string{
		"typescriptV2": TypeScriptV2HTTP,
		"gosdk":        func(t testing.TB) string { return GoSDKHTTP(t) },
		"gosdk modern": func(t testing.TB) string { return GoSDKHTTP(t, "2026-07-28") },
	} {
		t.Run(name, func(t *testing.T) {
			list, _ := post(t, url(t), modernListText, map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"})
			list.has(t, "multiply")
		})
	}
}

func TestTheSSEPeerAnnouncesItsEndpoint(t *testing.T) {
	url := EverythingSSE(t)
	client := &http.Client{Timeout: answerTimeout, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil || line != "event: endpoint\n" {
		t.Errorf("the stream starts with %q, %v", line, err)
	}
}

func TestAPeerThatEndsEarlyIsQuoted(t *testing.T) {
	Require(t, "node")
	p := launch(t, Command{Path: "node", Args: []string{"-e", "console.error('out of sorts'); process.exit(3)"}}, nil, nil, nil)
	<-p.exited
	if got := p.errors(); got != "out of sorts" {
		t.Errorf("stderr is %q", got)
	}
}
