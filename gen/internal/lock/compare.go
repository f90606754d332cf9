package lock

import (
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
)

// direction says who writes the values of a schema.
type direction uint8

const (
	arguments direction = iota // the client writes: what was allowed must stay allowed
	results                    // the server writes: nothing new may come
)

// comparison walks two schemas side by side. Each pair of schemas is compared
// once, so recursive schemas end.
type comparison struct {
	*differ
	dir   direction
	root  string // "/inputSchema"
	seen  map[[2]*jsonschema.Node]bool
	split map[splitKey]*jsonschema.Node
	// origin leads from a flat node to the one that it was made of.
	origin map[*jsonschema.Node]*jsonschema.Node
}

// flatten merges $ref and allOf. Contradictions leave what they leave.
func (c *comparison) flatten(n *jsonschema.Node) *jsonschema.Node {
	flat, _ := jsonschema.Flatten(n)
	if flat != n {
		c.origin[flat] = n.Target()
	}
	return flat
}

// narrowed reports that fewer values are allowed than before.
func (c *comparison) narrowed(n *jsonschema.Node, format string, args ...any) {
	c.report(c.dir == arguments, n, format, args...)
}

// widened reports that more values are allowed than before.
func (c *comparison) widened(n *jsonschema.Node, format string, args ...any) {
	c.report(c.dir == results, n, format, args...)
}

// changed reports that the allowed values are others.
func (c *comparison) changed(n *jsonschema.Node, format string, args ...any) {
	c.report(true, n, format, args...)
}

func (c *comparison) report(breaking bool, n *jsonschema.Node, format string, args ...any) {
	s := Compatible
	if breaking {
		s = Breaking
	}
	c.add(s, c.root+n.Pointer, format, args...)
}

// compare compares two schemas, references and unions included.
func (c *comparison) compare(old, new *jsonschema.Node) {
	c.texts(old, new)
	a, b := c.flatten(old), c.flatten(new)
	if c.seen[[2]*jsonschema.Node{a, b}] {
		return
	}
	c.seen[[2]*jsonschema.Node{a, b}] = true
	if a != old && b != new {
		c.texts(a, b)
	}
	armsA, nullA := c.arms(a)
	armsB, nullB := c.arms(b)
	if len(armsA) <= 1 && len(armsB) <= 1 {
		c.single(b, armsA, armsB, nullA, nullB)
		return
	}
	c.null(b, nullA, nullB)
	c.unions(b, armsA, armsB)
}

// single compares schemas that have at most one alternative beside null.
func (c *comparison) single(b *jsonschema.Node, armsA, armsB []*jsonschema.Node, nullA, nullB bool) {
	if len(armsA) == 1 && len(armsB) == 1 {
		before, after := effective(armsA[0]), effective(armsB[0])
		if before == after || before != everything && after != everything {
			c.null(b, nullA, nullB)
		}
		c.one(armsA[0], armsB[0])
		return
	}
	switch before, after := kinds(armsA), kinds(armsB); {
	case before == after:
	case len(armsA) == 0 && nullB:
		c.widened(b, "was %s and is %s", before, after)
	case len(armsB) == 0 && nullA:
		c.narrowed(b, "was %s and is %s", before, after)
	default:
		c.changed(b, "was %s and is %s", before, after)
	}
}

// kinds names the type of the one arm, or null when there is none.
func kinds(arms []*jsonschema.Node) string {
	if len(arms) == 0 {
		return "null"
	}
	return naming(effective(arms[0]))
}

func (c *comparison) null(at *jsonschema.Node, before, after bool) {
	switch {
	case before && !after:
		c.narrowed(at, "null is no longer allowed")
	case after && !before:
		c.widened(at, "null is allowed now")
	}
}

// texts compares annotations.
func (c *comparison) texts(old, new *jsonschema.Node) {
	at := c.root + new.Pointer
	c.cosmetic(at, "the title", old.Title, new.Title)
	c.cosmetic(at, "the description", old.Description, new.Description)
	c.cosmetic(at, "the default", jsonText(old.Default), jsonText(new.Default))
	switch {
	case new.Deprecated && !old.Deprecated:
		c.add(Cosmetic, at, "is deprecated now")
	case old.Deprecated && !new.Deprecated:
		c.add(Cosmetic, at, "is no longer deprecated")
	}
	if before, after := jsonText(old.Header), jsonText(new.Header); before != after && c.dir == arguments {
		c.add(Breaking, at, "x-mcp-header was %s and is %s", orNothing(before), orNothing(after))
	}
}

func jsonText(v *jsonschema.Value) string {
	if v == nil {
		return ""
	}
	return v.Canonical()
}

func orNothing(s string) string {
	if s == "" {
		return "not set"
	}
	return s
}

// one compares two schemas without unions, null aside.
func (c *comparison) one(a, b *jsonschema.Node) {
	switch {
	case a.Never() && b.Never():
		return
	case a.Never():
		c.widened(b, "values are allowed now")
		return
	case b.Never():
		c.narrowed(b, "no value is allowed any more")
		return
	}
	if !c.types(a, b) {
		return
	}
	c.values(a, b)
	c.numbers(a, b)
	c.counts(a, b)
	c.textRules(a, b)
	c.object(a, b)
	c.array(a, b)
	c.dynamic(a, b)
	c.conditions(a, b)
}

// types reports whether there is anything left to compare.
func (c *comparison) types(a, b *jsonschema.Node) bool {
	before, after := effective(a), effective(b)
	gone, come := missing(before, after), missing(after, before)
	switch {
	case gone == 0 && come == 0:
		return true
	case gone == 0:
		c.widened(b, "was %s and is %s", naming(before), naming(after))
		return true
	case come == 0:
		c.narrowed(b, "was %s and is %s", naming(before), naming(after))
		return true
	}
	c.changed(b, "was %s and is %s", naming(before), naming(after))
	return before&after != 0
}

const everything = jsonschema.Boolean | jsonschema.Number | jsonschema.String | jsonschema.Array | jsonschema.Object

// effective are the types that a schema allows, null aside.
func effective(n *jsonschema.Node) jsonschema.TypeSet {
	if t := n.Types; t != 0 {
		return t.Without(jsonschema.Null)
	}
	if t := n.InferredTypes(); t != 0 {
		return t.Without(jsonschema.Null)
	}
	return everything
}

// missing are the types of a that b does not allow.
func missing(a, b jsonschema.TypeSet) jsonschema.TypeSet {
	if b.Has(jsonschema.Number) {
		b |= jsonschema.Integer
	}
	return a.Without(b)
}

func naming(t jsonschema.TypeSet) string {
	if t == everything {
		return "anything"
	}
	return t.String()
}

// values compares const and enum.
func (c *comparison) values(a, b *jsonschema.Node) {
	before, after := allowed(a), allowed(b)
	switch {
	case before == nil && after == nil:
	case before == nil:
		c.narrowed(b, "only %s allowed now", are(after))
	case after == nil:
		c.widened(b, "other values than %s are allowed now", list(before))
	default:
		if gone := without(before, after); len(gone) > 0 {
			c.narrowed(b, "%s no longer allowed", are(gone))
		}
		if come := without(after, before); len(come) > 0 {
			c.widened(b, "%s allowed now", are(come))
		}
	}
}

// allowed are the values of const and enum, null aside; nil: any.
func allowed(n *jsonschema.Node) []*jsonschema.Value {
	values := n.Enum
	if n.Const != nil {
		values = []*jsonschema.Value{n.Const}
	}
	if values == nil {
		return nil
	}
	out := []*jsonschema.Value{}
	for _, v := range values {
		if v.Kind != jsonschema.NullValue {
			out = append(out, v)
		}
	}
	return out
}

func without(values, others []*jsonschema.Value) []*jsonschema.Value {
	known := make(map[string]bool, len(others))
	for _, v := range others {
		known[v.Canonical()] = true
	}
	var out []*jsonschema.Value
	for _, v := range values {
		if !known[v.Canonical()] {
			out = append(out, v)
		}
	}
	return out
}

func list(values []*jsonschema.Value) string {
	const most = 5
	var texts []string
	for i, v := range values {
		if i == most {
			texts = append(texts, "…")
			break
		}
		texts = append(texts, v.JSONText())
	}
	return strings.Join(texts, ", ")
}

func are(values []*jsonschema.Value) string {
	if len(values) == 1 {
		return list(values) + " is"
	}
	return list(values) + " are"
}

// numbers compares bounds, exclusive ones with inclusive ones.
func (c *comparison) numbers(a, b *jsonschema.Node) {
	for _, bound := range [...]struct {
		word                   string
		old, oldEx, new, newEx string
		sign                   int
	}{
		{"minimum", a.Minimum, a.ExclusiveMinimum, b.Minimum, b.ExclusiveMinimum, 1},
		{"maximum", a.Maximum, a.ExclusiveMaximum, b.Maximum, b.ExclusiveMaximum, -1},
	} {
		before, after := limitOf(bound.old, bound.oldEx, bound.sign), limitOf(bound.new, bound.newEx, bound.sign)
		switch order := before.compare(after, bound.sign); {
		case order < 0:
			c.narrowed(b, "the %s %s", bound.word, became(before.String(), after.String()))
		case order > 0:
			c.widened(b, "the %s %s", bound.word, became(before.String(), after.String()))
		}
	}
	if before, after := strings.Join(a.MultipleOf, " and "), strings.Join(b.MultipleOf, " and "); before != after {
		c.presence(b, "multipleOf", before, after)
	}
}

// presence compares a rule that can only be equal or not.
func (c *comparison) presence(n *jsonschema.Node, what, before, after string) {
	switch {
	case before == after:
	case before == "":
		c.narrowed(n, "%s is %s now", what, after)
	case after == "":
		c.widened(n, "%s is no longer %s", what, before)
	default:
		c.changed(n, "%s was %s and is %s", what, before, after)
	}
}

func became(before, after string) string {
	switch {
	case before == "":
		return "is " + after + " now"
	case after == "":
		return "is no longer " + before
	}
	return "was " + before + " and is " + after
}
