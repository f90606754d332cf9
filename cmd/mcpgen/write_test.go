package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func write(t *testing.T, outputs ...output) error {
	t.Helper()
	list, err := changes(outputs)
	if err != nil {
		return err
	}
	return writeAll(list)
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestUnchangedFilesAreNotTouched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.out")
	if err := write(t, output{path, []byte("x")}); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(path)
	list, err := changes([]output{{path, []byte("x")}})
	if err != nil || len(list) != 0 {
		t.Fatalf("changes: %v, %v", list, err)
	}
	if err := write(t, output{path, []byte("y")}); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(path); os.SameFile(before, after) {
		t.Error("the file was edited in place, want a rename")
	}
}

func TestAFailedFileLeavesAllAsTheyWere(t *testing.T) {
	dir := t.TempDir()
	a, made := filepath.Join(dir, "a.out"), filepath.Join(dir, "new", "deep", "b.out")
	if err := write(t, output{a, []byte("old")}); err != nil {
		t.Fatal(err)
	}
	blocked := filepath.Join(a, "c.out") // its folder is a file
	err := writeAll([]*change{
		{output: output{a, []byte("new")}, target: a, old: []byte("old"), exists: true, mode: 0o644},
		{output: output{made, []byte("b")}, target: made, mode: 0o666},
		{output: output{blocked, []byte("c")}, target: blocked, mode: 0o666},
	})
	if err == nil {
		t.Fatal("no error")
	}
	if got := content(t, a); got != "old" {
		t.Errorf("a.go holds %q", got)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.out"}) {
		t.Errorf("left behind: %q", got)
	}
}

func TestARenameThatFailsUndoesTheOnesBefore(t *testing.T) {
	dir := t.TempDir()
	a, b, c := filepath.Join(dir, "a.out"), filepath.Join(dir, "b.out"), filepath.Join(dir, "c.out")
	if err := write(t, output{a, []byte("old")}); err != nil {
		t.Fatal(err)
	}
	list, err := changes([]output{{a, []byte("new")}, {b, []byte("b")}, {c, []byte("c")}})
	if err != nil {
		t.Fatal(err)
	}
	// A folder that appears between comparing and renaming cannot be replaced.
	if err := os.MkdirAll(filepath.Join(c, "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := writeAll(list); err == nil {
		t.Fatal("no error")
	}
	if got := content(t, a); got != "old" {
		t.Errorf("a.go holds %q", got)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a.out", "c.out"}) {
		t.Errorf("left behind: %q", got)
	}
}

func TestPermissionBitsAndLinksStay(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real.out"), filepath.Join(dir, "link.out")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.out", link); err != nil {
		t.Skip("this system makes no symbolic links:", err)
	}
	if err := write(t, output{link, []byte("new")}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link became %v (%v)", info.Mode(), err)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if got := content(t, file); got != "new" {
		t.Errorf("real.go holds %q", got)
	}
}

func TestStaleFilesAreRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stale.out")
	if err := write(t, output{path, []byte("x")}); err != nil {
		t.Fatal(err)
	}
	if err := write(t, output{path, nil}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
}
