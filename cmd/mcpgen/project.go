// mcpgen.yaml: the flags of generate, written down once for several servers.
//
//	servers:
//	  github:
//	    config: .mcp.json
//	    server: github
//	    out: github/github_gen.go
//	  search:
//	    command: [npx, -y, exa-mcp-server]
//	    out: search/search_gen.go
//	    include: ["web_*"]
//
// A key is the long name of a flag; command stands for what follows "--".
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"
)

const projectFile = "mcpgen.yaml"

// runWide are the flags that a run over mcpgen.yaml still takes.
var runWide = []string{"check", "quiet", "verbose", "report", "strict", "timeout"}

// readProject reads mcpgen.yaml in the current folder.
func readProject(cmd *cobra.Command, given *generateFlags, getenv func(string) (string, bool)) ([]*generateFlags, error) {
	data, err := os.ReadFile(projectFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("no server and no %s here; %s", projectFile, sourceHint)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", projectFile, cause(err))
	}
	var stray []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(runWide, f.Name) {
			stray = append(stray, "--"+f.Name)
		}
	})
	if len(stray) > 0 {
		return nil, usagef("%s: belongs to one server, and the servers are those of %s; %s", strings.Join(stray, ", "), projectFile, sourceHint)
	}
	list, err := parseProject(data, &expander{getenv: getenv})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", projectFile, err)
	}
	for _, f := range list {
		f.strict = f.strict || given.strict
		if cmd.Flags().Changed("timeout") {
			f.timeout = given.timeout
		}
	}
	return list, nil
}

func parseProject(data []byte, e *expander) ([]*generateFlags, error) {
	var file struct {
		Servers yaml.Node `yaml:"servers"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, yamlError(err)
	}
	node := &file.Servers
	var list []*generateFlags
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			f, err := parseEntry(node.Content[i].Value, node.Content[i+1], e)
			if err != nil {
				return nil, err
			}
			list = append(list, f)
		}
	case 0:
	default:
		return nil, fmt.Errorf("line %d: servers: want a map from a name to its keys", node.Line)
	}
	if len(list) == 0 {
		return nil, errors.New(`has no servers; give it "servers:" with an entry per server`)
	}
	return list, nil
}

func parseEntry(id string, node *yaml.Node, e *expander) (*generateFlags, error) {
	f := &generateFlags{serverID: id, out: defaultOut, sourceFlags: sourceFlags{timeout: defaultTimeout}}
	if node.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: servers: %s: want a map of keys", node.Line, id)
	}
	keys := f.keys(e)
	lockGiven := false
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		set, known := keys[key.Value]
		if !known {
			return nil, fmt.Errorf("line %d: servers: %s: unknown key %q; known are %s",
				key.Line, id, key.Value, strings.Join(slices.Sorted(maps.Keys(keys)), ", "))
		}
		if seen[key.Value] {
			return nil, fmt.Errorf("line %d: servers: %s: %s stands there twice", key.Line, id, key.Value)
		}
		seen[key.Value] = true
		if err := set(value); err != nil {
			return nil, fmt.Errorf("line %d: servers: %s: %s: %w", value.Line, id, key.Value, yamlError(err))
		}
		lockGiven = lockGiven || key.Value == "lock"
	}
	f.settle(lockGiven)
	return f, nil
}

// keys maps each key of an entry to what it sets.
func (f *generateFlags) keys(e *expander) map[string]func(*yaml.Node) error {
	return map[string]func(*yaml.Node) error{
		"command": func(n *yaml.Node) error {
			f.hasDash = true
			return readWords(n, &f.command, e)
		},
		"http": func(n *yaml.Node) (err error) {
			if err = n.Decode(&f.http); err == nil {
				f.http, err = e.expand(f.http)
			}
			return err
		},
		"header":   func(n *yaml.Node) error { return readStrings(n, &f.headers) },
		"auth":     into(&f.auth),
		"config":   into(&f.config),
		"server":   into(&f.server),
		"tools":    into(&f.tools),
		"out":      into(&f.out),
		"package":  into(&f.pkg),
		"lock":     into(&f.lock),
		"include":  func(n *yaml.Node) error { return readStrings(n, &f.include) },
		"exclude":  func(n *yaml.Node) error { return readStrings(n, &f.exclude) },
		"split":    into(&f.split),
		"fake":     into(&f.fake),
		"formats":  func(n *yaml.Node) error { return readList(n, &f.formats) },
		"protocol": into(&f.protocol),
		"strict":   into(&f.strict),
		"timeout": func(n *yaml.Node) (err error) {
			f.timeout, err = time.ParseDuration(n.Value)
			return err
		},
		"names": func(n *yaml.Node) (err error) {
			if n.Kind == yaml.MappingNode {
				f.nameMap, err = nameMap(n)
				return err
			}
			return n.Decode(&f.names)
		},
	}
}

func into[T any](target *T) func(*yaml.Node) error {
	return func(n *yaml.Node) error { return n.Decode(target) }
}

// readStrings takes a list of strings, or one string for a list of one.
func readStrings(n *yaml.Node, target *[]string) error {
	if n.Kind == yaml.ScalarNode {
		*target = []string{n.Value}
		return nil
	}
	return n.Decode(target)
}

// readList also takes a list with commas, as the flag does.
func readList(n *yaml.Node, target *[]string) error {
	if n.Kind == yaml.ScalarNode {
		*target = strings.FieldsFunc(n.Value, func(r rune) bool { return r == ',' || r == ' ' })
		return nil
	}
	return n.Decode(target)
}

// readWords takes a command as a list, or as one string split at white space.
func readWords(n *yaml.Node, target *[]string, e *expander) error {
	if n.Kind == yaml.ScalarNode {
		*target = strings.Fields(n.Value)
	} else if err := n.Decode(target); err != nil {
		return err
	}
	for i, word := range *target {
		expanded, err := e.expand(word)
		if err != nil {
			return err
		}
		(*target)[i] = expanded
	}
	return nil
}

// readNames reads a --names file: a map from raw names to Go names, in YAML,
// of which JSON is a part.
func readNames(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--names %s: %w", path, cause(err))
	}
	var node yaml.Node
	if err := yaml.Unmarshal(data, &node); err != nil {
		return nil, fmt.Errorf("--names %s: %w", path, yamlError(err))
	}
	if len(node.Content) == 0 {
		return nil, nil
	}
	names, err := nameMap(node.Content[0])
	if err != nil {
		return nil, fmt.Errorf("--names %s: %w", path, yamlError(err))
	}
	return names, nil
}

func nameMap(n *yaml.Node) (map[string]string, error) {
	names := map[string]string{}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: want a map from raw names to Go names", n.Line)
	}
	if err := n.Decode(&names); err != nil {
		return nil, err
	}
	for _, raw := range slices.Sorted(maps.Keys(names)) {
		if !isExportedName(names[raw]) {
			return nil, fmt.Errorf("%q: %q is no exported Go name", raw, names[raw])
		}
	}
	return names, nil
}

// yamlError brings a message of the YAML library to one line in our words.
func yamlError(err error) error {
	if types, ok := errors.AsType[*yaml.TypeError](err); ok && len(types.Errors) > 0 {
		err = errors.New(types.Errors[0])
	}
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text, _, _ = strings.Cut(text, " in type ")
	text = strings.ReplaceAll(text, "field ", "unknown key ")
	return errors.New(strings.TrimSuffix(text, " not found"))
}
