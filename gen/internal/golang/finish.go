package golang

// The last stage: render, format, parse again, and compare with the plan. A
// server's text that found a way into the source as anything but a literal or a
// comment is caught here, before a file is written.

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"runtime"
	"sort"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/gen/internal/naming"
)

// pieceMark separates the pieces of a rendered file, which are formatted side by
// side. It holds a NUL, so no foreign text can contain it.
const (
	pieceMark = "//\x00"
	pieceSize = 48 // declarations with their methods
)

// Finish renders a file and proves that it is what was planned. An error is a
// fault of the generator.
func (o *Output) Finish() ([]byte, error) {
	var buf bytes.Buffer
	if err := o.file.Render(&buf); err != nil {
		return nil, fmt.Errorf("%s: render: %w", o.Name, err)
	}
	parts := bytes.Split(buf.Bytes(), []byte(pieceMark))
	pieces := make([]piece, 0, len(parts))
	for _, p := range parts {
		if len(bytes.TrimSpace(p)) > 0 {
			pieces = append(pieces, piece{raw: p})
		}
	}
	var wg sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range pieces {
		limit <- struct{}{}
		wg.Go(func() {
			pieces[i].finish(o, i == 0)
			<-limit
		})
	}
	wg.Wait()
	src := make([]byte, 0, buf.Len()+buf.Len()/4)
	var decls []string
	for i, p := range pieces {
		if p.err != nil {
			return nil, p.err
		}
		if i > 0 {
			src = append(src, '\n')
		}
		src = append(src, p.src...)
		decls = append(decls, p.decls...)
	}
	return src, checkDecls(o.Name, decls, o.Plan)
}

// piece is a part of a file: the first has the package clause.
type piece struct {
	raw   []byte
	src   []byte
	decls []string
	err   error
}

// finish formats the piece, parses it again and formats it again.
func (p *piece) finish(o *Output, first bool) {
	src, err := format.Source(p.raw)
	if err != nil {
		p.err = fmt.Errorf("%s: the generated source does not parse: %w", o.Name, err)
		return
	}
	clause := ""
	if !first {
		clause = "package " + o.pkg + "\n\n"
		src = append(bytes.Trim(src, "\n"), '\n')
	}
	whole := append([]byte(clause), src...)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, o.Name, whole, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		p.err = fmt.Errorf("%s: the formatted source does not parse: %w", o.Name, err)
		return
	}
	header := o.Header
	if !first {
		header = ""
	}
	if p.err = checkComments(o.Name, fset, file, header); p.err != nil {
		return
	}
	p.src, p.decls = src, declared(file)
	if len(file.Comments) == 0 {
		return // only comments are text that formatting rewrites
	}
	var again bytes.Buffer
	if err := format.Node(&again, fset, file); err != nil || !bytes.Equal(again.Bytes(), whole) {
		p.err = fmt.Errorf("%s: formatting the source again changes it", o.Name)
	}
}

// checkComments holds the comments before the package clause equal to the
// header, and refuses every directive and build constraint.
func checkComments(name string, fset *token.FileSet, file *ast.File, header string) error {
	var before []string
	for _, g := range file.Comments {
		for _, c := range g.List {
			if c.Pos() < file.Package {
				before = append(before, c.Text)
			}
			if !strings.HasPrefix(c.Text, "//") || isDirective(c.Text) {
				return fmt.Errorf("%s: a comment became a directive: %.60q", fset.Position(c.Pos()), c.Text)
			}
		}
	}
	if strings.Join(before, "\n") != header {
		return fmt.Errorf("%s: the comments before the package clause are not the header: %.200q", name, before)
	}
	return nil
}

// isDirective tells whether a line comment means something to a Go tool.
func isDirective(text string) bool {
	if text == "//" {
		return false
	}
	body, ok := strings.CutPrefix(text, "// ")
	if !ok {
		return true // ours always have the blank
	}
	body = strings.TrimSpace(body)
	return strings.HasPrefix(body, "+build") || strings.HasPrefix(body, "#cgo")
}

// declared lists the declarations of a file; imports do not count.
func declared(file *ast.File) []string {
	var got []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			got = append(got, receiver(d)+d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					got = append(got, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						got = append(got, n.Name)
					}
				}
			}
		}
	}
	return got
}

// checkDecls compares the declarations of a file with the plan.
func checkDecls(name string, got, plan []string) error {
	want := append([]string(nil), plan...)
	sort.Strings(got)
	sort.Strings(want)
	for i := 0; i < len(got) || i < len(want); i++ {
		switch {
		case i >= len(want) || i < len(got) && got[i] < want[i]:
			return fmt.Errorf("%s: the source declares %s, which is not planned", name, got[i])
		case i >= len(got) || want[i] < got[i]:
			return fmt.Errorf("%s: the source does not declare %s", name, want[i])
		}
	}
	return nil
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "."
	}
	return "?."
}

// declNames are the names that typeDecl declares.
func declNames(d *model.Decl, table *naming.Table) []string {
	if d.Bare {
		return nil
	}
	names := []string{table.Type(d)}
	if e, ok := d.Type.(*model.Enum); ok && !d.Alias {
		for i := range e.Values {
			names = append(names, table.Const(d, i))
		}
	}
	return names
}

// codecNames are the names that codecs declares.
func (p *printer) codecNames(d *model.Decl) []string {
	name := p.table.Type(d)
	methods := func(list ...string) []string {
		for i, m := range list {
			list[i] = name + "." + m
		}
		return list
	}
	switch t := d.Type.(type) {
	case *model.Union:
		if !d.Alias && !d.Bare {
			return p.unionNames(d, t)
		}
	case *model.Enum:
		if !d.Alias && !d.Bare && t.Base != model.MixedEnum {
			return methods("WriteJSON", "ValidateJSON", "Validate")
		}
	}
	switch {
	case d.Bare:
		return []string{"write" + name, "read" + name, "check" + name}
	case d.Alias:
		return nil
	}
	return methods("WriteJSON", "ReadJSON", "ValidateJSON", "MarshalJSON", "UnmarshalJSON", "Validate")
}

func (p *printer) unionNames(d *model.Decl, u *model.Union) []string {
	name := p.table.Type(d)
	unknown := "Unknown" + name
	out := []string{
		unknown, unknown + ".is" + name, "Read" + name, "Unmarshal" + name,
	}
	for _, a := range u.Arms {
		out = append(out, p.table.Type(a.Decl)+".is"+name)
	}
	if p.fullCheck(d) {
		out = append(out, "check"+name)
	}
	return out
}
