package schema

// Prose finds the line that docs.json has for a type, field, value or method of
// one version. Types are named by path: "Tool", or "Tool.inputSchema" for an
// object or enum written inside another; elements of lists and values of maps
// share the path of what holds them. The most specific entry wins, and each of
// them may be prefixed by a version ("2025-11-25:Task"):
//
//	the path itself
//	"XParams" for "X.params": older versions write parameters in place
//	"*.name" for a path that ends in .name
//
// and, for a field, the default of that name for all types. A field and the type
// that is written in its place stand in for each other.

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Prose is a decoded docs.json.
type Prose struct {
	Types   map[string]Entry  `json:"types"`
	Fields  map[string]string `json:"fields"`  // defaults by field name
	Methods map[string]string `json:"methods"` // requests and notifications
}

// Entry is what docs.json says about one type.
type Entry struct {
	Doc    string            `json:"doc"`
	Fields map[string]string `json:"fields"`
	Values map[string]string `json:"values"` // of an enum
}

// ParseProse decodes docs.json.
func ParseProse(data []byte) (*Prose, error) {
	p := new(Prose)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("docs.json: %w", err)
	}
	return p, nil
}

// Type returns the text that follows the Go name of a type in its comment, or "".
func (p *Prose) Type(version, path string) string {
	text, _ := p.typeDoc(version, path)
	return text
}

// Field returns the text that follows the Go name of a field, or "".
func (p *Prose) Field(version, path, field string) string {
	text, _ := p.field(version, path, field)
	return text
}

// Value returns the text that follows the Go name of an enum's value, or "".
func (p *Prose) Value(version, path, value string) string {
	text, _ := p.entry(version, path, func(e Entry) string { return e.Values[value] })
	return text
}

// Method returns the text that follows the Go name of whatever sends or handles
// a request or notification, or "".
func (p *Prose) Method(version, method string) string {
	text, _ := lookUp(p.Methods, version, method)
	return text
}

func (p *Prose) typeDoc(version, path string) (text, key string) {
	text, key = p.entry(version, path, func(e Entry) string { return e.Doc })
	if holder, name, ok := cutLast(path); text == "" && ok {
		return p.field(version, holder, name)
	}
	return text, key
}

func (p *Prose) field(version, path, field string) (text, key string) {
	text, key = p.entry(version, path, func(e Entry) string { return e.Fields[field] })
	if text != "" {
		return text, key
	}
	if text, key = lookUp(p.Fields, version, field); text != "" {
		return text, key
	}
	return p.entry(version, path+"."+field, func(e Entry) string { return e.Doc })
}

// entry returns the first non-empty text that get finds, and the entry's key.
func (p *Prose) entry(version, path string, get func(Entry) string) (text, key string) {
	for _, place := range places(path) {
		for _, key := range []string{version + ":" + place, place} {
			if text := get(p.Types[key]); text != "" {
				return text, key
			}
		}
	}
	return "", ""
}

func lookUp(texts map[string]string, version, name string) (text, key string) {
	if text := texts[version+":"+name]; text != "" {
		return text, version + ":" + name
	}
	return texts[name], name
}

func places(path string) []string {
	all := []string{path}
	if head, tail, ok := strings.Cut(path, ".params"); ok {
		all = append(all, head+"Params"+tail)
	}
	if _, name, ok := cutLast(path); ok {
		all = append(all, "*."+name)
	}
	return all
}

func cutLast(path string) (holder, name string, ok bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}
