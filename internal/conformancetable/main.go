// Command conformancetable writes doc/conformance.md: for each requirement on a client, the tests that
// cite its number in a comment, or why there is none. `go generate` runs it.
//
// The list of requirements is kept beside the repository; where it is absent the table stays as it is.
package main

//go:generate go run .

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	root = "../.."
	list = "../../../shared/spec/CLIENT_CHECKLIST.md"
	page = "../../doc/conformance.md"
)

// reasons say why a range of requirements has no test of its own.
var reasons = []struct{ from, to, why string }{
	{"C-037", "C-038", "the runtime draws nothing and hands icons over as data"},
	{"C-153", "C-153", "optional: the runtime reports no progress on the server's requests"},
	{"C-190", "C-190", "the host's: it shows the fields of a request"},
	{"C-195", "C-195", "the host's: its handlers pace the prompts and let the user decline"},
	{"C-198", "C-198", "the handler's: it runs the model and is given maxTokens"},
	{"C-200", "C-200", "the handler's: it is given includeContext; sampling.context is declared only with SamplingContext"},
	{"C-240", "C-240", "the host's: the user chooses prompts and the model reads them"},
	{"C-254", "C-254", "the host's: it shows names; the types hold all three"},
	{"C-256", "C-256", "the host's: one client has one server, and the host names it"},
	{"C-270", "C-270", "a choice: stale answers are never served"},
	{"C-285", "C-285", "the application's: interceptors see each request about a task, and Task.ID can be kept"},
	{"C-304", "C-345", "authorization: an issue of its own"},
	{"C-346", "C-348", "draft of an authorization extension: not in scope"},
	{"C-349", "C-349", "the host's: it asks before it starts a server; the runtime starts only the Command it is given"},
	{"C-354", "C-354", "nothing to do: handles are values of arguments and results like all others"},
	{"C-356", "C-362", "the duty of a host that shows pages; the runtime hands over the page, its policy and its visibility"},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "conformancetable:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := os.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	cited, err := citations(root)
	if err != nil {
		return err
	}
	return os.WriteFile(page, table(requirements(string(text)), cited), 0o644)
}

// requirement is one entry of the list.
type requirement struct{ area, id, versions, level string }

var entry = regexp.MustCompile("^- \\*\\*(C-[0-9]{3})\\*\\* `([^`]*)` \\*\\*([^*]*)\\*\\*")

func requirements(text string) (all []requirement) {
	area := ""
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			area = strings.TrimSpace(title)
		}
		if m := entry.FindStringSubmatch(line); m != nil {
			all = append(all, requirement{area, m[1], m[2], m[3]})
		}
	}
	return all
}

// citing is where a requirement is cited.
type citing struct {
	tests []string // "mcp.TestName"
	files map[string]bool
}

var number = regexp.MustCompile(`C-[0-9]{3}`)

// citations reads the comments of all Go files of the tree.
func citations(root string) (map[string]*citing, error) {
	cited := map[string]*citing{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return cite(cited, path, filepath.ToSlash(rel))
	})
	return cited, err
}

// cite adds the citations of one file. In a test file they count for the test they are above or in.
func cite(cited map[string]*citing, path, name string) error {
	text, err := os.ReadFile(path)
	if err != nil || !number.Match(text) {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		test := ""
		if strings.HasSuffix(name, "_test.go") {
			if test = enclosing(file, group); test == "" {
				continue
			}
			test = "`" + filepath.ToSlash(filepath.Dir(name)) + "`." + test
		}
		for _, comment := range group.List {
			for _, id := range number.FindAllString(comment.Text, -1) {
				c := cited[id]
				if c == nil {
					c = &citing{files: map[string]bool{}}
					cited[id] = c
				}
				if test == "" {
					c.files[name] = true
				} else if !slices.Contains(c.tests, test) {
					c.tests = append(c.tests, test)
				}
			}
		}
	}
	return nil
}

// enclosing returns the test function that group documents or is inside.
func enclosing(file *ast.File, group *ast.CommentGroup) string {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if ok && (f.Doc == group || f.Pos() <= group.Pos() && group.End() <= f.End()) && isTest(f.Name.Name) {
			return f.Name.Name
		}
	}
	return ""
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Example")
}

// table prints the page.
func table(all []requirement, cited map[string]*citing) []byte {
	var rows bytes.Buffer
	area, proven := "", 0
	for _, r := range all {
		if r.area != area {
			area = r.area
			fmt.Fprintf(&rows, "\n## %s\n\n| | versions | level | shown by |\n|---|---|---|---|\n", area)
		}
		shown, ok := shownBy(r.id, cited[r.id])
		if ok {
			proven++
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", r.id, r.versions, r.level, shown)
	}
	var page bytes.Buffer
	fmt.Fprintf(&page, "<!-- Code generated by internal/conformancetable. DO NOT EDIT. -->\n\n# Conformance\n\n"+
		"The requirements on a client, gathered from all versions of the protocol, and the tests that show each\n"+
		"of them. %d of %d are cited by a test. Beyond that `make conformance` runs the official client scenarios.\n", proven, len(all))
	page.Write(rows.Bytes())
	return page.Bytes()
}

// shownBy names the tests, or says why there are none.
func shownBy(id string, c *citing) (text string, proven bool) {
	if c != nil && len(c.tests) > 0 {
		slices.Sort(c.tests)
		return strings.Join(c.tests, ", "), true
	}
	for _, reason := range reasons {
		if reason.from <= id && id <= reason.to {
			return "– " + reason.why, false
		}
	}
	if c != nil {
		return "– no test cites it yet; see " + strings.Join(slices.Sorted(maps.Keys(c.files)), ", "), false
	}
	return "– no test cites it yet", false
}
