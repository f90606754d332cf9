package lock

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
)

// What a comparison says about the parts of objects and arrays, and about the
// rules that have no order: a pattern or a condition that changed may allow more,
// less or both, so it counts as breaking either way.

// object compares members.
func (c *comparison) object(a, b *jsonschema.Node) {
	after := index(b.Properties)
	before := index(a.Properties)
	for _, p := range a.Properties {
		now, ok := after[p.Name]
		switch {
		case p.Node.Never() && !ok:
		case !ok:
			c.removed(p)
		default:
			c.requiredness(a, b, p.Name, now)
			c.compare(p.Node, now)
		}
	}
	for _, p := range b.Properties {
		if before[p.Name] == nil && !p.Node.Never() {
			c.added(a, b, p)
		}
	}
	c.requiredOnly(a, b, before, after)
	c.additional(a, b)
	c.patterns(a, b)
	c.child(b, "names of members", a.PropertyNames, b.PropertyNames)
}

func index(properties []jsonschema.Property) map[string]*jsonschema.Node {
	out := make(map[string]*jsonschema.Node, len(properties))
	for _, p := range properties {
		out[p.Name] = p.Node
	}
	return out
}

func (c *comparison) removed(p jsonschema.Property) {
	what := "the argument"
	if c.dir == results {
		what = "the member"
	}
	c.changed(p.Node, "%s was removed", what)
}

func (c *comparison) added(a, b *jsonschema.Node, p jsonschema.Property) {
	required := b.IsRequired(p.Name)
	switch {
	case c.dir == arguments && required && !a.IsRequired(p.Name):
		c.changed(p.Node, "a required argument was added")
	case c.dir == arguments:
		c.add(Compatible, c.root+p.Node.Pointer, "an optional argument was added")
	case a.AdditionalProperties != nil && a.AdditionalProperties.Never():
		c.changed(p.Node, "a member was added to an object that allowed no others")
	default:
		c.add(Compatible, c.root+p.Node.Pointer, "a member was added")
	}
}

func (c *comparison) requiredness(a, b *jsonschema.Node, name string, at *jsonschema.Node) {
	switch before, after := a.IsRequired(name), b.IsRequired(name); {
	case after && !before:
		c.narrowed(at, "became required")
	case before && !after:
		c.widened(at, "became optional")
	}
}

// requiredOnly compares required names that no property describes.
func (c *comparison) requiredOnly(a, b *jsonschema.Node, before, after map[string]*jsonschema.Node) {
	named := func(name string) bool { return before[name] != nil || after[name] != nil }
	for _, name := range b.Required {
		if !named(name) && !a.IsRequired(name) {
			c.narrowed(b, "%q became required", name)
		}
	}
	for _, name := range a.Required {
		if !named(name) && !b.IsRequired(name) {
			c.widened(b, "%q became optional", name)
		}
	}
}

// additional compares what is said about members without a name.
func (c *comparison) additional(a, b *jsonschema.Node) {
	if !describesObject(a) && !describesObject(b) {
		return
	}
	before, after := open(a), open(b)
	switch {
	case before == nil && after == nil:
	case before == nil:
		if after.Never() {
			c.narrowed(b, "other members are no longer allowed")
		} else {
			c.narrowed(after, "other members are restricted now")
		}
	case after == nil:
		if before.Never() {
			c.widened(b, "other members are allowed now")
		} else {
			c.widened(b, "other members may be anything now")
		}
	case before.Never() && after.Never():
	case before.Never():
		c.widened(b, "other members are allowed now")
	case after.Never():
		c.narrowed(b, "other members are no longer allowed")
	default:
		c.compare(before, after)
	}
}

func describesObject(n *jsonschema.Node) bool {
	return n.Types&jsonschema.Object != 0 || n.HintedTypes()&jsonschema.Object != 0
}

// open is the schema of additional members, nil when they may be anything.
func open(n *jsonschema.Node) *jsonschema.Node {
	if n.AdditionalProperties == nil || n.AdditionalProperties.Unrestricted() {
		return nil
	}
	return n.AdditionalProperties
}

func (c *comparison) patterns(a, b *jsonschema.Node) {
	before, after := index(a.PatternProperties), index(b.PatternProperties)
	for _, p := range a.PatternProperties {
		if now := after[p.Name]; now != nil {
			c.compare(p.Node, now)
		} else {
			c.changed(b, "members that match %q are no longer described", p.Name)
		}
	}
	for _, p := range b.PatternProperties {
		if before[p.Name] == nil {
			c.narrowed(p.Node, "members that match %q are described now", p.Name)
		}
	}
}

// child compares an optional subschema that restricts something.
func (c *comparison) child(at *jsonschema.Node, what string, before, after *jsonschema.Node) {
	switch {
	case before == nil && after == nil:
	case before == nil:
		if !after.Unrestricted() {
			c.narrowed(at, "%s are restricted now", what)
		}
	case after == nil:
		if !before.Unrestricted() {
			c.widened(at, "%s may be anything now", what)
		}
	default:
		c.compare(before, after)
	}
}

// array compares items by position.
func (c *comparison) array(a, b *jsonschema.Node) {
	for i := range max(len(a.PrefixItems), len(b.PrefixItems)) {
		before, after := item(a, i), item(b, i)
		c.child(b, "items", before, after)
	}
	c.child(b, "items", a.Items, b.Items)
}

func item(n *jsonschema.Node, i int) *jsonschema.Node {
	if i < len(n.PrefixItems) {
		return n.PrefixItems[i]
	}
	return n.Items
}

// textRules compares patterns and formats. A format is a rule only where the
// draft asserts it.
func (c *comparison) textRules(a, b *jsonschema.Node) {
	quote := func(patterns []string) string {
		var quoted []string
		for _, p := range patterns {
			quoted = append(quoted, jsonschema.Quote(p))
		}
		return strings.Join(quoted, " and ")
	}
	c.presence(b, "the pattern", quote(a.Patterns), quote(b.Patterns))
	switch {
	case a.Format == b.Format:
	case b.Draft().FormatAsserted():
		c.presence(b, "the format", a.Format, b.Format)
	default:
		c.add(Compatible, c.root+b.Pointer, "the format %s", became(a.Format, b.Format))
	}
}

// dynamic compares the keywords that only a validator can judge, by their text.
func (c *comparison) dynamic(a, b *jsonschema.Node) {
	words := slices.Concat(a.Dynamic, b.Dynamic)
	slices.Sort(words)
	for _, keyword := range slices.Compact(words) {
		before, after := c.ruleText(a, keyword), c.ruleText(b, keyword)
		switch {
		case before == after:
		case before == "":
			c.narrowed(b, "%s was added", keyword)
		case after == "":
			c.widened(b, "%s was removed", keyword)
		default:
			c.changed(b, "%s changed", keyword)
		}
	}
}

// ruleText is the text of a keyword and of those that belong to it, here and in
// the schemas that n was merged from.
func (c *comparison) ruleText(n *jsonschema.Node, keyword string) string {
	together := map[string][]string{"if": {"if", "then", "else"}, "contains": {"contains", "minContains", "maxContains"}}
	keywords := together[keyword]
	if keywords == nil {
		keywords = []string{keyword}
	}
	var b strings.Builder
	seen := map[*jsonschema.Node]bool{}
	var visit func(n *jsonschema.Node)
	visit = func(n *jsonschema.Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, k := range keywords {
			if v := n.Src.Get(k); v != nil {
				b.WriteString(k + ":" + v.Canonical() + "\n")
			}
		}
		visit(c.origin[n])
		visit(n.Ref)
		for _, branch := range n.AllOf {
			visit(branch)
		}
	}
	visit(n)
	return b.String()
}
