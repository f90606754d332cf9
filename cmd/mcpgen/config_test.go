package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func environment(m map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := m[name]
		return value, ok
	}
}

func TestVariablesExpand(t *testing.T) {
	env := environment(map[string]string{"TOKEN": "abc", "EMPTY": ""})
	for _, test := range []struct {
		in, want, fault string
		bare            bool
	}{
		{in: "${TOKEN}", want: "abc"},
		{in: "a${env:TOKEN}b", want: "aabcb"},
		{in: "${GONE:-fallback}", want: "fallback"},
		{in: "${GONE:-}", want: ""},
		{in: "${EMPTY:-full}", want: "full"},
		{in: "${EMPTY}", want: ""},
		{in: "${env:GONE:-x y}", want: "x y"},
		{in: "${GONE}", fault: "environment variable GONE is not set"},
		{in: "${input:api-key}", fault: "${env:API_KEY}"},
		{in: "${no such}", fault: "unknown variable"},
		{in: "${TOKEN", fault: "no closing brace"},
		{in: "$TOKEN costs 5$", want: "$TOKEN costs 5$"},
		{in: "$TOKEN costs 5$", bare: true, want: "abc costs 5$"},
		{in: "$$TOKEN ${TOKEN}", bare: true, want: "$TOKEN abc"},
		{in: "$GONE", bare: true, fault: "GONE is not set"},
		{in: "${workspaceFolder}/x", want: "/home/me/x"},
	} {
		e := &expander{getenv: env, bare: test.bare, folder: "/home/me"}
		got, err := e.expand(test.in)
		switch {
		case test.fault == "" && (err != nil || got != test.want):
			t.Errorf("%q: got %q, %v; want %q", test.in, got, err, test.want)
		case test.fault != "" && (err == nil || !strings.Contains(err.Error(), test.fault)):
			t.Errorf("%q: error %v, want %q", test.in, err, test.fault)
		}
	}
}

func TestCommentsAndTrailingCommasAreBlanked(t *testing.T) {
	const in = `// head
{ /* a */ "url": "http://x//y", "list": [1, 2, ], // tail
  "quote": "a\"//b", "last": {"k": 1,},
}`
	out := stripComments([]byte(in))
	if len(out) != len(in) || bytes.Count(out, []byte("\n")) != strings.Count(in, "\n") {
		t.Error("positions moved")
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	want := map[string]any{"url": "http://x//y", "list": []any{1.0, 2.0}, "quote": `a"//b`, "last": map[string]any{"k": 1.0}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestEntriesOfEveryFormat(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".mcp.json":        `{"mcpServers": {"s": {"command": "run", "args": ["--key", "${KEY}"], "env": {"A": "${B:-c}"}}, "bad": 7}}`,
		".vscode/mcp.json": "{\n// for us\n\"servers\": {\"s\": {\"type\": \"stdio\", \"command\": \"./bin/run\", \"envFile\": \"${workspaceFolder}/.env\"}, \"web\": {\"type\": \"http\", \"url\": \"https://x.test/mcp\", \"headers\": {\"authorization\": \"Bearer ${env:KEY}\"}},}}",
		"config.toml":      "model = \"x\"\n[mcp_servers.s]\ncommand = \"run\"\nargs = [\"a\"]\ncwd = \"sub\"\n[mcp_servers.s.env]\nA = \"1\"\n[mcp_servers.web]\nurl = \"https://x.test/mcp\"\nbearer_token_env_var = \"KEY\"\nhttp_headers = { X-One = \"1\" }\nenv_http_headers = { X-Two = \"KEY\" }\n",
		".env":             "# comment\nexport A=\"quoted value\"\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a := &app{getenv: environment(map[string]string{"KEY": "k"})}
	for _, test := range []struct {
		file, server string
		want         target
	}{
		{".mcp.json", "s", target{command: []string{"run", "--key", "k"}, env: map[string]string{"A": "c"}, dir: dir}},
		{".vscode/mcp.json", "s", target{command: []string{filepath.Join(dir, "bin/run")}, env: map[string]string{"A": "quoted value"}, dir: dir}},
		{".vscode/mcp.json", "web", target{url: "https://x.test/mcp", header: http.Header{"Authorization": {"Bearer k"}}}},
		{"config.toml", "s", target{command: []string{"run", "a"}, env: map[string]string{"A": "1"}, dir: filepath.Join(dir, "sub")}},
		{"config.toml", "web", target{url: "https://x.test/mcp", header: http.Header{"Authorization": {"Bearer k"}, "X-One": {"1"}, "X-Two": {"k"}}}},
	} {
		got, err := a.configEntry(filepath.Join(dir, test.file), test.server)
		if err != nil {
			t.Errorf("%s %s: %v", test.file, test.server, err)
			continue
		}
		test.want.name = test.server
		if !reflect.DeepEqual(*got, test.want) {
			t.Errorf("%s %s:\n got %+v\nwant %+v", test.file, test.server, *got, test.want)
		}
	}
}
