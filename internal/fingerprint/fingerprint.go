// Package fingerprint tells whether two tools mean the same.
//
// A generated client carries the fingerprint of every tool, and the lock file
// too: when a live server's tool has another one, its schemas have changed in a
// way that may matter. What people read and programs do not (titles,
// descriptions, examples) does not count, nor does the order of members or of
// required names.
package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/subschema"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Tool returns 32 hexadecimal digits for a tool's schemas. An absent output
// schema is nil or empty. Text that is no JSON is taken as it stands.
func Tool(inputSchema, outputSchema []byte) string {
	h := sha256.New()
	h.Write(meaning(inputSchema))
	h.Write([]byte{'\n'})
	h.Write(meaning(outputSchema))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// meaning is the canonical text of a schema without its annotations.
func meaning(schema []byte) []byte {
	if len(schema) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return schema
	}
	w := jsonwire.NewWriter(make([]byte, 0, len(schema)))
	write(w, strip(v))
	if w.Err() != nil {
		return schema
	}
	return w.Bytes()
}

// write writes a value as jsonwire.AppendCanonical does.
func write(w *jsonwire.Writer, v any) {
	switch v := v.(type) {
	case map[string]any:
		w.BeginObject()
		for _, name := range jsonwire.SortedKeys(v) {
			w.Key(name)
			write(w, v[name])
		}
		w.EndObject()
	case []any:
		w.BeginArray()
		for _, item := range v {
			w.Element()
			write(w, item)
		}
		w.EndArray()
	case []string:
		w.BeginArray()
		for _, item := range v {
			w.Element()
			w.String(item)
		}
		w.EndArray()
	case json.Number:
		text, err := jsonwire.AppendCanonical(nil, []byte(v))
		if err != nil {
			w.Fail(err)
		}
		w.Literal(string(text))
	default:
		w.Any(v)
	}
}

// annotations are the keywords that no value is judged by.
var annotations = []string{"title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"}

// strip returns a schema without annotations, here and in every subschema.
func strip(v any) any {
	schema, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := make(map[string]any, len(schema))
	for keyword, value := range schema {
		if !slices.Contains(annotations, keyword) {
			out[keyword] = stripKeyword(keyword, value)
		}
	}
	return out
}

func stripKeyword(keyword string, value any) any {
	shape := subschema.Of(keyword)
	switch v := value.(type) {
	case map[string]any:
		switch {
		case shape&subschema.One != 0:
			return strip(v)
		case shape&subschema.Named != 0:
			out := make(map[string]any, len(v))
			for name, member := range v {
				out[name] = strip(member)
			}
			return out
		}
	case []any:
		if shape&subschema.List != 0 {
			out := make([]any, len(v))
			for i, item := range v {
				out[i] = strip(item)
			}
			return out
		}
		if keyword == "required" || keyword == "type" {
			return sorted(v)
		}
	}
	return value
}

// sorted orders a set of names; anything else is left alone.
func sorted(items []any) any {
	names := make([]string, len(items))
	for i, item := range items {
		name, ok := item.(string)
		if !ok {
			return items
		}
		names[i] = strings.ToValidUTF8(name, "\ufffd")
	}
	slices.Sort(names)
	return names
}
