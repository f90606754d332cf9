// Package corpus gives tests what real MCP servers answered.
//
// The files lie beside the project, in ../shared, and are not part of it: a
// test that needs them is skipped where they are absent, and fails where CI
// says that they must be there.
package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Schema is one input or output schema of one tool.
type Schema struct {
	Server string
	Tool   string
	Part   string // "inputSchema" or "outputSchema"
	Text   []byte
}

// String is server/tool/part.
func (s Schema) String() string { return s.Server + "/" + s.Tool + "/" + s.Part }

// Path returns the path of a file or folder in ../shared.
func Path(tb testing.TB, elements ...string) string {
	tb.Helper()
	root, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for !exists(filepath.Join(root, "go.mod")) {
		if filepath.Dir(root) == root {
			tb.Fatal("no go.mod above the test's folder")
		}
		root = filepath.Dir(root)
	}
	path := filepath.Join(append([]string{root, "..", "shared"}, elements...)...)
	if !exists(path) {
		if os.Getenv("CI") == "true" {
			tb.Fatalf("%s is absent, and CI must have it", path)
		}
		tb.Skipf("%s is absent", path)
	}
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Servers lists the tools.json files of the corpus, sorted.
func Servers(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(Path(tb, "corpus"), "*", "tools.json"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("the corpus has no tools.json: %v", err)
	}
	return files
}

// Schemas reads every schema of every server, in a fixed order.
func Schemas(tb testing.TB) []Schema {
	tb.Helper()
	var all []Schema
	for _, file := range Servers(tb) {
		all = append(all, File(tb, filepath.Base(filepath.Dir(file)), file)...)
	}
	return all
}

// File reads the schemas of one tools/list: an array, a result or a reply.
func File(tb testing.TB, server, path string) []Schema {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var reply struct {
		Result *list
		list
	}
	if text[0] == '[' {
		err = json.Unmarshal(text, &reply.Tools)
	} else {
		err = json.Unmarshal(text, &reply)
	}
	if err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	if reply.Result != nil {
		reply.list = *reply.Result
	}
	var all []Schema
	for _, t := range reply.Tools {
		for _, part := range [...]struct {
			name string
			text json.RawMessage
		}{{"inputSchema", t.InputSchema}, {"outputSchema", t.OutputSchema}} {
			if part.text != nil {
				all = append(all, Schema{server, t.Name, part.name, part.text})
			}
		}
	}
	return all
}

type list struct {
	Tools []struct {
		Name         string
		InputSchema  json.RawMessage
		OutputSchema json.RawMessage
	}
}

// Read returns the content of a file in ../shared.
func Read(tb testing.TB, elements ...string) []byte {
	tb.Helper()
	data, err := os.ReadFile(Path(tb, elements...))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
