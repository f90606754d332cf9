package refserver

// A small JSON Schema checker for the schemas of this server: enough of 2020-12 to refuse wrong
// arguments, and to prove in tests that every answer fits the schema it was promised under.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"time"
	"unicode/utf8"
)

// parse reads JSON keeping every digit of numbers.
func parse(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}

type checker struct{ root map[string]any }

// checkJSON reports where raw breaks the schema.
func checkJSON(schema map[string]any, raw json.RawMessage) error {
	v, err := parse(raw)
	if err != nil {
		return err
	}
	return checker{schema}.check(schema, v, "")
}

func (c checker) check(schema map[string]any, v any, at string) error {
	if ref, ok := schema["$ref"].(string); ok {
		defs, _ := c.root["$defs"].(map[string]any)
		target, ok := defs[ref[len("#/$defs/"):]].(map[string]any)
		if !ok {
			return fmt.Errorf("%s: %s has no target", at, ref)
		}
		return c.check(target, v, at)
	}
	for _, rule := range []func(map[string]any, any, string) error{c.kind, c.values, c.union} {
		if err := rule(schema, v, at); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case string:
		return checkString(schema, v, at)
	case json.Number:
		return checkNumber(schema, v, at)
	case []any:
		return c.array(schema, v, at)
	case map[string]any:
		return c.object(schema, v, at)
	}
	return nil
}

func (c checker) kind(schema map[string]any, v any, at string) error {
	switch want := schema["type"].(type) {
	case string:
		if !isKind(want, v) {
			return fmt.Errorf("%s: must be %s", at, want)
		}
	case []any:
		for _, w := range want {
			if isKind(w.(string), v) {
				return nil
			}
		}
		return fmt.Errorf("%s: must be one of %v", at, want)
	}
	return nil
}

func isKind(kind string, v any) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case json.Number:
		return kind == "number" || kind == "integer" && rat(v).IsInt()
	case []any:
		return kind == "array"
	}
	return kind == "object"
}

func rat(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return new(big.Rat)
	}
	return r
}

func same(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, both := b.(json.Number)
	if isNumber && both {
		return rat(x).Cmp(rat(y)) == 0
	}
	return bytes.Equal(encode(a), encode(b))
}

func (c checker) values(schema map[string]any, v any, at string) error {
	if want, ok := schema["const"]; ok && !same(want, v) {
		return fmt.Errorf("%s: must be %s", at, encode(want))
	}
	if all, ok := schema["enum"].([]any); ok {
		for _, one := range all {
			if same(one, v) {
				return nil
			}
		}
		return fmt.Errorf("%s: must be one of %s", at, encode(all))
	}
	return nil
}

func (c checker) union(schema map[string]any, v any, at string) error {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		arms, ok := schema[keyword].([]any)
		if !ok {
			continue
		}
		fits := 0
		for _, arm := range arms {
			if c.check(arm.(map[string]any), v, at) == nil {
				fits++
			}
		}
		if fits == 0 || keyword == "oneOf" && fits > 1 {
			return fmt.Errorf("%s: fits %d of the %d alternatives", at, fits, len(arms))
		}
	}
	return nil
}

// bound is an integer keyword; ok is false when the schema lacks it.
func bound(schema map[string]any, keyword string) (n int, ok bool) {
	text, ok := schema[keyword].(json.Number)
	if !ok {
		return 0, false
	}
	i, _ := text.Int64()
	return int(i), true
}

func size(schema map[string]any, low, high string, n int, at string) error {
	if least, ok := bound(schema, low); ok && n < least {
		return fmt.Errorf("%s: %s is %d, not %d", at, low, least, n)
	}
	if most, ok := bound(schema, high); ok && n > most {
		return fmt.Errorf("%s: %s is %d, not %d", at, high, most, n)
	}
	return nil
}

func checkString(schema map[string]any, s, at string) error {
	if err := size(schema, "minLength", "maxLength", utf8.RuneCountInString(s), at); err != nil {
		return err
	}
	if pattern, ok := schema["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(s) {
		return fmt.Errorf("%s: must match %s", at, pattern)
	}
	layouts := map[any]string{"date-time": time.RFC3339Nano, "date": time.DateOnly}
	if layout, ok := layouts[schema["format"]]; ok {
		if _, err := time.Parse(layout, s); err != nil {
			return fmt.Errorf("%s: is no %s: %q", at, schema["format"], s)
		}
	}
	return nil
}

func checkNumber(schema map[string]any, n json.Number, at string) error {
	rules := map[string]func(cmp int) bool{
		"minimum":          func(cmp int) bool { return cmp >= 0 },
		"maximum":          func(cmp int) bool { return cmp <= 0 },
		"exclusiveMinimum": func(cmp int) bool { return cmp > 0 },
		"exclusiveMaximum": func(cmp int) bool { return cmp < 0 },
	}
	for keyword, holds := range rules {
		if limit, ok := schema[keyword].(json.Number); ok && !holds(rat(n).Cmp(rat(limit))) {
			return fmt.Errorf("%s: breaks %s %s", at, keyword, limit)
		}
	}
	if step, ok := schema["multipleOf"].(json.Number); ok && !new(big.Rat).Quo(rat(n), rat(step)).IsInt() {
		return fmt.Errorf("%s: must be a multiple of %s", at, step)
	}
	return nil
}

func (c checker) array(schema map[string]any, items []any, at string) error {
	if err := size(schema, "minItems", "maxItems", len(items), at); err != nil {
		return err
	}
	prefix, _ := schema["prefixItems"].([]any)
	rest, hasRest := schema["items"]
	for i, item := range items {
		var err error
		place := fmt.Sprintf("%s/%d", at, i)
		switch {
		case i < len(prefix):
			err = c.any(prefix[i], item, place)
		case hasRest:
			err = c.any(rest, item, place)
		}
		if err != nil {
			return err
		}
	}
	if schema["uniqueItems"] == true {
		for i := range items {
			for j := range i {
				if same(items[i], items[j]) {
					return fmt.Errorf("%s/%d: repeats item %d", at, i, j)
				}
			}
		}
	}
	return nil
}

// any checks against a schema that may be a boolean.
func (c checker) any(schema, v any, at string) error {
	switch s := schema.(type) {
	case map[string]any:
		return c.check(s, v, at)
	case bool:
		if !s {
			return fmt.Errorf("%s: is not allowed", at)
		}
	}
	return nil
}

func (c checker) object(schema map[string]any, o map[string]any, at string) error {
	if err := size(schema, "minProperties", "maxProperties", len(o), at); err != nil {
		return err
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := o[name.(string)]; !ok {
			return fmt.Errorf("%s: lacks %q", at, name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	rest, hasRest := schema["additionalProperties"]
	for name, v := range o {
		var err error
		if property, ok := properties[name]; ok {
			err = c.any(property, v, at+"/"+name)
		} else if hasRest {
			err = c.any(rest, v, at+"/"+name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
