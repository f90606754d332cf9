package peers

// The official conformance suite, which plays the server and watches the client.

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Versions of the suite: the last stable one and the first that knows 2026-07-28.
const (
	ConformanceStable = "0.1.16"
	ConformanceNext   = "0.2.0-alpha.12"
)

// Conformance is the suite's command line program. It needs Node.js 22, which comes from npm where
// there is a package of it; elsewhere the installed one must do.
func Conformance(t testing.TB, version string) Command {
	t.Helper()
	dir := npmFolder(t, "conformance")
	c := Command{Path: "node", Args: []string{
		"--require", filepath.Join(dir, "hosts.cjs"),
		filepath.Join(dir, "node_modules", "suite-"+version, "dist", "index.js"),
	}}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	own := filepath.Join(dir, "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	if _, err := os.Stat(own); err == nil {
		c.Path = own
	}
	return c
}
