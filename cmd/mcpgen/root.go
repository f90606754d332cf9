// The root command and what all subcommands share: the streams, the
// environment, the way to open a server, and the rule that turns an error into
// a message and an exit status.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen"
)

// The exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// app is one invocation of mcpgen. Tests replace its fields.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) (string, bool)
	dial           dialFunc
	diff           func(oldLock []byte, in gen.ToolsInput) ([]gen.Change, error)

	quiet   bool
	verbose bool
}

func newApp() *app {
	return &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.LookupEnv, dial: dialLive, diff: gen.Diff}
}

// execute runs one command line and returns the exit status.
func (a *app) execute(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	if errors.Is(err, errReported) {
		return exitFailed
	}
	if usage, ok := errors.AsType[*usageError](err); ok {
		a.printError(usage.Error())
		_, _ = fmt.Fprintf(a.stderr, "Run \"%s --help\" for usage.\n", cmd.CommandPath())
		return exitUsage
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	a.printError(err.Error())
	return exitFailed
}

func (a *app) printError(text string) {
	first, rest, _ := strings.Cut(text, "\n")
	prefix := a.paint(a.stderr, red, "mcpgen:")
	_, _ = fmt.Fprintf(a.stderr, "%s %s\n", prefix, oneLine(first))
	if rest != "" {
		_, _ = fmt.Fprintln(a.stderr, manyLines(strings.TrimRight(rest, "\n")))
	}
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcpgen",
		Short: "Typed Go clients for MCP servers",
		Long: "mcpgen turns the tools of an MCP server into a typed Go client.\n\n" +
			"  mcpgen generate -o github_gen.go -- npx -y @modelcontextprotocol/server-github\n" +
			"  mcpgen generate --http https://example.com/mcp --header 'Authorization: Bearer $TOKEN'\n" +
			"  mcpgen generate --config .mcp.json --server github\n" +
			"  mcpgen generate --tools saved-tools-list.json",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("no subcommand: generate, check, protocol, inspect, call, docs or version")
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetIn(a.stdin)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usagef("%s", err) })
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "print errors only")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "print remarks and the server's stderr")
	root.AddCommand(
		a.generateCommand(), a.checkCommand(), a.protocolCommand(), a.inspectCommand(),
		a.callCommand(), a.docsCommand(), a.versionCommand(),
	)
	return root
}

func unknownCommand(root *cobra.Command, name string) error {
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return usagef("unknown command %q; did you mean %s?", name, strings.Join(near, " or "))
	}
	return usagef("unknown command %q", name)
}

// usageError is a fault of the command line, as opposed to one of the world.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// errReported ends a command with status 1 whose reason is already printed.
var errReported = errors.New("already reported")

// noArguments refuses words before "--": a server's command forgotten behind it
// is the usual cause.
func noArguments(cmd *cobra.Command, args []string) error {
	before := args
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		before = args[:dash]
	}
	if len(before) > 0 {
		return usagef("unexpected argument %q; a server's command goes after \"--\"", before[0])
	}
	return nil
}

// warn prints one line about something that does not stop the work.
func (a *app) warn(text string) {
	if !a.quiet {
		_, _ = fmt.Fprintf(a.stderr, "%s %s\n", a.paint(a.stderr, yellow, "warning:"), oneLine(text))
	}
}

// note prints one line that only -v shows.
func (a *app) note(text string) {
	if a.verbose && !a.quiet {
		_, _ = fmt.Fprintf(a.stderr, "note: %s\n", oneLine(text))
	}
}
