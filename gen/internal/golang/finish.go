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
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/gen/internal/naming"
	"github.com/mcpgen/mcpgen/gen/internal/parallel"
)

// Output is one file before formatting, with the declarations it must have.
type Output struct {
	Name     string
	Header   string
	Plan     []string
	pkg      string
	sections []section
}

// section is a run of declarations that is built when its turn comes: pieces of
// several sections are built and formatted side by side.
type section func() []jen.Code

func newOutput(pkg, name, header string) *Output {
	return &Output{Name: name, pkg: pkg, Header: header}
}

// add appends declarations to a file and to its plan.
func (out *Output) add(code []jen.Code, names []string) {
	out.later(func() []jen.Code { return code }, names)
}

// later appends declarations that are built side by side with others, by a
// printer that is prepared.
func (out *Output) later(build section, names []string) {
	out.sections = append(out.sections, build)
	out.Plan = append(out.Plan, names...)
}

// pieceSize is the number of sections that are built and formatted together.
const pieceSize = 24

// piece is a part of a file.
type piece struct {
	out      *Output
	sections []section
	src      []byte
	imports  []string
	decls    []string
	err      error
}

// Finish builds the files and proves that they are what was planned. An error
// is a fault of the generator.
func Finish(outputs []*Output) ([][]byte, error) {
	// 1. Build, format and check every piece.
	var pieces []*piece
	for _, o := range outputs {
		for list := range slices.Chunk(o.sections, pieceSize) {
			pieces = append(pieces, &piece{out: o, sections: list})
		}
	}
	parallel.Do(len(pieces), func(i int) { pieces[i].err = pieces[i].finish() })
	// 2. Join them.
	files := make([][]byte, len(outputs))
	for i, o := range outputs {
		var err error
		if files[i], err = o.join(pieces); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// bodyMark ends the imports of a rendered piece. It holds a NUL, so no foreign
// text can contain it.
const bodyMark = "//\x00"

// render prints a piece as a file of its own, which tells what it imports, and
// returns its declarations under a bare package clause.
func (p *piece) render() ([]byte, error) {
	f := jen.NewFile(p.out.pkg)
	f.NoFormat = true
	for path, name := range importNames {
		f.ImportName(path, name)
	}
	f.Op(bodyMark)
	for _, build := range p.sections {
		for _, c := range build() {
			if c == nil {
				continue
			}
			f.Add(c)
			if _, doc := c.(comments); !doc {
				f.Line()
			}
		}
	}
	var buf bytes.Buffer
	if err := f.Render(&buf); err != nil {
		return nil, fmt.Errorf("%s: render: %w", p.out.Name, err)
	}
	head, body, _ := bytes.Cut(buf.Bytes(), []byte(bodyMark))
	file, err := parser.ParseFile(token.NewFileSet(), p.out.Name, head, parser.ImportsOnly)
	if err != nil {
		return nil, fmt.Errorf("%s: the imports do not parse: %w", p.out.Name, err)
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if _, known := importNames[path]; err != nil || !known || spec.Name != nil && spec.Name.Name != importNames[path] {
			return nil, fmt.Errorf("%s: the import of %s is not planned", p.out.Name, spec.Path.Value)
		}
		p.imports = append(p.imports, path)
	}
	clause := p.clause()
	return append(clause[:len(clause):len(clause)], body...), nil
}

// clause is what stands before the declarations of a piece while it is checked.
func (p *piece) clause() []byte { return []byte("package " + p.out.pkg + "\n\n") }

// finish builds the piece, formats it, parses it again and formats it again.
func (p *piece) finish() error {
	name := p.out.Name
	raw, err := p.render()
	if err != nil {
		return err
	}
	whole, err := format.Source(raw)
	if err != nil {
		return fmt.Errorf("%s: the generated source does not parse: %w", name, err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, whole, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("%s: the formatted source does not parse: %w", name, err)
	}
	if err := checkComments(name, fset, file, ""); err != nil {
		return err
	}
	if err := stable(name, fset, file, whole); err != nil {
		return err
	}
	p.src = bytes.TrimLeft(bytes.TrimPrefix(whole, bytes.TrimSpace(p.clause())), "\n")
	p.decls = declared(file)
	return nil
}

// stable proves that formatting the declarations that have comments again
// changes nothing: only comments are text that formatting rewrites.
func stable(name string, fset *token.FileSet, file *ast.File, whole []byte) error {
	if len(file.Comments) == 0 {
		return nil
	}
	offset := fset.File(file.Package).Offset
	want := whole[:offset(file.Name.End()):offset(file.Name.End())]
	var kept []ast.Decl
	comments := file.Comments
	for i, d := range file.Decls {
		from, to := offset(start(d)), len(whole)
		if i == 0 {
			from = offset(file.Name.End()) // with the comments before it
		}
		if i+1 < len(file.Decls) {
			to = offset(start(file.Decls[i+1]))
		}
		commented := false
		for len(comments) > 0 && offset(comments[0].Pos()) < to {
			comments, commented = comments[1:], true
		}
		if commented {
			kept = append(kept, d)
			want = append(append(want, "\n\n"...), bytes.Trim(whole[from:to], "\n")...)
		}
	}
	var again bytes.Buffer
	part := *file
	part.Decls = kept
	if err := format.Node(&again, fset, &part); err != nil || !bytes.Equal(again.Bytes(), append(want, '\n')) {
		return fmt.Errorf("%s: formatting the source again changes it", name)
	}
	return nil
}

// start is where a declaration begins, its comment included.
func start(d ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return d.Pos()
}

// join puts the pieces of a file under its header, package clause and imports.
func (o *Output) join(pieces []*piece) ([]byte, error) {
	var size int
	var decls, imports []string
	for _, p := range pieces {
		if p.out != o {
			continue
		}
		if p.err != nil {
			return nil, p.err
		}
		size += len(p.src) + 1
		decls = append(decls, p.decls...)
		imports = append(imports, p.imports...)
	}
	head, err := o.head(imports)
	if err != nil {
		return nil, err
	}
	src := append(make([]byte, 0, len(head)+size), head...)
	for _, p := range pieces {
		if p.out == o && len(p.src) > 0 {
			src = append(append(src, '\n'), p.src...)
		}
	}
	return src, checkDecls(o.Name, decls, o.Plan)
}

// head prints the header, the package clause and the imports: those of the
// standard library, then the others.
func (o *Output) head(imports []string) ([]byte, error) {
	slices.Sort(imports)
	imports = slices.Compact(imports)
	var own, foreign []jen.Code
	for _, path := range imports {
		if strings.Contains(path, ".") {
			foreign = append(foreign, text(path))
		} else {
			own = append(own, text(path))
		}
	}
	if len(own) > 0 && len(foreign) > 0 {
		own = append(own, jen.Empty())
	}
	f := jen.NewFile(o.pkg)
	f.HeaderComment(o.Header)
	if len(imports) > 0 {
		f.Id("import").Defs(append(own, foreign...)...)
	}
	var buf bytes.Buffer
	if err := f.Render(&buf); err != nil {
		return nil, fmt.Errorf("%s: render the imports: %w", o.Name, err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, o.Name, buf.Bytes(), parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%s: the header does not parse: %w", o.Name, err)
	}
	if len(declared(file)) > 0 {
		return nil, fmt.Errorf("%s: the header declares something", o.Name)
	}
	return buf.Bytes(), checkComments(o.Name, fset, file, o.Header)
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
	if slices.Equal(got, plan) {
		return nil
	}
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
