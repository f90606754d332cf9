package gen_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/internal/corpus"
)

// TestTortureCompilesAndStaysPlanned generates all odd and hostile tools in one
// package. The finish check proves that the declarations are the plan's; vet
// proves that they compile; what is left out says why.
func TestTortureCompilesAndStaysPlanned(t *testing.T) {
	in := gen.ToolsInput{Source: "torture.json", Tools: corpus.Read(t, "cases", "torture.json")}
	result, err := gen.Tools(in, gen.Options{Package: "torture"})
	if err != nil {
		t.Fatal(err)
	}
	skipped := map[string]string{}
	for _, p := range result.Report.Problems {
		switch p.Severity {
		case gen.Skipped:
			skipped[p.Where] = p.String()
		case gen.Weakened:
			t.Log("weakened:", p)
		}
	}
	for where, why := range skipped {
		if !strings.Contains(where, "ref_dangling") && !strings.Contains(where, "ref_self_alias") {
			t.Errorf("left out: %s", why)
		}
	}
	names := toolNames(t, in.Tools)
	if got := len(result.Report.Tools) + len(skipped); got != len(names) {
		t.Errorf("%d of %d tools accounted for", got, len(names))
	}
	module := newModule(t)
	module.write(t, "torture", result)
	module.vet(t)
	t.Logf("%d of %d torture tools generated", len(result.Report.Tools), len(names))
}

// TestHostileTextStaysText puts the ways in which text could leave its comment
// or literal into every place where a server's text goes.
func TestHostileTextStaysText(t *testing.T) {
	for _, text := range []string{
		"*/ func Pwned() {} /*", "x\nfunc Pwned() {}", "x\r\nfunc Pwned() {}", "x\u2028func Pwned() {}", "x\u0085func Pwned() {}",
		"`+Pwned()+`", `"; Pwned(); "`, "'+Pwned()+'", "//go:build ignore", "+build ignore", "go:generate Pwned", "line foo.go:1",
		"export Pwned", "#cgo LDFLAGS: -lpwned", "Deprecated: yes", "nolint", "\x00func Pwned() {}", "\u202efunc Pwned() {}",
		"\ufeff", "[a]: http://example.test", "# heading", "  code block", "- list\n- list", "1. one\n2. two", "\t\tx", "Output: x",
	} {
		tool := map[string]any{
			"name": "t " + text, "title": text, "description": text,
			"inputSchema": map[string]any{
				"type": "object", "title": text, "description": text, "required": []string{text},
				"properties": map[string]any{
					text: map[string]any{"type": "string", "description": text, "default": text, "pattern": text, "format": text},
					"e":  map[string]any{"enum": []any{text, "b"}, "description": text},
					"c":  map[string]any{"const": text},
					"n":  map[string]any{"type": "object", "description": text, "properties": map[string]any{text + "2": map[string]any{"type": "integer", "title": text}}},
					"r":  map[string]any{"$ref": "#/$defs/D"},
				},
				"$defs": map[string]any{"D": map[string]any{"type": "object", "title": text, "properties": map[string]any{}}, text: map[string]any{"type": "string"}},
			},
		}
		data, err := json.Marshal(map[string]any{"tools": []any{tool}})
		if err != nil {
			t.Fatal(err)
		}
		result, err := gen.Tools(gen.ToolsInput{Tools: data, ServerName: text, ServerVersion: text, Protocol: text}, gen.Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if len(result.Report.Tools) != 1 {
			t.Errorf("%q: the tool was left out: %v", text, result.Report.Problems)
		}
	}
}
