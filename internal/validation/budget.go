package validation

import (
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// A schema may make the library try the same value again and again: two arms
// that each recurse double the work with every level of the value. Schemas that
// could do so, because they recurse or because their references multiply, carry
// a budget; all others cost no more than their size.

// budget counts the schemas that are applied during one validation. It hooks in
// as an extension keyword of every schema; the document's lock guards it.
type budget struct{ left int }

// exhausted is the panic that leaves the library.
type exhausted struct{}

func (b *budget) start(value any) { b.left = 20_000 + 200*size(value) }

// Compile is called for every schema; all share the budget.
func (b *budget) Compile(jsonschema.CompilerContext, map[string]any) (jsonschema.ExtSchema, error) {
	return b, nil
}

// Validate takes one step.
func (b *budget) Validate(jsonschema.ValidationContext, any) error {
	if b.left--; b.left < 0 {
		panic(exhausted{})
	}
	return nil
}

func size(value any) int {
	n := 1
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			n += size(item)
		}
	case map[string]any:
		for _, item := range v {
			n += size(item)
		}
	}
	return n
}

// mayBlowUp reports whether the schema recurses or has more paths through its
// references than steps that are worth taking.
func (p *preparer) mayBlowUp() bool {
	const (
		worth = 100_000
		open  = -1
	)
	cost := map[string]int{}
	var walk func(pointer string) int
	walk = func(pointer string) int {
		if c, ok := cost[pointer]; ok {
			if c == open {
				return worth
			}
			return c
		}
		cost[pointer] = open
		sum := 1
		for _, child := range p.edges[pointer] {
			sum = min(sum+walk(child), worth)
		}
		cost[pointer] = sum
		return sum
	}
	if p.opaque {
		return true
	}
	for pointer := range p.edges {
		if walk(pointer) >= worth {
			return true
		}
	}
	return false
}
