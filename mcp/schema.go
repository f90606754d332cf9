package mcp

// Full validation against a JSON Schema, for what static code cannot express and for tools that are
// called without generated code.

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/mcpgen/mcpgen/internal/validation"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

func init() { jsonwire.RegisterFormat(validation.CheckFormat) }

// Schema is a JSON Schema that is compiled when it is first used, and whose references lead nowhere
// but into itself. It is safe for concurrent use.
type Schema struct {
	text string

	once  sync.Once
	doc   *validation.Document
	err   error
	parts sync.Map // pointer -> *validation.Schema or error
}

// NewSchema takes the text of a schema. A text that is no usable schema shows when it is used.
func NewSchema(text string) *Schema { return &Schema{text: text} }

// Check checks x against the subschema at the JSON pointer, "" for the whole schema, and adds what is
// wrong to v, at v's current path.
func (s *Schema) Check(v *jsonwire.Validator, pointer string, x jsonwire.Appender) {
	text, err := jsonwire.Marshal(x)
	if err == nil {
		err = s.check(v, pointer, text)
	}
	if err != nil {
		v.Violate("schema", err.Error())
	}
}

// check returns an error if the schema itself cannot be used.
func (s *Schema) check(v *jsonwire.Validator, pointer string, text json.RawMessage) error {
	part, err := s.part(pointer)
	if err != nil {
		return err
	}
	for _, violation := range part.ValidateJSON(text) {
		v.ViolateAt(violation.Pointer, violation.Rule, violation.Detail)
	}
	return nil
}

func (s *Schema) part(pointer string) (*validation.Schema, error) {
	switch known, _ := s.parts.Load(pointer); part := known.(type) {
	case *validation.Schema:
		return part, nil
	case error:
		return nil, part
	}
	s.once.Do(func() { s.doc, _, s.err = validation.NewDocument([]byte(s.text)) })
	if s.err != nil {
		return nil, fmt.Errorf("schema cannot be used: %w", s.err)
	}
	part, err := s.doc.At(pointer)
	if err != nil {
		s.parts.Store(pointer, err)
		return nil, err
	}
	s.parts.Store(pointer, part)
	return part, nil
}
