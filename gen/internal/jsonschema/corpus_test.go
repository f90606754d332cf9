package jsonschema

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/corpus"
)

// drain flattens everything that can be reached and returns the issues.
func drain(root *Node) []Issue {
	var all []Issue
	seen := map[*Node]bool{}
	todo := []*Node{root}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		f, issues := Flatten(n)
		all = append(all, issues...)
		if f != n {
			seen[f] = true
		}
		f.eachChild(func(c *Node) { todo = append(todo, c) })
	}
	return all
}

func TestEveryCorpusSchemaLoads(t *testing.T) {
	for _, s := range corpus.Schemas(t) {
		v, err := ParseJSON(s.String(), s.Text, Limits{})
		if err != nil {
			t.Error(err)
			continue
		}
		n, issues := Load(v, Limits{})
		for _, i := range append(issues, drain(n)...) {
			if i.Fatal {
				t.Errorf("%s: %s", s, i)
			} else {
				t.Logf("%s: %s", s, i)
			}
		}
	}
}

func TestTortureSchemasLoadOrSayWhyNot(t *testing.T) {
	fatal := map[string]string{
		"ref_self_alias": `/$defs/B: the schema applies itself to the same value through $ref "#/$defs/A"; no value can be checked against it`,
		"ref_dangling":   `/properties/a/$ref: $ref "#/$defs/Missing" has no target`,
	}
	for _, s := range corpus.File(t, "torture", corpus.Path(t, "cases", "torture.json")) {
		v, err := ParseJSON(s.String(), s.Text, Limits{})
		if err != nil {
			t.Error(err)
			continue
		}
		n, issues := Load(v, Limits{})
		got := ""
		for _, i := range append(issues, drain(n)...) {
			if i.Fatal {
				got += i.String()
			} else {
				t.Logf("%s: %s", s, i)
			}
		}
		if got != fatal[s.Tool] {
			t.Errorf("%s: fatal issues are %q, want %q", s, got, fatal[s.Tool])
		}
	}
}

func TestProtocolSchemasLoad(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpus.Path(t, "schema"), "*.json"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := ParseJSON(filepath.Base(file), text, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		root, issues := Load(v, Limits{})
		if len(root.Defs) == 0 {
			t.Errorf("%s: no definitions", file)
		}
		for _, d := range root.Defs {
			issues = append(issues, drain(d.Node)...)
		}
		for _, i := range issues {
			t.Errorf("%s: %s", file, i)
		}
	}
}

func TestTheLargestServerLoadsQuickly(t *testing.T) {
	text, err := os.ReadFile(corpus.Path(t, "corpus", "softeria__ms-365-mcp-server", "tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	n := loadTools(t, text)
	took := time.Since(start)
	t.Logf("%d bytes, %d schemas in %v", len(text), n, took)
	if took > 2*time.Second { // ten times what an idle machine needs, -race included
		t.Errorf("%d bytes took %v", len(text), took)
	}
}

func loadTools(tb testing.TB, text []byte) int {
	v, err := ParseJSON("tools.json", text, Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	count := 0
	for _, tool := range v.Get("tools").Items {
		for _, part := range [...]string{"inputSchema", "outputSchema"} {
			if s := tool.Get(part); s != nil {
				Load(s, Limits{})
				count++
			}
		}
	}
	return count
}

func BenchmarkLoadLargestServer(b *testing.B) {
	text, err := os.ReadFile(corpus.Path(b, "corpus", "softeria__ms-365-mcp-server", "tools.json"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		loadTools(b, text)
	}
}

func FuzzLoadEnds(f *testing.F) {
	for _, s := range []string{
		`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#"}]},"b":{"properties":{"x":{"$ref":"#"}}}}}`,
		`{"type":["string",1],"required":true,"enum":[],"items":[{}],"additionalItems":5,"dependencies":{"a":["b"],"c":3}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"#a","$ref":"#a","definitions":{"a":{"$id":"b/c"}}}`,
		`{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"allOf":[{"$ref":"#"},false]}},"additionalProperties":false}]}`,
		`{"$dynamicRef":"#x","$recursiveRef":"#","$ref":"#/$dynamicRef","if":{"$ref":"#/then"},"then":{"$ref":"#/if"}}`,
		`{"patternProperties":{"(":{},"^a":{}},"properties":{"abc":false},"not":{"$ref":"#/not"},"minimum":1e400,"multipleOf":-0}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON("t", text, Limits{Depth: 60})
		if err != nil {
			return
		}
		n, _ := Load(v, Limits{Nodes: 2000})
		drain(n)
		n.Target()
		for _, d := range n.Defs {
			drain(d.Node)
		}
	})
}
