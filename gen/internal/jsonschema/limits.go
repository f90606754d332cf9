package jsonschema

// Limits bounds what one document may cost. Schemas come from servers that
// nobody has vouched for, so every stage that could be made to grow without end
// counts against one of these. A zero field means its default.
type Limits struct {
	Depth  int // nested values of a text, default 200
	Bytes  int // length of a text, default 64 MiB
	Values int // JSON values of a text, default 4,000,000
	Nodes  int // schemas in one graph, merged ones included, default 100,000
}

func (l Limits) withDefaults() Limits {
	set := func(field *int, fallback int) {
		if *field <= 0 {
			*field = fallback
		}
	}
	set(&l.Depth, 200)
	set(&l.Bytes, 64<<20)
	set(&l.Values, 4_000_000)
	set(&l.Nodes, 100_000)
	return l
}
