package lock

import (
	"slices"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
)

// A union is compared arm by arm: arms are paired by what makes them alike (a
// constant member, the definition they come from, their title, their members),
// pairs are compared, and what is left over was added or removed.

type splitKey struct {
	node *jsonschema.Node
	t    jsonschema.TypeSet
}

// arms lists the alternatives of a flat schema, null aside. A schema that says
// something beside its anyOf is one alternative, whose union is left to one's
// look at its base.
func (c *comparison) arms(n *jsonschema.Node) (arms []*jsonschema.Node, null bool) {
	return c.collectArms(n, 0)
}

func (c *comparison) collectArms(n *jsonschema.Node, depth int) (arms []*jsonschema.Node, null bool) {
	group := unionOf(n)
	if len(group) == 0 || depth > 8 || describesMembers(n) {
		return c.plainArm(n)
	}
	for _, arm := range group {
		flat := c.flatten(arm)
		more, withNull := c.collectArms(flat, depth+1)
		null = null || withNull
		for _, m := range more {
			if !slices.Contains(arms, m) {
				arms = append(arms, m)
			}
		}
	}
	return arms, null
}

func unionOf(n *jsonschema.Node) []*jsonschema.Node {
	if len(n.AnyOf) > 0 {
		return n.AnyOf
	}
	return n.OneOf
}

// conditions compares the unions of schemas that describe a value beside them.
func (c *comparison) conditions(a, b *jsonschema.Node) {
	before, after := unionOf(a), unionOf(b)
	switch {
	case len(before) == 0 && len(after) == 0:
	case len(before) == 0:
		c.narrowed(b, "one of %d alternatives must fit now", len(after))
	case len(after) == 0:
		c.widened(b, "none of %d alternatives must fit any more", len(before))
	default:
		c.unions(b, c.flat(before), c.flat(after))
	}
}

func (c *comparison) flat(nodes []*jsonschema.Node) []*jsonschema.Node {
	out := make([]*jsonschema.Node, len(nodes))
	for i, n := range nodes {
		out[i] = c.flatten(n)
	}
	return out
}

// describesMembers reports whether a node with a union describes a value by
// itself, so that its arms only add conditions.
func describesMembers(n *jsonschema.Node) bool {
	return len(n.Properties) > 0 || n.Items != nil || n.PrefixItems != nil || n.Enum != nil || n.Const != nil
}

func (c *comparison) plainArm(n *jsonschema.Node) (arms []*jsonschema.Node, null bool) {
	types := n.InferredTypes()
	switch {
	case types == jsonschema.Null:
		return nil, true
	case types == 0:
		return []*jsonschema.Node{n}, !n.Never()
	}
	return []*jsonschema.Node{n}, types&jsonschema.Null != 0
}

func (c *comparison) unions(at *jsonschema.Node, before, after []*jsonschema.Node) {
	before, after = c.alternatives(before, after), c.alternatives(after, before)
	pairs, gone, come := pairUp(before, after)
	for _, p := range pairs {
		if !c.seen[p] {
			c.seen[p] = true
			c.texts(p[0], p[1])
			c.one(p[0], p[1])
		}
	}
	for _, n := range gone {
		c.narrowed(at, "the alternative %s was removed", label(n))
	}
	for _, n := range come {
		c.widened(n, "the alternative %s was added", label(n))
	}
}

// alternatives splits ["string","integer"] in two where the other side has
// several arms.
func (c *comparison) alternatives(arms, other []*jsonschema.Node) []*jsonschema.Node {
	if len(other) < 2 {
		return arms
	}
	var out []*jsonschema.Node
	for _, n := range arms {
		types := n.Types.Without(jsonschema.Null)
		if types.Count() < 2 {
			out = append(out, n)
			continue
		}
		for t := jsonschema.Boolean; t != 0 && t <= jsonschema.Object; t <<= 1 {
			if types&t != 0 {
				out = append(out, c.only(n, t))
			}
		}
	}
	return out
}

// only is n for values of one type.
func (c *comparison) only(n *jsonschema.Node, t jsonschema.TypeSet) *jsonschema.Node {
	key := splitKey{n, t}
	if c.split[key] == nil {
		part := *n
		part.Types = t
		c.split[key] = &part
	}
	return c.split[key]
}

// pairUp pairs the arms that are most alike first.
func pairUp(before, after []*jsonschema.Node) (pairs [][2]*jsonschema.Node, gone, come []*jsonschema.Node) {
	type candidate struct{ i, j, score int }
	var all []candidate
	for i, a := range before {
		for j, b := range after {
			if s := likeness(a, b); s > 0 {
				all = append(all, candidate{i, j, s})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return y.score - x.score })
	left, right := make([]bool, len(before)), make([]bool, len(after))
	for _, x := range all {
		if !left[x.i] && !right[x.j] {
			left[x.i], right[x.j] = true, true
			pairs = append(pairs, [2]*jsonschema.Node{before[x.i], after[x.j]})
		}
	}
	rest := func(list []*jsonschema.Node, used []bool) (out []*jsonschema.Node) {
		for i, n := range list {
			if !used[i] {
				out = append(out, n)
			}
		}
		return out
	}
	return pairs, rest(before, left), rest(after, right)
}

// likeness is 0 for arms that cannot be versions of one another.
func likeness(a, b *jsonschema.Node) int {
	typesA, typesB := effective(a), effective(b)
	if missing(typesA, typesB) == typesA && missing(typesB, typesA) == typesB {
		return 0
	}
	score := 1
	if typesA == typesB {
		score += 5
	}
	if a.Src != nil && b.Src != nil && a.Src.Canonical() == b.Src.Canonical() {
		score += 1000
	}
	if a.Pointer == b.Pointer && len(a.Pointer) > 0 && (a.Pointer[:2] == "/$" || a.Pointer[:2] == "/d") {
		score += 100
	}
	if a.Title != "" && a.Title == b.Title {
		score += 100
	}
	after := index(b.Properties)
	for _, p := range a.Properties {
		other := after[p.Name]
		if other == nil {
			continue
		}
		score += 10
		tagA, tagB := p.Node.Target().Const, other.Target().Const
		if tagA != nil && tagB != nil {
			if !jsonschema.Equal(tagA, tagB) {
				return 0
			}
			score += 500
		}
	}
	return score
}

// label names an arm for people.
func label(n *jsonschema.Node) string {
	if n.Title != "" {
		return jsonschema.Quote(n.Title)
	}
	for _, p := range n.Properties {
		if tag := p.Node.Target().Const; tag != nil {
			return "with " + jsonschema.Quote(p.Name) + " " + tag.JSONText()
		}
	}
	if values := allowed(n); values != nil {
		return list(values)
	}
	if t := effective(n); t != everything {
		return t.String()
	}
	return "at " + jsonschema.Quote(n.Pointer)
}
