package gen_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/internal/corpus"
)

// TestSplitMakesAFilePerTool generates a file per tool and compiles them
// together; no name of a file makes go build leave it out.
func TestSplitMakesAFilePerTool(t *testing.T) {
	module := newModule(t)
	in := gen.ToolsInput{Tools: []byte(`{"tools":[{"name":"plain","inputSchema":{"type":"object","properties":{"a":{"enum":["x"]}}}},
		{"name":"for linux","inputSchema":{"type":"object"}},{"name":"for windows_amd64","inputSchema":{"type":"object"}},
		{"name":"my test","inputSchema":{"type":"object"}},{"name":"日本","inputSchema":{"type":"object"}}]}`)}
	result, err := gen.Tools(in, gen.Options{Package: "split", Split: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Files) != 6 {
		t.Errorf("%d files for 5 tools and the client", len(result.Files))
	}
	for _, f := range result.Files {
		if !strings.HasSuffix(f.Name, "_gen.go") {
			t.Errorf("file name %q", f.Name)
		}
	}
	module.write(t, "split", result)
	large, err := gen.Tools(server(t, corpus.Servers(t)[0]), gen.Options{Package: "large", Split: true, Formats: []string{"time", "uuid"}})
	if err != nil {
		t.Fatal(err)
	}
	module.write(t, "large", large)
	module.vet(t)
}
