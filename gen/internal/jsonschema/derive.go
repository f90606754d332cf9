package jsonschema

// Nodes that later stages make out of others: they belong to the same graph, so
// they can be merged, and they have no place in the document.

// Fresh returns a node that says nothing, at the place of n.
func (n *Node) Fresh() *Node {
	c := n.graph.newNode(nil, n.Pointer)
	c.Root = n.Root
	return c
}

// Variant returns a copy of n, changed by edit.
func (n *Node) Variant(edit func(*Node)) *Node {
	c := n.Fresh()
	if c == n.graph.overflow {
		return c
	}
	id := c.id
	*c = *n
	c.id, c.Src = id, nil
	edit(c)
	return c
}

// MembersOrNone returns the members of an object, none for anything else, nil
// included.
func (v *Value) MembersOrNone() []Member {
	if v == nil {
		return nil
	}
	return v.Members
}
