package lock

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/internal/fingerprint"
	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// Severity says what a change means for a program that was built with the old
// client.
type Severity string

// The severities.
const (
	Breaking   Severity = "breaking"   // calls may be refused, results may be unreadable, or the new client does not compile
	Compatible Severity = "compatible" // what worked goes on working
	Cosmetic   Severity = "cosmetic"   // only people notice
)

// Change is one difference.
type Change struct {
	Severity Severity
	Kind     string // "tool", "prompt", "resource" or "server"
	Tool     string // raw name of the tool, prompt or template; "" for the server
	Pointer  string // inside the entry: /inputSchema/properties/a
	Message  string
}

// Diff compares what a client was generated from with what the server lists
// now. Directions count: an argument may become optional but not required, a
// member of a result the other way round.
func Diff(old, new *Lock) []Change {
	d := &differ{told: map[Change]bool{}}
	d.server(old.Server, new.Server)
	d.tools(old.Tools, new.Tools)
	d.prompts(old.Prompts, new.Prompts)
	d.templates(old.Templates, new.Templates)
	slices.SortStableFunc(d.changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(kindRank[a.Kind], kindRank[b.Kind]), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Pointer, b.Pointer))
	})
	return d.changes
}

var kindRank = map[string]int{"server": 0, "tool": 1, "prompt": 2, "resource": 3}

// differ collects changes; kind and tool are those of the entry at hand.
type differ struct {
	changes []Change
	told    map[Change]bool
	kind    string
	tool    string
}

// add reports a change once: a schema may be reached in several ways.
func (d *differ) add(s Severity, pointer, format string, args ...any) {
	c := Change{s, d.kind, d.tool, pointer, fmt.Sprintf(format, args...)}
	if !d.told[c] {
		d.told[c] = true
		d.changes = append(d.changes, c)
	}
}

// cosmetic reports a text that only people read.
func (d *differ) cosmetic(pointer, what, old, new string) {
	switch {
	case old == new:
	case old == "":
		d.add(Cosmetic, pointer, "%s was added", what)
	case new == "":
		d.add(Cosmetic, pointer, "%s was removed", what)
	default:
		d.add(Cosmetic, pointer, "%s changed", what)
	}
}

func (d *differ) server(old, new Server) {
	d.kind, d.tool = "server", ""
	said := func(s Severity, what, before, after string) {
		if before != after && before != "" && after != "" {
			d.add(s, "", "%s was %q and is %q", what, before, after)
		}
	}
	said(Cosmetic, "the server's name", old.Name, new.Name)
	said(Cosmetic, "the server's version", old.Version, new.Version)
	said(Compatible, "the protocol version", old.Protocol, new.Protocol)
}

// match walks two lists by name.
func match[T any](old, new []T, name func(T) string, removed, added func(T), both func(T, T)) {
	after := make(map[string]T, len(new))
	for _, t := range new {
		after[name(t)] = t
	}
	before := make(map[string]bool, len(old))
	for _, t := range old {
		before[name(t)] = true
		if now, ok := after[name(t)]; ok {
			both(t, now)
		} else {
			removed(t)
		}
	}
	for _, t := range new {
		if !before[name(t)] {
			added(t)
		}
	}
}

func (d *differ) tools(old, new []Tool) {
	d.kind = "tool"
	var gone, come []Tool
	match(old, new, func(t Tool) string { return t.Name },
		func(t Tool) { gone = append(gone, t) }, func(t Tool) { come = append(come, t) }, d.bothTools)
	for _, t := range gone {
		d.tool = t.Name
		if i := renamed(t, gone, come); i >= 0 {
			d.add(Breaking, "", "the tool was renamed to %q", come[i].Name)
			come = slices.Delete(come, i, i+1)
		} else {
			d.add(Breaking, "", "the tool was removed")
		}
	}
	for _, t := range come {
		d.tool = t.Name
		d.add(Compatible, "", "the tool was added")
	}
}

// renamed finds the one new tool with the schemas of a removed one, when no
// other removed tool has the same.
func renamed(t Tool, gone, come []Tool) int {
	same := func(list []Tool) (count, last int) {
		last = -1
		for i, other := range list {
			if other.Fingerprint == t.Fingerprint {
				count, last = count+1, i
			}
		}
		return count, last
	}
	if n, _ := same(gone); n != 1 {
		return -1
	}
	n, i := same(come)
	if n != 1 || come[i].Description != t.Description && trivial(t) {
		return -1
	}
	return i
}

// trivial reports whether the tool's schemas say so little that others are
// likely to have the same.
func trivial(t Tool) bool { return len(t.InputSchema) < 100 && t.OutputSchema == nil }

func (d *differ) bothTools(old, new Tool) {
	d.tool = new.Name
	if old.Go != new.Go && old.Go != "" && new.Go != "" {
		d.add(Breaking, "", "the Go name was %s and is %s", old.Go, new.Go)
	}
	d.cosmetic("/title", "the title", old.Title, new.Title)
	d.cosmetic("/description", "the description", old.Description, new.Description)
	d.annotations(string(old.Annotations), string(new.Annotations))
	d.taskSupport(old.TaskSupport, new.TaskSupport)
	d.schemas("/inputSchema", old.InputSchema, new.InputSchema, arguments)
	switch {
	case old.OutputSchema == nil && new.OutputSchema == nil:
	case old.OutputSchema == nil:
		d.add(Compatible, "/outputSchema", "the output schema was added; generating again types the result")
	case new.OutputSchema == nil:
		d.add(Breaking, "/outputSchema", "the output schema was removed")
	default:
		d.schemas("/outputSchema", old.OutputSchema, new.OutputSchema, results)
	}
}

// annotations compares hints, which are promises of the server but no types.
func (d *differ) annotations(old, new string) {
	before, after := members(old), members(new)
	for _, name := range slices.Sorted(slices.Values(append(keys(before), keys(after)...))) {
		switch b, a := before[name], after[name]; {
		case a == b:
		case name == "title":
			d.cosmetic("/annotations/title", "the title", b, a)
		case b == "":
			d.add(Compatible, "/annotations/"+name, "%s is %s now", name, a)
		case a == "":
			d.add(Compatible, "/annotations/"+name, "%s is no longer stated", name)
		default:
			d.add(Compatible, "/annotations/"+name, "%s was %s and is %s", name, b, a)
		}
	}
}

func members(object string) map[string]string {
	out := map[string]string{}
	if v, err := jsonschema.ParseJSON("annotations", []byte(object), jsonschema.Limits{}); err == nil {
		for _, m := range v.Members {
			out[m.Name] = m.Value.Canonical()
		}
	}
	return out
}

func keys(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}

func (d *differ) taskSupport(old, new string) {
	plain := func(s string) string {
		if s == "" {
			return "forbidden"
		}
		return s
	}
	old, new = plain(old), plain(new)
	switch {
	case old == new:
	case new == "optional":
		d.add(Compatible, "/execution/taskSupport", "running as a task was %s and is %s", old, new)
	default:
		d.add(Breaking, "/execution/taskSupport", "running as a task was %s and is %s", old, new)
	}
}

// schemas compares two schema texts.
func (d *differ) schemas(pointer string, old, new []byte, dir direction) {
	if string(old) == string(new) {
		return
	}
	before, problem := load(old)
	after, alsoProblem := load(new)
	changed := fingerprint.Tool(old, nil) != fingerprint.Tool(new, nil)
	if problem != "" || alsoProblem != "" {
		if changed {
			d.add(Breaking, pointer, "the schema changed and cannot be compared: %s", cmp.Or(alsoProblem, problem))
		}
		return
	}
	c := &comparison{differ: d, dir: dir, root: pointer, seen: map[[2]*jsonschema.Node]bool{},
		origin: map[*jsonschema.Node]*jsonschema.Node{}, split: map[splitKey]*jsonschema.Node{}}
	count := len(d.changes)
	c.compare(before, after)
	meaning := slices.ContainsFunc(d.changes[count:], func(c Change) bool { return c.Severity != Cosmetic })
	if changed && !meaning {
		d.add(Cosmetic, pointer, "the schema is written in another way")
	}
}

func load(text []byte) (*jsonschema.Node, string) {
	if len(text) == 0 {
		text = []byte(`{"type":"object"}`)
	}
	v, err := jsonschema.ParseJSON("schema", text, jsonschema.Limits{})
	if err != nil {
		return nil, err.Error()
	}
	n, issues := jsonschema.Load(v, jsonschema.Limits{})
	for _, i := range issues {
		if i.Fatal {
			return nil, i.String()
		}
	}
	return n, ""
}

func (d *differ) prompts(old, new []Prompt) {
	d.kind = "prompt"
	match(old, new, func(p Prompt) string { return p.Name },
		func(p Prompt) { d.tool = p.Name; d.add(Breaking, "", "the prompt was removed") },
		func(p Prompt) { d.tool = p.Name; d.add(Compatible, "", "the prompt was added") },
		func(old, new Prompt) {
			d.tool = new.Name
			d.cosmetic("/title", "the title", old.Title, new.Title)
			d.cosmetic("/description", "the description", old.Description, new.Description)
			d.promptArguments(old.Arguments, new.Arguments)
		})
}

func (d *differ) promptArguments(old, new []Argument) {
	at := func(a Argument) string { return "/arguments/" + jsonpointer.Escape(a.Name) }
	match(old, new, func(a Argument) string { return a.Name },
		func(a Argument) { d.add(Breaking, at(a), "the argument was removed") },
		func(a Argument) {
			if a.Required {
				d.add(Breaking, at(a), "a required argument was added")
			} else {
				d.add(Compatible, at(a), "an optional argument was added")
			}
		},
		func(old, new Argument) {
			d.cosmetic(at(new)+"/description", "the description", old.Description, new.Description)
			switch {
			case new.Required && !old.Required:
				d.add(Breaking, at(new), "became required")
			case old.Required && !new.Required:
				d.add(Compatible, at(new), "became optional")
			}
		})
}

func (d *differ) templates(old, new []Template) {
	d.kind = "resource"
	match(old, new, func(t Template) string { return t.Name },
		func(t Template) { d.tool = t.Name; d.add(Breaking, "", "the resource template was removed") },
		func(t Template) { d.tool = t.Name; d.add(Compatible, "", "the resource template was added") },
		func(old, new Template) {
			d.tool = new.Name
			d.cosmetic("/title", "the title", old.Title, new.Title)
			d.cosmetic("/description", "the description", old.Description, new.Description)
			if old.URITemplate != new.URITemplate {
				d.add(Breaking, "/uriTemplate", "the template was %q and is %q", old.URITemplate, new.URITemplate)
			}
		})
}
