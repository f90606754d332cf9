package mcpgen_test

// What a user's program inherits from this module: a go.mod that works from outside, and a runtime that
// links nothing that is not on a list.

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A replace directive works only in the main module: go install and go get -tool would break.
func TestModuleReplacesNothing(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`(?m)^\s*(replace|exclude|toolchain)\b`).Match(text) {
		t.Error("go.mod has a replace, exclude or toolchain directive")
	}
}

// linked are the packages beyond the standard library that a program gets with package mcp.
var linked = []string{
	"github.com/mcpgen/mcpgen/internal/fingerprint",
	"github.com/mcpgen/mcpgen/internal/jsonpointer",
	"github.com/mcpgen/mcpgen/internal/subschema",
	"github.com/mcpgen/mcpgen/internal/validation",
	"github.com/mcpgen/mcpgen/mcp",
	"github.com/mcpgen/mcpgen/mcp/generated/tasks",
	"github.com/mcpgen/mcpgen/mcp/generated/v20251125",
	"github.com/mcpgen/mcpgen/mcp/generated/v20260728",
	"github.com/mcpgen/mcpgen/mcp/jsonrpc",
	"github.com/mcpgen/mcpgen/mcp/jsonwire",
	"github.com/santhosh-tekuri/jsonschema/v5",
}

func TestRuntimeLinksOnlyWhatIsListed(t *testing.T) {
	allowed := map[string][]string{
		"./mcp":         linked,
		"./mcp/mcptest": append(slices.Clone(linked), "github.com/mcpgen/mcpgen/mcp/mcptest"),
	}
	for _, version := range []string{"v20241105", "v20250326", "v20250618", "v20251125", "v20260728", "tasks"} {
		allowed["./mcp/generated/"+version] = []string{
			"github.com/mcpgen/mcpgen/mcp/generated/" + version,
			"github.com/mcpgen/mcpgen/mcp/generated/v20260728", // of the extension
			"github.com/mcpgen/mcpgen/mcp/jsonrpc",
			"github.com/mcpgen/mcpgen/mcp/jsonwire",
		}
	}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for root, list := range allowed {
			for _, path := range dependencies(t, goos, root) {
				if !slices.Contains(list, path) {
					t.Errorf("%s on %s links %s", root, goos, path)
				}
			}
		}
	}
}

// dependencies lists what a package links beyond the standard library.
func dependencies(t *testing.T, goos, root string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", root)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", root, err)
	}
	return strings.Fields(string(out))
}
