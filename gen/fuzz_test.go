package gen_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/gen"
)

// FuzzTools feeds arbitrary JSON as a tools/list. Whatever comes in, the result
// is formatted Go that declares exactly what was planned (Finish proves it), or
// an error that is not a fault of the generator; never a panic, and bounded.
func FuzzTools(f *testing.F) {
	for _, pattern := range []string{filepath.Join("testdata", "*", "tools.json"), filepath.Join("..", "..", "shared", "cases", "torture.json")} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil {
				f.Add(data)
			}
		}
	}
	for _, seed := range []string{
		``, `[]`, `{"tools":[]}`, `{"tools":null}`, `[{"name":"a","inputSchema":true}]`,
		`[{"name":"a","inputSchema":{"type":"object","properties":{"a":{"$ref":"#"}},"$defs":{"x":{"allOf":[{"$ref":"#/$defs/x"}]}}}}]`,
		`[{"name":"a","inputSchema":{"anyOf":[{"$ref":"#"},{"type":"object","properties":{"b":{"oneOf":[{"const":1},{"const":"x"},{"type":"array","items":{"$ref":"#"}}]}}}]}}]`,
		`[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":["array","string","null"],"items":{"enum":[null,1,"a",{}]}}}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		start := time.Now()
		result, err := gen.Tools(gen.ToolsInput{Tools: data}, gen.Options{Fake: true})
		if err != nil {
			if errors.Is(err, gen.ErrFault) {
				t.Fatal(err)
			}
			return
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Fatalf("%d bytes took %v", len(data), took)
		}
		if n := len(result.Files[0].Content); n > 64<<20 {
			t.Fatalf("%d bytes of input made %d bytes of Go", len(data), n)
		}
	})
}
