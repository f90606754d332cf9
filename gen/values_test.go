package gen_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/internal/corpus"
	"github.com/mcpgen/mcpgen/internal/instances"
)

// TestCorpusValues carries generated instances of every corpus schema through
// the generated code, compiled into one program: a valid instance is read,
// found valid and written again as the same JSON value; a spoiled one is judged
// as jsonschema/v5 judges it.
func TestCorpusValues(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every corpus client")
	}
	h := newHarness(t)
	for i, file := range corpus.Servers(t) {
		h.add(t, fmt.Sprintf("s%d", i), server(t, file), 3, 8)
	}
	h.run(t)
}

// TestTortureValues does the same for the odd tools (C-261).
func TestTortureValues(t *testing.T) {
	h := newHarness(t)
	h.add(t, "torture", gen.ToolsInput{Source: "torture.json", Tools: corpus.Read(t, "cases", "torture.json")}, 20, 60)
	h.run(t)
}

// TestOddValues does the same for our own list of odd schemas, under both
// dialects: every keyword beside every other that changes its meaning.
func TestOddValues(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a client of 400 tools")
	}
	list, err := os.ReadFile(filepath.Join("testdata", "odd.json"))
	if err != nil {
		t.Fatal(err)
	}
	h := newHarness(t)
	h.add(t, "odd", gen.ToolsInput{Source: "odd.json", Tools: list}, 6, 20)
	draft07 := bytes.ReplaceAll(list, []byte(`Schema": {`), []byte(`Schema": {"$schema": "http://json-schema.org/draft-07/schema#", `))
	draft07 = bytes.ReplaceAll(draft07, []byte(", }"), []byte("}"))
	h.add(t, "odd07", gen.ToolsInput{Source: "odd.json", Tools: draft07}, 6, 20)
	h.run(t)
}

// harness is one program with the clients of many servers, fed with values.
type harness struct {
	module *module
	main   bytes.Buffer // imports of the program
	lines  []line
}

// line is one value on its way into the program.
type line struct {
	ID   int    `json:"id"`
	Pkg  string `json:"pkg"`
	Type string `json:"type"` // tool and part
	JSON string `json:"json"`

	valid bool // by jsonschema/v5
}

// outcome is what the program says of a value.
type outcome struct {
	ID      int
	JSON    string // written again
	Err     string // of reading
	Invalid string // of Validate
	Missing bool
}

func newHarness(t *testing.T) *harness {
	h := &harness{module: newModule(t)}
	h.module.file(t, "rt/rt.go", []byte(roundTripSource))
	return h
}

// add generates a client and instances of all its schemas.
func (h *harness) add(t *testing.T, pkg string, in gen.ToolsInput, valid, invalid int) {
	t.Helper()
	result, err := gen.Tools(in, gen.Options{Package: pkg})
	if err != nil {
		t.Fatal(err)
	}
	h.module.write(t, pkg, result)
	h.module.file(t, filepath.Join(pkg, "registry.go"), registry(t, pkg, result))
	fmt.Fprintf(&h.main, "\t_ \"example.test/generated/%s\"\n", pkg)
	generated := map[string]bool{}
	for _, tool := range result.Report.Tools {
		generated[tool.Name+"/inputSchema"] = tool.Args != ""
		generated[tool.Name+"/outputSchema"] = tool.Output != ""
	}
	path := filepath.Join(t.TempDir(), "tools.json")
	if err := os.WriteFile(path, in.Tools, 0o666); err != nil {
		t.Fatal(err)
	}
	for i, s := range corpus.File(t, pkg, path) {
		if !generated[s.Tool+"/"+s.Part] {
			continue
		}
		good, err := instances.Valid(s.Text, valid, uint64(i))
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		for _, v := range good {
			h.value(pkg, s, v, true)
		}
		bad, err := instances.Invalid(s.Text, invalid, uint64(i))
		if err != nil {
			t.Errorf("%s: %v", s, err)
		}
		for _, c := range bad {
			h.value(pkg, s, c.JSON, c.Valid)
		}
	}
}

func (h *harness) value(pkg string, s corpus.Schema, text string, valid bool) {
	if s.Part == "inputSchema" && !strings.HasPrefix(text, "{") {
		return // arguments are objects, whatever the schema leaves open
	}
	h.lines = append(h.lines, line{ID: len(h.lines), Pkg: pkg, Type: s.Tool + "/" + s.Part, JSON: text, valid: valid})
}

func (h *harness) run(t *testing.T) {
	t.Helper()
	h.module.file(t, "main.go", []byte("package main\n\nimport (\n\t\"example.test/generated/rt\"\n\n"+h.main.String()+")\n\nfunc main() { rt.Main() }\n"))
	var input bytes.Buffer
	e := json.NewEncoder(&input)
	for _, l := range h.lines {
		if err := e.Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	h.module.file(t, "values.jsonl", input.Bytes())
	h.module.run(t, "go", "build", "-gcflags=example.test/...=-N -l", "-o", "values.exe", ".")
	out := h.module.run(t, filepath.Join(h.module.dir, "values.exe"), "values.jsonl")
	h.judge(t, out)
}

func (h *harness) judge(t *testing.T, out string) {
	t.Helper()
	same, judged, faults, wide := 0, 0, 0, 0
	sc := bufio.NewScanner(strings.NewReader(out))
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var o outcome
		if err := json.Unmarshal(sc.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		l := h.lines[o.ID]
		judged++
		switch refused := o.Err + o.Invalid; {
		case o.Missing:
			t.Fatalf("%s %s is not registered", l.Pkg, l.Type)
		case l.valid && (strings.Contains(o.Err, "does not fit a 64-bit") || refused != "" && beyond64.MatchString(l.JSON)):
			wide++ // an integer without bounds is an int64: the one value range that Go narrows
		case l.valid && refused != "":
			faults = h.fault(t, faults, l, "valid, but refused: %s", refused)
		case !l.valid && refused == "":
			faults = h.fault(t, faults, l, "not valid, but accepted")
		case l.valid && !sameValue(l.JSON, o.JSON):
			faults = h.fault(t, faults, l, "written as %s", o.JSON)
		case l.valid:
			same++
		}
	}
	t.Logf("%d values judged, %d of them valid and written as the same value, %d beyond 64 bits, %d faults", judged, same, wide, faults)
	if judged != len(h.lines) {
		t.Errorf("%d of %d values came back", judged, len(h.lines))
	}
}

// beyond64 finds the integers of the instance generator that no 64 bits hold;
// inside a union they make the value fit no alternative.
var beyond64 = regexp.MustCompile(`1e30|9223372036854775808|9223372036854775809`)

func (h *harness) fault(t *testing.T, n int, l line, format string, args ...any) int {
	t.Helper()
	if n < 25 {
		text := l.JSON
		if len(text) > 300 {
			text = text[:300] + "…"
		}
		t.Errorf("%s %s: %s: %.400s", l.Pkg, l.Type, text, fmt.Sprintf(format, args...))
	}
	return n + 1
}

// sameValue compares JSON values; a member that is null on one side may be
// absent on the other, where the schema's default says that this is the same.
func sameValue(a, b string) bool {
	return canonical(a, false, false) == canonical(b, false, false) || canonical(a, true, false) == canonical(b, true, false) ||
		canonical(a, true, true) == canonical(b, true, true)
}

// canonical is JSON text that is equal for equal values. A number of the schema
// is a float64 in Go: asFloats compares with that precision.
func canonical(text string, withoutNull, asFloats bool) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return "not JSON: " + text
	}
	if withoutNull {
		v = dropNulls(v)
	}
	if asFloats && json.Unmarshal([]byte(text), &v) == nil && withoutNull {
		v = dropNulls(v)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	c, err := appendCanonical(out)
	if err != nil {
		return err.Error()
	}
	return c
}

func dropNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if e == nil {
				delete(v, k)
				continue
			}
			v[k] = dropNulls(e)
		}
	case []any:
		for i := range v {
			v[i] = dropNulls(v[i])
		}
	}
	return v
}

// registry writes a file that registers every argument and output type of a
// generated client under the tool's name.
func registry(t *testing.T, pkg string, result *gen.Result) []byte {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), result.Files[0].Name, result.Files[0].Content, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	unions := map[string]bool{}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, s := range g.Specs {
				if ts, ok := s.(*ast.TypeSpec); ok {
					_, unions[ts.Name.Name] = ts.Type.(*ast.InterfaceType)
				}
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport \"example.test/generated/rt\"\n\nfunc init() {\n", pkg)
	for _, tool := range result.Report.Tools {
		switch {
		case tool.Args == "":
		case unions[tool.Args]:
			fmt.Fprintf(&b, "\trt.Add(%q, %q, rt.Union(Unmarshal%s))\n", pkg, tool.Name+"/inputSchema", tool.Args)
		default:
			fmt.Fprintf(&b, "\trt.Add(%q, %q, rt.Value[%s]())\n", pkg, tool.Name+"/inputSchema", tool.Args)
		}
		if tool.Output != "" {
			fmt.Fprintf(&b, "\trt.Add(%q, %q, rt.Output(&%sTool))\n", pkg, tool.Name+"/outputSchema", tool.Method)
		}
	}
	b.WriteString("}\n\nvar _ = rt.Main\n")
	return b.Bytes()
}

// roundTripSource is the part of the program that all clients share.
const roundTripSource = `package rt

import (
	"bufio"
	"encoding/json"
	"os"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

type outcome struct {
	ID      int
	JSON    string
	Err     string
	Invalid string
	Missing bool
}

type trip func(data []byte) (any, error, error)

var trips = map[string]trip{}

func Add(pkg, name string, t trip) { trips[pkg+"\x00"+name] = t }

func Value[T any]() trip {
	return func(data []byte) (any, error, error) {
		x := new(T)
		if err := json.Unmarshal(data, x); err != nil {
			return nil, err, nil
		}
		return x, nil, any(x).(interface{ Validate() error }).Validate()
	}
}

func Union[T any](unmarshal func([]byte) (T, error)) trip {
	return func(data []byte) (any, error, error) {
		x, err := unmarshal(data)
		if err != nil {
			return nil, err, nil
		}
		return x, nil, jsonwire.Validate(any(x).(jsonwire.Checker))
	}
}

func Output[A, O any](spec *mcp.ToolSpec[A, O]) trip {
	return func(data []byte) (any, error, error) {
		var x O
		r := jsonwire.NewReader(data)
		codec, ok := any(&x).(jsonwire.Codec)
		if !ok {
			codec = spec.Output(&x)
		}
		codec.ReadJSON(r)
		if err := r.End(); err != nil {
			return nil, err, nil
		}
		var v jsonwire.Validator
		codec.ValidateJSON(&v)
		return x, nil, v.Err()
	}
}

func Main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in, e := json.NewDecoder(file), json.NewEncoder(out)
	for in.More() {
		var l struct {
			ID              int
			Pkg, Type, JSON string
		}
		if err := in.Decode(&l); err != nil {
			panic(err)
		}
		o := outcome{ID: l.ID}
		t := trips[l.Pkg+"\x00"+l.Type]
		if t == nil {
			o.Missing = true
		} else if x, err, invalid := t([]byte(l.JSON)); err != nil {
			o.Err = err.Error()
		} else {
			if invalid != nil {
				o.Invalid = invalid.Error()
			}
			if text, err := json.Marshal(x); err != nil {
				o.Err = "marshal: " + err.Error()
			} else {
				o.JSON = string(text)
			}
		}
		if err := e.Encode(o); err != nil {
			panic(err)
		}
	}
}
`
