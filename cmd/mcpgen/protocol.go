// mcpgen protocol: the Go package of one protocol version from its schema.
package main

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen"
)

type protocolFlags struct {
	schema, docs, version, pkg, out string
	check                           bool
}

func (a *app) protocolCommand() *cobra.Command {
	var f protocolFlags
	cmd := &cobra.Command{
		Use:   "protocol --schema FILE --version V --package P --out DIR",
		Short: "Write the Go package of one protocol version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := f.checkOptions(); err != nil {
				return err
			}
			return a.protocol(f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.schema, "schema", "", "JSON Schema `FILE` of the protocol version (required)")
	flags.StringVar(&f.docs, "docs", "", "`FILE` with a line of documentation per type and field, instead of the schema's own")
	flags.StringVar(&f.version, "version", "", "protocol `VERSION`, as 2025-11-25 (required)")
	flags.StringVar(&f.pkg, "package", "", "package `NAME` (required)")
	flags.StringVar(&f.out, "out", "", "`DIR` to write to (required)")
	flags.BoolVar(&f.check, "check", false, "write nothing; exit 1 if the output would change")
	return cmd
}

var protocolVersion = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]*$`)

func (f *protocolFlags) checkOptions() error {
	for _, required := range []struct{ name, value string }{
		{"--schema FILE", f.schema}, {"--version V", f.version}, {"--package P", f.pkg}, {"--out DIR", f.out},
	} {
		if required.value == "" {
			return usagef("protocol needs %s", required.name)
		}
	}
	if !token.IsIdentifier(f.pkg) || f.pkg == "_" {
		return usagef("--package %q: is no Go package name", f.pkg)
	}
	if !protocolVersion.MatchString(f.version) {
		return usagef("--version %q: want a protocol version, as 2025-11-25", f.version)
	}
	return nil
}

func (a *app) protocol(f protocolFlags) error {
	in := gen.ProtocolInput{Source: f.schema, Version: f.version}
	var err error
	if in.Schema, err = readJSON(f.schema); err != nil {
		return err
	}
	if f.docs != "" {
		if in.Docs, err = readJSON(f.docs); err != nil {
			return err
		}
	}
	result, err := gen.Protocol(in, gen.Options{Package: f.pkg, Generator: version()})
	if err != nil {
		return err
	}
	g := &generated{target: &generateTarget{out: f.out}, result: result}
	for _, file := range result.Files {
		g.outputs = append(g.outputs, output{path: filepath.Join(f.out, file.Name), content: file.Content})
	}
	changed, err := changes(g.outputs)
	if err != nil {
		return err
	}
	a.printProblems(g)
	if !f.check {
		if err := writeAll(changed); err != nil {
			return err
		}
	}
	if !a.quiet {
		_, err := fmt.Fprintf(a.stdout, "%s: %s; %s\n", oneLine(filepath.ToSlash(f.out)), count(result.Report.Types, "type"), g.outcome(changed, f.check))
		if err != nil {
			return err
		}
	}
	if f.check && len(changed) > 0 {
		return fmt.Errorf("--check: out of date: %s; run mcpgen protocol", paths(changed))
	}
	return nil
}

// readJSON reads a whole JSON file.
func readJSON(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cause(err))
	}
	if err := checkJSON(data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}
