package gen_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/internal/corpus"
)

// server reads what one server of the corpus answered.
func server(t testing.TB, toolsFile string) gen.ToolsInput {
	t.Helper()
	dir := filepath.Dir(toolsFile)
	in := gen.ToolsInput{Source: filepath.Base(dir) + "/tools.json"}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return data
	}
	in.Tools, in.Prompts, in.ResourceTemplates = read("tools.json"), read("prompts.json"), read("templates.json")
	var init struct {
		ProtocolVersion string
		ServerInfo      struct{ Name, Version string }
	}
	if data := read("initialize.json"); data != nil {
		if err := json.Unmarshal(data, &init); err != nil {
			t.Fatal(err)
		}
	}
	in.ServerName, in.ServerVersion, in.Protocol = init.ServerInfo.Name, init.ServerInfo.Version, init.ProtocolVersion
	return in
}

func toolNames(t testing.TB, data []byte) []string {
	t.Helper()
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(list.Tools))
	for i, tool := range list.Tools {
		names[i] = tool.Name
	}
	return names
}

// TestCorpusGeneratesAndVets generates a package for every server of the
// corpus, with a method for every tool, and has go vet compile them all.
func TestCorpusGeneratesAndVets(t *testing.T) {
	module := newModule(t)
	tools, weakened, fields, untyped := 0, 0, 0, 0
	for i, file := range corpus.Servers(t) {
		in := server(t, file)
		result, err := gen.Tools(in, gen.Options{Package: fmt.Sprintf("s%d", i)})
		if err != nil {
			t.Errorf("%s: %v", in.Source, err)
			continue
		}
		want := toolNames(t, in.Tools)
		if got := len(result.Report.Tools); got != len(want) {
			t.Errorf("%s: %d methods for %d tools", in.Source, got, len(want))
		}
		for _, p := range result.Report.Problems {
			switch p.Severity {
			case gen.Skipped:
				t.Errorf("%s: skipped: %s", in.Source, p)
			case gen.Weakened:
				t.Logf("%s: weakened: %s", in.Source, p)
				weakened++
			}
		}
		tools += len(want)
		fields += result.Report.Fields
		module.write(t, fmt.Sprintf("s%d", i), result)
	}
	t.Logf("%d tools, %d fields, %d weakened (%.2f %%), %d untyped", tools, fields, weakened, 100*float64(weakened)/float64(max(fields, 1)), untyped)
	module.vet(t)
}

// TestCorpusIsDeterministic generates every server twice, the second time with
// the list shuffled, and wants the same bytes.
func TestCorpusIsDeterministic(t *testing.T) {
	for _, file := range corpus.Servers(t) {
		in := server(t, file)
		first, err := gen.Tools(in, gen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in.Tools = shuffled(t, in.Tools)
		second, err := gen.Tools(in, gen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Files[0].Content, second.Files[0].Content) {
			t.Errorf("%s: the order of the list changes the output", in.Source)
		}
		if !bytes.Equal(first.Lock, second.Lock) {
			t.Errorf("%s: the order of the list changes the lock file", in.Source)
		}
	}
}

func shuffled(t testing.TB, data []byte) []byte {
	t.Helper()
	var list struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(list.Tools), func(i, j int) { list.Tools[i], list.Tools[j] = list.Tools[j], list.Tools[i] })
	out, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// BenchmarkLargestServer generates the largest tools/list of the corpus.
func BenchmarkLargestServer(b *testing.B) {
	largest, size := "", int64(0)
	for _, file := range corpus.Servers(b) {
		if info, err := os.Stat(file); err == nil && info.Size() > size {
			largest, size = file, info.Size()
		}
	}
	in := server(b, largest)
	for b.Loop() {
		if _, err := gen.Tools(in, gen.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// module is a throw-away module that uses the runtime of this checkout.
type module struct{ dir string }

func newModule(t testing.TB) *module {
	t.Helper()
	m := &module{dir: t.TempDir()}
	root := projectRoot(t)
	mod := "module example.test/generated\n\ngo 1.26\n\nrequire github.com/mcpgen/mcpgen v0.0.0\n\nreplace github.com/mcpgen/mcpgen => " + root + "\n"
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if _, requires, ok := strings.Cut(string(own), "\nrequire"); ok {
		mod += "\nrequire" + requires
	}
	m.file(t, "go.mod", []byte(mod))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	m.file(t, "go.sum", sum)
	return m
}

func projectRoot(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (m *module) file(t testing.TB, name string, content []byte) {
	t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

func (m *module) write(t testing.TB, folder string, result *gen.Result) {
	t.Helper()
	for _, f := range result.Files {
		m.file(t, filepath.Join(folder, f.Name), f.Content)
	}
}

// vet compiles every package of the module and vets it.
func (m *module) vet(t testing.TB) { m.run(t, "go", "vet", "./...") }

func (m *module) run(t testing.TB, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		if len(out) > 6000 {
			out = append(out[:6000], "…"...)
		}
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
