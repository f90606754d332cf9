// Command genprotocols writes the packages below mcp/generated from schema/.
// Its argument is the folder to write to.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/schema"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: genprotocols DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "genprotocols:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	var packages []string
	for _, version := range schema.Versions() {
		text, err := schema.Protocol(version)
		if err != nil {
			return err
		}
		pkg := "v" + strings.ReplaceAll(version, "-", "")
		packages = append(packages, pkg)
		if err := write(filepath.Join(dir, pkg), version, text); err != nil {
			return err
		}
	}
	if err := write(filepath.Join(dir, "tasks"), "tasks", schema.Tasks()); err != nil {
		return err
	}
	return writeRegistry(dir, append(packages, "tasks"))
}

func write(dir, version string, text []byte) error {
	pkg := filepath.Base(dir)
	result, err := gen.Protocol(gen.ProtocolInput{Source: "schema/" + version, Schema: text, Docs: schema.Docs(), Version: version}, gen.Options{Package: pkg})
	if err != nil {
		return err
	}
	for _, p := range result.Report.Problems {
		fmt.Fprintln(os.Stderr, version+":", p)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range result.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
