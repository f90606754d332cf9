// Package validation judges JSON values by JSON Schemas.
//
// It is the one place that imports santhosh-tekuri/jsonschema/v5, and it exists
// because that library, given a schema from a stranger, would read files, panic
// on odd numbers, refuse a whole schema for one bad keyword, and search for as
// long as the schema makes it. Here nothing is ever loaded: a schema is copied,
// cleaned (what was dropped is told), compiled from memory, and judged within a
// budget.
//
// Which draft applies is the document's own $schema: draft-07 (also for 04 and
// 06), 2019-09, or 2020-12 when it is absent or unknown. The library's reading
// of a draft is the rule here: beside a $ref draft-07 ignores everything; format
// and contentEncoding are asserted in draft-07 and are annotations later.
package validation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Limits of a schema. Beyond them it is not compiled.
const (
	maxBytes   = 16 << 20
	maxDepth   = 200
	maxSchemas = 20_000
)

// address stands for the schema's place; nothing can be fetched from it.
const address = "mcpgen:///schema"

// Document is a schema text of which any subschema can be compiled. It is safe
// for concurrent use.
type Document struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	moved    map[string]bool
	budget   *budget // nil: the schema cannot blow up
}

// Schema is a compiled schema, safe for concurrent use.
type Schema struct {
	doc    *Document
	schema *jsonschema.Schema
}

// Dropped is a keyword that was left out, because its value is malformed or
// cannot be checked here. Pointer leads to the keyword.
type Dropped struct {
	Pointer string
	Reason  string
}

// Compile compiles the subschema of text at the JSON pointer, "" for the root.
func Compile(text []byte, pointer string) (*Schema, []Dropped, error) {
	doc, dropped, err := NewDocument(text)
	if err != nil {
		return nil, dropped, err
	}
	s, err := doc.At(pointer)
	return s, dropped, err
}

// NewDocument reads a schema text.
func NewDocument(text []byte) (*Document, []Dropped, error) {
	if len(text) > maxBytes {
		return nil, nil, fmt.Errorf("schema is %d bytes long, more than the limit of %d", len(text), maxBytes)
	}
	v, err := Decode(text)
	if err != nil {
		return nil, nil, fmt.Errorf("schema is no JSON: %w", err)
	}
	p := newPreparer(v)
	if err := p.prepare(); err != nil {
		return nil, p.dropped, err
	}
	clean, err := json.Marshal(p.root)
	if err != nil {
		return nil, p.dropped, err
	}
	doc := &Document{compiler: jsonschema.NewCompiler(), moved: p.moved}
	doc.compiler.LoadURL = refuse
	if p.mayBlowUp() {
		doc.budget = &budget{}
		doc.compiler.RegisterExtension("budget", nil, doc.budget)
	}
	if err := doc.compiler.AddResource(address, bytes.NewReader(clean)); err != nil {
		return nil, p.dropped, err
	}
	return doc, p.dropped, nil
}

// ExternalError says that a schema refers to another document, which is never loaded.
type ExternalError struct{ URL string }

func (e *ExternalError) Error() string {
	return fmt.Sprintf("$ref %q leaves the document; only references inside the schema are followed", e.URL)
}

// refuse is the loader: it loads nothing.
func refuse(url string) (io.ReadCloser, error) { return nil, &ExternalError{url} }

// At compiles the subschema at the JSON pointer, "" for the root.
func (d *Document) At(pointer string) (s *Schema, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("schema at %q cannot be compiled: %v", pointer, r)
		}
	}()
	url := address + "#" + escapePointer(translate(d.moved, splitPointer(pointer)))
	compiled, err := d.compiler.Compile(url)
	if external := (*ExternalError)(nil); errors.As(err, &external) {
		return nil, fmt.Errorf("schema at %q: %w", pointer, external)
	}
	if err != nil {
		return nil, fmt.Errorf("schema at %q: %s", pointer, compileMessage(err))
	}
	return &Schema{d, compiled}, nil
}

// compileMessage is the library's message without our made-up address.
func compileMessage(err error) string {
	var schemaError *jsonschema.SchemaError
	if errors.As(err, &schemaError) && schemaError.Err != nil {
		err = schemaError.Err
	}
	return cut(strings.ReplaceAll(strings.TrimPrefix(err.Error(), "jsonschema: "), address, ""))
}

// Decode reads JSON for Validate: numbers keep their digits.
func Decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more text after the value")
	}
	return v, nil
}

// Validate judges a value that Decode made, or that was made the same way. It
// returns nothing when the value is valid.
func (s *Schema) Validate(value any) (found []Violation) {
	if v := checkNumbers(value, nil); v != nil {
		return []Violation{*v}
	}
	if s.doc.budget != nil {
		s.doc.mu.Lock()
		defer s.doc.mu.Unlock()
		s.doc.budget.start(value)
	}
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case exhausted:
			found = []Violation{{Rule: "limit", Detail: "the schema needs too many steps to judge this value"}}
		default:
			found = []Violation{{Rule: "limit", Detail: cut(fmt.Sprintf("the value cannot be judged: %v", r))}}
		}
	}()
	return violations(s.schema.Validate(value))
}

// ValidateJSON decodes and judges a JSON text.
func (s *Schema) ValidateJSON(text []byte) []Violation {
	v, err := Decode(text)
	if err != nil {
		return []Violation{{Rule: "json", Detail: err.Error()}}
	}
	return s.Validate(v)
}
