package jsonschema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// References are followed inside the document only. A document may hold several
// resources ($id) and every resource has anchors and JSON pointers of its own;
// a URI that names none of them leaves the document, which is fatal: nothing is
// ever fetched.

// baseURI stands for the address of a root that has no $id.
const baseURI = "mcpgen:///schema"

// resource is a schema with an address of its own.
type resource struct {
	uri     string
	root    *Node
	anchors map[string]*Node
}

type pendingRef struct {
	n       *Node
	member  Member
	from    *resource
	pointer string
}

// identify reads $id, $anchor and $dynamicAnchor before anything below them.
func (r *nodeReader) identify() {
	n, g := r.n, r.g
	if id := n.Src.Get(g.idKeyword); id != nil && !(g.draft.refHidesSiblings() && n.Src.Get("$ref") != nil) {
		r.identity(Member{g.idKeyword, id})
	}
	for _, keyword := range [...]string{"$anchor", "$dynamicAnchor"} {
		if a := n.Src.Get(keyword); a != nil && g.draft.has(keyword) {
			if a.Kind != StringValue {
				r.malformed(Member{keyword, a}, "a string")
				continue
			}
			r.anchor(a.Text)
		}
	}
}

func (r *nodeReader) identity(m Member) {
	if m.Value.Kind != StringValue {
		r.malformed(m, "a string")
		return
	}
	address, fragment, _ := strings.Cut(m.Value.Text, "#")
	if address != "" {
		uri, ok := resolveURI(r.res.uri, address)
		if !ok || !isStableURI(address) {
			r.issue(m, "%s %s is no URI; it is ignored", m.Name, quoteShort(m.Value.Text))
			return
		}
		r.enterResource(m, uri)
	}
	if fragment != "" && r.g.draft == Draft07 {
		r.anchor(fragment)
	}
}

func (r *nodeReader) enterResource(m Member, uri string) {
	if r.n == r.g.root {
		r.res.uri = uri
		r.g.resources[uri] = r.res
		return
	}
	if r.g.resources[uri] != nil {
		r.issue(m, "%s %s is used twice; the first one counts", m.Name, quoteShort(m.Value.Text))
		return
	}
	r.res = &resource{uri: uri, root: r.n}
	r.g.resources[uri] = r.res
}

func (r *nodeReader) anchor(name string) {
	if r.res.anchors == nil {
		r.res.anchors = map[string]*Node{}
	}
	if r.res.anchors[name] == nil {
		r.res.anchors[name] = r.n
	}
}

// reference queues a reference. A node has room for one; more of them become
// members of allOf, which means the same.
func (r *nodeReader) reference(m Member) bool {
	switch m.Name {
	case "$ref", "$dynamicRef", "$recursiveRef":
	default:
		return false
	}
	if m.Value.Kind != StringValue {
		r.malformed(m, "a string")
		return true
	}
	n := r.n
	if r.refs++; r.refs > 1 {
		n = r.g.newNode(nil, r.n.Pointer)
		r.n.AllOf = append(r.n.AllOf, n)
	}
	r.g.pending = append(r.g.pending, pendingRef{n, m, r.res, joinPointer(r.n.Pointer, m.Name)})
	return true
}

// resolvePending resolves references until none is left: a target that is no
// schema position is read only then and may bring more.
func (g *graph) resolvePending() {
	for i := 0; i < len(g.pending); i++ {
		p := g.pending[i]
		target, problem := g.resolve(p.from, p.member.Value.Text)
		if problem != "" {
			g.report(p.n, issueAt(p.pointer, p.member.Value, true, "%s %s %s", p.member.Name, quoteShort(p.member.Value.Text), problem))
			continue
		}
		p.n.Ref = target
		if p.member.Name != "$ref" && len(g.resources) > 2 {
			p.n.Dynamic = append(p.n.Dynamic, p.member.Name)
		}
	}
}

// resolve finds the target of a reference, or says what is wrong with it.
func (g *graph) resolve(from *resource, ref string) (target *Node, problem string) {
	address, fragment, _ := strings.Cut(ref, "#")
	res := from
	if address != "" {
		uri, ok := resolveURI(from.uri, address)
		if !ok {
			return nil, "is no URI reference"
		}
		if res = g.resources[uri]; res == nil {
			return nil, "leaves the document; only references inside the schema are followed"
		}
	}
	root := res.root
	if root == nil {
		root = g.root
	}
	switch {
	case fragment == "" || fragment == "/":
		return root, ""
	case strings.HasPrefix(fragment, "/"):
		return g.walk(root, res, strings.Split(fragment[1:], "/"))
	}
	name := fragment
	if plain, err := url.PathUnescape(fragment); err == nil {
		name = plain
	}
	if n := res.anchors[name]; n != nil {
		return n, ""
	}
	return nil, "has no target"
}

// walk follows a JSON pointer and reads the schema at its end if that place has
// not been read as one.
func (g *graph) walk(from *Node, res *resource, tokens []string) (*Node, string) {
	v, pointer := from.Src, from.Pointer
	if len(tokens) > g.lim.Depth {
		return nil, "has no target"
	}
	for _, raw := range tokens {
		next, name := g.step(v, raw)
		if next == nil {
			return nil, "has no target"
		}
		v, pointer = next, joinPointer(pointer, name)
	}
	if n := g.nodes[v]; n != nil {
		return n, ""
	}
	if v.Kind != ObjectValue && v.Kind != BoolValue {
		return nil, "points at " + article(v.Kind) + ", not at a schema"
	}
	return g.build(v, pointer, res, len(tokens)), ""
}

// step goes to a member or an item. Tokens are percent-encoded JSON pointer
// tokens; a document that forgot to encode them is understood too.
func (g *graph) step(v *Value, token string) (*Value, string) {
	names := []string{jsonpointer.Unescape(token)}
	if plain, err := url.PathUnescape(token); err == nil && plain != token {
		names = []string{jsonpointer.Unescape(plain), names[0]}
	}
	for _, name := range names {
		switch v.Kind {
		case ObjectValue:
			if next := g.member(v, name); next != nil {
				return next, name
			}
		case ArrayValue:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v.Items) {
				return v.Items[i], strconv.Itoa(i)
			}
		}
	}
	return nil, ""
}

// member is Get with an index for objects that are referred into again and
// again, such as $defs.
func (g *graph) member(v *Value, name string) *Value {
	if len(v.Members) <= 16 {
		return v.Get(name)
	}
	index := g.indexes[v]
	if index == nil {
		index = make(map[string]*Value, len(v.Members))
		for _, m := range v.Members {
			index[m.Name] = m.Value
		}
		g.indexes[v] = index
	}
	return index[name]
}

// resolveURI resolves an address without fragment as the validator does.
func resolveURI(base, address string) (string, bool) {
	if strings.HasPrefix(address, "urn:") {
		return address, true
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	if u.IsAbs() {
		return address, true
	}
	b, err := url.Parse(base)
	if err != nil || b.Opaque != "" {
		return base + address, true
	}
	return b.ResolveReference(u).String(), true
}

// isStableURI reports whether net/url, by which the validator compares
// addresses, leaves the address as it is.
func isStableURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && !strings.Contains(s, `\`) &&
		(strings.HasPrefix(s, "urn:") || u.String() == s && (!u.IsAbs() || u.ResolveReference(&url.URL{}).String() == s))
}
