// Command demo shows mcpgen at work, start to end: it builds the command and
// the project's reference server, generates a client of that server into a
// module of its own, compiles a program that uses the client, and runs it over
// stdio and HTTP in both eras of the protocol. `make demo` runs it.
package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
)

//go:embed _program/main.go
var program []byte

const module = "github.com/mcpgen/mcpgen"

// versions are the newest of each era: with a session and without.
var versions = []string{"2025-11-25", "2026-07-28"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	checkout, err := output(ctx, "", "go", "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mcpgen-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	d := &demo{ctx: ctx, checkout: checkout, dir: dir}
	for _, step := range []struct {
		title string
		do    func() error
	}{
		{"Build mcpgen and the reference server", d.build},
		{"Write a module that uses this checkout", d.writeModule},
		{"mcpgen generate -o reference/tools_gen.go -- refserver", d.generate},
		{"Compile the program that calls the generated methods", d.compile},
		{"Call over stdio", d.callCommand},
		{"Call over HTTP", d.callHTTP},
	} {
		d.step++
		fmt.Printf("%d. %s\n", d.step, step.title)
		if err := step.do(); err != nil {
			return fmt.Errorf("step %d: %w", d.step, err)
		}
	}
	fmt.Println("Done: one generated client, two transports, two eras.")
	return nil
}

type demo struct {
	ctx           context.Context // of the run; a demo has no caller that could end one step
	checkout, dir string
	step          int
}

// path is a file of the demo's folder.
func (d *demo) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// program is an executable of the demo's folder.
func (d *demo) program(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return d.path("bin/" + name)
}

func (d *demo) build() error {
	for name, pkg := range map[string]string{"mcpgen": "./cmd/mcpgen", "refserver": "./internal/refserver/cmd/refserver"} {
		if err := d.show(d.checkout, "go", "build", "-o", d.program(name), pkg); err != nil {
			return err
		}
	}
	return nil
}

// writeModule makes a module that needs nothing but this checkout and what the
// checkout needs, so that the demo runs offline.
func (d *demo) writeModule() error {
	sums, err := os.ReadFile(filepath.Join(d.checkout, "go.sum"))
	if err != nil {
		return err
	}
	text := fmt.Sprintf("module demo\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, quote(d.checkout))
	for name, content := range map[string][]byte{"go.mod": []byte(text), "go.sum": sums, "main.go": program} {
		if err := os.WriteFile(d.path(name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// quote puts a path into go.mod, whatever characters it has.
func quote(path string) string { return fmt.Sprintf("%q", path) }

func (d *demo) generate() error {
	return d.show(d.dir, d.program("mcpgen"), "generate", "-o", "reference/tools_gen.go", "--", d.program("refserver"))
}

func (d *demo) compile() error {
	return d.show(d.dir, "go", "build", "-mod=mod", "-o", d.program("demo"), ".")
}

func (d *demo) callCommand() error {
	return d.callEach("-command", d.program("refserver"))
}

func (d *demo) callHTTP() error {
	server := exec.CommandContext(d.ctx, d.program("refserver"), "-http", "127.0.0.1:0")
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	stdout, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	lines := bufio.NewScanner(stdout)
	if !lines.Scan() {
		return fmt.Errorf("the reference server printed no address: %w", errors.Join(lines.Err(), io.EOF))
	}
	return d.callEach("-http", lines.Text())
}

func (d *demo) callEach(flag, value string) error {
	for _, version := range versions {
		fmt.Printf("  protocol %s:\n", version)
		if err := d.show(d.dir, d.program("demo"), flag, value, "-version", version); err != nil {
			return err
		}
	}
	return nil
}

// show runs a command and lets its output through.
func (d *demo) show(dir, name string, args ...string) error {
	cmd := exec.CommandContext(d.ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return nil
}

// output runs a command and returns what it prints.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	text, err := cmd.Output()
	return strings.TrimSpace(string(text)), err
}
