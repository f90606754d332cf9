// Entries of the configuration files that editors and agents already use. All
// of them hold a map from a server's name to a command or a URL; they differ in
// the name of the map, in the format, and in a few keys.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// configServer is one entry, with the keys of all formats.
type configServer struct {
	Command string            `json:"command" toml:"command"`
	Args    []string          `json:"args" toml:"args"`
	Env     map[string]string `json:"env" toml:"env"`
	EnvFile string            `json:"envFile" toml:"env_file"`
	Cwd     string            `json:"cwd" toml:"cwd"`
	URL     string            `json:"url" toml:"url"`
	Headers map[string]string `json:"headers" toml:"headers"`

	// Codex only.
	BearerVar   string            `json:"-" toml:"bearer_token_env_var"`
	HTTPHeaders map[string]string `json:"-" toml:"http_headers"`
	EnvHeaders  map[string]string `json:"-" toml:"env_http_headers"`
}

// configFile is a parsed file whose entries are decoded on demand: a fault in
// one does not spoil the others.
type configFile struct {
	names  []string
	decode func(name string, into *configServer) error
}

// configEntry reads the entry called name of the file at path.
func (a *app) configEntry(path, name string) (*target, error) {
	t, err := a.readEntry(path, name)
	if err != nil {
		return nil, fmt.Errorf("--config %s: %w", path, cause(err))
	}
	t.name = name
	return t, nil
}

func (a *app) readEntry(path, name string) (*target, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parseConfig(path, data)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(file.names, name) {
		return nil, fmt.Errorf("no server %q; it has %s", name, quotedNames(file.names))
	}
	var entry configServer
	err = file.decode(name, &entry)
	var t *target
	if err == nil {
		t, err = a.entryTarget(path, entry)
	}
	if err != nil {
		return nil, fmt.Errorf("server %q: %w", name, err)
	}
	return t, nil
}

func quotedNames(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(quoted, ", ")
}

// parseConfig finds the servers of a configuration file.
func parseConfig(path string, data []byte) (*configFile, error) {
	if strings.EqualFold(filepath.Ext(path), ".toml") {
		return parseTOMLConfig(data)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	plain := stripComments(data)
	if err := checkJSON(plain); err != nil {
		return nil, err
	}
	var file struct {
		MCPServers map[string]json.RawMessage `json:"mcpServers"`
		Servers    map[string]json.RawMessage `json:"servers"`
		MCP        struct {                   // VS Code's settings.json
			Servers map[string]json.RawMessage `json:"servers"`
		} `json:"mcp"`
	}
	if err := json.Unmarshal(plain, &file); err != nil {
		return nil, errNoServers
	}
	for _, servers := range []map[string]json.RawMessage{file.MCPServers, file.Servers, file.MCP.Servers} {
		if servers != nil {
			return &configFile{
				names:  slices.Sorted(maps.Keys(servers)),
				decode: func(name string, into *configServer) error { return describeType(json.Unmarshal(servers[name], into)) },
			}, nil
		}
	}
	return nil, errNoServers
}

var errNoServers = errors.New(`holds no "mcpServers" (or "servers") object`)

// describeType words a value of the wrong kind for someone who does not know
// this program's types.
func describeType(err error) error {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%q: a %s does not belong here", kind.Field, kind.Value)
	}
	return err
}

func parseTOMLConfig(data []byte) (*configFile, error) {
	var file struct {
		Servers map[string]toml.Primitive `toml:"mcp_servers"`
	}
	meta, err := toml.Decode(string(data), &file)
	if syntax, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("line %d: is not TOML: %s", syntax.Position.Line, syntax.Message)
	}
	if err != nil || file.Servers == nil {
		return nil, errors.New("holds no [mcp_servers.NAME] table")
	}
	return &configFile{
		names:  slices.Sorted(maps.Keys(file.Servers)),
		decode: func(name string, into *configServer) error { return meta.PrimitiveDecode(file.Servers[name], into) },
	}, nil
}

// entryTarget expands the variables of an entry.
func (a *app) entryTarget(path string, s configServer) (*target, error) {
	folder, err := workspaceFolder(path)
	if err != nil {
		return nil, err
	}
	e := &expander{getenv: a.getenv, folder: folder}
	switch {
	case s.Command != "" && s.URL != "":
		return nil, errors.New(`has both "command" and "url"`)
	case s.URL != "":
		return httpEntry(e, s)
	case s.Command != "":
		return stdioEntry(e, s)
	default:
		return nil, errors.New(`has neither "command" nor "url"`)
	}
}

func httpEntry(e *expander, s configServer) (*target, error) {
	t := &target{header: http.Header{}}
	var err error
	if t.url, err = e.expand(s.URL); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	if err := t.checkURL(); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	for _, headers := range []map[string]string{s.Headers, s.HTTPHeaders} {
		for _, name := range slices.Sorted(maps.Keys(headers)) {
			value, err := e.expand(headers[name])
			if err == nil {
				err = addHeader(t.header, name, value)
			}
			if err != nil {
				return nil, fmt.Errorf("header %q: %w", name, err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.EnvHeaders)) {
		value, err := e.lookup(s.EnvHeaders[name])
		if err == nil {
			err = addHeader(t.header, name, value)
		}
		if err != nil {
			return nil, fmt.Errorf("header %q: %w", name, err)
		}
	}
	if s.BearerVar != "" {
		token, err := e.lookup(s.BearerVar)
		if err == nil {
			err = addHeader(t.header, "Authorization", "Bearer "+token)
		}
		if err != nil {
			return nil, fmt.Errorf("bearer_token_env_var: %w", err)
		}
	}
	return t, nil
}

func stdioEntry(e *expander, s configServer) (*target, error) {
	t := &target{env: map[string]string{}, dir: e.folder}
	for i, word := range append([]string{s.Command}, s.Args...) {
		expanded, err := e.expand(word)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", argumentName(i), err)
		}
		t.command = append(t.command, expanded)
	}
	if s.Cwd != "" {
		dir, err := e.expand(s.Cwd)
		if err != nil {
			return nil, fmt.Errorf("cwd: %w", err)
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(e.folder, dir)
		}
		t.dir = dir
	}
	// A relative program is meant from the folder it runs in.
	if program := t.command[0]; filepath.Base(program) != program && !filepath.IsAbs(program) {
		t.command[0] = filepath.Join(t.dir, program)
	}
	if s.EnvFile != "" {
		if err := readEnvFile(e, s.EnvFile, t.env); err != nil {
			return nil, fmt.Errorf("envFile: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		value, err := e.expand(s.Env[name])
		if err != nil {
			return nil, fmt.Errorf("env %s: %w", name, err)
		}
		t.env[name] = value
	}
	return t, nil
}

func argumentName(i int) string {
	if i == 0 {
		return "command"
	}
	return fmt.Sprintf("args[%d]", i-1)
}

// readEnvFile reads NAME=value lines into env.
func readEnvFile(e *expander, path string, env map[string]string) error {
	path, err := e.expand(path)
	if err != nil {
		return err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.folder, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, cause(err))
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return fmt.Errorf("%s:%d: want NAME=value", path, i+1)
		}
		value = strings.TrimSpace(value)
		if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		env[strings.TrimSpace(name)] = value
	}
	return nil
}

// workspaceFolder is the folder that an editor would run the entries of the
// file at path in: the file's own, or the one above .vscode, .cursor and such.
func workspaceFolder(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(full)
	switch filepath.Base(folder) {
	case ".vscode", ".cursor", ".codex", ".claude", ".gemini", ".kiro", ".roo", ".zed", ".idea":
		folder = filepath.Dir(folder)
	}
	return folder, nil
}

// stripComments blanks what editors allow and JSON does not: // and /* */
// comments and commas before a closing bracket. Offsets stay, so that errors
// still point at the right place.
func stripComments(data []byte) []byte {
	out := bytes.Clone(data)
	comma := -1 // position of a comma that nothing has followed yet
	for i := 0; i < len(out); {
		switch c := out[i]; {
		case c == '"':
			i = skipString(out, i)
			comma = -1
			continue
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			i = blankComment(out, i)
			continue
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
		i++
	}
	return out
}

// skipString returns the position after the string that starts at i.
func skipString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// blankComment overwrites the comment at i with spaces and returns its end.
func blankComment(text []byte, i int) int {
	end := len(text)
	if text[i+1] == '/' {
		if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n
		}
	} else if n := bytes.Index(text[i+2:], []byte("*/")); n >= 0 {
		end = i + 2 + n + 2
	}
	for ; i < end; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return end
}
