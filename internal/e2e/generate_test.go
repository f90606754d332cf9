package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/internal/peers"
	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

// live is a server to generate a client from and then to call through it. The program that calls is
// testdata/<pkg>/main.go; it gets args and must print what testdata/<pkg>/want.txt holds, or another
// file named after the version, where the answers differ.
type live struct {
	name     string
	pkg      string // also the folder in testdata
	listed   string // the version to list in, "" for the newest
	version  string // the version to call in
	open     func(t *testing.T) (args []string)
	weakened int // places whose type says less than the schema
}

// stdio are the program's arguments for a server that it starts itself.
func stdio(c peers.Command) []string { return append([]string{"stdio", c.Path}, c.Args...) }

func overHTTP(url string) []string { return []string{"http", url} }

func TestGeneratedClientsCallLiveServers(t *testing.T) {
	for _, server := range []live{
		{"everything", "everything", "", "", func(t *testing.T) []string { return stdio(peers.Everything(t)) }, 0},
		{"filesystem", "filesystem", "", "", func(t *testing.T) []string { return stdio(peers.Filesystem(t, shelf(t))) }, 0},
		{"Go SDK, 2026-07-28", "gosdk", mcp.Version20260728, mcp.Version20260728, func(t *testing.T) []string { return overHTTP(peers.GoSDKHTTP(t)) }, 0},
		{"Go SDK, 2025-11-25", "gosdk", mcp.Version20251125, mcp.Version20251125, func(t *testing.T) []string { return overHTTP(peers.GoSDKHTTP(t, mcp.Version20251125)) }, 0},
		{"reference, 2026-07-28", "reference", "", mcp.Version20260728, func(t *testing.T) []string { return overHTTP(referenceURL(t)) }, 0},
		{"reference listed in 2026-07-28, called in 2025-11-25", "reference", "", mcp.Version20251125, func(t *testing.T) []string { return overHTTP(referenceURL(t)) }, 0},
		{"TypeScript SDK v2", "typescript", mcp.Version20260728, mcp.Version20260728, func(t *testing.T) []string { return overHTTP(peers.TypeScriptV2HTTP(t)) }, 0},
	} {
		t.Run(server.name, func(t *testing.T) { server.run(t) })
	}
}

func referenceURL(t *testing.T) string {
	t.Helper()
	server := refserver.New(refserver.Options{})
	web := httptest.NewServer(server.HTTPHandler())
	t.Cleanup(func() {
		_ = server.Close()
		web.Close()
	})
	return web.URL
}

func (s *live) run(t *testing.T) {
	args := s.open(t)
	var transport mcp.Transport = mcp.HTTP(args[1])
	if args[0] == "stdio" {
		transport = mcp.Command(args[1], args[2:]...)
	}
	var opts []mcp.Option
	if s.listed != "" {
		opts = append(opts, mcp.WithVersions(s.listed))
	}
	client := connect(t, transport, opts...)
	result, err := gen.Tools(lists(t, client), gen.Options{Package: s.pkg, File: s.pkg + "_gen.go"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range result.Report.Problems {
		t.Logf("%v", p)
	}
	if got := result.Report.Skipped(); got != 0 {
		t.Errorf("%d operations were left out", got)
	}
	if got := result.Report.Weakened(); got != s.weakened {
		t.Errorf("%d places were weakened, want %d", got, s.weakened)
	}
	module := s.module(t, result)
	build(t, module, "vet", "./...")
	build(t, module, "build", "-o", "caller", ".")
	s.compare(t, filepath.Join(module, "caller"), append(args, s.version))
}

// lists asks a server for everything that a client is generated from.
func lists(t *testing.T, client *mcp.Client) gen.ToolsInput {
	t.Helper()
	ctx := limited(t)
	if client.Session().Stateless {
		if _, err := client.Discover(ctx); err != nil {
			t.Fatal(err)
		}
	}
	session := client.Session()
	in := gen.ToolsInput{Source: "the live server", ServerName: session.Server.Name, ServerVersion: session.Server.Version, Protocol: session.Version}
	ask := func(method string) json.RawMessage {
		raw, err := client.RawCall(ctx, method, nil)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	in.Tools = ask("tools/list")
	if session.Capabilities.Prompts != nil {
		in.Prompts = ask("prompts/list")
	}
	if session.Capabilities.Resources != nil {
		in.ResourceTemplates = ask("resources/templates/list")
	}
	return in
}

// module writes a module of its own that holds the generated client and the program that calls it.
func (s *live) module(t *testing.T, result *gen.Result) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod := strings.Replace(string(own), "module github.com/mcpgen/mcpgen\n", "module example.test/caller\n", 1) +
		"\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => " + root + "\n"
	files := map[string][]byte{"go.mod": []byte(mod), "go.sum": sums}
	for name, from := range map[string]string{"main.go": filepath.Join(s.pkg, "main.go"), "open.go": "open.go"} {
		if files[name], err = os.ReadFile(filepath.Join("testdata", from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range result.Files {
		files[filepath.Join(s.pkg, f.Name)] = f.Content
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func build(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// compare runs the program and compares what it prints.
func (s *live) compare(t *testing.T, program string, args []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", s.pkg, err, got, stderr.String())
	}
	want, err := os.ReadFile(filepath.Join("testdata", s.pkg, "want-"+s.version+".txt"))
	if errors.Is(err, fs.ErrNotExist) {
		want, err = os.ReadFile(filepath.Join("testdata", s.pkg, "want.txt"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the program printed\n%s\nwant\n%s", got, want)
	}
}
