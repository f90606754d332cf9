package e2e

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp"
)

// C-262
func TestTheCommandTellsWhatAServerChanged(t *testing.T) {
	url := referenceURL(t)
	m := &mcpgen{t: t, path: buildCommand(t), dir: t.TempDir()}
	client := connect(t, mcp.HTTP(url))
	change := func() {
		t.Helper()
		if _, err := client.CallTool(limited(t), "change_list", map[string]any{"list": "tools"}); err != nil {
			t.Fatal(err)
		}
	}
	m.run(0, "generate", "-o", "ref_gen.go", "-p", "ref", "--http", url)
	change()
	if got := m.run(0, "check", "--http", url); !strings.Contains(got, "compatible") || !strings.Contains(got, "surprise") {
		t.Errorf("a new tool is reported as %q", got)
	}
	m.run(1, "generate", "--check", "-o", "ref_gen.go", "-p", "ref", "--http", url)
	m.run(0, "generate", "-o", "ref_gen.go", "-p", "ref", "--http", url)
	change()
	if got := m.run(1, "check", "--http", url); !strings.Contains(got, "breaking") || !strings.Contains(got, "surprise") {
		t.Errorf("a lost tool is reported as %q", got)
	}
}
