// The command is tested as its users meet it: scripts under testdata/script run
// the real binary (this test binary under another name) against servers that
// behave or misbehave.
package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// raceOptions keep a program built with -race from waiting a second at its end.
const raceOptions = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if err := os.Setenv("GORACE", raceOptions); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"mcpgen":     main,
		"fakeserver": fakeServerMain,
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOPACKAGE", "")
			env.Setenv("GORACE", raceOptions)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"httpserver": serveHTTP,
			"exits":      exits,
			"mode":       fileMode,
			"holds":      holds,
			"await":      awaitFile,
			"ended":      ended,
		},
	})
}

// serveHTTP starts an HTTP server of a kind and sets $URL to its endpoint:
// httpserver KIND.
func serveHTTP(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: httpserver KIND")
	}
	handler, ok := httpHandlers[args[0]]
	if !ok {
		ts.Fatalf("no HTTP server %q", args[0])
	}
	server := httptest.NewServer(http.HandlerFunc(handler))
	ts.Defer(func() {
		server.CloseClientConnections()
		server.Close()
	})
	ts.Setenv("URL", server.URL+"/mcp")
}

// exits runs a command and checks its exit status: exits STATUS COMMAND ARG….
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ARG…")
	}
	err := ts.Exec(args[1], args[2:]...)
	status := "0"
	if err != nil {
		status = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if status != args[0] {
		ts.Fatalf("exit status %s, want %s", status, args[0])
	}
}

// fileMode checks permission bits: mode BITS FILE.
func fileMode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := info.Mode().String(); got != args[0] {
		ts.Fatalf("%s: mode %s, want %s", args[1], got, args[0])
	}
}

// holds checks that a folder holds these files and no others, hidden ones
// included: holds FOLDER NAME….
func holds(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}

// awaitFile waits until a file that another process writes has content: await FILE.
func awaitFile(ts *testscript.TestScript, _ bool, args []string) {
	poll(ts, args[0]+" stays empty", func() bool {
		info, err := os.Stat(ts.MkAbs(args[0]))
		return err == nil && info.Size() > 0
	})
}

// ended checks that the process whose id stands in a file has ended: ended FILE.
func ended(ts *testscript.TestScript, _ bool, args []string) {
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	process, err := os.FindProcess(pid)
	ts.Check(err)
	poll(ts, "process "+strconv.Itoa(pid)+" still runs", func() bool {
		return process.Signal(syscall.Signal(0)) != nil
	})
}

// poll waits for a condition that nothing announces.
func poll(ts *testscript.TestScript, fault string, holds func() bool) {
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("%s", fault)
		}
	}
}
