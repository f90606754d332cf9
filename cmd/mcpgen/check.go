// mcpgen check: has the server changed since its client was generated? The
// lock file knows what the client was made from; each difference is printed
// with what it means for callers.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen"
)

type checkFlags struct {
	sourceFlags
	lock    string
	include []string
	exclude []string
	json    bool
}

func (a *app) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [flags] [-- COMMAND ARG…]",
		Short: "Compare the live server with " + defaultLock,
		Long: "check prints every difference between the server and the lock file of its client as breaking, compatible or cosmetic.\n" +
			"It exits with 1 if one of them is breaking.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.capture(cmd, args); err != nil {
				return err
			}
			for _, glob := range append(f.include, f.exclude...) {
				if _, err := path.Match(glob, ""); err != nil {
					return usagef("glob %q: is malformed", glob)
				}
			}
			source, err := a.source(&f.sourceFlags)
			if err != nil {
				return err
			}
			return a.check(cmd.Context(), source, f)
		},
	}
	flags := cmd.Flags()
	f.register(flags)
	commandOnly(flags)
	flags.StringVar(&f.lock, "lock", defaultLock, "lock `FILE` to compare with")
	flags.StringArrayVar(&f.include, "include", nil, "compare only tools whose name matches `GLOB` (repeatable)")
	flags.StringArrayVar(&f.exclude, "exclude", nil, "leave out tools whose name matches `GLOB` (repeatable)")
	flags.BoolVar(&f.json, "json", false, "print the changes as JSON")
	return cmd
}

func (a *app) check(ctx context.Context, source source, f checkFlags) error {
	if f.lock == "" {
		return usagef("--lock: want the name of a file")
	}
	lock, err := os.ReadFile(f.lock)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such file; mcpgen generate writes it, --lock FILE names another", f.lock)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.lock, cause(err))
	}
	found, err := source.list(ctx)
	if err != nil {
		return err
	}
	changes, err := a.diff(lock, found.input())
	if err != nil {
		return fmt.Errorf("%s: %w", f.lock, err)
	}
	changes = selectChanges(changes, f.include, f.exclude)
	if err := a.printChanges(changes, f.json); err != nil {
		return err
	}
	if n := countChanges(changes, gen.Breaking); n > 0 {
		return fmt.Errorf("%s: %s since %s was written; run mcpgen generate and mend what no longer compiles",
			source, count(n, "breaking change"), f.lock)
	}
	return nil
}

// selectChanges keeps the changes of the tools that the client was limited to.
func selectChanges(changes []gen.Change, include, exclude []string) []gen.Change {
	kept := []gen.Change{}
	for _, c := range changes {
		if (len(include) == 0 || c.Tool == "" || matchesAny(include, c.Tool)) && !matchesAny(exclude, c.Tool) {
			kept = append(kept, c)
		}
	}
	return kept
}

func matchesAny(globs []string, name string) bool {
	for _, glob := range globs {
		if ok, _ := path.Match(glob, name); ok {
			return true
		}
	}
	return false
}

func countChanges(changes []gen.Change, severity string) int {
	n := 0
	for _, c := range changes {
		if string(c.Severity) == severity {
			n++
		}
	}
	return n
}

func (a *app) printChanges(changes []gen.Change, asJSON bool) error {
	if asJSON {
		return a.printJSON(map[string]any{
			"changes":      changes,
			gen.Breaking:   countChanges(changes, gen.Breaking),
			gen.Compatible: countChanges(changes, gen.Compatible),
			gen.Cosmetic:   countChanges(changes, gen.Cosmetic),
		})
	}
	for _, c := range changes {
		if _, err := fmt.Fprintln(a.stdout, a.changeLine(c)); err != nil {
			return err
		}
	}
	if len(changes) == 0 && !a.quiet {
		_, err := fmt.Fprintln(a.stdout, "no changes")
		return err
	}
	return nil
}

// changeLine is `breaking   get-sum /properties/a: became required`.
func (a *app) changeLine(c gen.Change) string {
	colors := map[string]color{gen.Breaking: red, gen.Compatible: green, gen.Cosmetic: dim}
	severity := string(c.Severity)
	place := strings.TrimSpace(c.Tool + " " + c.Pointer)
	if place != "" {
		place += ": "
	}
	padding := strings.Repeat(" ", max(11-len(severity), 1))
	return a.paint(a.stdout, colors[severity], severity) + padding + oneLine(place+c.Message)
}
