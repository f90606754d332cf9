package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
)

// checkRun runs `mcpgen check` on a server that shows changes.
func checkRun(t *testing.T, changes []gen.Change, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	lock, list := filepath.Join(dir, "lock.json"), filepath.Join(dir, "tools.json")
	for path, text := range map[string]string{lock: "recorded", list: `[{"name":"a"}]`} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	a := newApp()
	a.stdout, a.stderr = &out, &errs
	a.diff = func(oldLock []byte, in gen.ToolsInput) ([]gen.Change, error) {
		if string(oldLock) != "recorded" || !strings.Contains(string(in.Tools), `"a"`) {
			t.Errorf("compared %q with %q", oldLock, in.Tools)
		}
		return changes, nil
	}
	status = a.execute(context.Background(), append([]string{"check", "--tools", list, "--lock", lock}, args...))
	return status, out.String(), errs.String()
}

var someChanges = []gen.Change{
	{Severity: gen.Breaking, Tool: "get-sum", Pointer: "/inputSchema/required", Message: `"b" became required`},
	{Severity: gen.Compatible, Tool: "new", Message: "was added"},
	{Severity: gen.Cosmetic, Tool: "get-sum", Pointer: "/description", Message: "changed\x1b[2J"},
}

func TestCheckPrintsChangesAndFailsOnABreakingOne(t *testing.T) {
	status, stdout, stderr := checkRun(t, someChanges)
	const want = "breaking   get-sum /inputSchema/required: \"b\" became required\n" +
		"compatible new: was added\n" +
		"cosmetic   get-sum /description: changed\\x1b[2J\n"
	if status != exitFailed || stdout != want {
		t.Errorf("status %d, stdout:\n%s", status, stdout)
	}
	if !strings.Contains(stderr, "1 breaking change since") {
		t.Errorf("stderr: %s", stderr)
	}
}

func TestCheckPassesWithoutABreakingChange(t *testing.T) {
	for name, changes := range map[string][]gen.Change{"none": nil, "others": someChanges[1:]} {
		if status, _, stderr := checkRun(t, changes); status != exitDone || stderr != "" {
			t.Errorf("%s: status %d, stderr %q", name, status, stderr)
		}
	}
	if _, stdout, _ := checkRun(t, nil); stdout != "no changes\n" {
		t.Errorf("stdout %q", stdout)
	}
}

func TestCheckLooksOnlyAtTheToolsOfTheClient(t *testing.T) {
	if status, stdout, _ := checkRun(t, someChanges, "--include", "new*"); status != exitDone || strings.Contains(stdout, "get-sum") {
		t.Errorf("status %d, stdout %q", status, stdout)
	}
	if status, stdout, _ := checkRun(t, someChanges, "--exclude", "get-*"); status != exitDone || strings.Contains(stdout, "get-sum") {
		t.Errorf("status %d, stdout %q", status, stdout)
	}
}

func TestCheckPrintsJSONForMachines(t *testing.T) {
	status, stdout, _ := checkRun(t, someChanges[:1], "--json")
	const want = `{
  "breaking": 1,
  "changes": [
    {
      "severity": "breaking",
      "tool": "get-sum",
      "pointer": "/inputSchema/required",
      "message": "\"b\" became required"
    }
  ],
  "compatible": 0,
  "cosmetic": 0
}
`
	if status != exitFailed || stdout != want {
		t.Errorf("status %d, stdout:\n%s", status, stdout)
	}
	if status, stdout, _ := checkRun(t, nil, "--json"); status != exitDone || !strings.Contains(stdout, `"changes": []`) {
		t.Errorf("status %d, stdout %s", status, stdout)
	}
}
