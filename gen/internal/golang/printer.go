// Package golang prints a named model as Go source.
//
// Each block of jennifer calls has the Go that it prints above it. Foreign text
// passes through vocab.go only; finish.go checks what came out.
package golang

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/gen/internal/naming"
)

// Import paths of the runtime.
const (
	module   = "github.com/mcpgen/mcpgen"
	mcpPath  = module + "/mcp"
	wirePath = module + "/mcp/jsonwire"
	rpcPath  = module + "/mcp/jsonrpc"
	jsonPath = "encoding/json"

	mcptestPath = mcpPath + "/mcptest"
)

// importNames are the packages that generated code may import.
var importNames = map[string]string{
	mcpPath: "mcp", wirePath: "jsonwire", rpcPath: "jsonrpc", mcptestPath: "mcptest",
	jsonPath: "json", "strconv": "strconv", "context": "context",
}

// printer prints the declarations of one package. Copies of it print side by
// side once prepare has run.
type printer struct {
	table    *naming.Table
	prepared bool              // nothing below changes any more
	patterns map[string]string // expression -> variable
	order    []string          // expressions in the order of the source
	schemas  map[*model.Schema]string
	protocol bool
	checked  map[*model.Decl]bool
}

func newPrinter(table *naming.Table, protocol bool) *printer {
	return &printer{
		table: table, protocol: protocol, patterns: map[string]string{},
		schemas: map[*model.Schema]string{}, checked: map[*model.Decl]bool{},
	}
}

// prepare finds out what printing a declaration asks about others, so that
// declarations can be printed side by side.
func (p *printer) prepare(decls []*model.Decl) {
	for _, d := range decls {
		if p.fullCheck(d) {
			p.schemaVar(d.Schema)
			continue
		}
		p.collectPatterns(d.Type)
	}
	for _, d := range decls {
		p.checks(d)
	}
	p.prepared = true
}

// mustPrepare panics where prepare has forgotten something.
func (p *printer) mustPrepare() {
	if p.prepared {
		panic("golang: something was not prepared")
	}
}

// collectPatterns names the patterns that the checks of a type use.
func (p *printer) collectPatterns(t model.Type) {
	switch t := resolve(t).(type) {
	case *model.String:
		p.namePatterns(t.Rules.Patterns)
	case *model.Slice:
		p.collectPatterns(t.Elem)
	case *model.Map:
		p.namePatterns(t.Keys.Patterns)
		if t.Closed && len(t.Patterns) == 1 {
			p.namePatterns(t.Patterns)
		}
		p.collectPatterns(t.Value)
	case *model.Nullable:
		p.collectPatterns(t.Elem)
	case *model.Struct:
		for _, f := range t.Fields {
			p.collectPatterns(f.Type)
		}
		if t.Extra != nil {
			p.collectPatterns(t.Extra)
		}
	case *model.Tuple:
		for _, item := range t.Items {
			p.collectPatterns(item)
		}
		if t.Rest != nil {
			p.collectPatterns(t.Rest)
		}
	case *model.Ref:
		if t.Decl.Bare {
			p.collectPatterns(t.Decl.Type)
		}
	}
}

func (p *printer) namePatterns(list []string) {
	for _, expr := range list {
		if _, known := p.patterns[expr]; !known {
			p.order = append(p.order, expr)
			p.patterns[expr] = p.table.Var(strconv.Itoa(len(p.order)), "pattern", false)
		}
	}
}

// resolve follows aliases to the type that a declaration stands for.
func resolve(t model.Type) model.Type {
	for {
		ref, ok := t.(*model.Ref)
		if !ok || !ref.Decl.Alias {
			return t
		}
		t = ref.Decl.Type
	}
}

// goType is the Go type of t. in decides between any and json.RawMessage.
func (p *printer) goType(t model.Type, in bool) *jen.Statement {
	switch t := t.(type) {
	case *model.Bool:
		return jen.Bool()
	case *model.String:
		return jen.String()
	case *model.Int:
		switch t.Size {
		case model.Uint64:
			return jen.Uint64()
		case model.BigInt:
			return jen.Qual(wirePath, "Number")
		}
		return jen.Int64()
	case *model.Float:
		return jen.Float64()
	case *model.Slice:
		return jen.Index().Add(p.goType(t.Elem, in))
	case *model.Map:
		return jen.Map(jen.String()).Add(p.goType(t.Value, in))
	case *model.Nullable:
		if nilable(t.Elem) {
			return p.goType(t.Elem, in)
		}
		return jen.Op("*").Add(p.goType(t.Elem, in))
	case *model.Ref:
		if t.Decl.Bare {
			return p.goType(t.Decl.Type, in)
		}
		return jen.Id(p.table.Type(t.Decl))
	case *model.External:
		return jen.Qual(t.Path, t.Name)
	default: // Untyped, Const
		if in {
			return jen.Any()
		}
		return jen.Qual(jsonPath, "RawMessage")
	}
}

// nilable tells whether the Go type has a nil that can mean absent or null.
func nilable(t model.Type) bool {
	switch t := resolve(t).(type) {
	case *model.Slice, *model.Map, *model.Untyped:
		return true
	case *model.Ref:
		switch t.Decl.Type.(type) {
		case *model.Union, *model.Slice, *model.Map, *model.Untyped:
			return true
		}
	}
	return false
}

// presence says how a struct field holds absence and null.
type presence uint8

const (
	plain    presence = iota // always there
	pointer                  // nil is absent, or null when required
	nilValue                 // the nil of the type itself does the same
	three                    // Nullable: absent, null or a value
	boxed                    // a pointer that ends a recursion; never nil
)

func presenceOf(f *model.Field) presence {
	_, untyped := resolve(f.Type).(*model.Untyped)
	switch {
	case untyped:
		if f.Required {
			return plain
		}
		return nilValue
	case f.Required && !f.Nullable && f.Boxed:
		return boxed
	case f.Required && !f.Nullable:
		return plain
	case f.Nullable && !f.Required && !f.NullAbsent:
		return three
	case nilable(f.Type):
		return nilValue
	}
	return pointer
}

func (p *printer) fieldType(f *model.Field, in bool) *jen.Statement {
	typ := p.goType(f.Type, in)
	switch presenceOf(f) {
	case pointer, boxed:
		return jen.Op("*").Add(typ)
	case three:
		if f.Boxed {
			typ = jen.Op("*").Add(typ)
		}
		return jen.Qual(p.nullablePath(), "Nullable").Types(typ)
	}
	return typ
}

func (p *printer) nullablePath() string {
	if p.protocol {
		return wirePath
	}
	return mcpPath
}

// pattern is the variable that holds a compiled pattern.
func (p *printer) pattern(expr string) *jen.Statement {
	name, ok := p.patterns[expr]
	if !ok {
		panic("golang: a pattern was not collected")
	}
	return jen.Id(name)
}

// patternVars prints the variables of the patterns.
func (p *printer) patternVars(out *Output) {
	if len(p.order) == 0 {
		return
	}
	var vars []jen.Code
	var names []string
	for _, expr := range p.order {
		vars = append(vars, jen.Id(p.patterns[expr]).Op("=").Qual(wirePath, "NewPattern").Call(text(expr)))
		names = append(names, p.patterns[expr])
	}
	out.add([]jen.Code{comment("Patterns of the schemas, compiled when first used."), jen.Var().Defs(vars...)}, names)
}
