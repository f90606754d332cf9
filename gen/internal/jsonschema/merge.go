package jsonschema

import (
	"fmt"
	"regexp"
	"slices"
)

// merger folds flat nodes into one that allows what all of them allow. Scalars
// are folded one branch after the other; members and items need all branches at
// once, since what one branch does not name is judged by its
// additionalProperties or items. A result that allows more than the branches do
// is marked in Dynamic; it never allows less.
type merger struct {
	g      *graph
	out    *Node
	parts  []*Node
	issues []string

	typesFrom  *Node
	valuesFrom *Node
	typed      bool
	byName     []map[string]*Node // properties of each part
}

// add folds in the keywords that can be merged one branch at a time.
func (m *merger) add(p *Node) {
	m.parts = append(m.parts, p)
	m.annotate(p)
	if p.Never() {
		never := false
		m.out.Bool = &never
	}
	m.types(p)
	m.values(p)
	m.bounds(p)
	m.strings(p)
	m.unions(p)
	for _, k := range p.Dynamic {
		m.dynamic(k)
	}
	m.out.inPlace = append(m.out.inPlace, p.inPlace...)
	m.out.inside = append(m.out.inside, p.inside...)
}

// finish merges the keywords that depend on one another across branches.
func (m *merger) finish() {
	if m.typed && m.out.Types == 0 {
		never := false
		m.out.Bool = &never
	}
	m.objects()
	m.arrays()
}

func (m *merger) dynamic(keyword string) {
	if !slices.Contains(m.out.Dynamic, keyword) {
		m.out.Dynamic = append(m.out.Dynamic, keyword)
	}
}

func (m *merger) conflict(format string, args ...any) {
	m.issues = append(m.issues, fmt.Sprintf(format, args...))
}

// annotate takes annotations that nobody has given yet.
func (m *merger) annotate(p *Node) {
	o := m.out
	first := func(field *string, text string) {
		if *field == "" {
			*field = text
		}
	}
	first(&o.Title, p.Title)
	first(&o.Description, p.Description)
	first(&o.Comment, p.Comment)
	if o.Default == nil {
		o.Default = p.Default
	}
	if o.Header == nil {
		o.Header = p.Header
	}
	o.Deprecated = o.Deprecated || p.Deprecated
	o.Nullable = o.Nullable || p.Nullable
	switch {
	case o.Format == "":
		o.Format = p.Format
	case p.Format != "" && p.Format != o.Format && m.g.draft.FormatAsserted():
		m.dynamic("format")
	}
}

func (m *merger) types(p *Node) {
	o := m.out
	switch {
	case p.Types == 0:
	case !m.typed:
		o.Types, m.typed, m.typesFrom = p.Types, true, p
	default:
		both := o.Types.intersect(p.Types)
		if both == 0 && o.Types != 0 {
			m.conflict("no value can be %s (%s) and %s (%s)", o.Types, where(m.typesFrom), p.Types, where(p))
		}
		o.Types = both
	}
}

// where names a branch in a message.
func where(n *Node) string {
	if n.Pointer == "" {
		return `"#"`
	}
	return quoteShort(n.Pointer)
}

func (m *merger) values(p *Node) {
	o := m.out
	if p.Const != nil {
		switch {
		case o.Const == nil:
			o.Const = p.Const
		case !Equal(o.Const, p.Const):
			m.conflict("const is %s in %s and %s in %s", short(o.Const), where(m.valuesFrom), short(p.Const), where(p))
		}
	}
	switch {
	case p.Enum == nil:
	case o.Enum == nil:
		o.Enum = p.Enum
	default:
		both := intersectValues(o.Enum, p.Enum)
		if len(both) == 0 {
			m.conflict("enum of %s and enum of %s have no value in common", where(m.valuesFrom), where(p))
			both = o.Enum
		}
		o.Enum = both
	}
	if o.Const != nil && o.Enum != nil && !slices.ContainsFunc(o.Enum, func(v *Value) bool { return Equal(v, o.Const) }) {
		m.conflict("const %s is not in the enum, between %s and %s", short(o.Const), where(m.valuesFrom), where(p))
		o.Enum = nil
	}
	if p.Const != nil || p.Enum != nil {
		m.valuesFrom = p
	}
}

func short(v *Value) string {
	text := v.JSONText()
	if len(text) > 60 {
		return quoteShort(text[:60])
	}
	return text
}

func intersectValues(a, b []*Value) []*Value {
	in := make(map[string]bool, len(b))
	for _, v := range b {
		in[v.Canonical()] = true
	}
	var both []*Value
	for _, v := range a {
		if in[v.Canonical()] {
			both = append(both, v)
		}
	}
	return both
}

func (m *merger) bounds(p *Node) {
	o := m.out
	largest := func(field *string, text string) {
		if *field == "" || text != "" && CompareNumbers(text, *field) > 0 {
			*field = text
		}
	}
	smallest := func(field *string, text string) {
		if *field == "" || text != "" && CompareNumbers(text, *field) < 0 {
			*field = text
		}
	}
	largest(&o.Minimum, p.Minimum)
	largest(&o.ExclusiveMinimum, p.ExclusiveMinimum)
	smallest(&o.Maximum, p.Maximum)
	smallest(&o.ExclusiveMaximum, p.ExclusiveMaximum)
	o.MultipleOf = appendNew(o.MultipleOf, p.MultipleOf)

	o.MinLength, o.MaxLength = maxOf(o.MinLength, p.MinLength), minOf(o.MaxLength, p.MaxLength)
	o.MinItems, o.MaxItems = maxOf(o.MinItems, p.MinItems), minOf(o.MaxItems, p.MaxItems)
	o.MinProperties, o.MaxProperties = maxOf(o.MinProperties, p.MinProperties), minOf(o.MaxProperties, p.MaxProperties)
	o.UniqueItems = o.UniqueItems || p.UniqueItems
}

func maxOf(a, b *int) *int {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

func minOf(a, b *int) *int {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

func (m *merger) strings(p *Node) {
	m.out.Patterns = appendNew(m.out.Patterns, p.Patterns)
	m.out.Required = appendNew(m.out.Required, p.Required)
}

// appendNew appends what list does not have, never into its array.
func appendNew(list, more []string) []string {
	list = slices.Clip(list)
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// unions carries anyOf and oneOf over. Of two anyOf the first stays typed.
func (m *merger) unions(p *Node) {
	o := m.out
	for _, u := range [...]struct {
		mine   *[]*Node
		theirs []*Node
	}{{&o.AnyOf, p.AnyOf}, {&o.OneOf, p.OneOf}} {
		switch {
		case len(u.theirs) == 0:
		case len(*u.mine) == 0:
			*u.mine = u.theirs
		case !slices.Equal(*u.mine, u.theirs):
			m.dynamic("allOf")
		}
	}
}

// objects merges properties by name. A member that only some branches name must
// also satisfy what the others say about members that they do not name.
func (m *merger) objects() {
	o := m.out
	for _, p := range m.parts {
		if p.PropertyNames != nil {
			o.PropertyNames = m.both(o.PropertyNames, p.PropertyNames)
		}
		for _, prop := range p.PatternProperties {
			m.pattern(p, prop)
		}
	}
	index := map[string]bool{}
	for _, p := range m.parts {
		for _, prop := range p.Properties {
			if !index[prop.Name] {
				index[prop.Name] = true
				o.Properties = append(o.Properties, Property{prop.Name, m.property(prop.Name)})
			}
		}
		if p.Properties != nil && o.Properties == nil {
			o.Properties = []Property{}
		}
	}
	for _, p := range m.parts {
		if p.AdditionalProperties != nil {
			o.AdditionalProperties = m.both(o.AdditionalProperties, p.AdditionalProperties)
		}
	}
}

// pattern merges a pattern property, which may be what another branch calls
// additional.
func (m *merger) pattern(from *Node, prop Property) {
	for i, have := range m.out.PatternProperties {
		if have.Name == prop.Name {
			m.out.PatternProperties[i].Node = m.both(have.Node, prop.Node)
			return
		}
	}
	m.out.PatternProperties = append(slices.Clip(m.out.PatternProperties), prop)
	for _, p := range m.parts {
		if p != from && p.AdditionalProperties != nil && !p.AdditionalProperties.Unrestricted() {
			m.dynamic("additionalProperties")
		}
	}
}

// property is what all branches together say about one member.
func (m *merger) property(name string) *Node {
	indexes := m.indexes()
	var parts []*Node
	for i, p := range m.parts {
		if n := indexes[i][name]; n != nil {
			parts = append(parts, n)
			continue
		}
		patterns := matching(p.PatternProperties, name)
		switch {
		case len(patterns) > 0:
			parts = append(parts, patterns...)
		case p.AdditionalProperties == nil:
		case p.AdditionalProperties.Never():
			m.dynamic("additionalProperties")
		default:
			parts = append(parts, p.AdditionalProperties)
		}
	}
	return m.all(parts)
}

func (m *merger) indexes() []map[string]*Node {
	if m.byName == nil {
		for _, p := range m.parts {
			index := make(map[string]*Node, len(p.Properties))
			for _, prop := range p.Properties {
				index[prop.Name] = prop.Node
			}
			m.byName = append(m.byName, index)
		}
	}
	return m.byName
}

func matching(patterns []Property, name string) []*Node {
	var nodes []*Node
	for _, p := range patterns {
		if re, err := regexp.Compile(p.Name); err == nil && re.MatchString(name) {
			nodes = append(nodes, p.Node)
		}
	}
	return nodes
}

func (m *merger) both(a, b *Node) *Node {
	if a == nil {
		return b
	}
	return m.all([]*Node{a, b})
}

// all joins nodes that judge the same part of a value. When that may lose
// something the node that is being made has to be validated as a whole, because
// the joined node has no place of its own in the document.
func (m *merger) all(parts []*Node) *Node {
	n := m.g.join(parts)
	if members := m.g.joined(n); members != nil && m.g.needsValidator(members) {
		m.dynamic("allOf")
	}
	return n
}

// arrays merges items position by position.
func (m *merger) arrays() {
	o := m.out
	longest := 0
	for _, p := range m.parts {
		longest = max(longest, len(p.PrefixItems))
		if p.Items != nil {
			o.Items = m.both(o.Items, p.Items)
		}
	}
	for i := range longest {
		var parts []*Node
		for _, p := range m.parts {
			switch {
			case i < len(p.PrefixItems):
				parts = append(parts, p.PrefixItems[i])
			case p.Items != nil:
				parts = append(parts, p.Items)
			}
		}
		o.PrefixItems = append(o.PrefixItems, m.all(parts))
	}
}
