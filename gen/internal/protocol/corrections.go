package protocol

// Where the published files say something else than the protocol means. Each
// row names what it mends and why; a row that no schema needs is an error, so
// the table cannot grow stale.

import (
	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/gen/internal/model"
)

// correction is one row of the table.
type correction struct {
	name     string
	reason   string
	versions []string // nil: all versions that have the place
	apply    func(d *document) bool
}

// document is a schema file that corrections edit before it is loaded.
type document struct {
	root    *jsonschema.Value
	defs    *jsonschema.Value
	defsKey string // "$defs" or "definitions"
	version string
}

func (d *document) def(name string) *jsonschema.Value { return d.defs.Get(name) }

// external lists definitions that are types of the runtime.
var external = map[string]string{
	"RequestId":     "ID", // "ids are a string or a number, kept as they were written" (C-005)
	"ProgressToken": "ID",
}

// corrections is the table. The file format cannot say what the fourth column
// of VERSION_MATRIX §7 knows from the TypeScript source.
var corrections = []correction{
	{
		name: "JSONValue", reason: "any JSON value: the file lacks null and fractions",
		apply: func(d *document) bool { return replace(d.def("JSONValue"), "{}") },
	},
	{
		name: "JSONObject", reason: "an object with any members, as a plain map",
		apply: func(d *document) bool {
			return replace(d.def("JSONObject"), `{"type":"object","additionalProperties":true}`)
		},
	},
	{
		name: "JSONArray", reason: "an array of any values",
		apply: func(d *document) bool { return replace(d.def("JSONArray"), `{"type":"array","items":true}`) },
	},
	{
		name: "ElicitResult.content", reason: "answers may be fractional numbers; the file says integer",
		apply: func(d *document) bool {
			return integerToNumber(d.def("ElicitResult").Get("properties").Get("content"))
		},
	},
	{
		name: "ListRootsRequest.id", reason: "a roots/list inside input requests may carry id and jsonrpc", versions: []string{"2026-07-28", "tasks"},
		apply: func(d *document) bool {
			props := d.def("ListRootsRequest").Get("properties")
			if props == nil || props.Get("id") != nil || d.def("RequestId") == nil {
				return false
			}
			return add(props, "id", `{"$ref":"#/`+d.defsKey+`/RequestId"}`)
		},
	},
	{
		name: "ClientNotification", reason: "a union of one member that the file writes out; it is that member",
		apply: func(d *document) bool {
			n := d.def("ClientNotification")
			if n.Get("properties") == nil {
				return false
			}
			return replace(n, `{"$ref":"#/`+d.defsKey+`/CancelledNotification"}`)
		},
	},
	{
		name: "resultType", reason: "the file shows the type of resultType as any string", versions: []string{"2026-07-28"},
		apply: func(d *document) bool {
			changed := false
			for _, m := range d.defs.Members {
				if t := m.Value.Get("properties").Get("resultType"); t != nil && t.Get("const") == nil {
					changed = replace(t, `{"$ref":"#/`+d.defsKey+`/ResultType"}`) || changed
				}
			}
			return changed
		},
	},
	{
		name: "written out", reason: "the file repeats definitions in place instead of referring to them", versions: []string{"tasks", "2025-03-26"},
		apply: func(d *document) bool { return shareEqual(d) },
	},
	{
		name: "CacheScope", reason: "one enum that the file repeats in every cacheable result",
		apply: func(d *document) bool {
			text := `{"$ref":"#/` + d.defsKey + `/CacheScope"}`
			found := ""
			for _, m := range d.defs.Members {
				if scope := m.Value.Get("properties").Get("cacheScope"); scope.Get("enum") != nil {
					found = string(scope.Compact())
					replace(scope, text)
				}
			}
			return found != "" && add(d.defs, "CacheScope", found)
		},
	},
}

// tolerated are required members that older peers, and one official example,
// leave out (C-025, C-258, CLIENT_CASES B087). A missing resultType is read as what
// it means; an enum is absent when it is empty, a number becomes optional, a
// list is nil.
var tolerated = []struct {
	field    string
	types    []string // nil: wherever the field is required
	value    string   // Go expression for a missing member
	versions []string
}{
	{field: "resultType", value: "ResultTypeComplete", versions: []string{"2026-07-28"}},
	{field: "resultType", value: `"complete"`, versions: []string{"tasks"}},
	{field: "ttlMs", versions: []string{"2026-07-28"}},
	{field: "cacheScope", versions: []string{"2026-07-28"}},
	{field: "content", types: []string{"CallToolResult"}},
}

// openStrings are enums in the TypeScript source that the file shows as plain
// strings: named types with constants, open to other values.
var openStrings = map[string][]model.EnumValue{
	"ResultType": {
		{Text: "complete", Doc: "marks the final result."},
		{Text: "input_required", Doc: "marks a result that asks for input before the request can go on."},
		{Text: "task", Doc: "marks a task that was started in place of a result, by the Tasks extension."},
	},
}

// replace puts other JSON in the place of v.
func replace(v *jsonschema.Value, text string) bool {
	if v == nil || string(v.Compact()) == text {
		return false
	}
	n, err := jsonschema.ParseJSON("correction", []byte(text), jsonschema.Limits{})
	if err != nil {
		return false
	}
	line, column := v.Line, v.Column
	*v = *n
	v.Line, v.Column = line, column
	return true
}

// add appends a member to an object.
func add(v *jsonschema.Value, name, text string) bool {
	n, err := jsonschema.ParseJSON("correction", []byte(text), jsonschema.Limits{})
	if err != nil || v.Get(name) != nil {
		return false
	}
	v.Members = append(v.Members, jsonschema.Member{Name: name, Value: n})
	return true
}

// integerToNumber turns the type integer into number wherever it stands below
// the values.
func integerToNumber(values ...*jsonschema.Value) bool {
	changed := false
	for _, v := range values {
		if v == nil {
			continue
		}
		if v.Kind == jsonschema.StringValue && v.Text == "integer" {
			changed = replace(v, `"number"`) || changed
			continue
		}
		for _, m := range v.Members {
			changed = integerToNumber(m.Value) || changed
		}
		changed = integerToNumber(v.Items...) || changed
	}
	return changed
}

// shareEqual puts references where a definition stands written out again.
func shareEqual(d *document) bool {
	names := map[string]string{}
	for _, m := range d.defs.Members {
		if v := m.Value; v.Get("anyOf") != nil || v.Get("allOf") != nil || v.Get("enum") != nil || v.Get("items").Get("anyOf") != nil || len(v.Get("properties").MembersOrNone()) > 1 {
			names[withoutDialect(m.Value).Canonical()] = m.Name
		}
	}
	changed := false
	var walk func(v *jsonschema.Value, inside string)
	walk = func(v *jsonschema.Value, inside string) {
		for _, m := range v.Members {
			if name := names[m.Value.Canonical()]; name != "" && name != inside && m.Value.Kind == jsonschema.ObjectValue {
				changed = replace(m.Value, `{"$ref":"#/`+d.defsKey+`/`+name+`"}`) || changed
				continue
			}
			walk(m.Value, inside)
		}
		for _, i := range v.Items {
			if name := names[i.Canonical()]; name != "" && name != inside {
				changed = replace(i, `{"$ref":"#/`+d.defsKey+`/`+name+`"}`) || changed
				continue
			}
			walk(i, inside)
		}
	}
	for _, m := range d.defs.Members {
		for _, inner := range m.Value.Members {
			walk(&jsonschema.Value{Kind: jsonschema.ArrayValue, Items: []*jsonschema.Value{inner.Value}}, m.Name)
		}
	}
	return changed
}

// withoutDialect is a definition without its own $schema.
func withoutDialect(v *jsonschema.Value) *jsonschema.Value {
	c := *v
	c.Members = nil
	for _, m := range v.Members {
		if m.Name != "$schema" {
			c.Members = append(c.Members, m)
		}
	}
	return &c
}
