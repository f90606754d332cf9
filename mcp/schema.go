package mcp

// Full validation against a JSON Schema, for what static code cannot express.

import (
	"encoding/json"
	"sync"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Schema is a JSON Schema that is compiled when it is first used. Nothing is ever fetched for it.
type Schema struct {
	text string
	once sync.Once
}

// NewSchema takes the text of a schema.
func NewSchema(text string) *Schema { return &Schema{text: text} }

// Check checks x against the subschema at pointer and adds what is wrong to v, at v's current path.
func (s *Schema) Check(v *jsonwire.Validator, pointer string, x jsonwire.Appender) {
	text, err := jsonwire.Marshal(x)
	if err != nil {
		v.Violate("json", err.Error())
		return
	}
	s.check(v, pointer, text)
}

func (s *Schema) check(v *jsonwire.Validator, pointer string, text json.RawMessage) {
}
