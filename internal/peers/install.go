package peers

// Installing peers: npm packages by their lock file, the Go peer by go build. Each lands in a cache
// folder named after its content, by a rename at the end, so that test packages that run at the
// same time never see half of an installation.

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

//go:embed npm
var npmFiles embed.FS

const installTimeout = 5 * time.Minute

// Require skips the test when one of the programs is not installed; with CI=true it fails instead.
func Require(t testing.TB, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("peers are left out of -short tests")
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			missing(t, "%s is not installed", program)
		}
	}
}

// missing ends a test whose peer cannot be had here.
func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	reason := fmt.Sprintf(format, args...)
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s, and CI=true makes peers a must", reason)
	}
	t.Skipf("%s: this test needs somebody else's server", reason)
}

type installation struct {
	once sync.Once
	dir  string
	err  error
}

var installations sync.Map // by name

// install makes the cache folder name@hash with make, unless it is there already.
func install(name, hash string, make func(dir string) error) (string, error) {
	entry, _ := installations.LoadOrStore(name, &installation{})
	in := entry.(*installation)
	in.once.Do(func() { in.dir, in.err = installOnce(name+"@"+hash, make) })
	return in.dir, in.err
}

func installOnce(folder string, make func(dir string) error) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	root := filepath.Join(cache, "mcpgen", "peers")
	dir := filepath.Join(root, folder)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	draft, err := os.MkdirTemp(root, folder+".draft-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(draft)
	if err := make(draft); err != nil {
		return "", err
	}
	if err := os.Rename(draft, dir); err != nil {
		if _, there := os.Stat(dir); there == nil {
			return dir, nil // another test process was faster
		}
		return "", err
	}
	return dir, nil
}

// npmFolder installs the packages of npm/name and returns the folder.
func npmFolder(t testing.TB, name string) string {
	t.Helper()
	Require(t, "node", "npm")
	tree, err := fs.Sub(npmFiles, "npm/"+name)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := hashOf(tree)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := install("npm-"+name, hash, func(dir string) error {
		if err := os.CopyFS(dir, tree); err != nil {
			return err
		}
		preload, err := npmFiles.ReadFile("npm/loopback.cjs")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "loopback.cjs"), preload, 0o644); err != nil {
			return err
		}
		return npmInstall(dir)
	})
	if err != nil {
		if unreachable.MatchString(err.Error()) {
			missing(t, "the npm registry cannot be reached")
		}
		t.Fatalf("installing npm/%s: %v", name, err)
	}
	return dir
}

var unreachable = regexp.MustCompile(`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E50[234]|network request`)

func npmInstall(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), installTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	cmd.Dir = dir
	return run(cmd)
}

// run runs a command and puts the end of what it wrote into its error.
func run(cmd *exec.Cmd) error {
	isolate(cmd)
	cmd.Cancel = func() error { return killTree(cmd.Process) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, tail(out))
	}
	return nil
}

func tail(out []byte) string {
	const most = 4000
	return strings.TrimSpace(string(out[max(0, len(out)-most):]))
}

func hashOf(tree fs.FS) (string, error) {
	h := sha256.New()
	// The preload is part of every installation.
	preload, err := npmFiles.ReadFile("npm/loopback.cjs")
	if err != nil {
		return "", err
	}
	h.Write(preload)
	err = fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, path)
		fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:8]), err
}

// goServer builds the peer on the official Go SDK and returns its path.
func goServer(t testing.TB) string {
	t.Helper()
	Require(t, "go")
	source, err := goSource()
	if err != nil {
		t.Fatal(err)
	}
	hash, err := hashOf(os.DirFS(source))
	if err != nil {
		t.Fatal(err)
	}
	name := "gosdk"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir, err := install("gosdk", hash+"-"+runtime.Version(), func(dir string) error {
		ctx, cancel := context.WithTimeout(context.Background(), installTimeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, name), ".")
		cmd.Dir = source
		cmd.Env = append(os.Environ(), "GOWORK=off")
		return run(cmd)
	})
	if err != nil {
		if strings.Contains(err.Error(), "dial tcp") {
			missing(t, "the Go module proxy cannot be reached")
		}
		t.Fatalf("building internal/peers/gosdk: %v", err)
	}
	return filepath.Join(dir, name)
}

// goSource finds the nested module from any package of the main module.
func goSource() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	source := filepath.Join(filepath.Dir(strings.TrimSpace(string(out))), "internal", "peers", "gosdk")
	if _, err := os.Stat(filepath.Join(source, "go.mod")); err != nil {
		return "", fmt.Errorf("tests that use peers run inside the mcpgen module: %w", err)
	}
	return source, nil
}
