package mcpgen_test

// The Go in README.md and the guides is code: every block is compiled against a
// client that is generated, as the text tells its reader to, from the everything
// server's list of tools. A block that is no whole file is marked by the comment
// <!-- fragment --> and becomes the body of a function.

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
)

// blockRoot is where the blocks stand, in the eyes of the go command, while they
// are compiled; no file is written there.
const blockRoot = "internal/readme"

var goBlock = regexp.MustCompile("(?ms)(^<!-- fragment -->\n)?^```go\n(.*?)^```$")

// fragmentScope is what the text around a fragment takes for granted.
const fragmentScope = `package fragment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"example.com/app/everything"
	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/generated/v20251125"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/mcptest"
	"github.com/mcpgen/mcpgen/mcp/otelmcp"
)

var (
	_ = json.Marshal
	_ = errors.New
	_ = fmt.Sprint
	_ *slog.Logger
	_ attribute.Key
	_ otelmcp.Option
	_ *os.File
	_ = time.Second
	_ v20251125.Cursor
	_ jsonrpc.ID
	_ mcp.CallOption
	_ mcptest.Step
)

type callFunc func(ctx context.Context, tool string, args map[string]any) (map[string]any, error)

func fragment(ctx context.Context, t *testing.T, client *everything.Client, handler http.Handler, callTool callFunc, data, params []byte, file *os.File) error {
	%s
	return nil
}
`

func TestGoInTheDocumentsCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every document")
	}
	files := everythingClient(t)
	documents, err := filepath.Glob("doc/guides/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range append(documents, "README.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range goBlock.FindAllStringSubmatch(string(text), -1) {
			dir := fmt.Sprintf("%s/%s%d", blockRoot, strings.TrimSuffix(filepath.Base(document), ".md"), i)
			name, source := goFile(block[1] != "", block[2])
			files[dir+"/"+name] = source
		}
	}
	compile(t, files)
}

// goFile makes a file of a block.
func goFile(fragment bool, block string) (name, source string) {
	switch {
	case fragment:
		return "block.go", fmt.Sprintf(fragmentScope, useResults(block))
	case strings.Contains(block, "_test\n"):
		return "block_test.go", block
	}
	return "block.go", block
}

var assigned = regexp.MustCompile(`(?m)^(\w+), err :=`)

// useResults keeps the compiler from minding what a fragment leaves to its reader.
func useResults(block string) string {
	for _, names := range assigned.FindAllStringSubmatch(block, -1) {
		block += "\n_, _ = " + names[1] + ", err\n"
	}
	return strings.ReplaceAll(block, "_, _ = _, err", "_ = err")
}

// everythingClient generates the package that the documents import.
func everythingClient(t *testing.T) map[string]string {
	t.Helper()
	tools, err := os.ReadFile("../shared/corpus/modelcontextprotocol__server-everything/tools.json")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the everything server's list of tools is needed in CI: %v", err)
		}
		t.Skipf("the everything server's list of tools is not here: %v", err)
	}
	result, err := gen.Tools(gen.ToolsInput{Source: "everything", Tools: tools}, gen.Options{Package: "everything", Fake: true})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range result.Files {
		files[blockRoot+"/everything/"+f.Name] = string(f.Content)
	}
	return files
}

// compile checks the files, by path inside the module, as if they were there.
func compile(t *testing.T, files map[string]string) {
	t.Helper()
	dir, overlay := t.TempDir(), map[string]map[string]string{"Replace": {}}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range files {
		source = strings.ReplaceAll(source, `"example.com/app/`, `"github.com/mcpgen/mcpgen/`+blockRoot+"/")
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(root, filepath.FromSlash(name))] = path
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o644); err != nil {
		t.Fatal(err)
	}
	// go list -export compiles what it lists, tests too, and needs no folder to stand in as go vet does.
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-test", "-overlay", filepath.Join(dir, "overlay.json"), "./"+blockRoot+"/...")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the documents' Go does not compile: %v\n%s", err, out)
	}
}
