package instances

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
)

// spec is what several schemas say together about one value, with one arm
// chosen of every union.
type spec struct {
	types      []string // nil: any
	candidates []any    // from const and enum; nil: not restricted
	listed     bool
	texts      map[string]any // format

	patterns             []string
	minLength, maxLength int

	min, max               *big.Rat
	minExclusive, maxExclu bool
	multiples              []*big.Rat

	properties map[string][]any
	required   map[string]bool
	groups     []objectGroup
	names      []any // propertyNames
	minProps   int
	maxProps   int
	closed     bool // unevaluatedProperties: false
	dependent  map[string]any

	prefix   []([]any)
	items    []any
	contains []any
	minItems int
	maxItems int
	unique   bool
}

// objectGroup is the part of one schema that decides about additional members.
type objectGroup struct {
	properties map[string]any
	patterns   map[string]any
	additional any // nil: not stated
}

const unbounded = 1 << 30

// collect gathers the schemas; false means that no value fits.
func (g *Generator) collect(schemas []any, depth int) (*spec, bool) {
	s := &spec{maxLength: unbounded, maxProps: unbounded, maxItems: unbounded, properties: map[string][]any{},
		required: map[string]bool{}, texts: map[string]any{}, dependent: map[string]any{}}
	for _, schema := range schemas {
		if !g.gather(s, schema, depth, 0) {
			return nil, false
		}
	}
	return s, true
}

func (g *Generator) gather(s *spec, schema any, depth, hops int) bool {
	if g.steps++; hops > 100 || g.steps > 50_000 {
		return false
	}
	m, ok := schema.(map[string]any)
	if !ok {
		b, isBool := schema.(bool)
		return !isBool || b
	}
	for _, keyword := range [...]string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := m[keyword].(string)
		if !ok {
			continue
		}
		target, found := g.doc.resolve(ref)
		if !found || !g.gather(s, target, depth, hops+1) {
			return false
		}
		if keyword == "$ref" && g.doc.draft07 {
			return true
		}
	}
	if !s.scalars(m) {
		return false
	}
	s.containers(m)
	for _, sub := range list(m["allOf"]) {
		if !g.gather(s, sub, depth, hops+1) {
			return false
		}
	}
	return g.arm(s, list(m["anyOf"]), depth, hops) && g.arm(s, list(m["oneOf"]), depth, hops) && g.condition(s, m, depth, hops)
}

// arm takes one arm of a union, a simple one when the value is deep already.
func (g *Generator) arm(s *spec, arms []any, depth, hops int) bool {
	if len(arms) == 0 {
		return true
	}
	order := g.rand.Perm(len(arms))
	if depth > 4 {
		slices.SortStableFunc(order, func(a, b int) int { return g.weight(arms[a], 0) - g.weight(arms[b], 0) })
	}
	for _, i := range order {
		tried := *s
		tried.properties, tried.required = maps.Clone(s.properties), maps.Clone(s.required)
		tried.texts, tried.prefix = maps.Clone(s.texts), slices.Clone(s.prefix)
		if g.gather(&tried, arms[i], depth, hops+1) {
			*s = tried
			return true
		}
	}
	return false
}

// weight guesses how large the smallest value of a schema is.
func (g *Generator) weight(schema any, hops int) int {
	m, ok := schema.(map[string]any)
	if !ok || hops > 5 {
		return 0
	}
	if ref, ok := m["$ref"].(string); ok {
		target, _ := g.doc.resolve(ref)
		return 1 + g.weight(target, hops+1)
	}
	w := 5 * len(list(m["required"]))
	switch m["type"] {
	case "null", "string", "boolean", "number", "integer":
	case "array":
		w += 2
	default:
		w += 3
	}
	return w
}

// condition follows then or else at random; the validator checks the guess.
func (g *Generator) condition(s *spec, m map[string]any, depth, hops int) bool {
	if m["if"] == nil {
		return true
	}
	if g.rand.IntN(2) == 0 {
		return g.gather(s, m["if"], depth, hops+1) && g.gather(s, m["then"], depth, hops+1)
	}
	return g.gather(s, m["else"], depth, hops+1)
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// scalars adds what does not hold schemas; false means that nothing is left.
func (s *spec) scalars(m map[string]any) bool {
	if !s.narrow(m["type"]) {
		return false
	}
	if c, ok := m["const"]; ok {
		s.list([]any{c})
	}
	if e := list(m["enum"]); len(e) > 0 {
		s.list(e)
	}
	if s.listed && len(s.candidates) == 0 {
		return false
	}
	if p, ok := m["pattern"].(string); ok {
		s.patterns = append(s.patterns, p)
	}
	if f, ok := m["format"].(string); ok {
		s.texts[f] = true
	}
	s.minLength, s.maxLength = max(s.minLength, integer(m["minLength"], 0)), min(s.maxLength, integer(m["maxLength"], unbounded))
	s.minItems, s.maxItems = max(s.minItems, integer(m["minItems"], 0)), min(s.maxItems, integer(m["maxItems"], unbounded))
	s.minProps, s.maxProps = max(s.minProps, integer(m["minProperties"], 0)), min(s.maxProps, integer(m["maxProperties"], unbounded))
	if u, ok := m["uniqueItems"].(bool); ok && u {
		s.unique = true
	}
	s.bounds(m)
	return true
}

func (s *spec) narrow(stated any) bool {
	var names []string
	switch t := stated.(type) {
	case string:
		names = []string{t}
	case []any:
		for _, x := range t {
			if name, ok := x.(string); ok {
				names = append(names, name)
			}
		}
	}
	if names == nil || s.types == nil {
		if names != nil {
			s.types = names
		}
		return true
	}
	var both []string
	for _, a := range s.types {
		for _, b := range names {
			switch {
			case a == b || a == "integer" && b == "number":
				both = append(both, a)
			case a == "number" && b == "integer":
				both = append(both, b)
			}
		}
	}
	s.types = both
	return len(both) > 0
}

// list intersects the allowed values.
func (s *spec) list(values []any) {
	if !s.listed {
		s.listed, s.candidates = true, values
		return
	}
	var both []any
	for _, v := range s.candidates {
		if slices.ContainsFunc(values, func(x any) bool { return encode(x) == encode(v) }) {
			both = append(both, v)
		}
	}
	s.candidates = both
}

func integer(v any, fallback int) int {
	n, ok := v.(json.Number)
	if !ok {
		return fallback
	}
	f, err := n.Float64()
	if err != nil || f > unbounded {
		return unbounded
	}
	return int(f)
}

func (s *spec) bounds(m map[string]any) {
	low := func(v any, exclusive bool) {
		if r := rat(v); r != nil && (s.min == nil || r.Cmp(s.min) > 0 || r.Cmp(s.min) == 0 && exclusive) {
			s.min, s.minExclusive = r, exclusive
		}
	}
	high := func(v any, exclusive bool) {
		if r := rat(v); r != nil && (s.max == nil || r.Cmp(s.max) < 0 || r.Cmp(s.max) == 0 && exclusive) {
			s.max, s.maxExclu = r, exclusive
		}
	}
	low(m["minimum"], m["exclusiveMinimum"] == true)
	high(m["maximum"], m["exclusiveMaximum"] == true)
	low(m["exclusiveMinimum"], true)
	high(m["exclusiveMaximum"], true)
	if r := rat(m["multipleOf"]); r != nil && r.Sign() > 0 {
		s.multiples = append(s.multiples, r)
	}
}

func rat(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok || len(n) > 400 {
		return nil
	}
	if f, err := n.Float64(); err != nil || f > 1e300 || f < -1e300 {
		return nil
	}
	r, _ := new(big.Rat).SetString(string(n))
	return r
}

// containers adds what holds schemas for members and items.
func (s *spec) containers(m map[string]any) {
	group := objectGroup{additional: m["additionalProperties"]}
	group.properties, _ = m["properties"].(map[string]any)
	group.patterns, _ = m["patternProperties"].(map[string]any)
	for name, sub := range group.properties {
		s.properties[name] = append(slices.Clip(s.properties[name]), sub)
	}
	if group.properties != nil || group.patterns != nil || group.additional != nil {
		s.groups = append(slices.Clip(s.groups), group)
	}
	for _, name := range list(m["required"]) {
		if name, ok := name.(string); ok {
			s.required[name] = true
		}
	}
	if names, ok := m["propertyNames"]; ok {
		s.names = append(slices.Clip(s.names), names)
	}
	if m["unevaluatedProperties"] == false {
		s.closed = true
	}
	if d, ok := m["dependentRequired"].(map[string]any); ok {
		s.dependent = d
	}
	if d, ok := m["dependencies"].(map[string]any); ok {
		s.dependent = d
	}
	s.arrays(m)
}

func (s *spec) arrays(m map[string]any) {
	prefix, rest := list(m["prefixItems"]), m["items"]
	if l, ok := rest.([]any); ok {
		prefix, rest = l, m["additionalItems"]
	}
	for i, sub := range prefix {
		if i == len(s.prefix) {
			s.prefix = append(slices.Clip(s.prefix), s.items)
		}
		s.prefix[i] = append(slices.Clip(s.prefix[i]), sub)
	}
	if rest != nil {
		s.items = append(slices.Clip(s.items), rest)
	}
	if c, ok := m["contains"]; ok {
		s.contains = append(slices.Clip(s.contains), c)
	}
}
