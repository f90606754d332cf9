// Package typing turns schema nodes into the types of the model. It is the one
// schema-to-Go core: the protocol and the tools front-ends both feed it roots
// and take declarations out.
//
// Every declaration has a key made of raw names (where it stands), so the
// outcome does not depend on the order in which places are visited.
package typing

import (
	"fmt"
	"sort"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// Issue is a remark on one place of a schema.
type Issue struct {
	Root     *Root
	Pointer  string
	Src      *jsonschema.Value // where in the input; may be nil
	Message  string
	Weakened bool // the Go type says less than the schema
}

// Root is one schema document that types are made from.
type Root struct {
	Key    string   // "tools/get-user/args"
	Name   []string // words of the root's Go name
	Node   *jsonschema.Node
	Schema *model.Schema
	In     bool // the values travel to the server

	// DefKey gives the key and the words of a definition ("/$defs/X"), so that a
	// front-end can share definitions among roots. Nil: below the root.
	DefKey func(name, pointer string) (key string, words []string, exact bool)
	// NullTolerated reads null for an optional member as absent, and Verbatim
	// keeps the first word of names as it stands: the protocol packages' choices.
	NullTolerated bool
	Verbatim      bool
	// Formats lists the string formats that get a Go type of their own.
	Formats []string
}

// Builder collects the declarations of one package.
type Builder struct {
	decls  map[string]*model.Decl
	order  []string        // keys of decls, as they were declared
	busy   map[string]bool // places whose type is being made
	forced map[string]bool // busy places that were met again: they must be declared
	flat   map[*jsonschema.Node]*jsonschema.Node
	exact  map[string]bool // places where any value is what the schema says
	Issues []Issue
	// External maps keys to types of the runtime.
	External map[string]*model.External
	fatal    error
}

// New returns an empty builder.
func New() *Builder {
	return &Builder{
		decls:  map[string]*model.Decl{},
		busy:   map[string]bool{},
		forced: map[string]bool{},
		exact:  map[string]bool{},
		flat:   map[*jsonschema.Node]*jsonschema.Node{},
	}
}

// Decls returns the declarations made so far, sorted by key.
func (b *Builder) Decls() []*model.Decl {
	out := make([]*model.Decl, 0, len(b.decls))
	for _, d := range b.decls {
		out = append(out, d)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Key < out[j].Key })
	return out
}

func (b *Builder) put(d *model.Decl) {
	if b.decls[d.Key] == nil {
		b.order = append(b.order, d.Key)
	}
	b.decls[d.Key] = d
}

// Decl returns the declaration with the key, or nil.
func (b *Builder) Decl(key string) *model.Decl { return b.decls[key] }

// Snapshot remembers the state, so that a root that fails can be taken back.
type Snapshot struct{ decls, issues int }

// Snapshot returns the current state.
func (b *Builder) Snapshot() Snapshot {
	return Snapshot{decls: len(b.order), issues: len(b.Issues)}
}

// Restore drops what was declared since s and clears the error.
func (b *Builder) Restore(s Snapshot) {
	for _, k := range b.order[s.decls:] {
		delete(b.decls, k)
	}
	b.order = b.order[:s.decls]
	b.Issues = b.Issues[:s.issues]
	b.busy, b.forced, b.fatal = map[string]bool{}, map[string]bool{}, nil
}

// Err returns the first error that makes the current root unusable.
func (b *Builder) Err() error { return b.fatal }

// place is where a type stands: it gives a declaration its key and name.
type place struct {
	root  *Root
	key   string
	words []string
	exact bool
	node  *jsonschema.Node // the node as written, for pointers
	decl  *model.Decl      // the innermost declaration around it
}

// under returns the place of a subschema.
func (p place) under(n *jsonschema.Node, path, word string) place {
	words := p.words
	if word != "" {
		words = append(words[:len(words):len(words)], word)
	}
	return place{root: p.root, key: p.key + path, words: words, node: n, decl: p.decl}
}

func (b *Builder) note(p place, n *jsonschema.Node, weakened bool, format string, args ...any) {
	issue := Issue{Root: p.root, Message: fmt.Sprintf(format, args...), Weakened: weakened}
	if n != nil {
		issue.Pointer, issue.Src = n.Pointer, n.Src
	}
	if issue.Pointer == "" {
		issue.Pointer = strings.TrimPrefix(p.key, p.root.Key)
	}
	b.Issues = append(b.Issues, issue)
}

func (b *Builder) fail(p place, n *jsonschema.Node, message string) {
	if b.fatal == nil {
		pointer := strings.TrimPrefix(p.key, p.root.Key)
		if n != nil && n.Pointer != "" {
			pointer = n.Pointer
		}
		b.fatal = &PlaceError{Pointer: pointer, Node: n, Message: message}
	}
}

// PlaceError is a schema that cannot be typed.
type PlaceError struct {
	Pointer string
	Node    *jsonschema.Node
	Message string
}

func (e *PlaceError) Error() string {
	if e.Pointer == "" {
		return e.Message
	}
	return e.Pointer + ": " + e.Message
}

// flatten is jsonschema.Flatten with its issues reported once.
func (b *Builder) flatten(p place, n *jsonschema.Node) *jsonschema.Node {
	if f, ok := b.flat[n]; ok {
		return f
	}
	f, issues := jsonschema.Flatten(n)
	b.flat[n] = f
	for _, i := range issues {
		if i.Fatal {
			b.fail(p, n, i.Message)
			continue
		}
		b.note(p, n, false, "%s", i.Message)
	}
	return f
}

// dynamic records that the declaration around p needs full validation.
func (b *Builder) dynamic(p place, keywords ...string) {
	d := p.decl
	if d == nil || len(keywords) == 0 {
		return
	}
	for _, k := range keywords {
		if !contains(d.Dynamic, k) {
			d.Dynamic = append(d.Dynamic, k)
		}
	}
	if d.Schema != nil {
		d.Schema.Used = true
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// target is the place of a node that a reference leads to: its own pointer
// decides, whoever refers to it.
func (b *Builder) target(p place, n *jsonschema.Node) place {
	root := p.root
	out := place{root: root, key: root.Key, words: root.Name, node: n, decl: p.decl}
	tokens := strings.Split(strings.TrimPrefix(n.Pointer, "/"), "/")
	if n.Pointer == "" {
		return out
	}
	for i := 0; i < len(tokens); i++ {
		word := ""
		switch t := tokens[i]; t {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			if i+1 == len(tokens) {
				break
			}
			i++
			name := jsonpointer.Unescape(tokens[i])
			if t == "$defs" || t == "definitions" {
				pointer := "/" + strings.Join(tokens[:i+1], "/")
				out.key, out.words, out.exact = b.defPlace(out, name, pointer)
				continue
			}
			out.key += "/" + t + "/" + tokens[i]
			word = name
		case "items", "contains":
			word = "Item"
			out.key += "/" + t
		case "additionalProperties", "unevaluatedProperties":
			word = "Value"
			out.key += "/" + t
		case "not", "if", "then", "else":
			out.key += "/" + t
		case "anyOf", "oneOf", "allOf", "prefixItems":
			out.key += "/" + t
			if i+1 < len(tokens) {
				i++
				out.key += "/" + tokens[i]
				word = indexWord(t, tokens[i])
			}
		default:
			out.key += "/" + t
			word = jsonpointer.Unescape(t)
		}
		if word != "" {
			out.words = append(out.words[:len(out.words):len(out.words)], word)
		}
		out.exact = false
	}
	return out
}

// indexWord names the i-th subschema of a keyword that holds a list.
func indexWord(keyword, index string) string {
	switch keyword {
	case "allOf":
		return ""
	case "prefixItems":
		return "Item" + index
	default:
		return "Option" + index
	}
}

func (b *Builder) defPlace(p place, name, pointer string) (string, []string, bool) {
	if p.root.DefKey != nil && strings.Count(pointer, "/") == 2 {
		return p.root.DefKey(name, pointer)
	}
	return p.root.Key + pointer, append(p.root.Name[:len(p.root.Name):len(p.root.Name)], name), false
}

// IssuesSince returns the issues found after the snapshot was taken.
func (b *Builder) IssuesSince(s Snapshot) []Issue { return b.Issues[s.issues:] }

// NoFullCheck gives up full validation against a schema that no validator takes.
func (b *Builder) NoFullCheck(s *model.Schema) {
	s.Used = false
	for _, d := range b.decls {
		if d.Schema == s {
			d.Dynamic = nil
		}
	}
}
