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
)

// printer prints the declarations of one package.
type printer struct {
	table    *naming.Table
	patterns map[string]string // expression -> variable
	order    []string          // expressions in order of first use
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
		name = p.table.Var(strconv.Itoa(len(p.order)+1), "pattern", false)
		p.patterns[expr] = name
		p.order = append(p.order, expr)
	}
	return jen.Id(name)
}
