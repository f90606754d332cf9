package jsonschema

import (
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/internal/corpus"
	"github.com/mcpgen/mcpgen/internal/instances"
	"github.com/mcpgen/mcpgen/internal/validation"
)

// judge decides validity by the fields of nodes alone, as generated code will.
// Where a node is dynamic it cannot, and says so.
type judge struct {
	unknown bool
	steps   int
}

func (j *judge) valid(n *Node, v *Value) bool {
	if j.steps++; j.steps > 200_000 {
		j.unknown = true
		return true
	}
	n, _ = Flatten(n)
	if len(n.Dynamic) > 0 {
		j.unknown = true
	}
	return !n.Never() && j.scalar(n, v) && j.object(n, v) && j.array(n, v) && j.unions(n, v)
}

func (j *judge) scalar(n *Node, v *Value) bool {
	if n.Types != 0 && !n.Types.Has(typeOf(v)) || n.Const != nil && !Equal(n.Const, v) {
		return false
	}
	listed := n.Enum == nil
	for _, e := range n.Enum {
		listed = listed || Equal(e, v)
	}
	if !listed {
		return false
	}
	switch v.Kind {
	case NumberValue:
		return j.number(n, v.Text)
	case StringValue:
		for _, p := range n.Patterns {
			if !regexp.MustCompile(p).MatchString(v.Text) {
				return false
			}
		}
		if n.Draft().FormatAsserted() && n.Format != "" && !validation.CheckFormat(n.Format, v.Text) {
			return false
		}
		return within(utf8.RuneCountInString(v.Text), n.MinLength, n.MaxLength)
	}
	return true
}

func within(n int, least, most *int) bool {
	return (least == nil || n >= *least) && (most == nil || n <= *most)
}

func (j *judge) number(n *Node, text string) bool {
	if !plausible(text) {
		j.unknown = true
		return true
	}
	if len(n.MultipleOf) > 0 {
		j.unknown = true // arithmetic is not what is tested here
	}
	return (n.Minimum == "" || CompareNumbers(text, n.Minimum) >= 0) && (n.Maximum == "" || CompareNumbers(text, n.Maximum) <= 0) &&
		(n.ExclusiveMinimum == "" || CompareNumbers(text, n.ExclusiveMinimum) > 0) && (n.ExclusiveMaximum == "" || CompareNumbers(text, n.ExclusiveMaximum) < 0)
}

func (j *judge) object(n *Node, v *Value) bool {
	if v.Kind != ObjectValue {
		return true
	}
	if !within(len(v.Members), n.MinProperties, n.MaxProperties) {
		return false
	}
	for _, name := range n.Required {
		if v.Get(name) == nil {
			return false
		}
	}
	for _, m := range v.Members {
		if !j.member(n, m) {
			return false
		}
	}
	return true
}

func (j *judge) member(n *Node, m Member) bool {
	named := false
	if p := n.Property(m.Name); p != nil {
		named = true
		if !j.valid(p, m.Value) {
			return false
		}
	}
	for _, p := range n.PatternProperties {
		if regexp.MustCompile(p.Name).MatchString(m.Name) {
			named = true
			if !j.valid(p.Node, m.Value) {
				return false
			}
		}
	}
	if n.PropertyNames != nil && !j.valid(n.PropertyNames, &Value{Kind: StringValue, Text: m.Name}) {
		return false
	}
	return named || n.AdditionalProperties == nil || j.valid(n.AdditionalProperties, m.Value)
}

func (j *judge) array(n *Node, v *Value) bool {
	if v.Kind != ArrayValue {
		return true
	}
	if !within(len(v.Items), n.MinItems, n.MaxItems) {
		return false
	}
	seen := map[string]bool{}
	for i, item := range v.Items {
		if key := item.Canonical(); n.UniqueItems && seen[key] {
			return false
		} else {
			seen[key] = true
		}
		if i < len(n.PrefixItems) {
			if !j.valid(n.PrefixItems[i], item) {
				return false
			}
		} else if n.Items != nil && !j.valid(n.Items, item) {
			return false
		}
	}
	return true
}

func (j *judge) unions(n *Node, v *Value) bool {
	count := func(arms []*Node) int {
		fits := 0
		for _, a := range arms {
			if j.valid(a, v) {
				fits++
			}
		}
		return fits
	}
	return (len(n.AnyOf) == 0 || count(n.AnyOf) > 0) && (len(n.OneOf) == 0 || count(n.OneOf) == 1)
}

// The graph must say exactly what the schema says, merged or not: what can be
// decided from it is decided as the validator does.
func TestNodesJudgeAsTheValidatorDoes(t *testing.T) {
	merging := []string{
		`{"allOf":[{"properties":{"a":{"type":"string"}},"additionalProperties":{"maxLength":3}},{"properties":{"b":{"type":"string"}},"additionalProperties":{"minLength":1}}]}`,
		`{"type":"object","properties":{"x-a":{"type":"string"}},"allOf":[{"patternProperties":{"^x-":{"maxLength":2}},"additionalProperties":false}]}`,
		`{"allOf":[{"prefixItems":[{"type":"string"}],"items":{"minLength":1}},{"prefixItems":[{"maxLength":2},{"type":"string"}],"items":{"maxLength":3}}],"type":"array"}`,
		`{"$ref":"#/$defs/N","required":["next"],"$defs":{"N":{"allOf":[{"$ref":"#/$defs/A"},{"properties":{"next":{"required":["v"]}}}]},"A":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/N"}}}}}`,
		`{"allOf":[{"type":["number","string","null"],"minimum":1},{"type":["integer","string"],"exclusiveMaximum":9}],"oneOf":[{"type":"string"},{"minimum":3}]}`,
		`{"type":"object","properties":{"a":{"enum":["x","y",1]}},"allOf":[{"properties":{"a":{"enum":["y",1.0,"z"]}},"required":["a"]}],"anyOf":[{"required":["b"]},{"properties":{"a":{"const":"y"}}}]}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"type":"string","format":"date"}],"additionalItems":false,"minItems":1}`,
		`{"type":"object","unevaluatedProperties":false,"properties":{"a":{"type":"null"}},"propertyNames":{"maxLength":3}}`,
	}
	all := corpus.Schemas(t)
	for _, text := range merging {
		all = append(all, corpus.Schema{Tool: text, Text: []byte(text)})
	}
	decided, rejected := 0, 0
	for i, s := range all {
		cases := 4
		if i >= len(all)-len(merging) {
			cases = 300
		}
		root, _ := Load(parse(t, string(s.Text)), Limits{})
		list, err := instances.Invalid(s.Text, cases, uint64(i))
		if err != nil {
			t.Error(err)
		}
		for _, c := range list {
			j := &judge{}
			if got := j.valid(root, parse(t, c.JSON)); !j.unknown {
				decided++
				if got != c.Valid {
					t.Errorf("%s: %s: the nodes say %v, the validator %v", s, c.JSON, got, c.Valid)
				}
			}
			if !c.Valid {
				rejected++
			}
		}
	}
	t.Logf("%d cases decided by nodes alone, %d invalid", decided, rejected)
	if decided < 1000 || rejected < 1000 {
		t.Errorf("only %d cases decided, %d invalid", decided, rejected)
	}
}
