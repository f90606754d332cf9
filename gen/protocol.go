package gen

import (
	"errors"
	"fmt"
	"go/token"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/golang"
	"github.com/mcpgen/mcpgen/gen/internal/naming"
	"github.com/mcpgen/mcpgen/gen/internal/protocol"
)

// Protocol generates the package of one protocol version: types.go, codecs.go,
// calls.go and schema.go. With Docs the comments are ours; without, they are
// the schema's own descriptions.
//
//  1. protocol.Build: schema text -> model, with the table of corrections;
//  2. naming.Make: one pass over the model -> table of Go names;
//  3. golang.Protocol: model and table -> files of sections, and their plan;
//  4. Finish: print the sections with jennifer, format, parse again, compare with the plan.
func Protocol(in ProtocolInput, opts Options) (*Result, error) {
	if in.Source == "" {
		in.Source = "schema"
	}
	built, err := protocol.Build(protocol.Input{Source: in.Source, Schema: in.Schema, Docs: in.Docs, Version: in.Version})
	if err != nil {
		return nil, err
	}
	pkg := opts.Package
	if pkg == "" {
		pkg = "v" + strings.ReplaceAll(in.Version, "-", "")
	}
	if !token.IsIdentifier(pkg) {
		return nil, fmt.Errorf("package name %q is not a Go identifier", pkg)
	}
	table := naming.Make(built.Package, naming.Options{Overrides: opts.Names, Reserved: golang.ProtocolReserved})
	outputs := golang.Protocol(built.Package, table, golang.ProtocolOptions{
		Package: pkg, Version: in.Version, Generator: generator(opts), Schema: built.Schema,
	})
	result := &Result{Report: Report{Package: pkg, Types: len(built.Package.Decls), Corrections: built.Applied}}
	for _, note := range built.Notes {
		result.Report.Problems = append(result.Report.Problems, Problem{Severity: Weakened, Source: in.Source, Message: note})
	}
	if result.Files, err = finish(outputs); err != nil {
		return nil, err
	}
	return result, nil
}

// finish renders the files; an error is a fault of the generator, whatever the
// input was.
func finish(outputs []*golang.Output) ([]File, error) {
	sources, err := golang.Finish(outputs)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFault, err)
	}
	files := make([]File, len(outputs))
	for i, o := range outputs {
		files[i] = File{Name: o.Name, Content: sources[i]}
	}
	return files, nil
}

// DefaultGenerator is the version that stands in the header of generated files.
const DefaultGenerator = "v0.1.0"

func generator(opts Options) string {
	if opts.Generator != "" {
		return opts.Generator
	}
	return DefaultGenerator
}

// ErrFault is wrapped by errors that no input should cause.
var ErrFault = errors.New("this is a fault of mcpgen, please report it")
