package lock

import (
	"strconv"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
)

// limit is the tighter of an inclusive and an exclusive bound.
type limit struct {
	number    string // "" = none
	exclusive bool
}

// limitOf takes the tighter bound; sign is 1 for minima and -1 for maxima.
func limitOf(inclusive, exclusive string, sign int) limit {
	switch {
	case exclusive == "":
		return limit{number: inclusive}
	case inclusive == "" || sign*jsonschema.CompareNumbers(exclusive, inclusive) >= 0:
		return limit{exclusive, true}
	}
	return limit{number: inclusive}
}

// compare is negative when other allows fewer values.
func (l limit) compare(other limit, sign int) int {
	switch {
	case l.number == "" && other.number == "":
		return 0
	case l.number == "":
		return -1
	case other.number == "":
		return 1
	}
	if order := sign * jsonschema.CompareNumbers(l.number, other.number); order != 0 {
		return order
	}
	switch {
	case other.exclusive && !l.exclusive:
		return -1
	case l.exclusive && !other.exclusive:
		return 1
	}
	return 0
}

func (l limit) String() string {
	if l.exclusive {
		return l.number + " (exclusive)"
	}
	return l.number
}

// counts compares lengths and sizes.
func (c *comparison) counts(a, b *jsonschema.Node) {
	for _, k := range [...]struct {
		word     string
		old, new *int
		sign     int
	}{
		{"minimum length", a.MinLength, b.MinLength, 1}, {"maximum length", a.MaxLength, b.MaxLength, -1},
		{"minimum number of items", a.MinItems, b.MinItems, 1}, {"maximum number of items", a.MaxItems, b.MaxItems, -1},
		{"minimum number of members", a.MinProperties, b.MinProperties, 1}, {"maximum number of members", a.MaxProperties, b.MaxProperties, -1},
	} {
		before, after := countText(k.old, k.sign), countText(k.new, k.sign)
		switch order := (limit{number: before}).compare(limit{number: after}, k.sign); {
		case order < 0:
			c.narrowed(b, "the %s %s", k.word, became(before, after))
		case order > 0:
			c.widened(b, "the %s %s", k.word, became(before, after))
		}
	}
	switch {
	case b.UniqueItems && !a.UniqueItems:
		c.narrowed(b, "items must be unique now")
	case a.UniqueItems && !b.UniqueItems:
		c.widened(b, "items may repeat now")
	}
}

// countText is "" for a bound that says nothing, such as a minimum of 0.
func countText(n *int, sign int) string {
	if n == nil || *n == 0 && sign > 0 {
		return ""
	}
	return strconv.Itoa(*n)
}
