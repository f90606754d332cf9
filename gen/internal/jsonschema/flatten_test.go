package jsonschema

import (
	"slices"
	"strings"
	"testing"
)

// flat loads and flattens a schema without any issue.
func flat(t *testing.T, text string) *Node {
	t.Helper()
	n, issues := Flatten(sound(t, text))
	for _, i := range issues {
		t.Errorf("%s: unexpected issue %s", text, i)
	}
	if n.Ref != nil || n.AllOf != nil {
		t.Errorf("%s: still has $ref or allOf", text)
	}
	return n
}

func names(props []Property) string {
	var list []string
	for _, p := range props {
		list = append(list, p.Name)
	}
	return strings.Join(list, " ")
}

func TestFlattenReturnsPlainNodesThemselves(t *testing.T) {
	n := sound(t, `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`)
	if f, _ := Flatten(n); f != n {
		t.Error("a node without $ref and allOf is copied")
	}
	if f, _ := Flatten(n.Property("a")); f != n.Defs[0].Node {
		t.Error("a pure reference is copied")
	}
}

func TestFlattenMergesScalars(t *testing.T) {
	n := flat(t, `{"allOf":[
		{"type":["number","string","null"],"minimum":1,"maximum":10,"minLength":2,"pattern":"a","multipleOf":2,"title":"first"},
		{"type":["integer","string"],"minimum":3.5,"exclusiveMaximum":9,"maxLength":5,"pattern":"b","multipleOf":3,"minItems":1},
		{"minimum":2,"maxLength":7,"minLength":1,"pattern":"a","uniqueItems":true,"maxItems":4,"minItems":2,"minProperties":1,"maxProperties":3}],
		"description":"own","deprecated":true}`)
	if n.Types != Integer|String || n.Minimum != "3.5" || n.Maximum != "10" || n.ExclusiveMaximum != "9" {
		t.Errorf("types %s, bounds %s..%s", n.Types, n.Minimum, n.Maximum)
	}
	if *n.MinLength != 2 || *n.MaxLength != 5 || *n.MinItems != 2 || *n.MaxItems != 4 || !n.UniqueItems || *n.MinProperties != 1 || *n.MaxProperties != 3 {
		t.Errorf("counts: %+v", n)
	}
	if !slices.Equal(n.Patterns, []string{"a", "b"}) || !slices.Equal(n.MultipleOf, []string{"2", "3"}) {
		t.Errorf("patterns %q, multipleOf %q", n.Patterns, n.MultipleOf)
	}
	if n.Title != "first" || n.Description != "own" || !n.Deprecated || n.Dynamic != nil || n.Pointer != "" {
		t.Errorf("annotations: %+v", n)
	}
}

func TestFlattenIntersectsValues(t *testing.T) {
	n := flat(t, `{"allOf":[{"enum":["a","b",1,2]},{"enum":[2.0,"b","c"]}]}`)
	if len(n.Enum) != 2 || n.Enum[0].Text != "b" || n.Enum[1].Text != "2" {
		t.Errorf("enum is %v", n.Enum)
	}
	if n = flat(t, `{"allOf":[{"enum":["a","b"]},{"const":"b"},{"const":"b"}]}`); n.Const.Text != "b" {
		t.Errorf("const is %v", n.Const)
	}
}

func TestFlattenMergesObjects(t *testing.T) {
	n := flat(t, `{"type":"object","properties":{"z":{"type":"string"}},"required":["z"],"allOf":[
		{"$ref":"#/$defs/B"},{"properties":{"k":{"maxLength":3},"y":{}},"required":["y","z"]}],
		"$defs":{"B":{"properties":{"k":{"type":"string","minLength":1},"a":{"type":"null"}},"required":["k"]}}}`)
	if names(n.Properties) != "z k a y" || !slices.Equal(n.Required, []string{"z", "k", "y"}) || n.Dynamic != nil {
		t.Errorf("properties %s, required %v, dynamic %v", names(n.Properties), n.Required, n.Dynamic)
	}
	k, issues := Flatten(n.Property("k"))
	if k.Types != String || *k.MinLength != 1 || *k.MaxLength != 3 || issues != nil {
		t.Errorf("k is %+v, issues %v", k, issues)
	}
	if len(n.Defs) != 1 || n.Src == nil {
		t.Error("the merged root lost its definitions or its place")
	}
	n = flat(t, `{"allOf":[{"properties":{"base":{}}}],"properties":{"own":{}}}`)
	if names(n.Properties) != "base own" {
		t.Errorf("properties are %s", names(n.Properties))
	}
}

func TestFlattenAppliesAdditionalPropertiesAcrossBranches(t *testing.T) {
	n := flat(t, `{"allOf":[{"properties":{"a":{"type":"string"}},"additionalProperties":{"maxLength":3}},
		{"properties":{"b":{"type":"string"}},"additionalProperties":{"minLength":1}}]}`)
	a, _ := Flatten(n.Property("a"))
	b, _ := Flatten(n.Property("b"))
	more, _ := Flatten(n.AdditionalProperties)
	if *a.MinLength != 1 || a.MaxLength != nil || *b.MaxLength != 3 || b.MinLength != nil || *more.MinLength != 1 || *more.MaxLength != 3 || n.Dynamic != nil {
		t.Errorf("a %+v, b %+v, more %+v, dynamic %v", a, b, more, n.Dynamic)
	}
	n = flat(t, `{"properties":{"a":{"type":"string"}},"allOf":[{"properties":{"b":{}},"additionalProperties":false}]}`)
	if names(n.Properties) != "a b" || !n.AdditionalProperties.Never() || !slices.Equal(n.Dynamic, []string{"additionalProperties"}) {
		t.Errorf("closed in one branch: %s, dynamic %v", names(n.Properties), n.Dynamic)
	}
	n = flat(t, `{"properties":{"x-a":{"type":"string"}},"allOf":[{"patternProperties":{"^x-":{"maxLength":2}},"additionalProperties":false}]}`)
	if x, _ := Flatten(n.Property("x-a")); *x.MaxLength != 2 || n.Dynamic != nil {
		t.Errorf("a pattern of another branch: %+v, dynamic %v", x, n.Dynamic)
	}
	n = flat(t, `{"additionalProperties":{"type":"string"},"allOf":[{"patternProperties":{"^x-":{"maxLength":2},"^y":{}}},{"patternProperties":{"^x-":{"minLength":1}}}]}`)
	if x, _ := Flatten(n.PatternProperties[0].Node); *x.MaxLength != 2 || *x.MinLength != 1 || !slices.Equal(n.Dynamic, []string{"additionalProperties"}) {
		t.Errorf("patterns beside additionalProperties: %+v, dynamic %v", x, n.Dynamic)
	}
}

func TestFlattenMergesArraysByPosition(t *testing.T) {
	n := flat(t, `{"allOf":[{"prefixItems":[{"type":"string"},{"type":"string"}],"items":{"minLength":1}},
		{"prefixItems":[{"maxLength":2}],"items":{"maxLength":3}},{"propertyNames":{"maxLength":1}},{"propertyNames":{"minLength":1}}]}`)
	first, _ := Flatten(n.PrefixItems[0])
	second, _ := Flatten(n.PrefixItems[1])
	rest, _ := Flatten(n.Items)
	key, _ := Flatten(n.PropertyNames)
	if first.Types != String || *first.MaxLength != 2 || *second.MaxLength != 3 || *rest.MinLength != 1 || *rest.MaxLength != 3 || n.Dynamic != nil {
		t.Errorf("first %+v second %+v rest %+v", first, second, rest)
	}
	if *key.MaxLength != 1 || *key.MinLength != 1 {
		t.Errorf("propertyNames: %+v", key)
	}
}

func TestFlattenCarriesUnions(t *testing.T) {
	n := flat(t, `{"properties":{"a":{}},"allOf":[{"anyOf":[{"required":["a"]},{"required":["b"]}]},{"oneOf":[{},false]}]}`)
	if len(n.AnyOf) != 2 || len(n.OneOf) != 2 || n.Dynamic != nil {
		t.Errorf("anyOf %d oneOf %d dynamic %v", len(n.AnyOf), len(n.OneOf), n.Dynamic)
	}
	n = flat(t, `{"anyOf":[{"required":["a"]},{"required":["b"]}],"allOf":[{"anyOf":[{"required":["c"]},{"required":["d"]}]}]}`)
	if n.AnyOf[0].Required[0] != "a" || !slices.Equal(n.Dynamic, []string{"allOf"}) {
		t.Errorf("two anyOf: dynamic %v", n.Dynamic)
	}
	n = flat(t, `{"allOf":[{"not":{"required":["x"]}},{"if":{},"then":false}],"type":"object"}`)
	if !slices.Equal(n.Dynamic, []string{"not", "if"}) {
		t.Errorf("dynamic is %v", n.Dynamic)
	}
}

func TestFlattenLeavesWhatItCannotMergeToTheValidator(t *testing.T) {
	n := flat(t, `{"allOf":[{"properties":{"p":{"properties":{"q":{"not":{"type":"null"}}}}}},{"properties":{"p":{"properties":{"q":{"type":"string"}}}}}]}`)
	if !slices.Equal(n.Dynamic, []string{"allOf"}) {
		t.Errorf("the outer node is not validated as a whole: dynamic %v", n.Dynamic)
	}
	p, _ := Flatten(n.Property("p"))
	q, _ := Flatten(p.Property("q"))
	if p.Src != nil || p.Dynamic != nil || q.Types != String || q.Dynamic != nil {
		t.Errorf("p %+v, q %+v: made nodes have no place to be validated at", p, q)
	}
}

func TestFlattenOfContradictionsIsFatal(t *testing.T) {
	for text, want := range map[string]string{
		`{"allOf":[{"type":"string"},{"type":"integer"}]}`:                     `no value can be string ("/allOf/0") and integer ("/allOf/1")`,
		`{"type":"object","$ref":"#/$defs/S","$defs":{"S":{"type":"string"}}}`: `no value can be object ("#") and string ("/$defs/S")`,
		`{"allOf":[{"const":1},{"const":"1"}]}`:                                `const is 1 in "/allOf/0" and "1" in "/allOf/1"`,
		`{"allOf":[{"enum":[1]},{"enum":[2]}]}`:                                `enum of "/allOf/0" and enum of "/allOf/1" have no value in common`,
		`{"allOf":[{"enum":[1]},{"const":2}]}`:                                 `const 2 is not in the enum, between "/allOf/0" and "/allOf/1"`,
	} {
		_, issues := Flatten(sound(t, text))
		if len(issues) != 1 || !issues[0].Fatal || issues[0].Message != want || issues[0].Line == 0 {
			t.Errorf("%s: issues are %v, want %s", text, issues, want)
		}
	}
	n, issues := Flatten(sound(t, `{"allOf":[{"type":"string"},false]}`))
	if !n.Never() || issues != nil {
		t.Errorf("false in allOf: %+v, issues %v", n, issues)
	}
}

func TestFlattenEndsOnRecursion(t *testing.T) {
	for _, text := range []string{
		`{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{
			"A":{"properties":{"next":{"$ref":"#/$defs/A"}}},"B":{"properties":{"next":{"$ref":"#/$defs/B"}}}}}`,
		`{"$ref":"#/$defs/N","$defs":{"N":{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]},
			"A":{"properties":{"next":{"$ref":"#/$defs/N"}}},"B":{"properties":{"next":{"$ref":"#/$defs/B"}}}}}`,
		`{"$ref":"#/$defs/N","$defs":{"N":{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/C"}]},
			"A":{"properties":{"next":{"$ref":"#/$defs/B"}}},"B":{"properties":{"next":{"$ref":"#/$defs/C"}}},
			"C":{"properties":{"next":{"allOf":[{"$ref":"#/$defs/N"},{"required":["next"]}]}}}}}`,
		`{"properties":{"next":{"allOf":[{"$ref":"#"},{"properties":{"next":{"required":["next"]}}}]}}}`,
	} {
		root := sound(t, text)
		seen := map[*Node]bool{}
		todo := []*Node{root}
		for len(todo) > 0 {
			n, _ := Flatten(todo[0])
			todo = todo[1:]
			if seen[n] {
				continue
			}
			seen[n] = true
			if len(seen) > 100 {
				t.Fatalf("%s: merging does not end", text)
			}
			for _, p := range n.Properties {
				todo = append(todo, p.Node)
			}
		}
	}
}

func TestFlattenOfDiamondsIsCheap(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range 40 {
		at := func(n int) string { return `{"$ref":"#/$defs/d` + strings.Repeat("x", n) + `"}` }
		name := "d" + strings.Repeat("x", i)
		if i == 0 {
			name = "d0"
		}
		b.WriteString(`"` + name + `":{"allOf":[` + at(i+1) + `,` + at(i+1) + `]},`)
	}
	b.WriteString(`"d` + strings.Repeat("x", 40) + `":{"type":"string"}}}`)
	if n := flat(t, b.String()); n.Types != String {
		t.Errorf("types are %s", n.Types)
	}
}

func TestMergeIsBounded(t *testing.T) {
	n, _ := Load(parse(t, `{"allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"a":{"minLength":1}}}]}`), Limits{Nodes: 6})
	_, issues := Flatten(n)
	if !HasFatal(issues) {
		t.Errorf("issues are %v", issues)
	}
}

func TestMergeJoinsNodesOfOneGraph(t *testing.T) {
	n := sound(t, `{"prefixItems":[{"type":"object","properties":{"a":{}}},{"required":["a"]},true,false]}`)
	m := Merge(n.PrefixItems[0], n.PrefixItems[1], n.PrefixItems[2])
	if m != Merge(n.PrefixItems[1], n.PrefixItems[0]) {
		t.Error("the same nodes are joined twice")
	}
	if f, _ := Flatten(m); f.Types != Object || f.Required[0] != "a" {
		t.Errorf("merged: %+v", f)
	}
	if Merge(n.PrefixItems[0], n.PrefixItems[3]) != n.PrefixItems[3] || Merge(n.PrefixItems[2]) != n.PrefixItems[2] {
		t.Error("true and false are not special")
	}
}
