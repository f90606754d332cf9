package validation

import (
	"encoding/json"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/subschema"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// The form that each keyword must have for the library to accept the schema.

var (
	textKeywords = []string{"title", "description", "$comment", "format", "contentEncoding", "contentMediaType",
		"$ref", "$dynamicRef", "$recursiveRef"}
	flagKeywords   = []string{"uniqueItems", "deprecated", "readOnly", "writeOnly", "$recursiveAnchor"}
	countKeywords  = []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"}
	numberKeywords = []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
)

// malformed says what is wrong with a keyword, or nothing. It may replace the
// value by one that means the same.
func malformed(m map[string]any, keyword string) string {
	value := m[keyword]
	switch {
	case slices.Contains(textKeywords, keyword):
		if _, ok := value.(string); !ok {
			return "is not a string"
		}
	case slices.Contains(flagKeywords, keyword):
		if _, ok := value.(bool); !ok {
			return "is not a boolean"
		}
	case slices.Contains(countKeywords, keyword):
		return count(m, keyword)
	case slices.Contains(numberKeywords, keyword):
		return number(keyword, value)
	case subschema.Of(keyword) != 0:
		return holder(m, keyword)
	}
	switch keyword {
	case "type":
		return types(m)
	case "enum", "const":
		return values(m, keyword)
	case "required":
		return names(m, keyword)
	case "dependentRequired":
		return dependentRequired(m)
	case "pattern":
		if s, ok := value.(string); !ok || !compiles(s) {
			return "is not a pattern that can be matched in Go"
		}
	case "examples":
		if _, ok := value.([]any); !ok {
			return "is not an array"
		}
	case "$anchor", "$dynamicAnchor":
		if s, ok := value.(string); !ok || !anchorName.MatchString(s) {
			return "is not an anchor name"
		}
	}
	return ""
}

var anchorName = regexp.MustCompile(`^[A-Za-z_][-A-Za-z0-9._]*$`)

func compiles(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil
}

func isURIReference(s string) bool {
	_, err := url.Parse(s)
	return err == nil && !strings.Contains(s, `\`)
}

// isStableURI reports whether net/url, by which the library compares addresses,
// leaves the address as it is.
func isStableURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (strings.HasPrefix(s, "urn:") || u.String() == s && (!u.IsAbs() || u.ResolveReference(&url.URL{}).String() == s))
}

// count also brings numbers into the range of an int, where the library leaves
// them undefined.
func count(m map[string]any, keyword string) string {
	const most = 1_000_000_000_000
	n, ok := m[keyword].(json.Number)
	if !ok {
		return "is not a number"
	}
	if !calculable(string(n), 1000) {
		return "is too large a number"
	}
	r, ok := rat(n)
	if !ok || !r.IsInt() || r.Sign() < 0 {
		return "is not a whole number that is not negative"
	}
	if v := r.Num(); !v.IsInt64() || v.Int64() > most {
		m[keyword] = json.Number(strconv.Itoa(most))
	} else {
		m[keyword] = json.Number(v.String())
	}
	return ""
}

func number(keyword string, value any) string {
	n, ok := value.(json.Number)
	if !ok {
		return "is not a number"
	}
	if !calculable(string(n), 1000) {
		return "is too large a number"
	}
	if r, ok := rat(n); keyword == "multipleOf" && (!ok || r.Sign() <= 0) {
		return "is not greater than 0"
	}
	return ""
}

var typeNames = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

func types(m map[string]any) string {
	list, ok := m["type"].([]any)
	if !ok {
		list = []any{m["type"]}
	}
	for _, t := range list {
		if name, ok := t.(string); !ok || !slices.Contains(typeNames, name) {
			return "is not a JSON Schema type"
		}
	}
	if len(list) == 0 {
		return "names no type"
	}
	return unique(m, "type", list)
}

// unique replaces a list by its distinct items.
func unique(m map[string]any, keyword string, list []any) string {
	if _, isList := m[keyword].([]any); !isList {
		return ""
	}
	seen := make(map[string]bool, len(list))
	out := []any{}
	for _, item := range list {
		text, err := json.Marshal(item)
		if err != nil {
			return "cannot be written as JSON"
		}
		key, err := jsonwire.AppendCanonical(nil, text)
		if err != nil {
			return "holds a number that is too large to compare"
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			out = append(out, item)
		}
	}
	m[keyword] = out
	return ""
}

func names(m map[string]any, keyword string) string {
	list, ok := m[keyword].([]any)
	if !ok {
		return "is not an array of strings"
	}
	for _, item := range list {
		if _, ok := item.(string); !ok {
			return "holds something else than strings"
		}
	}
	return unique(m, keyword, list)
}

func values(m map[string]any, keyword string) string {
	if holdsHugeNumber(m[keyword]) {
		return "holds a number that is too large to compare"
	}
	if keyword == "const" {
		return ""
	}
	list, ok := m[keyword].([]any)
	if !ok || len(list) == 0 {
		return "is not an array of at least one value"
	}
	return unique(m, keyword, list)
}

func holdsHugeNumber(v any) bool {
	switch v := v.(type) {
	case json.Number:
		return !calculable(string(v), 1000)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return holdsHugeNumber(item) })
	case map[string]any:
		for _, item := range v {
			if holdsHugeNumber(item) {
				return true
			}
		}
	}
	return false
}

func dependentRequired(m map[string]any) string {
	members, ok := m["dependentRequired"].(map[string]any)
	if !ok {
		return "is not an object"
	}
	for _, name := range jsonwire.SortedKeys(members) {
		if names(members, name) != "" {
			delete(members, name)
		}
	}
	return ""
}

// holder checks the form of a keyword that holds schemas, not the schemas.
func holder(m map[string]any, keyword string) string {
	shape := subschema.Of(keyword)
	switch v := m[keyword].(type) {
	case map[string]any:
		if shape&subschema.List != 0 && shape&subschema.One == 0 {
			return "is not an array of schemas"
		}
		if keyword == "dependencies" {
			dropMalformed(v)
		}
	case []any:
		if shape&subschema.List == 0 || len(v) == 0 {
			return "is not in the form that the keyword has"
		}
	case bool:
		if shape&subschema.One == 0 {
			return "is not in the form that the keyword has"
		}
	default:
		return "is not a schema"
	}
	return ""
}

// dropMalformed drops dependencies that are neither schemas nor lists of names.
func dropMalformed(dependencies map[string]any) {
	for _, name := range jsonwire.SortedKeys(dependencies) {
		if _, isList := dependencies[name].([]any); isList && names(dependencies, name) != "" {
			delete(dependencies, name)
		}
	}
}

func rat(n json.Number) (*big.Rat, bool) { return new(big.Rat).SetString(string(n)) }
