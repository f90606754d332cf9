// Package shared finds the files that tests share with the design: real
// servers' lists, official examples, hostile tools. They lie beside the
// checkout, in ../shared, and are no part of it.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the path of ../shared/elem…. Without it the test is skipped, or
// fails where CI=true.
func Dir(t testing.TB, elem ...string) string {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(append([]string{filepath.Dir(root), "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing, and CI=true", path)
		}
		t.Skipf("%s is missing: this test needs the files shared with the design", path)
	}
	return path
}

// Read returns the content of ../shared/elem….
func Read(t testing.TB, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(Dir(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Root returns the module's root folder.
func Root(t testing.TB) string {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", os.ErrNotExist
		}
		dir = parent
	}
}
