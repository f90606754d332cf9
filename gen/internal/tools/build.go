package tools

import (
	"errors"
	"fmt"
	"path"
	"sort"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/gen/internal/parallel"
	"github.com/mcpgen/mcpgen/gen/internal/typing"
	"github.com/mcpgen/mcpgen/internal/fingerprint"
	"github.com/mcpgen/mcpgen/internal/validation"
)

// Input are the three lists of one server.
type Input struct {
	Source                            string
	Tools, Prompts, ResourceTemplates []byte
	Protocol                          string
	Include, Exclude                  []string
	Formats                           []string
	// Locked tells whether the last run named the declaration with this key.
	Locked func(key string) bool
}

// Problem is a located remark.
type Problem struct {
	Severity string // "note", "weakened", "skipped"
	Where    string // `tools[3] "search"`
	Pointer  string
	Line     int
	Column   int
	Message  string
}

// Result is the model of a package and the remarks on the input.
type Result struct {
	Package  *model.Package
	Lists    *Lists // the entries as they came, those left out included
	Problems []Problem
}

// tool is one entry of tools/list on its way to an operation.
type tool struct {
	index  int
	name   string
	value  *jsonschema.Value
	input  *jsonschema.Node
	output *jsonschema.Node
	op     *model.Operation

	inputDefs, outputDefs closure
}

type builder struct {
	in       Input
	types    *typing.Builder
	share    *sharing
	problems []Problem
	ops      []*model.Operation
}

// Build reads the lists and makes the model.
//
//  1. every entry is read and its schemas are loaded;
//  2. definitions that tools share are found;
//  3. arguments are typed, then outputs, each in order of the raw names;
//  4. prompts and resource templates follow.
func Build(in Input) (*Result, error) {
	b := &builder{in: in, types: typing.New(), share: newSharing(in.Locked)}
	lists, err := Entries(in.Source, in.Tools, in.Prompts, in.ResourceTemplates)
	if err != nil {
		return nil, err
	}
	tools := b.loadAll(b.read(lists.Tools))
	for _, t := range tools {
		b.share.add(t.input.Src, t.inputDefs)
		if t.output != nil {
			b.share.add(t.output.Src, t.outputDefs)
		}
	}
	kept := tools[:0]
	for _, t := range tools {
		if b.arguments(t) {
			kept = append(kept, t)
		}
	}
	for _, t := range kept {
		b.result(t)
		b.ops = append(b.ops, t.op)
	}
	b.prompts(lists.Prompts)
	b.templates(lists.Templates)
	decls := b.types.Decls()
	typing.Box(decls)
	sort.SliceStable(b.problems, func(i, j int) bool { return order(b.problems[i]) < order(b.problems[j]) })
	return &Result{Package: &model.Package{Decls: decls, Ops: b.ops}, Lists: lists, Problems: b.problems}, nil
}

func order(p Problem) int { return p.Line*1_000_000 + p.Column }

func (b *builder) problem(severity string, where string, v *jsonschema.Value, pointer, format string, args ...any) {
	p := Problem{Severity: severity, Where: where, Pointer: pointer, Message: fmt.Sprintf(format, args...)}
	if v != nil {
		p.Line, p.Column = v.Line, v.Column
	}
	b.problems = append(b.problems, p)
}

// read takes the tools that are wanted, in order of their names.
func (b *builder) read(list []*jsonschema.Value) []*tool {
	var out []*tool
	seen := map[string]int{}
	for i, v := range list {
		where := fmt.Sprintf("tools[%d]", i)
		name := textOf(v.Get("name"))
		switch {
		case v.Kind != jsonschema.ObjectValue:
			b.problem("skipped", where, v, "", "a tool must be an object, found %s", describe(v))
			continue
		case name == "":
			b.problem("skipped", where, v, "/name", "a tool needs a name: a string that is not empty")
			continue
		}
		if !b.wanted(name) {
			continue
		}
		if b.isBroken(fmt.Sprintf("tools[%d] %q", i, name), v) {
			continue
		}
		if first, dup := seen[name]; dup {
			b.problem("skipped", fmt.Sprintf("tools[%d] %q", i, name), v, "/name", "the name is taken by tools[%d]", first)
			continue
		}
		seen[name] = i
		out = append(out, &tool{index: i, name: name, value: v})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

// isBroken reports an entry that is no clear JSON: a member given twice, values nested too deep.
func (b *builder) isBroken(where string, v *jsonschema.Value) bool {
	if v.Fault == nil {
		return false
	}
	b.problems = append(b.problems, Problem{Severity: "skipped", Where: where, Line: v.Fault.Line, Column: v.Fault.Column, Message: v.Fault.Message})
	return true
}

func (b *builder) wanted(name string) bool { return Wanted(name, b.in.Include, b.in.Exclude) }

// Wanted tells whether the globs let a tool through.
func Wanted(name string, include, exclude []string) bool {
	match := func(globs []string) bool {
		for _, g := range globs {
			if ok, err := path.Match(g, name); ok && err == nil {
				return true
			}
		}
		return false
	}
	return (len(include) == 0 || match(include)) && !match(exclude)
}

// Matches tells whether a glob fits the name of an entry of tools/list.
func Matches(entry *jsonschema.Value, glob string) bool {
	ok, err := path.Match(glob, textOf(entry.Get("name")))
	return ok && err == nil
}

func (t *tool) where() string { return fmt.Sprintf("tools[%d] %q", t.index, t.name) }

// loadAll loads the tools side by side and returns those that can be read.
func (b *builder) loadAll(tools []*tool) []*tool {
	loaders, loaded := make([]builder, len(tools)), make([]bool, len(tools))
	parallel.Do(len(tools), func(i int) {
		loaders[i].in = b.in
		if loaded[i] = loaders[i].load(tools[i]); loaded[i] {
			tools[i].inputDefs = closures(tools[i].input.Src)
			if tools[i].output != nil {
				tools[i].outputDefs = closures(tools[i].output.Src)
			}
		}
	})
	var out []*tool
	for i, t := range tools {
		b.problems = append(b.problems, loaders[i].problems...)
		if loaded[i] {
			out = append(out, t)
		}
	}
	return out
}

// load turns the schemas of a tool into nodes.
func (b *builder) load(t *tool) bool {
	key := Key(t.name)
	t.op = &model.Operation{
		Kind: model.Tool, Key: key, Raw: t.name, Title: title(t.value),
		Doc:         model.Doc{Text: textOf(t.value.Get("description"))},
		ReadOnly:    isTrue(t.value.Get("annotations").Get("readOnlyHint")),
		Idempotent:  isTrue(t.value.Get("annotations").Get("idempotentHint")),
		InputSchema: &model.Schema{Key: key + "/args", Text: `{"type":"object"}`},
	}
	schema := t.value.Get("inputSchema")
	if schema == nil {
		b.problem("skipped", t.where(), t.value, "/inputSchema", "a tool needs an inputSchema")
		return false
	}
	input, ok := b.node(t, schema, "inputSchema", "skipped")
	if !ok {
		return false
	}
	t.input = input
	t.op.InputSchema.Text = string(schema.Compact())
	t.op.InputSchema.AssertFormat = validation.FormatAsserted(textOf(schema.Get("$schema")))
	if out := t.value.Get("outputSchema"); out != nil && out.Kind != jsonschema.NullValue {
		if t.output, ok = b.node(t, out, "outputSchema", "weakened"); ok {
			t.op.OutputSchema = &model.Schema{Key: key + "/output", Text: string(out.Compact()), AssertFormat: validation.FormatAsserted(textOf(out.Get("$schema")))}
		}
	}
	t.op.Fingerprint = fingerprint.Tool([]byte(t.op.InputSchema.Text), outputText(t))
	return b.bindings(t)
}

func outputText(t *tool) []byte {
	if v := t.value.Get("outputSchema"); v != nil && v.Kind != jsonschema.NullValue {
		return v.Compact()
	}
	return nil
}

func title(v *jsonschema.Value) string {
	if s := textOf(v.Get("title")); s != "" {
		return s
	}
	return textOf(v.Get("annotations").Get("title"))
}

// node loads one schema; what is fatal to it leaves the tool or its output out.
func (b *builder) node(t *tool, schema *jsonschema.Value, member, severity string) (*jsonschema.Node, bool) {
	if schema.Kind != jsonschema.ObjectValue && schema.Kind != jsonschema.BoolValue {
		b.problem(severity, t.where(), schema, "/"+member, "a schema must be an object, found %s", describe(schema))
		return nil, false
	}
	node, issues := jsonschema.Load(schema, Limits)
	ok := true
	for _, i := range issues {
		level := "note"
		if i.Fatal {
			level, ok = severity, false
		}
		p := Problem{Severity: level, Where: t.where(), Pointer: "/" + member + i.Pointer, Line: i.Line, Column: i.Column, Message: i.Message}
		if i.Fatal && severity == "weakened" {
			p.Message += " -> the output is not typed"
		}
		b.problems = append(b.problems, p)
		if i.Fatal {
			break
		}
	}
	return node, ok && node != nil
}

func (b *builder) bindings(t *tool) bool {
	bound, err := headers(t.input)
	if err == nil {
		t.op.Headers = bound
		return true
	}
	if b.in.Protocol == "2026-07-28" {
		b.problem("skipped", t.where(), t.input.Src, "/inputSchema", "%v", err)
		return false
	}
	b.problem("warning", t.where(), t.input.Src, "/inputSchema", "%v; none of the tool's %s annotations is used", err, "x-mcp-header")
	return true
}

// root prepares a schema for typing.
func (b *builder) root(t *tool, node *jsonschema.Node, schema *model.Schema, word string, in bool) *typing.Root {
	key := schema.Key
	r := &typing.Root{Key: key, Name: []string{t.name, word}, Node: node, Schema: schema, In: in, Formats: b.in.Formats}
	r.DefKey = func(name, pointer string) (string, []string, bool) {
		if shared, ok := b.share.shared(node.Src, name); ok {
			return shared, []string{name}, false
		}
		if in {
			return key + pointer, []string{t.name, name}, false
		}
		return key + pointer, []string{t.name, "Output", name}, false
	}
	return r
}

// arguments types the input schema; a schema that cannot be typed leaves the
// tool out.
func (b *builder) arguments(t *tool) bool {
	before := b.types.Snapshot()
	root := b.root(t, t.input, t.op.InputSchema, "Args", true)
	decl, err := b.types.Args(root)
	if err != nil {
		b.types.Restore(before)
		b.reject("skipped", t, "/inputSchema", err, "")
		return false
	}
	t.op.Args = decl
	introduce(decl, t.op.Key, fmt.Sprintf("are the arguments of the tool %q.", t.name))
	b.issues(t, "/inputSchema", before)
	b.compiles(t, t.op.InputSchema, "/inputSchema")
	return true
}

// result types the output schema; one that cannot be typed leaves the result
// as it comes.
func (b *builder) result(t *tool) {
	if t.op.OutputSchema == nil {
		return
	}
	before := b.types.Snapshot()
	root := b.root(t, t.output, t.op.OutputSchema, "Output", false)
	decl, err := b.types.Value(root)
	if err != nil {
		b.types.Restore(before)
		b.reject("weakened", t, "/outputSchema", err, " -> the output is not typed")
		t.op.OutputSchema = nil
		return
	}
	t.op.Output = decl
	introduce(decl, t.op.Key, fmt.Sprintf("is the structured result of the tool %q.", t.name))
	b.issues(t, "/outputSchema", before)
	b.compiles(t, t.op.OutputSchema, "/outputSchema")
}

// introduce gives a root type that has no description a comment of our own.
func introduce(d *model.Decl, key, text string) {
	if d != nil && d.Doc.Text == "" && strings.HasPrefix(d.Key, key+"/") {
		d.Doc = model.Doc{Text: text, Own: true}
	}
}

func (b *builder) reject(severity string, t *tool, prefix string, err error, effect string) {
	var place *typing.PlaceError
	if errors.As(err, &place) {
		var src *jsonschema.Value
		if place.Node != nil {
			src = place.Node.Src
		}
		b.problem(severity, t.where(), src, prefix+place.Pointer, "%s%s", place.Message, effect)
		return
	}
	b.problem(severity, t.where(), t.value, prefix, "%v%s", err, effect)
}

// issues reports what typing said since the snapshot.
func (b *builder) issues(t *tool, prefix string, since typing.Snapshot) {
	for _, i := range b.types.IssuesSince(since) {
		severity := "note"
		if i.Weakened {
			severity = "weakened"
		}
		b.problem(severity, t.where(), i.Src, prefix+i.Pointer, "%s", i.Message)
	}
}

// maxFullCheck bounds a schema that is compiled whole: the validator's time
// grows with the square of the number of subschemas.
const maxFullCheck = 256 << 10

// compiles makes sure that a schema which types are validated against as a
// whole is one that the validator takes.
func (b *builder) compiles(t *tool, s *model.Schema, prefix string) {
	if !s.Used {
		return
	}
	if len(s.Text) > maxFullCheck {
		b.problem("note", t.where(), t.value, prefix, "the schema has more than %d bytes, so values are checked only as far as the Go types go", maxFullCheck)
		b.types.NoFullCheck(s)
		return
	}
	_, dropped, err := validation.Compile([]byte(s.Text), "")
	if err != nil {
		b.problem("note", t.where(), t.value, prefix, "the schema does not compile, so values are checked only as far as the Go types go: %v", err)
		b.types.NoFullCheck(s)
		return
	}
	for _, d := range dropped {
		b.problem("note", t.where(), t.value, prefix+d.Pointer, "left out of full validation: %s", d.Reason)
	}
}
