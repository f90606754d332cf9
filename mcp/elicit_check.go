package mcp

// Forms: whether a requested schema is one, what an answer lacks that the form has a default for,
// and whether the answer fits.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

type formSchema = v20260728.ElicitRequestFormParamsRequestedSchema

// deepKeywords make a schema more than a form of simple fields.
var deepKeywords = []string{
	"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
	"enum", "items", "properties", "patternProperties", "dependentSchemas", "prefixItems", "contains",
}

// flatten checks that schema is a form (C-182). A text field with a format that is not known
// becomes a *StringSchema that keeps it (C-183).
func flatten(schema *formSchema) error {
	if err := shallow(schema.Extra); err != nil {
		return err
	}
	for _, key := range jsonwire.SortedKeys(schema.Properties) {
		field := schema.Properties[key]
		if unknown, ok := field.(*v20260728.UnknownPrimitiveSchemaDefinition); ok {
			text := &v20260728.StringSchema{}
			if jsonwire.Unmarshal(unknown.Raw, text) != nil {
				return fmt.Errorf("property %q is no simple field", key)
			}
			schema.Properties[key], field = text, text
		}
		if err := shallow(extraOf(field)); err != nil {
			return fmt.Errorf("property %q: %w", key, err)
		}
	}
	for _, key := range schema.Required {
		if _, ok := schema.Properties[key]; !ok {
			return fmt.Errorf("required property %q is not described", key)
		}
	}
	return nil
}

func shallow(extra map[string]json.RawMessage) error {
	for _, keyword := range deepKeywords {
		if _, ok := extra[keyword]; ok {
			return fmt.Errorf("keyword %q does not belong in a form", keyword)
		}
	}
	return nil
}

// extraOf returns the members of a field's schema that its type does not know.
func extraOf(field PrimitiveSchemaDefinition) map[string]json.RawMessage {
	switch f := field.(type) {
	case *v20260728.StringSchema:
		return f.Extra
	case *v20260728.NumberSchema:
		return f.Extra
	case *v20260728.BooleanSchema:
		return f.Extra
	case *v20260728.UntitledSingleSelectEnumSchema:
		return f.Extra
	case *v20260728.TitledSingleSelectEnumSchema:
		return f.Extra
	case *v20260728.UntitledMultiSelectEnumSchema:
		return f.Extra
	case *v20260728.TitledMultiSelectEnumSchema:
		return f.Extra
	case *v20260728.LegacyTitledEnumSchema:
		return f.Extra
	}
	return nil
}

// completeForm adds the defaults of fields that content lacks, without touching what is there
// (C-185), and checks the whole (C-186). A default that breaks its own field is passed over.
func completeForm(schema *formSchema, content map[string]ElicitResultContentValue) (map[string]ElicitResultContentValue, error) {
	full := maps.Clone(content)
	if full == nil {
		full = map[string]ElicitResultContentValue{}
	}
	for key, field := range schema.Properties {
		if _, given := full[key]; given {
			continue
		}
		if value := defaultOf(field); value != nil {
			var v jsonwire.Validator
			if checkField(&v, field, value); v.Err() == nil {
				full[key] = value
			}
		}
	}
	var v jsonwire.Validator
	for _, key := range schema.Required {
		if _, given := full[key]; !given {
			v.Violate("required", fmt.Sprintf("member %q is missing", key))
		}
	}
	for _, key := range jsonwire.SortedKeys(full) {
		v.Enter(key)
		if field, asked := schema.Properties[key]; asked {
			checkField(&v, field, full[key])
		} else {
			v.Violate("properties", "the form has no such field")
		}
		v.Leave()
	}
	return full, v.Err()
}

// defaultOf returns nil for a field without a default.
func defaultOf(field PrimitiveSchemaDefinition) ElicitResultContentValue {
	text := func(s *string) ElicitResultContentValue {
		if s == nil {
			return nil
		}
		return v20260728.ElicitResultContentValueString(*s)
	}
	list := func(s []string) ElicitResultContentValue {
		if s == nil {
			return nil
		}
		return v20260728.ElicitResultContentValueStringArray(s)
	}
	switch f := field.(type) {
	case *v20260728.StringSchema:
		return text(f.Default)
	case *v20260728.NumberSchema:
		if f.Default != nil {
			return v20260728.ElicitResultContentValueNumber(*f.Default)
		}
	case *v20260728.BooleanSchema:
		if f.Default != nil {
			return v20260728.ElicitResultContentValueBool(*f.Default)
		}
	case *v20260728.UntitledSingleSelectEnumSchema:
		return text(f.Default)
	case *v20260728.TitledSingleSelectEnumSchema:
		return text(f.Default)
	case *v20260728.LegacyTitledEnumSchema:
		return text(f.Default)
	case *v20260728.UntitledMultiSelectEnumSchema:
		return list(f.Default)
	case *v20260728.TitledMultiSelectEnumSchema:
		return list(f.Default)
	}
	return nil
}

var errNoValue = errors.New("the value cannot be encoded")

// checkField checks one value; v stands at its place.
func checkField(v *jsonwire.Validator, field PrimitiveSchemaDefinition, value ElicitResultContentValue) {
	w := jsonwire.NewWriter(nil)
	w.Value(value)
	if w.Err() != nil {
		v.Add("type", errNoValue)
		return
	}
	r := jsonwire.NewReader(w.Bytes())
	switch f := field.(type) {
	case *v20260728.StringSchema:
		if isKind(v, r, jsonwire.KindString) {
			checkText(v, f, r.String())
		}
	case *v20260728.NumberSchema:
		if isKind(v, r, jsonwire.KindNumber) {
			checkNumber(v, f, r.Number())
		}
	case *v20260728.BooleanSchema:
		isKind(v, r, jsonwire.KindBool)
	default:
		values, several := choicesOf(field)
		if several {
			checkChoices(v, r, field, values)
		} else if isKind(v, r, jsonwire.KindString) {
			checkChoice(v, values, r.String())
		}
	}
}

func isKind(v *jsonwire.Validator, r *jsonwire.Reader, want jsonwire.Kind) bool {
	if found := r.Kind(); found != want {
		v.Violate("type", fmt.Sprintf("%v expected, %v found", want, found))
		return false
	}
	return true
}

// checkText knows pattern too, which only the prose of 2025-11-25 has.
func checkText(v *jsonwire.Validator, f *v20260728.StringSchema, text string) {
	if f.MinLength != nil {
		v.MinLength(text, int(*f.MinLength))
	}
	if f.MaxLength != nil {
		v.MaxLength(text, int(*f.MaxLength))
	}
	if f.Format != nil {
		v.Format(text, string(*f.Format))
	}
	var pattern string
	if raw, ok := f.Extra["pattern"]; ok && json.Unmarshal(raw, &pattern) == nil {
		v.Pattern(text, jsonwire.NewPattern(pattern))
	}
}

func checkNumber(v *jsonwire.Validator, f *v20260728.NumberSchema, n jsonwire.Number) {
	if f.Type == v20260728.NumberSchemaTypeInteger {
		v.IntegerNumber(n)
	}
	if f.Minimum != nil {
		v.MinNumber(n, strconv.FormatFloat(*f.Minimum, 'g', -1, 64))
	}
	if f.Maximum != nil {
		v.MaxNumber(n, strconv.FormatFloat(*f.Maximum, 'g', -1, 64))
	}
}

// choicesOf returns the values of the five kinds of choice (C-184).
func choicesOf(field PrimitiveSchemaDefinition) (values []string, several bool) {
	switch f := field.(type) {
	case *v20260728.UntitledSingleSelectEnumSchema:
		return f.Enum, false
	case *v20260728.LegacyTitledEnumSchema:
		return f.Enum, false
	case *v20260728.TitledSingleSelectEnumSchema:
		for _, choice := range f.OneOf {
			values = append(values, choice.Const)
		}
		return values, false
	case *v20260728.UntitledMultiSelectEnumSchema:
		return f.Items.Enum, true
	case *v20260728.TitledMultiSelectEnumSchema:
		for _, choice := range f.Items.AnyOf {
			values = append(values, choice.Const)
		}
		return values, true
	}
	return nil, false
}

func checkChoice(v *jsonwire.Validator, values []string, chosen string) {
	if !slices.Contains(values, chosen) {
		v.Enum(chosen)
	}
}

func checkChoices(v *jsonwire.Validator, r *jsonwire.Reader, field PrimitiveSchemaDefinition, values []string) {
	if !isKind(v, r, jsonwire.KindArray) {
		return
	}
	n := 0
	for r.BeginArray(); r.NextElement(); n++ {
		v.Index(n)
		if isKind(v, r, jsonwire.KindString) {
			checkChoice(v, values, r.String())
		} else {
			r.Skip()
		}
		v.Leave()
	}
	var least, most *int64
	switch f := field.(type) {
	case *v20260728.UntitledMultiSelectEnumSchema:
		least, most = f.MinItems, f.MaxItems
	case *v20260728.TitledMultiSelectEnumSchema:
		least, most = f.MinItems, f.MaxItems
	}
	if least != nil {
		v.MinItems(n, int(*least))
	}
	if most != nil {
		v.MaxItems(n, int(*most))
	}
}
