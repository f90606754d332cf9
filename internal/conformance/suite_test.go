package main

// Runs the official conformance suite against the client of this package. The suite itself says which
// scenarios a wire has, so that a newer suite cannot bring one that nobody runs.

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/peers"
)

var all = flag.Bool("all", false, "run every scenario in scope on every wire, not only a few")

// wires are the ways to run the suite.
var wires = []struct{ name, version, spec string }{
	{"default", peers.ConformanceNext, ""},
	{"2026-07-28", peers.ConformanceNext, "2026-07-28"},
	{"2025-11-25", peers.ConformanceNext, "2025-11-25"},
	{"0.1.16", peers.ConformanceStable, ""},
}

// few are run without -all, on the wires that have them.
var few = []string{"default/request-metadata", "default/json-schema-2020-12-preservation", "2025-11-25/sse-retry", "0.1.16/initialize"}

// outOfScope are beginnings of names: authorization has an issue of its own, and so have the skills
// of SEP-2640.
var outOfScope = []string{"auth/", "sep-2640-"}

const scenarioLimit = 90 * time.Second

func TestOfficialScenariosPass(t *testing.T) {
	client := buildClient(t)
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			suite := peers.Conformance(t, w.version)
			var extra []string
			if w.spec != "" {
				extra = []string{"--spec-version", w.spec}
			}
			names := listScenarios(t, suite, extra)
			if len(names) == 0 {
				t.Fatal("the suite lists no scenario in scope")
			}
			for _, name := range names {
				t.Run(name, func(t *testing.T) {
					if !*all && !slices.Contains(few, w.name+"/"+name) {
						t.Skip("run by make conformance (flag -all)")
					}
					runScenario(t, suite, client, name, extra)
				})
			}
		})
	}
}

// buildClient builds the client. The suite splits its command line at spaces.
func buildClient(t *testing.T) string {
	t.Helper()
	peers.Require(t, "go", "node", "npm")
	path := filepath.Join(t.TempDir(), "client")
	if strings.Contains(path, " ") {
		t.Fatalf("the suite cannot start a client at %q: there is a space in it", path)
	}
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("building the client: %v\n%s", err, out)
	}
	return path
}

var listed = regexp.MustCompile(`(?m)^\s+- (\S+) \[`)

// listScenarios asks the suite for its client scenarios and leaves out what is out of scope.
func listScenarios(t *testing.T, suite peers.Command, extra []string) []string {
	t.Helper()
	args := append(slices.Clone(suite.Args), "list", "--client")
	out, err := exec.Command(suite.Path, append(args, extra...)...).Output()
	if err != nil {
		t.Fatalf("listing the suite's scenarios: %v", err)
	}
	var names []string
	for _, match := range listed.FindAllStringSubmatch(string(out), -1) {
		if !slices.ContainsFunc(outOfScope, func(prefix string) bool { return strings.HasPrefix(match[1], prefix) }) {
			names = append(names, match[1])
		}
	}
	return names
}

// runScenario passes if the suite is content and at least one of its checks has succeeded.
func runScenario(t *testing.T, suite peers.Command, client, name string, extra []string) {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), scenarioLimit)
	defer cancel()
	args := append(slices.Clone(suite.Args), "client", "--command", client, "--scenario", name, "-o", "checks", "--timeout", "30000")
	cmd := exec.CommandContext(ctx, suite.Path, append(args, extra...)...)
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if countSuccesses(t, filepath.Join(dir, "checks")) == 0 {
		t.Fatalf("no check of the scenario succeeded\n%s", out)
	}
}

var success = regexp.MustCompile(`"status": *"SUCCESS"`)

func countSuccesses(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
	}
	return len(success.FindAll(text.Bytes(), -1))
}
