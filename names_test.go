package mcpgen_test

// What the documents name must exist: identifiers of the runtime, commands and flags, make targets and
// the files behind links.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documents are the texts for users, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	guides, err := filepath.Glob("doc/guides/*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, name := range append(guides, "README.md", "examples/README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.ToSlash(name)] = string(text)
	}
	return texts
}

func TestReadmeSaysHowToRunDemoAndTests(t *testing.T) {
	readme := documents(t)["README.md"]
	for _, target := range []string{"demo", "test"} {
		if !strings.Contains(readme, "```sh\nmake "+target+"\n```\n") {
			t.Errorf("README.md has no block of its own that says make %s", target)
		}
	}
}

func TestReadmeSuitsANewcomer(t *testing.T) {
	readme, from := documents(t)["README.md"], 0
	for _, heading := range []string{"# mcpgen", "make demo", "## Install", "## Generate", "## The generated code", "## Call", "## Transports", "## Errors", "## Test", "## More", "make test"} {
		i := strings.Index(readme[from:], "\n"+heading+"\n")
		if heading == "# mcpgen" && strings.HasPrefix(readme, heading) {
			i = 0
		}
		if i < 0 {
			t.Fatalf("README.md: %q is missing or out of order", heading)
		}
		from += i
	}
}

var (
	qualified  = regexp.MustCompile(`\b(mcp|mcptest)\.([A-Z]\w*)`)
	subcommand = regexp.MustCompile(`(?:^|tool |` + "`" + `)mcpgen ([a-z]+)`)
	flag       = regexp.MustCompile(`[ ` + "`" + `]--([a-z][a-z-]+)`)
	fences     = regexp.MustCompile("(?ms)^```.*?^```$")
	target     = regexp.MustCompile(`(?m)^make ([a-z]+)$`)
	link       = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
)

func TestNamesInTheDocumentsExist(t *testing.T) {
	known := map[string]map[string]bool{"mcp": exported(t, "mcp"), "mcptest": exported(t, "mcp/mcptest")}
	command, makefile := sources(t, "cmd/mcpgen"), sources(t, "Makefile")
	for name, text := range documents(t) {
		for _, m := range qualified.FindAllStringSubmatch(text, -1) {
			if !known[m[1]][m[2]] {
				t.Errorf("%s: there is no %s", name, m[0])
			}
		}
		for _, m := range subcommand.FindAllStringSubmatch(text, -1) {
			if !regexp.MustCompile(`Use:\s+"` + m[1] + `\b`).MatchString(command) {
				t.Errorf("%s: mcpgen has no command %s", name, m[1])
			}
		}
		for _, m := range flag.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(command, `"`+m[1]+`"`) {
				t.Errorf("%s: mcpgen has no flag --%s", name, m[1])
			}
		}
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s: there is no make target %s", name, m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(fences.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(path.Join(path.Dir(name), m[1])); err != nil {
				t.Errorf("%s: link to %s: %v", name, m[1], err)
			}
		}
	}
}

// sources are the texts of a file, or of the Go files of a folder.
func sources(t *testing.T, root string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name != root && filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// exported are the top-level names of a package, on every system.
func exported(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, id := range s.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}
