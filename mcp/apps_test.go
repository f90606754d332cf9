package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// C-356
func TestAppsAreDeclaredInBothEras(t *testing.T) {
	const want = `"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}`
	for _, version := range []string{Version20251125, Version20260728} {
		c, rec := answering(t, version, alwaysOK, WithApps())
		checkOK(t, c)
		where := methodInitialize
		if version == Version20260728 {
			where = methodCallTool
		}
		if m := rec.await(t, where); !strings.Contains(string(m.Params), want) {
			t.Errorf("%s: %s", version, m.Params)
		}
		if version == Version20251125 && strings.Contains(string(rec.await(t, where).Params), extensionTasks) {
			t.Error("2025-11-25 has tasks in its core, not as an extension") // C-303
		}
	}
	c, rec := answering(t, Version20260728, alwaysOK)
	checkOK(t, c)
	if m := rec.await(t, methodCallTool); strings.Contains(string(m.Params), extensionApps) {
		t.Error("declared without being asked to")
	}
}

// C-357 C-358
func TestToolSaysWhomItIsFor(t *testing.T) {
	for _, test := range []struct {
		meta       string
		uri        string
		said       bool
		model, app bool
	}{
		{`{}`, "", false, true, true},
		{`{"ui":{"resourceUri":"ui://a/b"}}`, "ui://a/b", true, true, true},
		{`{"ui/resourceUri":"ui://old"}`, "ui://old", true, true, true},
		{`{"ui/resourceUri":"ui://old","ui":{"resourceUri":"ui://new"}}`, "ui://new", true, true, true},
		{`{"ui/resourceUri":"ui://old","ui":{"visibility":["app"]}}`, "ui://old", true, false, true},
		{`{"ui":{"visibility":["model"]}}`, "", true, true, false},
		{`{"ui":{"visibility":[]}}`, "", true, false, false},
		{`{"ui":{"visibility":["robot"]}}`, "", true, false, false},
		{`{"ui":{"visibility":["robot","model"]}}`, "", true, true, false},
		{`{"ui":{"visibility":null}}`, "", true, true, true},
		{`{"ui":{"visibility":"model"}}`, "", true, false, false},
		{`{"ui":{"visibility":[1]}}`, "", true, false, false},
		{`{"ui":{"resourceUri":"https://evil.example/"}}`, "", true, true, true},
		{`{"ui":{"resourceUri":7}}`, "", true, true, true},
		{`{"ui":[]}`, "", false, true, true},
	} {
		var tool Tool
		if err := json.Unmarshal([]byte(`{"name":"x","inputSchema":{"type":"object"},"_meta":`+test.meta+`}`), &tool); err != nil {
			t.Fatal(err)
		}
		ui, said := ToolUI(tool)
		if ui.ResourceURI != test.uri || said != test.said || ui.ModelVisible() != test.model || ui.AppVisible() != test.app {
			t.Errorf("%s: %+v, %v", test.meta, ui, said)
		}
		if n := len(ModelVisible([]Tool{tool})); (n == 1) != test.model {
			t.Errorf("%s: %d for the model", test.meta, n)
		}
		if n := len(AppVisible([]Tool{tool})); (n == 1) != test.app {
			t.Errorf("%s: %d for apps", test.meta, n)
		}
	}
}

// C-358
func TestAppsCallOnlyTheToolsMeantForThem(t *testing.T) {
	c, rec := answering(t, Version20260728, func(m message) []string {
		if m.Method == methodListTools {
			return []string{m.result(`{"tools":[{"name":"both","inputSchema":{"type":"object"}},{"name":"model","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["model"]}}}]}`)}
		}
		return alwaysOK(m)
	})
	if _, err := c.CallToolForApp(t.Context(), "both", nil); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"model", "unlisted"} {
		if _, err := c.CallToolForApp(t.Context(), name, nil); !errors.Is(err, ErrNotForApps) {
			t.Errorf("%s: %v", name, err)
		}
	}
	calls := 0
	for _, method := range rec.methods() {
		if method == methodCallTool {
			calls++
		}
	}
	if calls != 1 {
		t.Errorf("%d calls were sent", calls)
	}
}

// C-359
func TestPageIsReadAndChecked(t *testing.T) {
	const meta = `,"_meta":{"ui":{"csp":{"connectDomains":["https://api.example.com"],"resourceDomains":7},"permissions":{"camera":{},"mind":{}},"domain":"d.example","prefersBorder":true}}`
	const right = `,"mimeType":"text/html;profile=mcp-app"`
	for _, test := range []struct {
		contents string
		html     string
	}{
		{`{"uri":"ui://p","text":"<p>"` + right + meta + `}`, "<p>"},
		{`{"uri":"ui://p","blob":"PHA+"` + right + meta + `}`, "<p>"},
		{`{"uri":"ui://other","text":"no"` + right + `},{"uri":"ui://p","text":"<p>","mimeType":"Text/HTML; charset=utf-8; profile=\"mcp-app\""` + meta + `}`, "<p>"},
		{`{"uri":"ui://p","text":"<p>","mimeType":"text/html"}`, ""},
		{`{"uri":"ui://p","text":"<p>"}`, ""},
		{`{"uri":"ui://p","blob":"!"` + right + `}`, ""},
		{`{"uri":"ui://p","blob":"/w=="` + right + `}`, ""},
		{``, ""},
	} {
		c, _ := answering(t, Version20251125, func(m message) []string {
			return []string{m.result(`{"contents":[` + test.contents + `]}`)}
		})
		page, err := c.ReadUI(t.Context(), "ui://p")
		if test.html == "" {
			if !errors.As(err, new(*InvalidResultError)) {
				t.Errorf("%s: %v", test.contents, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.contents, err)
			continue
		}
		if page.HTML != test.html || page.Domain != "d.example" || page.PrefersBorder == nil || !*page.PrefersBorder ||
			!reflect.DeepEqual(page.CSP, PageCSP{Connect: []string{"https://api.example.com"}, Resource: []string{}}) ||
			page.PermissionsPolicy(nil) != "camera" || page.PermissionsPolicy(func(string) bool { return false }) != "" {
			t.Errorf("%s: %+v", test.contents, page)
		}
		if _, err := c.ReadUI(t.Context(), "file:///etc/passwd"); err == nil {
			t.Error("read what is not a page")
		}
	}
}

// C-360
func TestPolicyAllowsOnlyDeclaredOrigins(t *testing.T) {
	const none = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
		"font-src 'self'; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'"
	if got := (PageCSP{}).Policy(); got != none {
		t.Errorf("got %s", got)
	}
	hostile := []string{
		"https://a.example; script-src *", "*", "'unsafe-eval'", "'self'", "https:", "data:", "blob:", "https://*", "https://*.*.example",
		"https://a.example https://b.example", "https://a.example,https://b.example", "https://a.example\r\nSet-Cookie: x", "https://a.example/path",
		"https://user@a.example", "https://a.example:*", "https://a.example:123456", "https://", "javascript://a", "https://-a.example", "https://a..example",
		"https://exämple.org", "a.example", "", "https://a.example\x00", "https://a.example:443;",
	}
	csp := PageCSP{Connect: hostile, Resource: hostile, Frame: hostile, BaseURI: hostile}
	if got := csp.Policy(); got != none {
		t.Errorf("got %s", got)
	}
	if got := csp.Rejected(); len(got) != 4*len(hostile) {
		t.Errorf("rejected %q", got)
	}
	csp = PageCSP{
		Connect:  []string{"https://api.example.com", "wss://live.example.com:8443", "https://api.example.com"},
		Resource: []string{"https://*.cdn.example.com"},
		Frame:    []string{"http://localhost:3000"},
		BaseURI:  []string{"https://base.example"},
	}
	want := "default-src 'none'; script-src 'self' 'unsafe-inline' https://*.cdn.example.com; style-src 'self' 'unsafe-inline' https://*.cdn.example.com; " +
		"img-src 'self' data: https://*.cdn.example.com; font-src 'self' https://*.cdn.example.com; media-src 'self' data: https://*.cdn.example.com; " +
		"connect-src https://api.example.com wss://live.example.com:8443; frame-src http://localhost:3000; object-src 'none'; form-action 'none'; base-uri https://base.example"
	if got := csp.Policy(); got != want || len(csp.Rejected()) != 0 {
		t.Errorf("got %s", got)
	}
}

// FuzzPolicy holds the shape of the policy against any name.
func FuzzPolicy(f *testing.F) {
	f.Add("https://a.example; script-src *")
	f.Add("https://*.example.com:8443")
	f.Fuzz(func(t *testing.T, name string) {
		policy := PageCSP{Connect: []string{name}, Resource: []string{name}, Frame: []string{name}, BaseURI: []string{name}}.Policy()
		if n := strings.Count(policy, ";"); n != 10 || strings.ContainsAny(policy, ",\r\n\x00") {
			t.Errorf("%q makes %q", name, policy)
		}
		for source := range strings.FieldsSeq(policy) {
			if strings.TrimSuffix(source, ";") == "*" {
				t.Errorf("%q allows everything", name)
			}
		}
	})
}

func ExamplePageCSP_Policy() {
	var csp PageCSP
	if err := jsonwire.Unmarshal([]byte(`{"connectDomains":["https://api.example.com","https://x.example; script-src *"]}`), &csp); err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(csp.Policy(), "connect-src https://api.example.com;"))
	fmt.Println(csp.Rejected())
	// Output:
	// true
	// [https://x.example; script-src *]
}
