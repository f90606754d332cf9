package jsonschema

import (
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// Loading turns a schema value into a graph of nodes in three passes: every
// schema position becomes a Node, references are resolved (which may reach
// places that are no schema position and add Nodes), and what would make a
// walk over the graph go on forever is cut. A place that cannot be understood
// becomes an Issue; loading itself never gives up.

// Load decodes a schema. The root is never nil. When an Issue is fatal the graph
// is whole and safe to walk, but does not say what the schema says.
func Load(v *Value, lim Limits) (*Node, []Issue) {
	g := newGraph(lim)
	if v == nil {
		v = &Value{Kind: NullValue, Text: "null"}
	}
	g.draft, g.idKeyword = draftOf(v)
	base := &resource{uri: baseURI}
	g.resources[baseURI] = base
	g.root = g.build(v, "", base, 0)
	base.root = g.root
	if v.Kind != ObjectValue && v.Kind != BoolValue {
		g.issues[0].Fatal = true
	}
	g.resolvePending()
	g.cutLoops()
	return g.root, g.reachableIssues()
}

// graph is what the nodes of one schema share. It is not safe for concurrent
// use: Flatten and Merge memoise here.
type graph struct {
	lim       Limits
	draft     Draft
	idKeyword string

	root      *Node
	nodes     map[*Value]*Node
	count     int
	full      bool
	overflow  *Node // stands for every node beyond the limit
	issues    []ownedIssue
	resources map[string]*resource
	pending   []pendingRef
	indexes   map[*Value]map[string]*Value

	flat    map[*Node]*flattened
	merged  map[string]*Node
	dynamic map[*Node]bool
}

// ownedIssue is an issue and the node that has it: what the root cannot reach
// is not fatal.
type ownedIssue struct {
	Issue
	owner *Node
}

func newGraph(lim Limits) *graph {
	return &graph{
		lim:       lim.withDefaults(),
		nodes:     map[*Value]*Node{},
		resources: map[string]*resource{},
		indexes:   map[*Value]map[string]*Value{},
		flat:      map[*Node]*flattened{},
		merged:    map[string]*Node{},
		dynamic:   map[*Node]bool{},
	}
}

// newNode makes a node, or hands out the stand-in when there are too many.
func (g *graph) newNode(src *Value, pointer string) *Node {
	if g.count >= g.lim.Nodes {
		if g.overflow == nil {
			g.overflow = &Node{Pointer: pointer, Root: g.root, graph: g, id: g.count}
			g.report(g.root, issueAt(pointer, src, true, "schema has more than %d subschemas, merged ones included", g.lim.Nodes))
		}
		g.full = true
		return g.overflow
	}
	n := &Node{Pointer: pointer, Src: src, Root: g.root, graph: g, id: g.count}
	if g.root == nil {
		g.root = n
		n.Root = n
	}
	g.count++
	return n
}

func (g *graph) report(owner *Node, i Issue) {
	g.issues = append(g.issues, ownedIssue{i, owner})
}

// build makes the node of a schema position and of everything below it.
func (g *graph) build(v *Value, pointer string, res *resource, depth int) *Node {
	if n := g.nodes[v]; n != nil {
		return n
	}
	n := g.newNode(v, pointer)
	if g.full {
		return n
	}
	g.nodes[v] = n
	switch {
	case depth > g.lim.Depth:
		g.report(n, issueAt(pointer, v, true, "schemas are nested more than %d deep", g.lim.Depth))
	case v.Kind == BoolValue:
		truth := v.Text == "true"
		n.Bool = &truth
	case v.Kind == ObjectValue:
		r := &nodeReader{g: g, n: n, res: res, depth: depth}
		r.read()
	default:
		g.report(n, issueAt(pointer, v, false, "schema is %s, expected an object or a boolean; anything is allowed here", article(v.Kind)))
	}
	return n
}

// reachableIssues lists the issues in order. What only an unused definition
// says hurts nobody and is not fatal.
func (g *graph) reachableIssues() []Issue {
	var reached map[*Node]bool
	var out []Issue
	for _, i := range g.issues {
		if i.Fatal && i.owner != g.root {
			if reached == nil {
				reached = g.reach()
			}
			i.Fatal = reached[i.owner]
		}
		out = append(out, i.Issue)
	}
	return out
}

func (g *graph) reach() map[*Node]bool {
	seen := map[*Node]bool{g.root: true}
	todo := []*Node{g.root}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n.eachChild(func(c *Node) {
			if !seen[c] {
				seen[c] = true
				todo = append(todo, c)
			}
		})
	}
	return seen
}

// eachInPlace visits the subschemas that judge the same value as n.
func (n *Node) eachInPlace(visit func(*Node)) {
	if n.Ref != nil {
		visit(n.Ref)
	}
	for _, list := range [...][]*Node{n.AllOf, n.AnyOf, n.OneOf, n.inPlace} {
		for _, c := range list {
			visit(c)
		}
	}
}

// eachChild visits every subschema but the definitions.
func (n *Node) eachChild(visit func(*Node)) {
	n.eachInPlace(visit)
	for _, list := range [...][]Property{n.Properties, n.PatternProperties} {
		for _, p := range list {
			visit(p.Node)
		}
	}
	for _, list := range [...][]*Node{n.PrefixItems, n.inside} {
		for _, c := range list {
			visit(c)
		}
	}
	for _, c := range [...]*Node{n.AdditionalProperties, n.PropertyNames, n.Items} {
		if c != nil {
			visit(c)
		}
	}
}

// cutLoops finds schemas that apply themselves to the same value, which no
// validation could finish, and cuts the reference that closes each loop.
func (g *graph) cutLoops() {
	const (
		open = 1 + iota
		done
	)
	state := map[*Node]int{}
	var walk func(n *Node)
	walk = func(n *Node) {
		state[n] = open
		var closing []*Node
		n.eachInPlace(func(c *Node) {
			switch state[c] {
			case 0:
				walk(c)
			case open:
				closing = append(closing, c)
			}
		})
		for _, c := range closing {
			g.report(n, issueAt(n.Pointer, n.Src, true,
				"the schema applies itself to the same value through %s; no value can be checked against it", linkText(n, c)))
			n.cut(c)
		}
		state[n] = done
	}
	for _, n := range g.ordered() {
		if state[n] == 0 {
			walk(n)
		}
	}
}

// ordered lists the nodes in the order in which they were made.
func (g *graph) ordered() []*Node {
	list := make([]*Node, g.count)
	for _, n := range g.nodes {
		if n.id < len(list) {
			list[n.id] = n
		}
	}
	out := list[:0]
	for _, n := range list {
		if n != nil {
			out = append(out, n)
		}
	}
	return out
}

// cut removes an in-place subschema.
func (n *Node) cut(c *Node) {
	if n.Ref == c {
		n.Ref = nil
	}
	for _, list := range [...]*[]*Node{&n.AllOf, &n.AnyOf, &n.OneOf, &n.inPlace} {
		*list = slices.DeleteFunc(*list, func(x *Node) bool { return x == c })
	}
}

// linkText says how n leads to c.
func linkText(n, c *Node) string {
	if n.Ref == c {
		for _, keyword := range [...]string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref := n.Src.Get(keyword); ref != nil {
				return keyword + " " + quoteShort(ref.Text)
			}
		}
	}
	return quoteShort(c.Pointer)
}

func article(k Kind) string {
	switch k {
	case NullValue:
		return "null"
	case ArrayValue, ObjectValue:
		return "an " + k.String()
	default:
		return "a " + k.String()
	}
}

func joinPointer(pointer string, tokens ...string) string {
	for _, t := range tokens {
		pointer += "/" + jsonpointer.Escape(t)
	}
	return pointer
}

func indexPointer(pointer, keyword string, i int) string {
	return pointer + "/" + keyword + "/" + strconv.Itoa(i)
}
