package gen_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
)

var update = flag.Bool("update", false, "write the expected files again")

// TestFeatures generates each folder of testdata and compares the whole output;
// all of it is vetted together (C-261).
func TestFeatures(t *testing.T) {
	module := newModule(t)
	dirs, err := filepath.Glob(filepath.Join("testdata", "*", "tools.json"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no features: %v", err)
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			var opts gen.Options
			if data := optional(t, filepath.Join(dir, "options.json")); data != nil {
				if err := json.Unmarshal(data, &opts); err != nil {
					t.Fatal(err)
				}
			}
			opts.Package = strings.ReplaceAll(name, "-", "")
			result, err := gen.Tools(gen.ToolsInput{
				Source: "tools.json", Tools: optional(t, file), ServerName: name, ServerVersion: "1.0.0", Protocol: "2025-11-25",
				Prompts: optional(t, filepath.Join(dir, "prompts.json")), ResourceTemplates: optional(t, filepath.Join(dir, "templates.json")),
			}, opts)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join(dir, "want.go.txt"), result.Files[0].Content)
			var problems bytes.Buffer
			for _, p := range result.Report.Problems {
				problems.WriteString(string(p.Severity) + " " + p.String() + "\n")
			}
			if problems.Len() > 0 {
				golden(t, filepath.Join(dir, "problems.txt"), problems.Bytes())
			}
			module.write(t, opts.Package, result)
		})
	}
	if !testing.Short() {
		module.vet(t)
	}
}

// TestBadInput holds the messages for input that is no tool list.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "saved.json:1:1: end of text"},
		{"html", "<html>", `saved.json:1:1: `},
		{"other JSON", `{"name":"left-pad","version":"1.0.0"}`, `saved.json: no tools/list result: want an array, an object with "tools", or a JSON-RPC reply with one; found an object with "name", "version"`},
		{"error reply", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}`, `saved.json: this is an error reply, not a tools/list result: "no such method"`},
		{"number", `42`, `found a number`},
		{"cut off", `{"tools":[{"name":"a"`, `saved.json:1:`},
		{"cut off deep down", `{"tools":[{"name":"a","inputSchema":` + strings.Repeat("[", 300), `saved.json:1:`},
		{"two lists", `{"tools":[],"tools":[]}`, `saved.json:1:13: member "tools" was already given at 1:2`},
	} {
		_, err := gen.Tools(gen.ToolsInput{Source: "saved.json", Tools: []byte(c.text)}, gen.Options{})
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %q, want one line with %q", c.name, err, c.want)
		}
	}
}

// TestOneBadToolLeavesTheOthers holds the reasons for tools that are left out.
func TestOneBadToolLeavesTheOthers(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 250) + `["]}\"",1.5e3, null ]` + strings.Repeat(`}`, 250)
	list := `{"tools":[null, 7, {"name":""}, {"inputSchema":{}}, {"name":"no schema"}, {"name":"text","inputSchema":"x"},
		{"name":"remote","inputSchema":{"type":"object","properties":{"a":{"$ref":"http://example.test/x.json"}}}},
		{"name":"dangling","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/Q"}}}},
		{"name":"array","inputSchema":{"type":"array"}},
		{"name":"good","inputSchema":{"type":"object"}}, {"name":"good","inputSchema":{"type":"object"}},
		{"name":"twice","inputSchema":{"type":"object","properties":{"a":{},
			"a":{}}}},{"name":"deep","inputSchema":{"type":"object","default":` + deep + `}}]}`
	result, err := gen.Tools(gen.ToolsInput{Source: "list.json", Tools: []byte(list)}, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Report.Tools) != 1 || result.Report.Tools[0].Name != "good" {
		t.Errorf("generated %v, want good alone", result.Report.Tools)
	}
	var got bytes.Buffer
	for _, p := range result.Report.Problems {
		got.WriteString(string(p.Severity) + " " + p.String() + "\n")
	}
	golden(t, filepath.Join("testdata", "bad-tools.txt"), got.Bytes())
}

func optional(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return data
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test ./gen -update and look at what it writes", err)
	}
	if !bytes.Equal(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")), got) {
		t.Errorf("%s differs from what is generated; run go test ./gen -update and look at the difference", path)
	}
}
