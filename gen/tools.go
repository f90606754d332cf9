package gen

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"sync"

	"github.com/mcpgen/mcpgen/gen/internal/golang"
	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/lock"
	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/gen/internal/naming"
	"github.com/mcpgen/mcpgen/gen/internal/tools"
)

// Tools generates the typed client of one server.
//
// A tool that cannot be generated is left out and reported in the result; the
// error is for input that is no tool list at all, or a fault of the generator.
//
//  1. tools.Build: lists -> model and problems;
//  2. naming.Make: one pass over the model -> table of Go names;
//  3. golang.Client: model and table -> files of sections, and their plan;
//  4. Finish: print the sections with jennifer, format, parse again, compare with the plan;
//  5. newLock: what the next run and mcpgen check need to know.
func Tools(in ToolsInput, opts Options) (*Result, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if in.Source == "" {
		in.Source = "tools/list"
	}
	locked, err := lockedNames(opts.Lock)
	if err != nil {
		return nil, err
	}
	built, err := tools.Build(tools.Input{
		Source: in.Source, Tools: in.Tools, Prompts: in.Prompts, ResourceTemplates: in.ResourceTemplates,
		Protocol: in.Protocol, Include: opts.Include, Exclude: opts.Exclude, Formats: opts.Formats,
		Locked: func(key string) bool { return locked[key] != "" },
	})
	if err != nil {
		return nil, err
	}
	table := naming.Make(built.Package, naming.Options{
		Overrides: opts.Names, Locked: locked, Reserved: golang.Reserved, Methods: golang.Methods,
	})
	client := golang.ClientOptions{
		Package: opts.pkg(), File: opts.file(), Generator: generator(opts), Protocol: in.Protocol,
		Server: strings.TrimSpace(in.ServerName + " " + in.ServerVersion), Split: opts.Split, Fake: opts.Fake,
	}
	outputs := golang.Client(built.Package, table, client)
	result := &Result{}
	var lockErr error
	var wg sync.WaitGroup
	wg.Go(func() { result.Lock, lockErr = newLock(in, built, table) })
	result.Files, err = finish(outputs)
	wg.Wait()
	if err := cmp.Or(err, lockErr); err != nil {
		return nil, err
	}
	result.Report = report(in, opts, built, table)
	return result, nil
}

// LockError says that Options.Lock cannot be read.
type LockError struct{ Err error }

func (e *LockError) Error() string { return e.Err.Error() }
func (e *LockError) Unwrap() error { return e.Err }

func (o Options) pkg() string {
	if o.Package == "" {
		return "tools"
	}
	return o.Package
}

func (o Options) file() string {
	if o.File == "" {
		return "tools_gen.go"
	}
	return o.File
}

// check refuses options that no input could satisfy.
func (o Options) check() error {
	if name := o.pkg(); !token.IsIdentifier(name) || name == "_" {
		return fmt.Errorf("package name %q is not a Go identifier; choose another with Package", name)
	}
	if f := o.file(); !strings.HasSuffix(f, ".go") || strings.HasSuffix(f, "_test.go") || strings.ContainsAny(f, `/\`) {
		return fmt.Errorf("file name %q must end in .go, not in _test.go, and have no folder", f)
	}
	for _, f := range o.Formats {
		if f != "time" && f != "uuid" {
			return fmt.Errorf("format %q is not known; the formats with a Go type of their own are time and uuid", f)
		}
	}
	for key, name := range o.Names {
		if !token.IsExported(name) || !token.IsIdentifier(name) {
			return fmt.Errorf("names: %q: %q is not an exported Go identifier", key, name)
		}
	}
	return nil
}

func lockedNames(data []byte) (map[string]string, error) {
	if len(data) == 0 {
		return nil, nil
	}
	names, err := lock.Names(data)
	if err != nil {
		return nil, &LockError{err}
	}
	return names, nil
}

func report(in ToolsInput, opts Options, built *tools.Result, table *naming.Table) Report {
	r := Report{Package: opts.pkg(), Server: strings.TrimSpace(in.ServerName + " " + in.ServerVersion), Types: len(built.Package.Decls)}
	for _, d := range built.Package.Decls {
		if s, ok := d.Type.(*model.Struct); ok {
			r.Fields += len(s.Fields)
		}
	}
	for _, op := range built.Package.Ops {
		entry := ReportTool{
			Name: op.Raw, Method: table.Method(op), Signature: golang.Signature(op, table), Description: op.Doc.Text,
		}
		if op.Args != nil {
			entry.Args = table.Type(op.Args)
		}
		if op.Output != nil {
			entry.Output = golang.OutputType(op, table)
		}
		switch op.Kind {
		case model.Tool:
			r.Tools = append(r.Tools, entry)
		case model.Prompt:
			r.Prompts = append(r.Prompts, entry)
		default:
			r.Resources = append(r.Resources, entry)
		}
	}
	for _, p := range built.Problems {
		r.Problems = append(r.Problems, Problem{
			Severity: Severity(p.Severity), Source: in.Source, Line: p.Line, Column: p.Column,
			Where: p.Where, Pointer: p.Pointer, Message: p.Message,
		})
	}
	for _, key := range table.Unused {
		r.Problems = append(r.Problems, Problem{Severity: Warning, Message: fmt.Sprintf("names: %q fits no tool, prompt, template or type", key)})
	}
	for _, key := range table.Refused {
		r.Problems = append(r.Problems, Problem{Severity: Warning, Message: fmt.Sprintf("names: %q cannot be %s: the name is taken", key, opts.Names[key])})
	}
	for _, glob := range append(slices.Clone(opts.Include), opts.Exclude...) {
		if !slices.ContainsFunc(built.Lists.Tools, func(v *jsonschema.Value) bool { return tools.Matches(v, glob) }) {
			r.Problems = append(r.Problems, Problem{Severity: Warning, Message: fmt.Sprintf("no tool matches %q", glob)})
		}
	}
	return r
}
