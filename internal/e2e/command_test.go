package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/peers"
)

// mcpgen is the command, built for the test, in a folder of its own.
type mcpgen struct {
	t    *testing.T
	path string
	dir  string
}

// buildCommand returns the path of the built command.
func buildCommand(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mcpgen")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build(t, ".", "build", "-o", path, "github.com/mcpgen/mcpgen/cmd/mcpgen")
	return path
}

// run runs the command and returns what it prints; the exit status must be the one wanted.
func (m *mcpgen) run(status int, args ...string) string {
	m.t.Helper()
	cmd := exec.CommandContext(limited(m.t), m.path, args...)
	cmd.Dir = m.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != status {
		m.t.Fatalf("mcpgen %s: %v, want exit status %d\n%s\n%s", strings.Join(args, " "), err, status, out, stderr.String())
	}
	return string(out)
}

func (m *mcpgen) read(name string) string {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.dir, name))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(content)
}

func TestTheCommandServesEveryPeer(t *testing.T) {
	everything, path := peers.Everything(t), buildCommand(t)
	for name, tc := range map[string]struct {
		server []string
		call   []string
		says   string
	}{
		"a command": {append([]string{"--", everything.Path}, everything.Args...), []string{"get-sum", "a:=1.5", "b:=2"}, "3.5"},
		"a URL":     {[]string{"--http", peers.GoSDKHTTP(t)}, []string{"multiply", "a:=6", "b:=7"}, "42"},
		"older":     {[]string{"--http", peers.EverythingSSE(t)}, []string{"echo", "message=ü"}, "ü"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &mcpgen{t: t, path: path, dir: t.TempDir()}
			m.run(0, append([]string{"generate", "-o", "peer_gen.go", "-p", "peer"}, tc.server...)...)
			first := m.read("peer_gen.go")
			if !strings.Contains(first, "package peer\n") {
				t.Errorf("no package clause in %.200q", first)
			}
			m.run(0, append([]string{"generate", "--check", "-o", "peer_gen.go", "-p", "peer"}, tc.server...)...)
			if got := m.run(0, append(append([]string{"call"}, tc.call...), tc.server...)...); !strings.Contains(got, tc.says) {
				t.Errorf("call printed %q, want %q in it", got, tc.says)
			}
			if strings.Contains(first, m.dir) || strings.Contains(first, everything.Args[1]) {
				t.Error("the generated file holds a path of this machine")
			}
		})
	}
}
