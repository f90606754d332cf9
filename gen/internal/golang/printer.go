// Package golang prints a named model as Go source.
//
// Each block of jennifer calls has the Go that it prints above it. Foreign text
// passes through vocab.go only; finish.go checks what came out.
package golang

import (
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
	uses     *[]patternUse // where set, nothing below may change
	schemas  map[*model.Schema]string
	protocol bool
	checked  map[*model.Decl]bool
}

// patternUse is a place where the variable of a pattern stands.
type patternUse struct {
	expr string
	name *jen.Statement
}

func newPrinter(table *naming.Table, protocol bool) *printer {
	return &printer{table: table, protocol: protocol, schemas: map[*model.Schema]string{}, checked: map[*model.Decl]bool{}}
}

// prepare finds out what printing a declaration asks about others.
func (p *printer) prepare(decls []*model.Decl) {
	for _, d := range decls {
		if p.checks(d); p.fullCheck(d) {
			p.schemaVar(d.Schema)
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

// pattern is the variable that holds a compiled pattern; it has a name when all
// uses are known.
func (p *printer) pattern(expr string) *jen.Statement {
	name := jen.Id("_")
	if p.uses != nil {
		*p.uses = append(*p.uses, patternUse{expr, name})
	}
	return name
}
