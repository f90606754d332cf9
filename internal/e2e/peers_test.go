package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/peers"
	"github.com/mcpgen/mcpgen/mcp"
)

// peer is somebody else's server and what a client should find there.
type peer struct {
	name    string
	version string // that is settled on
	open    func(t *testing.T) mcp.Transport
	tool    string
	args    map[string]any
	says    string // is part of the answer's text
}

func command(c peers.Command) mcp.Transport { return mcp.Command(c.Path, c.Args...) }

func TestTheRuntimeTalksToEveryPeer(t *testing.T) {
	product := map[string]any{"a": 6, "b": 7}
	for _, p := range []peer{
		{"everything on stdio", mcp.Version20251125, func(t *testing.T) mcp.Transport { return command(peers.Everything(t)) }, "echo", map[string]any{"message": "ü"}, "ü"},
		{"everything on HTTP", mcp.Version20251125, func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.EverythingHTTP(t)) }, "get-sum", product, "13"},
		{"everything on HTTP+SSE", mcp.Version20251125, func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.EverythingSSE(t)) }, "get-sum", product, "13"},
		{"filesystem", mcp.Version20251125, func(t *testing.T) mcp.Transport { return command(peers.Filesystem(t, shelf(t))) }, "list_allowed_directories", nil, "shelf"},
		{"TypeScript SDK v1 on stdio", mcp.Version20251125, func(t *testing.T) mcp.Transport { return command(peers.TypeScriptV1(t)) }, "multiply", product, "42"},
		{"TypeScript SDK v1 on HTTP", mcp.Version20251125, func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.TypeScriptV1HTTP(t)) }, "multiply", product, "42"},
		{"TypeScript SDK v2 on stdio", mcp.Version20260728, func(t *testing.T) mcp.Transport { return command(peers.TypeScriptV2(t)) }, "multiply", product, "42"},
		{"TypeScript SDK v2 on HTTP", mcp.Version20260728, func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.TypeScriptV2HTTP(t)) }, "multiply", product, "42"},
		{"Go SDK on stdio", mcp.Version20260728, func(t *testing.T) mcp.Transport { return command(peers.GoSDK(t)) }, "multiply", product, "42"},
		{"Go SDK on HTTP", mcp.Version20260728, func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.GoSDKHTTP(t)) }, "multiply", product, "42"},
		{"older Go SDK on HTTP", mcp.Version20251125, func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.GoSDKHTTP(t, mcp.Version20251125)) }, "multiply", product, "42"},
	} {
		t.Run(p.name, func(t *testing.T) {
			client := connect(t, p.open(t))
			if got := client.Session().Version; got != p.version {
				t.Errorf("settled on %s, want %s", got, p.version)
			}
			result, err := client.CallTool(limited(t), p.tool, p.args)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(t, result); !strings.Contains(got, p.says) {
				t.Errorf("%s gave %q, want %q in it", p.tool, got, p.says)
			}
		})
	}
}

// shelf is a folder with known files.
func shelf(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "shelf")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a.txt": "first line\nsecond line\n", "b.md": "# Title\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
