// Package instances makes JSON values for a schema, for tests: valid ones to be
// carried through generated code and compared, and spoiled ones to see whether
// generated code and the validator agree.
//
// A value is built along the schema, at random but decided by a seed, and then
// judged by internal/validation: what it refuses is not handed out. So the
// builder may guess at what it does not understand (not, if, dependencies).
package instances

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/mcpgen/mcpgen/internal/validation"
)

// Case is a value and whether the validator accepts it.
type Case struct {
	JSON  string
	Valid bool
}

// Generator makes instances of one schema. It is not safe for concurrent use.
type Generator struct {
	// Huge allows unbounded numbers that no Go number holds: integers beyond 64
	// bits and fractions with more digits than a float64 has.
	Huge bool

	doc    *document
	schema any
	judge  *validation.Schema
	rand   *rand.Rand
	mode   mode
	steps  int
	aim    int // length that repetitions in a pattern should fill up to; 0: none
}

// mode is how much of what is optional a value has.
type mode uint8

const (
	minimal mode = iota
	maximal
	random
)

// Source is a schema text of which any subschema can be instantiated.
type Source struct {
	doc   *document
	judge *validation.Document
}

// Open reads a schema text.
func Open(text []byte) (*Source, error) {
	judge, _, err := validation.NewDocument(text)
	if err != nil {
		return nil, err
	}
	root, err := validation.Decode(text)
	if err != nil {
		return nil, err
	}
	return &Source{newDocument(root), judge}, nil
}

// At prepares the subschema at the JSON pointer, "" for the root.
func (s *Source) At(pointer string) (*Generator, error) {
	judge, err := s.judge.At(pointer)
	if err != nil {
		return nil, err
	}
	schema, ok := s.doc.at(pointer)
	if !ok {
		return nil, fmt.Errorf("schema has nothing at %q", pointer)
	}
	return &Generator{doc: s.doc, schema: schema, judge: judge}, nil
}

// New is Open and At.
func New(text []byte, pointer string) (*Generator, error) {
	s, err := Open(text)
	if err != nil {
		return nil, err
	}
	return s.At(pointer)
}

// Valid returns up to n distinct valid instances, the smallest one and the
// fullest one first. The same seed gives the same instances.
func (g *Generator) Valid(n int, seed uint64) []string {
	var out []string
	for _, v := range g.valid(n, seed) {
		out = append(out, encode(v))
	}
	return out
}

func (g *Generator) valid(n int, seed uint64) []any {
	g.rand = rand.New(rand.NewPCG(seed, 0x6d6370))
	seen := map[string]bool{}
	var out []any
	for try := 0; len(out) < n && try < 20+10*n; try++ {
		switch {
		case try < 6 && len(out) == 0:
			g.mode = minimal
		case try < 12 && len(out) < 2:
			g.mode = maximal
		default:
			g.mode = random
		}
		g.steps = 0
		v, ok := g.build([]any{g.schema}, 0)
		if !ok || g.judge.Validate(v) != nil {
			continue
		}
		if text := encode(v); !seen[text] {
			seen[text] = true
			out = append(out, v)
		}
	}
	return out
}

// Invalid spoils valid instances in up to n distinct ways: a member dropped or
// added, another type, null, a value past a bound, another enum value, a
// duplicate item, a string made longer or shorter. Some results are still valid;
// each has the validator's verdict.
func (g *Generator) Invalid(n int, seed uint64) []Case {
	sources := g.valid(8, seed)
	if len(sources) == 0 {
		return nil
	}
	m := &mutator{rand: g.rand, numbers: bounds(g.doc.root)}
	seen := map[string]bool{}
	var cases []Case
	for try := 0; len(cases) < n && try < 10*n; try++ {
		v := m.spoil(clone(sources[try%len(sources)]))
		text := encode(v)
		if seen[text] {
			continue
		}
		seen[text] = true
		cases = append(cases, Case{text, g.judge.Validate(v) == nil})
	}
	return cases
}

// Valid returns up to n valid instances of the schema text.
func Valid(schema []byte, n int, seed uint64) ([]string, error) {
	g, err := New(schema, "")
	if err != nil {
		return nil, err
	}
	return g.Valid(n, seed), nil
}

// Invalid returns up to n spoiled instances of the schema text.
func Invalid(schema []byte, n int, seed uint64) ([]Case, error) {
	g, err := New(schema, "")
	if err != nil {
		return nil, err
	}
	return g.Invalid(n, seed), nil
}

func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("instances: made a value that is no JSON: %v", err))
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = clone(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = clone(x)
		}
		return out
	}
	return v
}
