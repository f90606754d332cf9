// From key=value to JSON by the tool's schema. Only what the schema says
// plainly counts (type, enum, anyOf with null, a local $ref); where it leaves
// the type open, a value is a string and key:=json says otherwise.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// argumentSchema is the part of a JSON Schema that types a word.
type argumentSchema struct {
	Type       any                         `json:"type"`
	Ref        string                      `json:"$ref"`
	Enum       []json.RawMessage           `json:"enum"`
	Const      json.RawMessage             `json:"const"`
	AnyOf      []json.RawMessage           `json:"anyOf"`
	OneOf      []json.RawMessage           `json:"oneOf"`
	Properties map[string]json.RawMessage  `json:"properties"`
	Required   []string                    `json:"required"`
	Additional json.RawMessage             `json:"additionalProperties"`
	Defs       map[string]*json.RawMessage `json:"$defs"`
	OldDefs    map[string]*json.RawMessage `json:"definitions"`
}

// typedArguments is the arguments object of a call.
func typedArguments(tool string, raw json.RawMessage, base map[string]json.RawMessage, given []argument) (json.RawMessage, error) {
	var schema argumentSchema
	_ = json.Unmarshal(raw, &schema) // a schema of another shape types nothing
	args := maps.Clone(base)
	for _, arg := range given {
		property, known := schema.Properties[arg.key]
		if !known && string(schema.Additional) == "false" {
			return nil, fmt.Errorf("tool %q has no argument %q; it has %s", tool, arg.key, quotedNames(slices.Sorted(maps.Keys(schema.Properties))))
		}
		value := json.RawMessage(arg.value)
		if !arg.json {
			var err error
			if value, err = typedValue(arg.value, schema.kinds(property, 0)); err != nil {
				return nil, fmt.Errorf("tool %q: argument %q: %w", tool, arg.key, err)
			}
		}
		args[arg.key] = value
	}
	return json.Marshal(args)
}

const maxRefs = 32

// kinds is the set of JSON kinds that a property may have; empty: any.
func (s *argumentSchema) kinds(raw json.RawMessage, depth int) map[string]bool {
	var p argumentSchema
	if raw == nil || depth > maxRefs || json.Unmarshal(raw, &p) != nil {
		return nil
	}
	kinds := map[string]bool{}
	switch t := p.Type.(type) {
	case string:
		kinds[t] = true
	case []any:
		for _, kind := range t {
			if name, ok := kind.(string); ok {
				kinds[name] = true
			}
		}
	}
	if len(kinds) > 0 {
		return kinds
	}
	if p.Ref != "" {
		return s.kinds(s.definition(p.Ref), depth+1)
	}
	for _, arm := range slices.Concat(p.AnyOf, p.OneOf) {
		of := s.kinds(arm, depth+1)
		if len(of) == 0 {
			return nil
		}
		maps.Copy(kinds, of)
	}
	for _, value := range p.Enum {
		kinds[kindOf(value)] = true
	}
	if p.Const != nil {
		kinds[kindOf(p.Const)] = true
	}
	return kinds
}

func (s *argumentSchema) definition(ref string) json.RawMessage {
	for prefix, defs := range map[string]map[string]*json.RawMessage{"#/$defs/": s.Defs, "#/definitions/": s.OldDefs} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			name = jsonpointer.Unescape(name)
			if raw := defs[name]; raw != nil {
				return *raw
			}
		}
	}
	return nil
}

// kindOf is the schema type of a JSON text.
func kindOf(text []byte) string {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return ""
	}
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		if strings.ContainsAny(string(text), ".eE") {
			return "number"
		}
		return "integer"
	case string:
		return "string"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// typedValue writes word as one of kinds. A string takes any word, so it wins
// over the others; JSON of a wanted kind is taken as it is.
func typedValue(word string, kinds map[string]bool) (json.RawMessage, error) {
	if len(kinds) == 0 || kinds["string"] {
		return json.Marshal(word)
	}
	if kind := kindOf([]byte(word)); kinds[kind] || kind == "integer" && kinds["number"] || kind == "number" && kinds["integer"] && integral(word) {
		return json.RawMessage(strings.TrimSpace(word)), nil
	}
	wanted := slices.Sorted(maps.Keys(kinds))
	return nil, fmt.Errorf("%q is no %s", word, strings.Join(wanted, " or "))
}

// integral reports spellings of whole numbers that the schema type integer takes: 1.0, 1e3.
func integral(word string) bool {
	var f float64
	return json.Unmarshal([]byte(word), &f) == nil && f == float64(int64(f))
}
