package instances

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const maxNesting = 30

var allTypes = []string{"string", "integer", "boolean", "object", "array", "number", "null"}

// build makes a value that fits all the schemas, as far as it can tell.
func (g *Generator) build(schemas []any, depth int) (any, bool) {
	if depth > maxNesting {
		return nil, false
	}
	s, ok := g.collect(schemas, depth)
	if !ok {
		return nil, false
	}
	if s.listed {
		return clone(s.candidates[g.rand.IntN(len(s.candidates))]), true
	}
	types := slices.Clone(s.types)
	if types == nil {
		if !s.says() && depth > 2 {
			return g.anything(3), true
		}
		types = s.likely()
	}
	g.rand.Shuffle(len(types), func(i, j int) { types[i], types[j] = types[j], types[i] })
	if depth > 6 {
		slices.SortStableFunc(types, func(a, b string) int { return size(a) - size(b) })
	}
	for _, t := range types {
		if v, ok := g.typed(s, t, depth); ok {
			return v, true
		}
	}
	return nil, false
}

func size(t string) int {
	switch t {
	case "object":
		return 2
	case "array":
		return 1
	}
	return 0
}

// says reports whether the spec has keywords for some type.
func (s *spec) says() bool { return len(s.likely()) < len(allTypes) }

// likely are the types that the spec has keywords for, or all.
func (s *spec) likely() []string {
	switch {
	case len(s.properties) > 0 || len(s.required) > 0 || len(s.groups) > 0 || s.names != nil || s.minProps > 0:
		return []string{"object"}
	case s.prefix != nil || s.items != nil || s.contains != nil || s.minItems > 0 || s.unique:
		return []string{"array"}
	case len(s.patterns) > 0 || len(s.texts) > 0 || s.minLength > 0:
		return []string{"string"}
	case s.min != nil || s.max != nil || s.multiples != nil:
		return []string{"number"}
	}
	return slices.Clone(allTypes)
}

func (g *Generator) typed(s *spec, t string, depth int) (any, bool) {
	switch t {
	case "null":
		return nil, true
	case "boolean":
		return g.rand.IntN(2) == 0, true
	case "integer":
		return g.number(s, true)
	case "number":
		return g.number(s, false)
	case "string":
		return g.text(s)
	case "array":
		return g.array(s, depth)
	case "object":
		return g.object(s, depth)
	}
	return nil, false
}

// anything is some JSON value of which every digit must survive.
func (g *Generator) anything(left int) any {
	scalars := []any{nil, true, false, json.Number("0"), json.Number("-12"), json.Number("1.5"), json.Number("9007199254740993"),
		json.Number("12345678901234567890123"), json.Number("1.10"), "", "text", "日本 \"q\" <&>\u2028\\", "null"}
	if left > 0 && g.rand.IntN(3) == 0 {
		if g.rand.IntN(2) == 0 {
			return map[string]any{"k": g.anything(left - 1), "": g.anything(left - 1)}
		}
		return []any{g.anything(left - 1), g.anything(left - 1)}
	}
	switch g.rand.IntN(12) {
	case 0:
		return map[string]any{}
	case 1:
		return []any{}
	}
	return scalars[g.rand.IntN(len(scalars))]
}

// want decides about something optional.
func (g *Generator) want(depth int) bool {
	switch {
	case g.mode == minimal || depth > 8:
		return false
	case g.mode == maximal:
		return depth < 5
	}
	return g.rand.IntN(2+depth/3) == 0
}

func (g *Generator) array(s *spec, depth int) (any, bool) {
	count := s.minItems
	for g.want(depth) && count < s.minItems+4 {
		count++
		if g.mode == maximal && count >= s.minItems+2 {
			break
		}
	}
	if count > 2000 {
		return nil, false
	}
	count = min(max(count, len(s.contains)), s.maxItems)
	if g.mode == maximal && count < len(s.prefix) {
		count = min(len(s.prefix), s.maxItems)
	}
	out := make([]any, 0, count)
	seen := map[string]bool{}
	for tries := 0; len(out) < count && tries < 5*count+20; tries++ {
		v, ok := g.build(g.itemSchemas(s, len(out)), depth+1)
		if !ok {
			if len(out) >= s.minItems {
				return out, true
			}
			continue
		}
		if key := encode(v); !s.unique || !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out, len(out) >= s.minItems
}

// itemSchemas are the schemas of one position; the first ones also satisfy
// contains.
func (g *Generator) itemSchemas(s *spec, i int) []any {
	schemas := slices.Clone(s.items)
	if i < len(s.prefix) {
		schemas = slices.Clone(s.prefix[i])
	}
	if i < len(s.contains) {
		schemas = append(schemas, s.contains[i])
	}
	return schemas
}

func (g *Generator) object(s *spec, depth int) (any, bool) {
	out := map[string]any{}
	for _, name := range jsonwire.SortedKeys(s.required) {
		v, ok := g.build(s.member(name), depth+1)
		if !ok {
			return nil, false
		}
		out[name] = v
	}
	for _, name := range jsonwire.SortedKeys(s.properties) {
		if _, has := out[name]; !has && len(out) < s.maxProps && g.want(depth) {
			if v, ok := g.build(s.member(name), depth+1); ok {
				out[name] = v
			}
		}
	}
	for tries := 0; len(out) < s.minProps && tries < 20+s.minProps; tries++ {
		g.extra(s, out, depth, true)
	}
	if g.want(depth) && len(out) < s.maxProps {
		g.extra(s, out, depth, false)
	}
	g.dependencies(s, out, depth)
	return out, true
}

// extra adds a member that the schema does not name, or a named one when the
// object is too small.
func (g *Generator) extra(s *spec, out map[string]any, depth int, needed bool) {
	name, ok := g.memberName(s, needed)
	if !ok {
		return
	}
	if _, has := out[name]; has {
		return
	}
	schemas := s.member(name)
	if s.closed && len(schemas) == 0 {
		return
	}
	if len(schemas) == 0 {
		out[name] = g.anything(2)
		return
	}
	if v, ok := g.build(schemas, depth+1); ok {
		out[name] = v
	}
}

func (g *Generator) memberName(s *spec, needed bool) (string, bool) {
	if named := jsonwire.SortedKeys(s.properties); needed && len(named) > 0 && g.rand.IntN(2) == 0 {
		return named[g.rand.IntN(len(named))], true
	}
	if len(s.names) > 0 {
		v, ok := g.build(append(slices.Clone(s.names), map[string]any{"type": "string"}), 0)
		name, isText := v.(string)
		return name, ok && isText
	}
	var patterns []string
	for _, group := range s.groups {
		patterns = append(patterns, jsonwire.SortedKeys(group.patterns)...)
	}
	if len(patterns) > 0 && g.rand.IntN(3) > 0 {
		return g.matching(patterns[g.rand.IntN(len(patterns))])
	}
	names := []string{"extra", "x-ключ", "with space", "a/b~c", "\"q\"", "Extra"}
	return names[g.rand.IntN(len(names))], true
}

// member are all schemas that apply to a member.
func (s *spec) member(name string) []any {
	schemas := slices.Clone(s.properties[name])
	for _, group := range s.groups {
		_, named := group.properties[name]
		for _, pattern := range jsonwire.SortedKeys(group.patterns) {
			if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
				named = true
				schemas = append(schemas, group.patterns[pattern])
			}
		}
		if !named && group.additional != nil {
			schemas = append(schemas, group.additional)
		}
	}
	return schemas
}

// dependencies adds the members that others ask for.
func (g *Generator) dependencies(s *spec, out map[string]any, depth int) {
	for _, name := range jsonwire.SortedKeys(s.dependent) {
		if _, has := out[name]; !has {
			continue
		}
		for _, other := range list(s.dependent[name]) {
			other, _ := other.(string)
			if _, has := out[other]; !has {
				if v, ok := g.build(s.member(other), depth+1); ok {
					out[other] = v
				}
			}
		}
	}
}
