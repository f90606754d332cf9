package schema

// The names that a schema document holds: types by path, their fields and
// values, and the methods.

import "maps"

type fact struct{ kind, path, name string }

func facts(doc map[string]any) []fact {
	var all collector
	defs := map[string]any{}
	for _, keyword := range []string{"$defs", "definitions"} {
		if m, ok := doc[keyword].(map[string]any); ok {
			maps.Copy(defs, m)
		}
	}
	for name, def := range defs {
		all.add("type", name, "")
		all.members(name, def)
	}
	return all.facts
}

type collector struct{ facts []fact }

func (c *collector) add(kind, path, name string) {
	c.facts = append(c.facts, fact{kind, path, name})
}

// members collects what belongs to the type at path. The arms of an allOf or
// anyOf that are written in place belong to it too.
func (c *collector) members(path string, schema any) {
	s, _ := schema.(map[string]any)
	properties, _ := s["properties"].(map[string]any)
	for name, property := range properties {
		c.add("field", path, name)
		c.inline(path+"."+name, property)
		c.method(name, property)
	}
	c.values(path, s)
	for _, arm := range arms(s) {
		c.members(path, arm)
	}
	c.inline(path, s["items"])
	c.inline(path, s["additionalProperties"])
}

// inline collects a type that is written where it is used. Objects without
// members have no type of their own.
func (c *collector) inline(path string, schema any) {
	s, _ := schema.(map[string]any)
	if len(s) == 0 || s["$ref"] != nil {
		return
	}
	var own collector
	own.members(path, s)
	for _, f := range own.facts {
		if f.path == path && f.kind != "method" {
			c.add("type", path, "")
			break
		}
	}
	c.facts = append(c.facts, own.facts...)
}

// values collects an enum, or the constants that stand for one.
func (c *collector) values(path string, s map[string]any) {
	enum, _ := s["enum"].([]any)
	for _, arm := range arms(s) {
		if a, _ := arm.(map[string]any); a["const"] != nil {
			enum = append(enum, a["const"])
		}
	}
	for _, value := range enum {
		c.add("value", path, value.(string))
	}
}

func (c *collector) method(name string, property any) {
	p, _ := property.(map[string]any)
	if text, ok := p["const"].(string); ok && name == "method" {
		c.add("method", "", text)
	}
}

func arms(s map[string]any) []any {
	var all []any
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[keyword].([]any)
		all = append(all, list...)
	}
	return all
}
