package main

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
)

const hostileText = `</code></pre></script><script>alert(1)</script><img src=x onerror=alert(1)>{{.}}` + "\u202e"

func hostilePage(t *testing.T) string {
	t.Helper()
	l := &listing{
		serverName: hostileText,
		tools:      []byte(`{"tools":[{"name":"a","title":"</h3><script>x","inputSchema":{"title":"</details><script>x","$id":"javascript:alert(1)"}}]}`),
	}
	page, err := renderDocs(l, &gen.Report{
		Tools:    []gen.ReportTool{{Name: "a", Method: "A", Signature: "A(" + hostileText + ")", Description: hostileText}},
		Problems: []gen.Problem{{Severity: gen.Skipped, Message: hostileText}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestDocsPageHasOneScriptWhateverTheServerSays(t *testing.T) {
	page := hostilePage(t)
	for _, tag := range []string{"<script", "<style", "</script>"} {
		if n := strings.Count(page, tag); n != 1 {
			t.Errorf("%d times %s", n, tag)
		}
	}
	for _, bad := range []string{"<img", "onerror=alert(1)>", "\u202e"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
}

func TestDocsPolicyAllowsExactlyThePagesOwnScriptAndStyle(t *testing.T) {
	page := hostilePage(t)
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1])
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy: %s", policy)
	}
	for _, element := range []string{"script", "style"} {
		text := regexp.MustCompile(`(?s)<` + element + `>(.*?)</` + element + `>`).FindStringSubmatch(page)[1]
		sum := sha256.Sum256([]byte(text))
		want := element + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if !strings.Contains(policy, want) {
			t.Errorf("policy %s lacks %s", policy, want)
		}
	}
}

func TestDocsPageAsksForNothing(t *testing.T) {
	page := hostilePage(t)
	if found := regexp.MustCompile(`(?i)<(link|img|iframe|object|embed|base)\b|\bsrc=["']?http|@import|url\(`).FindString(strings.ReplaceAll(page, "&lt;", "")); found != "" {
		t.Errorf("the page has %q", found)
	}
}
