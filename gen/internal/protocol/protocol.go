// Package protocol is the front-end for the MCP protocol's own schemas: one
// version's definitions become the types of a package, its requests and
// notifications become operations.
package protocol

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/gen/internal/typing"
	"github.com/mcpgen/mcpgen/schema"
)

// Input is one protocol schema.
type Input struct {
	Source  string
	Schema  []byte
	Docs    []byte // docs.json; nil: the schema's own descriptions
	Version string
}

// Result is the model of a package.
type Result struct {
	Package *model.Package
	// Schema is the compact text that the package embeds.
	Schema string
	// Applied names the corrections that the schema needed.
	Applied []string
	// Notes are remarks on types that say less than the schema.
	Notes []string
}

type builder struct {
	in    Input
	doc   *document
	node  *jsonschema.Node
	root  *typing.Root
	types *typing.Builder
	prose *schema.Prose
	ops   []*model.Operation
	defs  map[string]*jsonschema.Node
	names []string
}

// Build reads a schema and makes the model.
//
//  1. the text is parsed and the corrections are applied to it;
//  2. it is loaded as one graph, and every definition is declared by its name;
//  3. requests and notifications are recognised by their constant method;
//  4. comments are filled in from docs.json.
func Build(in Input) (*Result, error) {
	b := &builder{in: in, types: typing.New(), defs: map[string]*jsonschema.Node{}}
	text, applied, err := b.read()
	if err != nil {
		return nil, err
	}
	if in.Docs != nil {
		if b.prose, err = schema.ParseProse(in.Docs); err != nil {
			return nil, err
		}
	}
	if err := b.declare(); err != nil {
		return nil, err
	}
	b.operations()
	decls := b.types.Decls()
	typing.Box(decls)
	b.tolerate(decls)
	if b.prose != nil {
		b.document(decls)
	}
	r := &Result{Package: &model.Package{Decls: decls, Ops: b.ops}, Schema: text, Applied: applied}
	for _, i := range b.types.Issues {
		if i.Weakened {
			r.Notes = append(r.Notes, i.Pointer+": "+i.Message)
		}
	}
	return r, nil
}

func (b *builder) read() (text string, applied []string, err error) {
	v, err := jsonschema.ParseJSON(b.in.Source, b.in.Schema, jsonschema.Limits{})
	if err != nil {
		return "", nil, err
	}
	text = string(v.Compact())
	b.doc = &document{root: v, defsKey: "$defs", version: b.in.Version}
	if b.doc.defs = v.Get("$defs"); b.doc.defs == nil {
		b.doc.defsKey, b.doc.defs = "definitions", v.Get("definitions")
	}
	if b.doc.defs == nil || b.doc.defs.Kind != jsonschema.ObjectValue || len(b.doc.defs.Members) == 0 {
		return "", nil, fmt.Errorf("%s: no protocol schema: it has neither $defs nor definitions", b.in.Source)
	}
	for _, c := range corrections {
		if (c.versions == nil || slices.Contains(c.versions, b.in.Version)) && c.apply(b.doc) {
			applied = append(applied, c.name)
		}
	}
	// What was edited has to be read again, so that positions and bytes agree.
	again, err := jsonschema.ParseJSON(b.in.Source, b.doc.root.Compact(), jsonschema.Limits{})
	if err != nil {
		return "", nil, err
	}
	node, issues := jsonschema.Load(again, jsonschema.Limits{})
	for _, i := range issues {
		if i.Fatal {
			return "", nil, fmt.Errorf("%s: %s: %s", b.in.Source, i.Pointer, i.Message)
		}
	}
	b.node = node
	return text, applied, nil
}

// declare makes a type of every definition, under the definition's own name.
func (b *builder) declare() error {
	b.root = &typing.Root{Key: "", Name: nil, Node: b.node, NullTolerated: true, Verbatim: true}
	b.root.DefKey = func(name, pointer string) (string, []string, bool) {
		return "$defs/" + name, []string{name}, true
	}
	b.types.External = map[string]*model.External{}
	for name, typ := range external {
		b.types.External["$defs/"+name] = &model.External{Path: "github.com/mcpgen/mcpgen/mcp/jsonrpc", Name: typ}
	}
	for _, def := range b.node.Defs {
		b.defs[def.Name] = def.Node
		b.names = append(b.names, def.Name)
	}
	sort.Strings(b.names)
	for _, name := range b.names {
		if values := openStrings[name]; values != nil {
			b.openString(name, values)
		}
	}
	for _, name := range b.names {
		if openStrings[name] != nil {
			continue
		}
		if _, err := b.types.Definition(b.root, name, b.defs[name].Pointer, b.defs[name]); err != nil {
			return fmt.Errorf("%s: %s: %w", b.in.Source, name, err)
		}
	}
	return nil
}

// openString declares a string with well-known values.
func (b *builder) openString(name string, values []model.EnumValue) {
	e := &model.Enum{Base: model.StringEnum, Open: true}
	for _, v := range values {
		v.Literal = `"` + v.Text + `"`
		e.Values = append(e.Values, v)
	}
	b.types.Add(&model.Decl{Key: "$defs/" + name, Name: []string{name}, Exact: true, Type: e})
}

// tolerate marks the members that older peers leave out.
func (b *builder) tolerate(decls []*model.Decl) {
	for _, d := range decls {
		s, ok := d.Type.(*model.Struct)
		if !ok {
			continue
		}
		for _, t := range tolerated {
			if t.versions != nil && !slices.Contains(t.versions, b.in.Version) || t.types != nil && !slices.Contains(t.types, d.Name[0]) {
				continue
			}
			for _, f := range s.Fields {
				if _, con := f.Type.(*model.Const); f.Raw == t.field && f.Required && !con {
					tolerate(f, t.value)
				}
			}
		}
	}
}

func tolerate(f *model.Field, value string) {
	f.Tolerated, f.Default = true, value
	if value != "" {
		return
	}
	switch t := f.Type.(type) {
	case *model.Int:
		f.Tolerated, f.Required = false, false
	case *model.Ref:
		_, f.EmptyAbsent = t.Decl.Type.(*model.Enum)
	}
}

// property is the flattened node of a member of a definition, or nil.
func property(n *jsonschema.Node, name string) *jsonschema.Node {
	f, _ := jsonschema.Flatten(n)
	if f == nil {
		return nil
	}
	for _, p := range f.Properties {
		if p.Name == name {
			return p.Node
		}
	}
	return nil
}

// method is the constant method of a definition, or "".
func method(n *jsonschema.Node) string {
	m := property(n, "method")
	if m == nil {
		return ""
	}
	f, _ := jsonschema.Flatten(m)
	if f == nil || f.Const == nil || f.Const.Kind != jsonschema.StringValue {
		return ""
	}
	return f.Const.Text
}

// members are the names of the definitions that a union refers to.
func (b *builder) members(union string) map[string]bool {
	out := map[string]bool{}
	n := b.defs[union]
	if n == nil {
		return out
	}
	for _, a := range append(n.AnyOf, n.OneOf...) {
		t := a.Target()
		out[t.Pointer[strings.LastIndexByte(t.Pointer, '/')+1:]] = true
	}
	if t := n.Target(); t != n {
		out[t.Pointer[strings.LastIndexByte(t.Pointer, '/')+1:]] = true
	}
	return out
}
