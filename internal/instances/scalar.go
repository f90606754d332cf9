package instances

import (
	"encoding/json"
	"maps"
	"math/big"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Strings and numbers.

var someTexts = []string{"", "a", "hello world", "日本語", "🙂", "quote \" back \\ slash", "line\nbreak\ttab", "<b>&amp;</b>",
	"\u2028\u2029", "null", "true", "0", " ", "é", strings.Repeat("long ", 30), "control \x01\x7f", "*/ // `"}

// formatTexts has examples of formats that the validator asserts in draft-07,
// and of some that people use.
var formatTexts = map[string][]string{
	"date-time":             {"2025-01-02T03:04:05Z", "1999-12-31T23:59:59.123456+05:30", "2025-06-07T08:09:10.000Z"},
	"date":                  {"2025-01-02", "1969-07-20"},
	"time":                  {"03:04:05Z", "23:59:59.5+01:00"},
	"duration":              {"P1DT2H", "PT30S"},
	"period":                {"2025-01-02T03:04:05Z/2025-01-03T03:04:05Z"},
	"hostname":              {"example.com", "a-b.test"},
	"email":                 {"someone@example.com", "first.last@x.test"},
	"ipv4":                  {"127.0.0.1", "10.1.2.3"},
	"ip-address":            {"127.0.0.1"},
	"ipv6":                  {"::1", "2001:db8::1"},
	"uri":                   {"https://example.com/a?b=c#d", "urn:isbn:1"},
	"url":                   {"https://example.com/"},
	"iri":                   {"https://example.com/é"},
	"uri-template":          {"https://example.com/{id}"},
	"regex":                 {"^a+$", "[0-9]{2}"},
	"json-pointer":          {"", "/a/0"},
	"uuid":                  {"123e4567-e89b-12d3-a456-426614174000"},
	"uri-reference":         {"../a", "https://example.com/"},
	"relative-json-pointer": {"0", "1/a"},
}

func (g *Generator) text(s *spec) (string, bool) {
	if s.minLength > 100_000 || s.minLength > s.maxLength {
		return "", false
	}
	defer func() { g.aim = 0 }()
	for try := range 60 {
		if g.aim = 0; try%2 == 1 || s.minLength > 12 {
			g.aim = s.minLength + g.rand.IntN(min(s.maxLength-s.minLength, 20)+1)
		}
		text, ok := g.someText(s)
		if !ok {
			return "", false
		}
		n := utf8.RuneCountInString(text)
		if len(s.patterns) == 0 && len(s.texts) == 0 {
			text = fit(text, s.minLength, s.maxLength)
			n = utf8.RuneCountInString(text)
		}
		if s.minLength <= n && n <= s.maxLength {
			return text, true
		}
	}
	return "", false
}

func (g *Generator) someText(s *spec) (string, bool) {
	if len(s.patterns) > 0 {
		return g.matching(s.patterns[g.rand.IntN(len(s.patterns))])
	}
	for _, format := range slices.Sorted(maps.Keys(s.texts)) {
		if examples := formatTexts[format]; examples != nil {
			return examples[g.rand.IntN(len(examples))], true
		}
	}
	return someTexts[g.rand.IntN(len(someTexts))], true
}

// fit makes a text long or short enough, counted in code points.
func fit(text string, least, most int) string {
	runes := []rune(text)
	for len(runes) < least {
		runes = append(runes, 'é')
	}
	return string(runes[:min(len(runes), most)])
}

// matching makes a string that the pattern matches.
func (g *Generator) matching(pattern string) (string, bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return someTexts[g.rand.IntN(len(someTexts))], true
	}
	var b strings.Builder
	g.expand(&b, re)
	return b.String(), true
}

func (g *Generator) expand(b *strings.Builder, re *syntax.Regexp) {
	if b.Len() > 10_000 {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(g.classRune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune([]rune("aZ9 é-")[g.rand.IntN(6)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			g.expand(b, sub)
		}
	case syntax.OpAlternate:
		g.expand(b, re.Sub[g.rand.IntN(len(re.Sub))])
	case syntax.OpStar:
		g.repeat(b, re.Sub[0], 0, -1)
	case syntax.OpPlus:
		g.repeat(b, re.Sub[0], 1, -1)
	case syntax.OpQuest:
		g.repeat(b, re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		g.repeat(b, re.Sub[0], re.Min, re.Max)
	}
}

func (g *Generator) repeat(b *strings.Builder, re *syntax.Regexp, least, most int) {
	if most < 0 {
		most = least + max(12, g.aim)
	}
	count := least + g.rand.IntN(min(most-least, 12)+1)
	if g.aim > 0 {
		count = min(max(least, g.aim-utf8.RuneCountInString(b.String())), most)
	}
	for range count {
		g.expand(b, re)
	}
}

// classRune picks from a class, plain characters where it has them.
func (g *Generator) classRune(pairs []rune) rune {
	var plain []rune
	for i := 0; i+1 < len(pairs); i += 2 {
		for r := max(pairs[i], ' '+1); r <= pairs[i+1] && r < 0x7f; r++ {
			plain = append(plain, r)
		}
	}
	switch {
	case len(plain) > 0:
		return plain[g.rand.IntN(len(plain))]
	case len(pairs) > 0:
		return pairs[0]
	}
	return 'a'
}

func (g *Generator) number(s *spec, whole bool) (json.Number, bool) {
	if s.min == nil && s.max == nil && s.multiples == nil {
		return g.freeNumber(whole), true
	}
	step := step(s, whole)
	if step == nil {
		return g.fraction(s)
	}
	low, high := ends(s, step)
	if low != nil && high != nil && low.Cmp(high) > 0 {
		return "", false
	}
	var k *big.Int
	offset := big.NewInt(int64([]int{0, 1, 2, 7, 1000}[g.rand.IntN(5)]))
	switch {
	case low != nil && (high == nil || g.rand.IntN(2) == 0):
		k = offset.Add(low, offset)
	case high != nil:
		k = offset.Sub(high, offset)
	default:
		k = offset.Sub(offset, big.NewInt(3))
	}
	if low != nil && k.Cmp(low) < 0 || high != nil && k.Cmp(high) > 0 {
		k = low
		if low == nil {
			k = high
		}
	}
	return decimal(new(big.Rat).Mul(new(big.Rat).SetInt(k), step)), true
}

// step is what the number must be a multiple of, nil for any fraction. Of
// several multiples the product will do.
func step(s *spec, whole bool) *big.Rat {
	var r *big.Rat
	for _, m := range s.multiples {
		if r == nil {
			r = m
		} else {
			r = new(big.Rat).Mul(r, m)
		}
	}
	switch {
	case whole && r == nil:
		return big.NewRat(1, 1)
	case whole && !r.IsInt():
		return new(big.Rat).SetInt(r.Num())
	}
	return r
}

// ends are the smallest and the largest factor of step within the bounds.
func ends(s *spec, step *big.Rat) (low, high *big.Int) {
	if s.min != nil {
		q := new(big.Rat).Quo(s.min, step)
		low = floor(q)
		if !q.IsInt() || s.minExclusive {
			low.Add(low, big.NewInt(1))
		}
	}
	if s.max != nil {
		q := new(big.Rat).Quo(s.max, step)
		high = floor(q)
		if q.IsInt() && s.maxExclu {
			high.Sub(high, big.NewInt(1))
		}
	}
	return low, high
}

func floor(r *big.Rat) *big.Int {
	q := new(big.Int)
	return q.Div(r.Num(), r.Denom())
}

// fraction picks a number between bounds, or just inside the one there is.
func (g *Generator) fraction(s *spec) (json.Number, bool) {
	part := big.NewRat(int64(g.rand.IntN(9)), 8)
	var r *big.Rat
	switch {
	case s.min != nil && s.max != nil:
		r = new(big.Rat).Sub(s.max, s.min)
		r.Mul(r, part).Add(r, s.min)
	case s.min != nil:
		r = new(big.Rat).Add(s.min, part)
	default:
		r = new(big.Rat).Sub(s.max, part)
	}
	return decimal(r), true
}

func decimal(r *big.Rat) json.Number {
	text := r.FloatString(20)
	if r.IsInt() {
		return json.Number(r.Num().String())
	}
	return json.Number(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
}

func (g *Generator) freeNumber(whole bool) json.Number {
	texts := []string{"0", "1", "-1", "42", "9007199254740993", "-9223372036854775808", "9223372036854775807", "5.0", "1e3", "100"}
	if !whole {
		texts = []string{"0", "1", "-1", "0.1", "1.5", "-2.25e-7", "1e100", "0.30000000000000004", "5.0", "1E+2", "9007199254740992"}
	}
	if g.Huge {
		texts = append(texts, "123456789012345678901234567890", "-1e40")
		if !whole {
			texts = append(texts, "3.14159265358979323846264338327950288")
		}
	}
	return json.Number(texts[g.rand.IntN(len(texts))])
}
