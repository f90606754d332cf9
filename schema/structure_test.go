package schema

// Our schema files are written in our own layout, but what they say must be what
// the protocol says: each is compared, member order aside, with the published
// structure that lies beside the project.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// published maps our folders to the names of the published files.
func published() map[string]string {
	names := map[string]string{"tasks": "ext-tasks.json"}
	for _, v := range Versions() {
		names[v] = v + ".json"
	}
	return names
}

func TestSchemasStateThePublishedStructure(t *testing.T) {
	dir := filepath.FromSlash("../../shared/schema")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the published schemas are needed in CI: %v", err)
		}
		t.Skipf("the published schemas are not here: %v", err)
	}
	for folder, name := range published() {
		t.Run(folder, func(t *testing.T) {
			theirs, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decode(t, theirs), decode(t, ours(t, folder))); diff != "" {
				t.Errorf("%s/schema.json (+) differs from the published structure (-):\n%s", folder, diff)
			}
		})
	}
}

func TestSchemasCarryNoProse(t *testing.T) {
	for folder := range published() {
		t.Run(folder, func(t *testing.T) {
			walk(decode(t, ours(t, folder)), "", func(pointer string, schema map[string]any) {
				for _, keyword := range []string{"description", "$comment", "examples"} {
					if _, ok := schema[keyword].(map[string]any); schema[keyword] != nil && !ok {
						t.Errorf("%s/%s: prose belongs in docs.json", pointer, keyword)
					}
				}
			})
		})
	}
}

func TestProtocolRefusesUnknownVersions(t *testing.T) {
	_, err := Protocol("2023-01-01")
	if err == nil || !strings.Contains(err.Error(), "2026-07-28") {
		t.Errorf("got %v, want an error that names the known versions", err)
	}
}

func TestVersionsAreOldestFirst(t *testing.T) {
	if got := Versions(); !slices.IsSorted(got) || len(got) != 5 {
		t.Errorf("got %q, want five versions in order", got)
	}
}

func ours(t *testing.T, folder string) []byte {
	t.Helper()
	if folder == "tasks" {
		return Tasks()
	}
	data, err := Protocol(folder)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// decode keeps numbers as they are spelled.
func decode(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// walk calls visit for every object of a schema document, name maps included.
func walk(v any, pointer string, visit func(pointer string, schema map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(pointer, v)
		for name, child := range v {
			walk(child, pointer+"/"+name, visit)
		}
	case []any:
		for _, child := range v {
			walk(child, pointer+"/-", visit)
		}
	}
}
