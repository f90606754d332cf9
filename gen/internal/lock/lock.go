// Package lock reads, writes and compares mcpgen.lock.json.
//
// The file says what a client was generated from: the Go names that must not
// change, and the schemas of every tool, so that a later run can tell what has
// changed on the server and whether callers are hurt. It is committed beside the
// client; each tool's schema is one line, so that a diff shows the tool.
package lock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/internal/fingerprint"
	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// Version is the version of the file's format.
const Version = 1

// Lock is the content of a lock file.
type Lock struct {
	Version int    `json:"lockVersion"`
	Server  Server `json:"server"`

	Tools     []Tool            `json:"tools"`
	Prompts   []Prompt          `json:"prompts,omitempty"`
	Templates []Template        `json:"templates,omitempty"`
	Names     map[string]string `json:"names"` // path of raw names -> Go name
}

// Server is what the server said about itself.
type Server struct {
	Name     string `json:"name,omitempty"`
	Version  string `json:"version,omitempty"`
	Protocol string `json:"protocol,omitempty"`
}

// Tool is one entry of tools/list.
type Tool struct {
	Name         string          `json:"name"`
	Go           string          `json:"go,omitempty"`
	Fingerprint  string          `json:"fingerprint"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
	TaskSupport  string          `json:"taskSupport,omitempty"` // execution.taskSupport
	InputSchema  json.RawMessage `json:"inputSchema,omitempty"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
}

// Prompt is one entry of prompts/list.
type Prompt struct {
	Name        string     `json:"name"`
	Go          string     `json:"go,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Arguments   []Argument `json:"arguments,omitempty"`
}

// Argument is one argument of a prompt.
type Argument struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
}

// Template is one entry of resources/templates/list.
type Template struct {
	Name        string `json:"name"`
	Go          string `json:"go,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	URITemplate string `json:"uriTemplate"`
}

// Parse reads a lock file.
func Parse(data []byte) (*Lock, error) {
	if _, err := read(data); err != nil {
		return nil, err
	}
	var l Lock
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	return &l, nil
}

// Names reads only the Go names of a lock file, by key.
func Names(data []byte) (map[string]string, error) {
	v, err := read(data)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	if m := v.Get("names"); m != nil {
		for _, n := range m.Members {
			if n.Value.Kind != jsonschema.StringValue {
				return nil, fmt.Errorf("lock file: the name of %q is no string", n.Name)
			}
			names[n.Name] = n.Value.Text
		}
	}
	return names, nil
}

// read parses a lock file and checks its version.
func read(data []byte) (*jsonschema.Value, error) {
	v, err := jsonschema.ParseJSON("lock file", data, jsonschema.Limits{})
	if err != nil {
		return nil, err
	}
	if v.Kind != jsonschema.ObjectValue {
		return nil, fmt.Errorf("lock file: it is no JSON object; delete it and run mcpgen generate")
	}
	version := 0
	if n := v.Get("lockVersion"); n != nil && json.Unmarshal(n.Raw, &version) != nil {
		return nil, fmt.Errorf("lock file: its lockVersion is no number; delete it and run mcpgen generate")
	}
	if version > Version {
		return nil, fmt.Errorf("lock file: its format is version %d, which a newer mcpgen wrote; this one knows version %d", version, Version)
	}
	if version < 1 {
		return nil, fmt.Errorf("lock file: it has no lockVersion; delete it and run mcpgen generate")
	}
	return v, nil
}

// Marshal writes a lock file: sorted by name, a schema on one line, a newline
// at the end. Equal locks give equal bytes.
func Marshal(l *Lock) ([]byte, error) {
	sorted := *l
	sorted.Version = Version
	sorted.Tools = byName(l.Tools, func(t Tool) string { return t.Name })
	sorted.Prompts = byName(l.Prompts, func(p Prompt) string { return p.Name })
	sorted.Templates = byName(l.Templates, func(t Template) string { return t.Name })
	if sorted.Names == nil {
		sorted.Names = map[string]string{}
	}
	var raw rawTexts
	for i := range sorted.Tools {
		t := &sorted.Tools[i]
		t.Annotations, t.InputSchema, t.OutputSchema = raw.keep(t.Annotations), raw.keep(t.InputSchema), raw.keep(t.OutputSchema)
	}
	var compact bytes.Buffer
	e := json.NewEncoder(&compact)
	e.SetEscapeHTML(false)
	if err := e.Encode(sorted); err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	v, err := jsonschema.ParseJSON("lock file", compact.Bytes(), jsonschema.Limits{})
	if err != nil {
		return nil, err
	}
	return append(raw.layOut(nil, v, "", 0), '\n'), nil
}

// rawTexts are the big texts of a lock, which are put in their places as they are; until then a number
// stands for each.
type rawTexts []json.RawMessage

func (raw *rawTexts) keep(text json.RawMessage) json.RawMessage {
	if len(text) == 0 {
		return nil
	}
	*raw = append(*raw, text)
	return strconv.AppendInt(nil, int64(len(*raw)-1), 10)
}

func byName[T any](list []T, name func(T) string) []T {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b T) int { return cmp.Compare(name(a), name(b)) })
	if out == nil {
		out = []T{}
	}
	return out
}

// oneLine are the members that stand on one line whatever they hold.
var oneLine = []string{"inputSchema", "outputSchema", "annotations"}

// layOut indents objects and arrays, but not schemas.
func (raw rawTexts) layOut(dst []byte, v *jsonschema.Value, name string, depth int) []byte {
	newline := func(depth int) {
		dst = append(dst, '\n')
		for range depth {
			dst = append(dst, ' ', ' ')
		}
	}
	separate := func(i int) {
		if i > 0 {
			dst = append(dst, ',')
		}
		newline(depth + 1)
	}
	switch {
	case slices.Contains(oneLine, name):
		i, err := strconv.Atoi(v.Text)
		if err != nil {
			panic("lock: " + name + " was not kept")
		}
		return append(dst, raw[i]...)
	case len(v.Members)+len(v.Items) == 0:
		return append(dst, v.Compact()...)
	case v.Kind == jsonschema.ArrayValue:
		dst = append(dst, '[')
		for i, item := range v.Items {
			separate(i)
			dst = raw.layOut(dst, item, "", depth+1)
		}
		newline(depth)
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, m := range v.Members {
		separate(i)
		dst = append(dst, jsonschema.Quote(m.Name)...)
		dst = append(dst, ':', ' ')
		child := m.Name
		if name == "names" {
			child = ""
		}
		dst = raw.layOut(dst, m.Value, child, depth+1)
	}
	newline(depth)
	return append(dst, '}')
}

// Of makes the lock of a server from the entries of its three lists and the Go
// names, by key ("tools/get-user", with ~1 for a slash in a name). Entries
// without a name, and all but the first with the same one, are left out, as are
// tools for which keep is false; a nil keep takes all. A fingerprint that keep
// returns saves computing it.
func Of(server Server, tools, prompts, templates []*jsonschema.Value, names map[string]string, keep func(tool string) (fingerprint string, ok bool)) *Lock {
	l := &Lock{Version: Version, Server: server, Names: names}
	each(tools, func(name string, entry *jsonschema.Value) {
		known, wanted := "", true
		if keep != nil {
			known, wanted = keep(name)
		}
		if wanted {
			l.Tools = append(l.Tools, ToolOf(entry, names["tools/"+jsonpointer.Escape(name)], known))
		}
	})
	each(prompts, func(name string, entry *jsonschema.Value) {
		l.Prompts = append(l.Prompts, PromptOf(entry, names["prompts/"+jsonpointer.Escape(name)]))
	})
	each(templates, func(name string, entry *jsonschema.Value) {
		l.Templates = append(l.Templates, TemplateOf(entry, names["resources/"+jsonpointer.Escape(name)]))
	})
	return l
}

func each(entries []*jsonschema.Value, add func(name string, entry *jsonschema.Value)) {
	seen := map[string]bool{}
	for _, e := range entries {
		if name := text(e, "name"); name != "" && !seen[name] {
			seen[name] = true
			add(name, e)
		}
	}
}

// ToolOf makes the record of an entry of tools/list; goName is its method, known
// its fingerprint or "".
func ToolOf(entry *jsonschema.Value, goName, known string) Tool {
	t := Tool{Name: text(entry, "name"), Go: goName, Title: text(entry, "title"), Description: text(entry, "description"),
		Annotations: compact(entry.Get("annotations")), TaskSupport: text(entry.Get("execution"), "taskSupport"),
		InputSchema: compact(entry.Get("inputSchema")), OutputSchema: compact(entry.Get("outputSchema"))}
	if t.Fingerprint = known; known == "" {
		t.Fingerprint = fingerprint.Tool(t.InputSchema, t.OutputSchema)
	}
	return t
}

// PromptOf makes the record of an entry of prompts/list.
func PromptOf(entry *jsonschema.Value, goName string) Prompt {
	p := Prompt{Name: text(entry, "name"), Go: goName, Title: text(entry, "title"), Description: text(entry, "description")}
	arguments := entry.Get("arguments")
	if arguments == nil {
		return p
	}
	for _, a := range arguments.Items {
		required := a.Get("required")
		p.Arguments = append(p.Arguments, Argument{Name: text(a, "name"), Description: text(a, "description"),
			Required: required != nil && required.Text == "true" && required.Kind == jsonschema.BoolValue})
	}
	return p
}

// TemplateOf makes the record of an entry of resources/templates/list.
func TemplateOf(entry *jsonschema.Value, goName string) Template {
	return Template{Name: text(entry, "name"), Go: goName, Title: text(entry, "title"), Description: text(entry, "description"),
		URITemplate: text(entry, "uriTemplate")}
}

func text(v *jsonschema.Value, member string) string {
	m := v.Get(member)
	if m == nil || m.Kind != jsonschema.StringValue {
		return ""
	}
	return m.Text
}

func compact(v *jsonschema.Value) json.RawMessage {
	if v == nil || v.Kind == jsonschema.NullValue {
		return nil
	}
	return v.Compact()
}
