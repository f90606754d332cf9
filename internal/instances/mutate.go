package instances

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// mutator spoils values without knowing the schema, except for the numbers that
// stand in it: a bound is best tested right beside it.
type mutator struct {
	rand    *rand.Rand
	numbers []json.Number
}

// bounds are the numbers of a schema and their neighbours.
func bounds(schema any) []json.Number {
	found := map[json.Number]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case json.Number:
			if r := rat(v); r != nil && len(found) < 3000 {
				one := big.NewRat(1, 1)
				found[decimal(r)] = true
				found[decimal(new(big.Rat).Add(r, one))] = true
				found[decimal(new(big.Rat).Sub(r, one))] = true
			}
		}
	}
	walk(schema)
	out := make([]json.Number, 0, len(found))
	for n := range found {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// place is where a value can be replaced.
type place struct {
	value any
	set   func(any)
}

// spoil changes one place of the value.
func (m *mutator) spoil(v any) any {
	root := v
	places := []place{{v, func(x any) { root = x }}}
	for i := 0; i < len(places) && len(places) < 5000; i++ {
		switch x := places[i].value.(type) {
		case map[string]any:
			for _, name := range jsonwire.SortedKeys(x) {
				places = append(places, place{x[name], func(y any) { x[name] = y }})
			}
		case []any:
			for j := range x {
				places = append(places, place{x[j], func(y any) { x[j] = y }})
			}
		}
	}
	p := places[m.rand.IntN(len(places))]
	p.set(m.change(p.value))
	return root
}

func (m *mutator) change(v any) any {
	if m.rand.IntN(4) == 0 {
		return m.other()
	}
	switch v := v.(type) {
	case map[string]any:
		return m.changeObject(v)
	case []any:
		return m.changeArray(v)
	case string:
		return m.changeText(v)
	case json.Number:
		return m.changeNumber(v)
	case bool:
		return !v
	}
	return m.other()
}

// other is a value of some other type, most likely.
func (m *mutator) other() any {
	values := []any{nil, true, "", "text", json.Number("0"), json.Number("-1"), json.Number("1.5"), json.Number("1e30"), map[string]any{}, []any{}, []any{nil}}
	return clone(values[m.rand.IntN(len(values))])
}

func (m *mutator) changeObject(v map[string]any) any {
	names := jsonwire.SortedKeys(v)
	switch {
	case len(names) == 0 || m.rand.IntN(3) == 0:
		extra := []string{"unexpected", "", "Extra"}
		v[extra[m.rand.IntN(len(extra))]] = m.other()
	case m.rand.IntN(4) == 0:
		name := names[m.rand.IntN(len(names))]
		v[strings.ToUpper(name)] = v[name]
		delete(v, name)
	default:
		delete(v, names[m.rand.IntN(len(names))])
	}
	return v
}

func (m *mutator) changeArray(v []any) any {
	switch {
	case len(v) == 0:
		return []any{m.other()}
	case m.rand.IntN(3) == 0:
		return v[:len(v)-1]
	case m.rand.IntN(2) == 0 && len(m.numbers) > 0:
		if n := integer(m.numbers[m.rand.IntN(len(m.numbers))], 0); n > 0 && n < 300 {
			out := make([]any, n)
			for i := range out {
				out[i] = v[i%len(v)]
			}
			return out
		}
	}
	return append(v, clone(v[m.rand.IntN(len(v))]))
}

func (m *mutator) changeText(v string) any {
	switch m.rand.IntN(5) {
	case 0:
		return v + "x"
	case 1:
		return ""
	case 2:
		return strings.ToUpper(v)
	case 3:
		if len(m.numbers) > 0 {
			if n := integer(m.numbers[m.rand.IntN(len(m.numbers))], 0); n >= 0 && n < 20_000 {
				return fit(v, n, n)
			}
		}
	}
	runes := []rune(v)
	return string(runes[:len(runes)/2])
}

func (m *mutator) changeNumber(v json.Number) any {
	r := rat(v)
	if r == nil {
		return json.Number("0")
	}
	switch m.rand.IntN(5) {
	case 0:
		return decimal(new(big.Rat).Neg(r))
	case 1:
		return decimal(new(big.Rat).Add(r, big.NewRat(1, 2)))
	case 2:
		return decimal(new(big.Rat).Sub(r, big.NewRat(1, 1)))
	}
	if len(m.numbers) > 0 {
		return m.numbers[m.rand.IntN(len(m.numbers))]
	}
	return json.Number("1e30")
}
