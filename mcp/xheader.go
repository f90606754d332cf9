package mcp

// Arguments in headers: which properties a schema annotates with x-mcp-header, whether it may, and
// what a call's arguments say there.

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const headerAnnotation = "x-mcp-header"

// headerBindings are the header bindings of one tool.
type headerBindings []HeaderBinding

// maxHeaderInt is the largest integer that a header may carry (C-121).
const maxHeaderInt = 1<<53 - 1

// bindHeaders finds the annotations of an input schema and says what is wrong with them (C-122, C-123).
func bindHeaders(schema []byte) (headerBindings, error) {
	if !bytes.Contains(schema, []byte(headerAnnotation)) {
		return nil, nil
	}
	b := &headerBinder{}
	r := jsonwire.NewReader(schema)
	b.schema(r, nil, true)
	if err := r.End(); err != nil {
		return nil, err
	}
	return b.found, b.err
}

type headerBinder struct {
	found headerBindings
	err   error
}

// dataKeywords hold instances, in which an annotation means nothing.
var dataKeywords = []string{"default", "const", "enum", "examples"}

// mapKeywords hold schemas by names of any kind.
var mapKeywords = []string{"properties", "$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies"}

// schema walks one schema. reachable says that only properties keywords led here.
func (b *headerBinder) schema(r *jsonwire.Reader, path []string, reachable bool) {
	switch r.Kind() {
	case jsonwire.KindObject:
	case jsonwire.KindArray:
		for r.BeginArray(); r.NextElement(); {
			b.schema(r, path, false)
		}
		return
	default:
		r.Skip()
		return
	}
	annotation, kind := "", ""
	annotated := false
	for r.BeginObject(); r.NextMember(); {
		switch key := r.KeyString(); {
		case key == headerAnnotation:
			annotated = true
			if r.Kind() == jsonwire.KindString {
				annotation = r.String()
			} else {
				r.Skip()
			}
		case key == "type" && r.Kind() == jsonwire.KindString:
			kind = r.String()
		case slices.Contains(dataKeywords, key):
			r.Skip()
		case slices.Contains(mapKeywords, key) && r.Kind() == jsonwire.KindObject:
			for r.BeginObject(); r.NextMember(); {
				name := r.KeyString()
				b.schema(r, append(slices.Clone(path), name), reachable && key == "properties")
			}
		default:
			b.schema(r, path, false)
		}
	}
	if annotated {
		b.bind(annotation, kind, path, reachable)
	}
}

func (b *headerBinder) bind(name, kind string, path []string, reachable bool) {
	where := "/properties/" + strings.Join(path, "/properties/")
	fail := func(format string, args ...any) {
		b.err = errors.Join(b.err, fmt.Errorf("%s: %s %q %s", where, headerAnnotation, name, fmt.Sprintf(format, args...)))
	}
	switch {
	case !reachable || len(path) == 0:
		fail("stands where no argument has a fixed place")
	case !isToken(name):
		fail("is no header name")
	case kind != "string" && kind != "integer" && kind != "boolean":
		fail("stands on type %q; only string, integer and boolean can be mirrored", kind)
	case slices.ContainsFunc(b.found, func(h HeaderBinding) bool { return strings.EqualFold(h.Name, name) }):
		fail("is used twice")
	default:
		b.found = append(b.found, HeaderBinding{Name: name, Path: path})
	}
}

// isToken reports whether name is a header name after RFC 9110.
func isToken(name string) bool {
	for i := range len(name) {
		if !isAlphanumeric(name[i]) && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(name[i])) {
			return false
		}
	}
	return name != ""
}

// headerFields reads the bound arguments out of the params of a call (C-118…C-121).
func (b headerBindings) headerFields(params []byte) ([]HeaderField, error) {
	r := jsonwire.NewReader(params)
	var fields []HeaderField
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) != "arguments" {
			r.Skip()
			continue
		}
		arguments := r.RawNoCopy()
		for _, binding := range b {
			value, present, err := headerValue(arguments, binding.Path)
			if err != nil {
				return nil, fmt.Errorf("argument %s for header %s%s: %w", strings.Join(binding.Path, "."), headerParamPrefix, binding.Name, err)
			}
			if present {
				fields = append(fields, HeaderField{binding.Name, value})
			}
		}
	}
	return fields, r.Err()
}

// headerValue follows path; null and anything absent on the way mean no header (C-119).
func headerValue(arguments []byte, path []string) (value string, present bool, err error) {
	r := jsonwire.NewReader(arguments)
	for _, step := range path {
		if r.Kind() != jsonwire.KindObject || !enterMember(r, step) {
			return "", false, r.Err()
		}
	}
	switch r.Kind() {
	case jsonwire.KindString:
		return r.String(), true, r.Err()
	case jsonwire.KindBool:
		return strconv.FormatBool(r.Bool()), true, r.Err()
	case jsonwire.KindNumber:
		n, err := r.Number().Int64()
		if err == nil && (n > maxHeaderInt || n < -maxHeaderInt) {
			err = errors.New("integer beyond 2^53-1")
		}
		return strconv.FormatInt(n, 10), true, err
	case jsonwire.KindNull:
		return "", false, nil
	}
	return "", false, errors.New("an object or array cannot be mirrored in a header")
}

// enterMember moves r to the value of a member.
func enterMember(r *jsonwire.Reader, name string) bool {
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) == name {
			return true
		}
		r.Skip()
	}
	return false
}
