package schema

// One layout for all schema files and docs.json makes the difference between two versions, or
// between two commits, readable: definitions sorted by name, keywords in a fixed
// order, a definition on one line where it fits. Adding a version is writing its
// facts in any layout and running
//
//	go test ./schema -run Layout -layout

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var layoutFlag = flag.Bool("layout", false, "rewrite the schema files and docs.json in the project's layout")

const lineWidth = 110

// keywords come in the order in which a reader asks: what is it, which values,
// which members, which alternatives.
var keywords = strings.Fields(`$schema $id title $ref type const enum format minimum maximum maxItems
	items properties required propertyNames additionalProperties not allOf anyOf definitions $defs`)

// leading members say what an object is; the others follow by name and _meta last.
var leading = strings.Fields(`jsonrpc id method params result error type mode resultType code name title`)

func TestLayout(t *testing.T) {
	kinds := map[string]names{"docs.json": text}
	for folder := range published() {
		kinds[filepath.Join(folder, "schema.json")] = keyword
	}
	for path, kind := range kinds {
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		laidOut := append(layOut(decode(t, old), 0, 0, kind), '\n')
		if bytes.Equal(old, laidOut) {
			continue
		}
		if !*layoutFlag {
			t.Errorf("%s is not laid out; run: go test ./schema -run Layout -layout", path)
			continue
		}
		if err := os.WriteFile(path, laidOut, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// names tells what the member names of an object are, hence their order.
type names int

const (
	keyword    names = iota // of JSON Schema
	member                  // of the protocol's objects, under properties
	definition              // the protocol's types, under $defs
	text                    // of docs.json, sorted throughout
)

func (n names) compare(a, b string) int {
	switch n {
	case member:
		return byMember(a, b)
	case definition, text:
		return strings.Compare(a, b)
	}
	return byList(keywords, a, b)
}

func byMember(a, b string) int {
	rank := func(s string) int { return slices.Index([]string{"_meta"}, s) }
	return cmp.Or(cmp.Compare(rank(a), rank(b)), byList(leading, a, b))
}

// byList orders the listed names as listed and the rest after them by name.
func byList(list []string, a, b string) int {
	rank := func(s string) int {
		if i := slices.Index(list, s); i >= 0 {
			return i
		}
		return len(list)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

// layOut writes v on one line if it fits behind used columns, else one member a line.
func layOut(v any, depth, used int, kind names) []byte {
	line := compact(v, kind)
	if used+len(line) <= lineWidth && depth > 0 {
		return line
	}
	indent := "\n" + strings.Repeat("  ", depth+1)
	var out []byte
	switch v := v.(type) {
	case map[string]any:
		for i, name := range slices.SortedFunc(maps.Keys(v), kind.compare) {
			out = append(out, comma(i)+indent+quote(name)+": "...)
			out = append(out, layOut(v[name], depth+1, len(indent)+len(name)+5, kind.under(name))...)
		}
		return wrap("{", out, depth, "}")
	case []any:
		for i, item := range v {
			out = append(out, comma(i)+indent...)
			out = append(out, layOut(item, depth+1, len(indent), kind)...)
		}
		return wrap("[", out, depth, "]")
	}
	return line
}

func compact(v any, kind names) []byte {
	var out []byte
	switch v := v.(type) {
	case map[string]any:
		for i, name := range slices.SortedFunc(maps.Keys(v), kind.compare) {
			out = append(out, spaced(i)+quote(name)+": "...)
			out = append(out, compact(v[name], kind.under(name))...)
		}
		return slices.Concat([]byte("{"), out, []byte("}"))
	case []any:
		for i, item := range v {
			out = append(out, spaced(i)...)
			out = append(out, compact(item, kind)...)
		}
		return slices.Concat([]byte("["), out, []byte("]"))
	case string:
		return []byte(quote(v))
	}
	out, _ = json.Marshal(v) // a number, a boolean or null
	return out
}

// under tells the same for the object that stands under a name.
func (n names) under(name string) names {
	switch {
	case n == keyword && name == "properties":
		return member
	case n == keyword && (name == "$defs" || name == "definitions"):
		return definition
	case n == text:
		return text
	}
	return keyword
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func spaced(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

func wrap(open string, members []byte, depth int, end string) []byte {
	return slices.Concat([]byte(open), members, []byte("\n"+strings.Repeat("  ", depth)+end))
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // strings always encode
	return strings.TrimSpace(b.String())
}
