// mcpgen call: one tool call from the shell. The server's schema says what a
// word on the command line means, so count=3 is a number where the tool wants
// a number and a string where it wants a string.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

type callFlags struct {
	sourceFlags
	json string
	raw  bool
}

func (a *app) callCommand() *cobra.Command {
	var f callFlags
	cmd := &cobra.Command{
		Use:   "call TOOL [key=value | key:=json | --json FILE|-] [flags] [-- COMMAND ARG…]",
		Short: "Call one tool and print its answer",
		Long: "call calls one tool and prints the content of its answer.\n\n" +
			"  key=value   a value as the tool's schema types it; a string where it does not say\n" +
			"  key:=json   a value written as JSON\n" +
			"  --json FILE all arguments as a JSON object, from FILE or - for standard input; key=value adds to it",
		RunE: func(cmd *cobra.Command, args []string) error {
			words := args
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				words = args[:dash]
			}
			f.setCommand(cmd, args)
			return a.runCall(cmd.Context(), &f, words)
		},
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&f.json, "json", "", "`FILE` with all arguments as a JSON object, or - for standard input")
	cmd.Flags().BoolVar(&f.raw, "raw", false, "print the whole result as JSON")
	return cmd
}

func (a *app) runCall(ctx context.Context, f *callFlags, words []string) error {
	if len(words) == 0 {
		return usagef("no tool; want call TOOL key=value… -- COMMAND")
	}
	given, err := parseArguments(words[1:])
	if err != nil {
		return err
	}
	if f.tools != "" {
		return usagef("--tools is a saved list, which cannot be called; want -- COMMAND, --http URL or --config FILE --server NAME")
	}
	source, err := a.source(&f.sourceFlags)
	if err != nil {
		return err
	}
	base, err := a.baseArguments(f.json)
	if err != nil {
		return err
	}
	var result json.RawMessage
	tool := words[0]
	err = source.(*liveSource).with(ctx, func(ctx context.Context, s session) error {
		schema, err := inputSchema(ctx, s, source.String(), tool)
		if err != nil {
			return err
		}
		args, err := typedArguments(tool, schema, base, given)
		if err != nil {
			return err
		}
		result, err = s.call(ctx, tool, args)
		return err
	})
	if err != nil {
		return err
	}
	return a.printResult(tool, result, f.raw)
}

// argument is one word of the command line.
type argument struct {
	key, value string
	json       bool
}

func parseArguments(words []string) ([]argument, error) {
	var list []argument
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		arg := argument{key: key, value: value}
		if name, isJSON := strings.CutSuffix(key, ":"); isJSON {
			arg.key, arg.json = name, true
		}
		if !ok || arg.key == "" {
			return nil, usagef("argument %q: want key=value or key:=json; a server's command goes after \"--\"", word)
		}
		if arg.json && !json.Valid([]byte(value)) {
			return nil, usagef("argument %q: %q is not JSON; a string is given as %s=%s", arg.key, value, arg.key, value)
		}
		if slices.ContainsFunc(list, func(other argument) bool { return other.key == arg.key }) {
			return nil, usagef("argument %q stands there twice; a list is given as %s:='[…]'", arg.key, arg.key)
		}
		list = append(list, arg)
	}
	return list, nil
}

// baseArguments reads the --json object.
func (a *app) baseArguments(path string) (map[string]json.RawMessage, error) {
	base := map[string]json.RawMessage{}
	if path == "" {
		return base, nil
	}
	var data []byte
	var err error
	name := path
	if path == "-" {
		name = "standard input"
		data, err = io.ReadAll(a.stdin)
	} else {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("--json %s: %w", name, cause(err))
	}
	if err := checkJSON(data); err != nil {
		return nil, fmt.Errorf("--json %s: %w", name, err)
	}
	if err := json.Unmarshal(data, &base); err != nil || base == nil {
		return nil, fmt.Errorf("--json %s: want an object with the arguments", name)
	}
	return base, nil
}

// inputSchema finds the tool in the server's list.
func inputSchema(ctx context.Context, s session, source, name string) (json.RawMessage, error) {
	list, err := listPages(ctx, s, source, "tools/list", "tools")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, raw := range entries(list, "tools") {
		var tool struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}
		if json.Unmarshal(raw, &tool) != nil {
			continue
		}
		if tool.Name == name {
			return tool.InputSchema, nil
		}
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("%s: no tool %q; it has %s", source, name, quotedNames(names))
}

// printResult prints the answer of a tool; one that says isError fails.
func (a *app) printResult(tool string, raw json.RawMessage, whole bool) error {
	var result toolResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return fmt.Errorf("tool %q: the result cannot be read: %w", tool, describeType(err))
	}
	var err error
	if whole {
		err = a.writeJSON(indented(raw))
	} else if text := result.text(); text != "" {
		err = a.writeText(text)
	}
	if err == nil && result.IsError {
		err = fmt.Errorf("tool %q answered with an error: %s", tool, firstLine(result.text()))
	}
	return err
}
