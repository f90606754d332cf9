// mcpgen generate: from a server to Go files. One run may serve several servers
// (mcpgen.yaml); their files are written together or not at all.
package main

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcpgen/mcpgen/gen"
)

const (
	defaultOut  = "tools_gen.go"
	defaultLock = "mcpgen.lock.json"
)

// generateFlags is what one server's client is made from: flags, or an entry of
// mcpgen.yaml.
type generateFlags struct {
	sourceFlags
	out      string
	pkg      string
	lock     string
	noLock   bool
	include  []string
	exclude  []string
	split    bool
	fake     bool
	formats  []string
	names    string
	nameMap  map[string]string // names given in place
	strict   bool
	serverID string // key in mcpgen.yaml
}

// runFlags hold for the whole run, whatever the number of servers.
type runFlags struct {
	report string
	check  bool
}

func (f *generateFlags) register(flags *pflag.FlagSet) {
	f.sourceFlags.register(flags)
	flags.StringVarP(&f.out, "out", "o", defaultOut, "`FILE` to write")
	flags.StringVarP(&f.pkg, "package", "p", "", "package `NAME` (default $GOPACKAGE, then the folder's name)")
	flags.StringVar(&f.lock, "lock", "", "`FILE` that records names and fingerprints; '' for none (default "+defaultLock+" beside the output)")
	flags.StringArrayVar(&f.include, "include", nil, "only tools whose name matches `GLOB` (repeatable)")
	flags.StringArrayVar(&f.exclude, "exclude", nil, "no tools whose name matches `GLOB` (repeatable)")
	flags.BoolVar(&f.split, "split", false, "write a file per tool")
	flags.BoolVar(&f.fake, "fake", false, "add a typed in-process fake server for tests")
	flags.StringSliceVar(&f.formats, "formats", nil, "`LIST` of formats with richer Go types: time, uuid")
	flags.StringVar(&f.names, "names", "", "YAML or JSON `FILE` that maps raw names to Go names")
	flags.BoolVar(&f.strict, "strict", false, "fail if a tool has to be left out")
}

// settle fills in what depends on whether a flag was given.
func (f *generateFlags) settle(lockGiven bool) {
	f.noLock = lockGiven && f.lock == ""
}

func (a *app) generateCommand() *cobra.Command {
	var f generateFlags
	var run runFlags
	cmd := &cobra.Command{
		Use:   "generate [flags] [-- COMMAND ARG…]",
		Short: "Write a typed client from a live server, a config entry, or a saved tools/list",
		Long: "generate writes a typed Go client for one server.\n\n" +
			"Without a server it reads mcpgen.yaml in the current folder, which holds the same keys for several servers.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.capture(cmd, args); err != nil {
				return err
			}
			f.settle(cmd.Flags().Changed("lock"))
			if run.report != "text" && run.report != "json" {
				return usagef("--report %q: want text or json", run.report)
			}
			targets, many, err := a.generateTargets(cmd, &f)
			if err != nil {
				return err
			}
			return a.generate(cmd.Context(), targets, run, many)
		},
	}
	f.register(cmd.Flags())
	commandOnly(cmd.Flags())
	cmd.Flags().StringVar(&run.report, "report", "text", "form of the report on standard output: `text|json`")
	cmd.Flags().BoolVar(&run.check, "check", false, "write nothing; exit 1 if the output would change")
	return cmd
}

// generateTargets is the one server of the flags, or those of mcpgen.yaml.
func (a *app) generateTargets(cmd *cobra.Command, f *generateFlags) (targets []*generateTarget, many bool, err error) {
	list := []*generateFlags{f}
	if len(f.given()) == 0 && f.server == "" {
		list, err = readProject(cmd, f, a.getenv)
		if err != nil {
			return nil, false, err
		}
		many = true
	}
	for _, f := range list {
		t, err := a.generateTarget(f)
		if err != nil {
			return nil, false, inServer(f.serverID, err)
		}
		targets = append(targets, t)
	}
	return targets, many, nil
}

// inServer says which entry of mcpgen.yaml an error belongs to. There the
// command line is right, whatever is wrong with the entry.
func inServer(id string, err error) error {
	if id == "" || err == nil {
		return err
	}
	return fmt.Errorf("%s: server %q: %s", projectFile, id, err.Error())
}

// generateTarget is one client to generate.
type generateTarget struct {
	id     string // key in mcpgen.yaml
	source source
	out    string
	lock   string // "": none
	opts   gen.Options
	strict bool
}

func (a *app) generateTarget(f *generateFlags) (*generateTarget, error) {
	t := &generateTarget{id: f.serverID, out: f.out, strict: f.strict}
	if err := f.checkOptions(); err != nil {
		return nil, err
	}
	var err error
	if t.source, err = a.source(&f.sourceFlags); err != nil {
		return nil, err
	}
	t.opts = gen.Options{
		Package: f.pkg, File: filepath.Base(f.out), Split: f.split, Fake: f.fake,
		Include: f.include, Exclude: f.exclude, Formats: f.formats, Names: f.nameMap, Generator: version(),
	}
	if t.opts.Package == "" {
		if t.opts.Package, err = a.defaultPackage(f.out); err != nil {
			return nil, err
		}
	}
	if f.names != "" {
		if t.opts.Names, err = readNames(f.names); err != nil {
			return nil, err
		}
	}
	if !f.noLock {
		t.lock = f.lock
		if t.lock == "" {
			t.lock = filepath.Join(filepath.Dir(f.out), defaultLock)
		}
		if t.opts.Lock, err = readLock(t.lock); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (f *generateFlags) checkOptions() error {
	if filepath.Ext(f.out) != ".go" || len(filepath.Base(f.out)) <= len(".go") || strings.HasSuffix(f.out, "_test.go") {
		return usagef("--out %q: want the name of a Go file that is no test", f.out)
	}
	if f.pkg != "" && (!token.IsIdentifier(f.pkg) || f.pkg == "_") {
		return usagef("--package %q: is no Go package name", f.pkg)
	}
	for _, globs := range [][]string{f.include, f.exclude} {
		for _, glob := range globs {
			if _, err := path.Match(glob, ""); err != nil {
				return usagef("glob %q: is malformed", glob)
			}
		}
	}
	for _, format := range f.formats {
		if format != "time" && format != "uuid" {
			return usagef("--formats %q: unknown; known are time and uuid", format)
		}
	}
	return nil
}

// defaultPackage is $GOPACKAGE, which go generate sets, or the name of the
// folder that out lies in.
func (a *app) defaultPackage(out string) (string, error) {
	if name, _ := a.getenv("GOPACKAGE"); name != "" {
		if !token.IsIdentifier(name) {
			return "", fmt.Errorf("$GOPACKAGE %q: is no Go package name; give one with -p", name)
		}
		return name, nil
	}
	full, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	return packageName(filepath.Base(filepath.Dir(full))), nil
}

// packageName makes a Go package name of a folder's: lower-case letters and
// digits, as Go likes them.
func packageName(folder string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, folder)
	name = strings.TrimLeftFunc(name, unicode.IsDigit)
	switch {
	case name == "":
		return "tools"
	case !token.IsIdentifier(name):
		return name + "tools"
	}
	return name
}

func readLock(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cause(err))
	}
	return data, nil
}

// generated is what came of one target.
type generated struct {
	target  *generateTarget
	result  *gen.Result
	outputs []output
}

// generate makes everything in memory, then writes it.
func (a *app) generate(ctx context.Context, targets []*generateTarget, run runFlags, many bool) error {
	// 1. Ask every server and generate its client.
	var all []*generated
	for _, t := range targets {
		g, err := a.generateOne(ctx, t)
		if err != nil {
			return inServer(t.id, err)
		}
		all = append(all, g)
	}
	// 2. Compare with the disk.
	changed, err := compareAll(all)
	if err != nil {
		return err
	}
	// 3. Tell what was made, before a --check or --strict verdict on it.
	for _, g := range all {
		a.printProblems(g)
	}
	if err := strictVerdict(all); err != nil {
		return err
	}
	// 4. Write, unless only asked.
	if !run.check {
		if err := writeAll(changed); err != nil {
			return err
		}
	}
	if err := a.printReports(all, changed, run, many); err != nil {
		return err
	}
	if run.check && len(changed) > 0 {
		return fmt.Errorf("--check: out of date: %s; run mcpgen generate", paths(changed))
	}
	return nil
}

func (a *app) generateOne(ctx context.Context, t *generateTarget) (*generated, error) {
	found, err := t.source.list(ctx)
	if err != nil {
		return nil, err
	}
	result, err := gen.Tools(found.input(), t.opts)
	if err != nil {
		if _, badLock := errors.AsType[*gen.LockError](err); badLock {
			err = fmt.Errorf("%s: %w", t.lock, err)
		}
		return nil, err
	}
	if filtered := len(t.opts.Include)+len(t.opts.Exclude) > 0; filtered && len(result.Report.Tools) == 0 && result.Report.Skipped() == 0 {
		return nil, errors.New("--include and --exclude leave no tool, so nothing is written")
	}
	g := &generated{target: t, result: result}
	dir := filepath.Dir(t.out)
	for _, f := range result.Files {
		g.outputs = append(g.outputs, output{path: filepath.Join(dir, f.Name), content: f.Content})
	}
	old, err := stale(t, g.outputs)
	if err != nil {
		return nil, err
	}
	g.outputs = append(g.outputs, old...)
	if t.lock != "" {
		g.outputs = append(g.outputs, output{path: t.lock, content: result.Lock})
	}
	return g, nil
}

func (l *listing) input() gen.ToolsInput {
	return gen.ToolsInput{
		Source: l.source, Tools: l.tools, Prompts: l.prompts, ResourceTemplates: l.templates,
		ServerName: l.serverName, ServerVersion: l.serverVersion, Protocol: l.protocol,
	}
}

// compareAll refuses two servers that would write the same file.
func compareAll(all []*generated) ([]*change, error) {
	owner := map[string]string{}
	var outputs []output
	for _, g := range all {
		for _, o := range g.outputs {
			key := filepath.Clean(o.path)
			if other, taken := owner[key]; taken {
				return nil, fmt.Errorf("%s: servers %q and %q would both write %s; give each its own out and lock", projectFile, other, g.target.id, o.path)
			}
			owner[key] = g.target.id
			outputs = append(outputs, o)
		}
	}
	return changes(outputs)
}

// paths names the changed files, the first few of many.
func paths(changed []*change) string {
	const most = 5
	var list []string
	for _, c := range changed[:min(len(changed), most)] {
		list = append(list, filepath.ToSlash(c.path))
	}
	if n := len(changed) - most; n > 0 {
		list = append(list, fmt.Sprintf("%d more", n))
	}
	return strings.Join(list, ", ")
}

func strictVerdict(all []*generated) error {
	for _, g := range all {
		if n := g.result.Report.Skipped(); g.target.strict && n > 0 {
			return inServer(g.target.id, fmt.Errorf("--strict: %d left out, so nothing is written", n))
		}
	}
	return nil
}

func isExportedName(s string) bool { return token.IsIdentifier(s) && token.IsExported(s) }
