// Package tools is the front-end for one server: its tools/list, prompts/list
// and resources/templates/list become the operations and types of a package.
package tools

import (
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// Limits of what is read.
var Limits = jsonschema.Limits{}

// entries finds the list called member in one of the three forms that it is
// saved in: a bare array, a result object, or a whole JSON-RPC reply.
func entries(source, member string, data []byte) ([]*jsonschema.Value, error) {
	v, err := jsonschema.ParseList(source, data, Limits)
	if err != nil {
		return nil, err
	}
	if v.Twice || v.Get("result") != nil && v.Get("result").Twice {
		return nil, v.Fault
	}
	method := map[string]string{"tools": "tools/list", "prompts": "prompts/list", "resourceTemplates": "resources/templates/list"}[member]
	if e := v.Get("error"); e != nil && v.Get("jsonrpc") != nil {
		return nil, fmt.Errorf("%s: this is an error reply, not a %s result: %.200q", source, method, textOf(e.Get("message")))
	}
	for _, list := range []*jsonschema.Value{v, v.Get(member), v.Get("result").Get(member)} {
		if list != nil && list.Kind == jsonschema.ArrayValue {
			return list.Items, nil
		}
	}
	return nil, fmt.Errorf("%s: no %s result: want an array, an object with %q, or a JSON-RPC reply with one; found %s",
		source, method, member, describe(v))
}

// describe says what a JSON value is, in a few words.
func describe(v *jsonschema.Value) string {
	switch v.Kind {
	case jsonschema.ObjectValue:
		if len(v.Members) == 0 {
			return "an empty object"
		}
		var names []string
		for i, m := range v.Members {
			if i == 5 {
				names = append(names, "…")
				break
			}
			names = append(names, fmt.Sprintf("%.30q", m.Name))
		}
		return "an object with " + strings.Join(names, ", ")
	case jsonschema.StringValue:
		return "a string"
	case jsonschema.NumberValue:
		return "a number"
	case jsonschema.BoolValue:
		return "a boolean"
	}
	return "null"
}

// textOf is the string that v holds, or "".
func textOf(v *jsonschema.Value) string {
	if v == nil || v.Kind != jsonschema.StringValue {
		return ""
	}
	return v.Text
}

// isTrue tells whether v is the literal true.
func isTrue(v *jsonschema.Value) bool {
	return v != nil && v.Kind == jsonschema.BoolValue && v.Text == "true"
}

// Key is the key of a tool.
func Key(name string) string { return "tools/" + jsonpointer.Escape(name) }

// Lists are the entries of a server's three lists, as they came.
type Lists struct{ Tools, Prompts, Templates []*jsonschema.Value }

// Entries reads the three lists without looking into them.
func Entries(source string, tools, prompts, templates []byte) (*Lists, error) {
	var l Lists
	for _, part := range []struct {
		member string
		data   []byte
		into   *[]*jsonschema.Value
	}{{"tools", tools, &l.Tools}, {"prompts", prompts, &l.Prompts}, {"resourceTemplates", templates, &l.Templates}} {
		if part.data == nil && part.member != "tools" {
			continue
		}
		list, err := entries(source, part.member, part.data)
		if err != nil {
			return nil, err
		}
		*part.into = list
	}
	return &l, nil
}
