// Package examples_test builds every program in the folders below and compares what it prints.
package examples_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// printed is what each program prints.
var printed = map[string]string{
	"quickstart": "20 + 22 = 42\npackets of tea left: 4\n",
	"http":       "in version 2026-07-28\n  Good morning, Ada!\nin version 2025-11-25\n  Good morning, Ada!\n",
	"failures": `tool fail failed and said why in 1 content block
not sent: /age breaks the rule "minimum"
no answer to tools/call within 20ms
refused by the server: code -32602, invalid params: true
not sent: version 2026-07-28 has no resources/subscribe
`,
	"fake":     "4 × tea\n",
	"progress": "1 of 3\n2 of 3\n3 of 3\ndone\ncancelled\n",
	"untyped":  "add: Adds two numbers.\ntext: {\"sum\":42}\nstructured: {\"sum\":42}\n",
	"pinned":   "tools: true\n{\"sum\":42}\n",
}

func TestExamplesPrintWhatTheySay(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every program")
	}
	bin := t.TempDir()
	server := filepath.Join(bin, "server") + exe()
	args := map[string][]string{"quickstart": {server}, "untyped": {"add", `{"a":20,"b":22}`, server}}
	goCommand(t, "build", "-o", server, "../internal/refserver/cmd/refserver")
	goCommand(t, "build", "-o", bin+string(filepath.Separator), "./...")
	folders, err := filepath.Glob("*/main.go")
	if err != nil || len(folders) != len(printed) {
		t.Fatalf("%d programs, %d expected outputs (%v)", len(folders), len(printed), err)
	}
	for name, want := range printed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			var stderr bytes.Buffer
			cmd := exec.CommandContext(ctx, filepath.Join(bin, name)+exe(), args[name]...)
			cmd.Stderr = &stderr
			got, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, got, stderr.String())
			}
			if string(got) != want {
				t.Errorf("printed\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

func goCommand(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
}
