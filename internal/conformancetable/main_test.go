package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTableNamesTestsAndReasons(t *testing.T) {
	dir := t.TempDir()
	text := "package x\n\n// C-001\nfunc TestA(t *T) {\n\t// C-002\n}\n\n// C-003\nfunc helperOfTests() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "x_test.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cited, err := citations(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := requirements("## Base\n- **C-001** `all` **MUST** — x\n- **C-002** `all` **MAY** — x\n- **C-003** `all` **MUST** — x\n- **C-310** `all` **MUST** — x\n")
	page := string(table(all, cited))
	for _, want := range []string{"2 of 4", "| C-001 | all | MUST | `.`.TestA |", "| C-002 | all | MAY | `.`.TestA |", "| C-003 | all | MUST | – no test", "an issue of its own"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}
