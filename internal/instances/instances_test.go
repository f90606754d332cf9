package instances

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/corpus"
	"github.com/mcpgen/mcpgen/internal/validation"
)

func TestValidFindsInstancesOfEveryFeature(t *testing.T) {
	for _, schema := range []string{
		`true`, `{}`, `{"type":"null"}`, `{"const":{"a":[1]}}`, `{"enum":["a",1,null]}`, `{"type":["string","null"],"enum":["x"]}`,
		`{"type":"integer","minimum":3,"exclusiveMaximum":4}`, `{"type":"integer","minimum":18446744073709551615}`,
		`{"type":"number","exclusiveMinimum":0.5,"maximum":0.6,"multipleOf":0.05}`, `{"type":"integer","multipleOf":0.4,"minimum":1}`,
		`{"type":"number","multipleOf":3,"allOf":[{"multipleOf":5}],"exclusiveMinimum":0}`, `{"minimum":1e20,"type":"integer"}`,
		`{"type":"string","minLength":5,"maxLength":5}`, `{"type":"string","pattern":"^[A-Z]{2}-\\d{3,}(x|yy)?$"}`,
		`{"type":"string","pattern":"^\\p{Lu}\\S+$","minLength":4}`, `{"$schema":"http://json-schema.org/draft-07/schema#","format":"date-time","type":"string"}`,
		`{"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true}`, `{"type":"array","contains":{"const":7},"minItems":2}`,
		`{"prefixItems":[{"type":"string"},{"type":"null"}],"items":false,"minItems":2}`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[{"type":"object","required":["next"],"properties":{"next":{"$ref":"#/$defs/n"}}},{"type":"null"}]}}}`,
		`{"type":"object","patternProperties":{"^x-[a-z]+$":{"type":"integer"}},"additionalProperties":false,"minProperties":2}`,
		`{"type":"object","propertyNames":{"pattern":"^[a-c]+$"},"additionalProperties":{"type":"boolean"},"minProperties":1}`,
		`{"allOf":[{"required":["a"]},{"properties":{"a":{"type":"string"}}},{"properties":{"a":{"minLength":3}}}],"type":"object"}`,
		`{"oneOf":[{"type":"integer"},{"type":"number","multipleOf":0.5}]}`, `{"if":{"type":"string"},"then":{"minLength":3},"else":{"type":"integer"}}`,
		`{"dependentRequired":{"a":["b"]},"type":"object","properties":{"a":{"type":"null"},"b":{"const":1}},"required":["a"]}`,
		`{"not":{"type":"string"}}`, `{"type":"object","unevaluatedProperties":false,"anyOf":[{"properties":{"a":{"type":"null"}},"required":["a"]}]}`,
		`{"type":"object","properties":{"never":false,"a":{"type":"string"}},"required":["a"]}`,
	} {
		got, err := Valid([]byte(schema), 5, 1)
		if err != nil || len(got) == 0 {
			t.Errorf("%s: no instance, error %v", schema, err)
		}
		t.Logf("%s: %s", schema, strings.Join(got, " "))
	}
}

func TestTheSeedDecides(t *testing.T) {
	schema := []byte(`{"type":"object","properties":{"a":{},"b":{"type":"array","items":{"type":"number"}},"c":{"type":"string"}}}`)
	one, _ := Valid(schema, 10, 7)
	two, _ := Valid(schema, 10, 7)
	other, _ := Valid(schema, 10, 8)
	if !slices.Equal(one, two) || slices.Equal(one, other) || one[0] != "{}" {
		t.Errorf("seed 7: %v, again %v, seed 8: %v", one, two, other)
	}
	first, _ := Invalid(schema, 10, 7)
	second, _ := Invalid(schema, 10, 7)
	if !slices.Equal(first, second) {
		t.Error("the same seed spoils in other ways")
	}
}

func TestInvalidRecordsTheVerdict(t *testing.T) {
	schema := []byte(`{"type":"object","properties":{"n":{"type":"integer","minimum":3,"maximum":9},"s":{"enum":["a","b"]},"l":{"type":"array","uniqueItems":true,"items":{"type":"string"}}},
		"required":["n","s"],"additionalProperties":false}`)
	judge, _, err := validation.Compile(schema, "")
	if err != nil {
		t.Fatal(err)
	}
	cases, _ := Invalid(schema, 300, 1)
	rules := map[string]bool{}
	for _, c := range cases {
		found := judge.ValidateJSON([]byte(c.JSON))
		if (found == nil) != c.Valid {
			t.Errorf("%s: verdict is %v, but %v", c.JSON, c.Valid, found)
		}
		for _, v := range found {
			rules[v.Rule] = true
		}
	}
	for _, rule := range []string{"type", "required", "additionalProperties", "enum", "minimum", "maximum", "uniqueItems"} {
		if !rules[rule] {
			t.Errorf("of %d cases none breaks %s", len(cases), rule)
		}
	}
}

func TestEveryCorpusSchemaHasAnInstance(t *testing.T) {
	schemas := corpus.Schemas(t)
	with, instances := 0, 0
	for _, s := range schemas {
		got, err := Valid(s.Text, 3, 1)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		if len(got) == 0 {
			t.Errorf("%s: no valid instance", s)
			continue
		}
		with++
		instances += len(got)
	}
	t.Logf("%d of %d schemas have instances, %d in all", with, len(schemas), instances)
}

func TestTortureSchemasHaveInstances(t *testing.T) {
	for _, s := range corpus.File(t, "torture", corpus.Path(t, "cases", "torture.json")) {
		if got, err := Valid(s.Text, 3, 1); err == nil && len(got) == 0 {
			t.Errorf("%s: no valid instance", s)
		}
	}
}

func TestEveryProtocolDefinitionHasAnInstance(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpus.Path(t, "schema"), "*.json"))
	total := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]json.RawMessage
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		source, err := Open(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, keyword := range []string{"$defs", "definitions"} {
			var defs map[string]json.RawMessage
			if doc[keyword] == nil {
				continue
			}
			if err := json.Unmarshal(doc[keyword], &defs); err != nil {
				t.Fatal(err)
			}
			for name := range defs {
				total++
				g, err := source.At("/" + keyword + "/" + name)
				if err != nil {
					t.Fatal(err)
				}
				if len(g.Valid(3, 1)) == 0 {
					t.Errorf("%s: %s has no instance", filepath.Base(file), name)
				}
			}
		}
	}
	t.Logf("%d definitions", total)
}
