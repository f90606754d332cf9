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
// proves that they compile; what is left out says why (C-261).
func TestTortureCompilesAndStaysPlanned(t *testing.T) {
	in := gen.ToolsInput{Source: "torture.json", Tools: corpus.Read(t, "cases", "torture.json")}
	result, err := gen.Tools(in, gen.Options{Package: "torture", Fake: true})
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
	module.file(t, "torture/fake_test.go", []byte(tortureFake))
	module.vet(t)
	module.run(t, "go", "test", "./torture")
	t.Logf("%d of %d torture tools generated", len(result.Report.Tools), len(names))
}

// tortureFake calls every tool of the package through its typed fake: two that the double answers, and
// the rest with no arguments, which either do not fit or reach a method that is not there.
const tortureFake = `package torture_test

import (
	"context"
	"errors"
	"testing"

	"example.test/generated/torture"
	"github.com/mcpgen/mcpgen/mcp"
)

type double struct{ torture.Tools }

func (double) EnumString(_ context.Context, args torture.EnumStringArgs, _ ...mcp.CallOption) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.ContentBlock{&mcp.TextContent{Text: string(args.A)}}}, nil
}

func (double) OutObject(context.Context, ...mcp.CallOption) (*mcp.ToolResult[torture.OutObjectOutput], error) {
	return &mcp.ToolResult[torture.OutObjectOutput]{Output: torture.OutObjectOutput{A: "x", N: new(int64(7))}}, nil
}

func TestFake(t *testing.T) {
	for _, version := range []string{mcp.Version20260728, mcp.Version20251125} {
		client, err := torture.Connect(t.Context(), torture.NewFake(double{}), mcp.WithVersions(version))
		if err != nil {
			t.Fatal(err)
		}
		result, err := client.EnumString(t.Context(), torture.EnumStringArgs{A: "y-z"})
		if err != nil || result.Content[0].(*mcp.TextContent).Text != "y-z" {
			t.Errorf("enum_string = %v, %v", result, err)
		}
		if _, err = client.EnumString(t.Context(), torture.EnumStringArgs{A: "other"}); !errors.Is(err, mcp.ErrInvalidParams) {
			t.Errorf("enum_string with another value: %v", err)
		}
		typed, err := client.OutObject(t.Context())
		if err != nil || typed.Output.A != "x" || *typed.Output.N != 7 {
			t.Errorf("out_object = %v, %v", typed, err)
		}
		tools, err := client.Conn().ListTools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools {
			if tool.Name == "out_object" {
				continue
			}
			_, err := client.Conn().CallTool(t.Context(), tool.Name, nil)
			if !errors.Is(err, mcp.ErrInvalidParams) && !errors.Is(err, mcp.ErrInternal) {
				t.Errorf("%q: %v", tool.Name, err)
			}
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}
}
`

// TestHostileTextStaysText puts the ways in which text could leave its comment
// or literal into every place where a server's text goes (C-255 C-351 C-355).
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
