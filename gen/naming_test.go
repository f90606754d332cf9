package gen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/internal/corpus"
)

// variants are other spellings of a name that ask for the same identifier.
func variants(name string) []string {
	return []string{
		strings.ReplaceAll(name, "_", "-"), strings.ReplaceAll(name, "-", "_"), strings.ReplaceAll(name, "_", "."),
		strings.ToUpper(name), strings.ReplaceAll(strings.ReplaceAll(name, "_", ""), "-", ""), name + "_", "_" + name,
	}
}

type namedTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// TestNamesSurviveCollisions generates, adds tools whose names collide with
// every tool, and generates again with the lock file: no name changes. Taking
// the first tools away again changes none either.
func TestNamesSurviveCollisions(t *testing.T) {
	files := corpus.Servers(t)
	checked := 0
	for i := 0; i < len(files); i += 9 { // a dozen servers
		in := server(t, files[i])
		first, err := gen.Tools(in, gen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var list struct{ Tools []namedTool }
		if err := json.Unmarshal(in.Tools, &list); err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, tool := range list.Tools {
			known[tool.Name] = true
		}
		original := len(list.Tools)
		for _, tool := range list.Tools[:min(original, 25)] {
			for _, v := range variants(tool.Name) {
				if !known[v] {
					known[v] = true
					list.Tools = append(list.Tools, namedTool{Name: v, InputSchema: tool.InputSchema})
				}
			}
		}
		second := generate(t, in, list.Tools, first.Lock)
		checked += sameNames(t, in.Source, first, second)
		third := generate(t, in, list.Tools[original/2:], second.Lock)
		checked += sameNames(t, in.Source, second, third)
	}
	t.Logf("%d names held", checked)
}

func generate(t *testing.T, in gen.ToolsInput, tools []namedTool, lock []byte) *gen.Result {
	t.Helper()
	data, err := json.Marshal(map[string]any{"tools": tools})
	if err != nil {
		t.Fatal(err)
	}
	in.Tools = data
	result, err := gen.Tools(in, gen.Options{Lock: lock})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func sameNames(t *testing.T, source string, before, after *gen.Result) int {
	t.Helper()
	now := names(t, after.Lock)
	held := 0
	for key, name := range names(t, before.Lock) {
		got, ok := now[key]
		if ok && got != name {
			t.Errorf("%s: %s was %s and is %s", source, key, name, got)
		}
		if ok {
			held++
		}
	}
	return held
}

func names(t *testing.T, lock []byte) map[string]string {
	t.Helper()
	var l struct{ Names map[string]string }
	if err := json.Unmarshal(lock, &l); err != nil {
		t.Fatal(err)
	}
	return l.Names
}

// TestOverridesName checks names: of the configuration, and that one which fits
// nothing is reported.
func TestOverridesName(t *testing.T) {
	list := `{"tools":[{"name":"get-user","inputSchema":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}}]}`
	result, err := gen.Tools(gen.ToolsInput{Tools: []byte(list)}, gen.Options{Names: map[string]string{
		"get-user": "FetchUser", "tools/get-user/args/properties/a": "UserFilter", "no-such-tool": "Nothing",
	}})
	if err != nil {
		t.Fatal(err)
	}
	source := string(result.Files[0].Content)
	for _, want := range []string{"func (c *Client) FetchUser(", "type FetchUserArgs struct", "A *UserFilter "} {
		if !strings.Contains(source, want) {
			t.Errorf("the source lacks %q", want)
		}
	}
	if got := fmt.Sprint(result.Report.Problems); !strings.Contains(got, "no-such-tool") {
		t.Errorf("the unused override is not reported: %s", got)
	}
}
