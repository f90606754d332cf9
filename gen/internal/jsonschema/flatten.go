package jsonschema

import (
	"fmt"
	"slices"
	"strings"
)

// Flatten merges what a schema says itself with what its $ref and its allOf
// say, so that the next stage sees one list of properties. Only the top is
// merged: a property that several branches describe becomes a node whose allOf
// has them all, to be flattened when somebody gets there. Such nodes are
// memoised by the set of schemas they join, which is what makes recursive
// schemas end.
//
// What cannot be merged exactly is merged into the larger set of values, and
// the node's Dynamic says that the full validator has to look.

type flattened struct {
	node   *Node
	issues []Issue
}

// Flatten returns a node that says what n says, without Ref and AllOf. It is n
// itself when n has neither. The issues are fatal: no value at all could
// satisfy the branches.
func Flatten(n *Node) (*Node, []Issue) {
	n = n.Target()
	if n.Ref == nil && len(n.AllOf) == 0 {
		return n, nil
	}
	g := n.graph
	if f := g.flat[n]; f != nil {
		return f.node, f.issues
	}
	f := &flattened{}
	g.flat[n] = f
	f.node, f.issues = g.flatten(n)
	return f.node, f.issues
}

// Merge returns a node that allows what all of the nodes allow. They must come
// from one Load. Schemas that allow everything are left out.
func Merge(nodes ...*Node) *Node {
	if len(nodes) == 0 {
		panic("jsonschema: Merge of no nodes")
	}
	return nodes[0].graph.join(nodes)
}

// join makes the node for a set of nodes, the same node for the same set.
func (g *graph) join(nodes []*Node) *Node {
	var parts []*Node
	for _, n := range nodes {
		if members := g.joined(n); members != nil {
			parts = append(parts, members...)
		} else {
			parts = append(parts, n)
		}
	}
	parts = distinct(parts)
	strict := slices.DeleteFunc(slices.Clone(parts), (*Node).Unrestricted)
	if i := slices.IndexFunc(strict, (*Node).Never); i >= 0 {
		return strict[i]
	}
	switch {
	case len(strict) == 0:
		return parts[0]
	case len(strict) == 1:
		return strict[0]
	}
	key := setKey(strict)
	if n := g.merged[key]; n != nil {
		return n
	}
	n := g.newNode(nil, strict[0].Pointer)
	if n == g.overflow {
		return n
	}
	n.AllOf = strict
	n.Description, n.Title = firstText(strict)
	g.merged[key] = n
	return n
}

// joined returns the members of a node that join made, or nil.
func (g *graph) joined(n *Node) []*Node {
	if n.Src == nil && len(n.AllOf) > 1 && g.merged[setKey(n.AllOf)] == n {
		return n.AllOf
	}
	return nil
}

func distinct(nodes []*Node) []*Node {
	seen := make(map[*Node]bool, len(nodes))
	var out []*Node
	for _, n := range nodes {
		n = n.Target()
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

func setKey(nodes []*Node) string {
	ids := make([]int, len(nodes))
	for i, n := range nodes {
		ids[i] = n.id
	}
	slices.Sort(ids)
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, "%d,", id)
	}
	return b.String()
}

func firstText(nodes []*Node) (description, title string) {
	for _, n := range nodes {
		if description == "" {
			description = n.Description
		}
		if title == "" {
			title = n.Title
		}
	}
	return description, title
}

// flatten merges the branches of n, its own keywords in the place where the
// document has them.
func (g *graph) flatten(n *Node) (*Node, []Issue) {
	own := *n
	own.Ref, own.AllOf = nil, nil
	branches := n.AllOf
	if n.Ref != nil {
		branches = append([]*Node{n.Ref}, n.AllOf...)
	}
	var issues []Issue
	parts := []*Node{&own}
	for _, b := range branches {
		flat, problems := Flatten(b)
		issues = append(issues, problems...)
		if flat != nil { // nil: b is being flattened further up, which cutLoops excludes
			parts = append(parts, flat)
		}
	}
	if ownComesLast(n) {
		parts = append(parts[1:], &own)
	}
	m := &merger{g: g, out: g.newNode(nil, n.Pointer)}
	if m.out == g.overflow {
		return m.out, append(issues, g.tooMany(n))
	}
	m.annotate(&own)
	for _, p := range parts {
		m.add(p)
	}
	m.finish()
	if g.full {
		issues = append(issues, g.tooMany(n))
	}
	m.out.Defs = n.Defs
	if n.Src == nil {
		m.out.Dynamic = nil // judged with the node above
	} else {
		m.out.Src = n.Src
	}
	for _, i := range m.issues {
		issues = append(issues, issueAt(n.Pointer, n.Src, true, "%s", i))
	}
	return m.out, issues
}

func (g *graph) tooMany(n *Node) Issue {
	return issueAt(n.Pointer, n.Src, true, "merging allOf makes more than %d schemas", g.lim.Nodes)
}

// ownComesLast reports whether the document names the branches before the
// properties, as schemas do that extend another one.
func ownComesLast(n *Node) bool {
	if n.Src == nil {
		return false
	}
	branched := false
	for _, m := range n.Src.Members {
		switch m.Name {
		case "allOf", "$ref", "$dynamicRef", "$recursiveRef":
			branched = true
		case "properties":
			return branched
		}
	}
	return false
}

// needsValidator reports whether merging the nodes into one may lose something:
// unless all of them are plain scalars.
func (g *graph) needsValidator(nodes []*Node) bool {
	for _, n := range nodes {
		n = n.Target()
		if n.Ref != nil || len(n.AllOf)+len(n.AnyOf)+len(n.OneOf)+len(n.Dynamic) > 0 || n.hasObjectKeywords() || n.hasArrayKeywords() {
			return true
		}
	}
	return false
}
