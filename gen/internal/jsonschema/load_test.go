package jsonschema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/corpus"
	"github.com/mcpgen/mcpgen/internal/validation"
)

func load(t testing.TB, text string) (*Node, []Issue) {
	t.Helper()
	return Load(parse(t, text), Limits{})
}

// sound loads a schema that must have no issue at all.
func sound(t testing.TB, text string) *Node {
	t.Helper()
	n, issues := load(t, text)
	for _, i := range issues {
		t.Errorf("%s: unexpected issue %s", text, i)
	}
	return n
}

func TestLoadDecodesKeywords(t *testing.T) {
	n := sound(t, `{"title":"T","description":"D","$comment":"C","deprecated":true,"nullable":true,"default":{"x":1},
		"type":["object","null","integer","number"],"x-mcp-header":"Region",
		"properties":{"b":{"type":"string"},"a":true},"required":["a","b","a"],"patternProperties":{"^x":false},
		"additionalProperties":{"type":"integer"},"propertyNames":{"maxLength":3},"minProperties":1,"maxProperties":2.0,
		"prefixItems":[{}],"items":false,"minItems":0,"maxItems":1e1,"uniqueItems":true,
		"minLength":1,"maxLength":99999999999999999999,"pattern":"^a/b~c$","format":"uri",
		"minimum":-1.50,"maximum":2,"exclusiveMinimum":-2,"exclusiveMaximum":1e2,"multipleOf":0.01,
		"enum":[1,1.0,"a"],"const":null,"x-vendor":{"$ref":17}}`)
	if n.Title != "T" || n.Description != "D" || n.Comment != "C" || !n.Deprecated || !n.Nullable || n.Default.JSONText() != `{"x":1}` {
		t.Errorf("annotations: %+v", n)
	}
	if n.Types != Null|Object|Number || n.Types.String() != "null or number or object" || n.Types.Count() != 3 || !n.Types.Has(Integer) {
		t.Errorf("types are %s", n.Types)
	}
	if n.Header.Text != "Region" || n.Properties[0].Name != "b" || *n.Properties[1].Node.Bool != true || !n.PatternProperties[0].Node.Never() {
		t.Errorf("object keywords: %+v", n)
	}
	if !slices.Equal(n.Required, []string{"a", "b"}) || n.AdditionalProperties.Types != Integer || *n.PropertyNames.MaxLength != 3 || *n.MaxProperties != 2 {
		t.Errorf("object keywords: %+v", n)
	}
	if len(n.PrefixItems) != 1 || !n.Items.Never() || *n.MaxItems != 10 || *n.MinItems != 0 || !n.UniqueItems {
		t.Errorf("array keywords: %+v", n)
	}
	if *n.MinLength != 1 || *n.MaxLength != int(^uint(0)>>1) || n.Patterns[0] != "^a/b~c$" || n.Format != "uri" {
		t.Errorf("string keywords: %+v", n)
	}
	if n.Minimum != "-1.50" || n.Maximum != "2" || n.ExclusiveMinimum != "-2" || n.ExclusiveMaximum != "1e2" || n.MultipleOf[0] != "0.01" {
		t.Errorf("number keywords: %+v", n)
	}
	if len(n.Enum) != 2 || n.Const.Kind != NullValue || n.Dynamic != nil || n.Pointer != "" || n.Root != n {
		t.Errorf("value keywords: %+v", n)
	}
	if p := n.Property("b"); p.Pointer != "/properties/b" || p.Root != n || p.Src.Line != 3 || n.Property("zz") != nil || !n.IsRequired("b") || n.IsRequired("zz") {
		t.Errorf("property b: %+v", p)
	}
}

func TestLoadListsDynamicKeywords(t *testing.T) {
	for text, want := range map[string]string{
		`{"not":{"type":"string"}}`:                                                        "not",
		`{"if":{},"then":{"required":["a"]}}`:                                              "if",
		`{"if":{},"else":false}`:                                                           "if",
		`{"if":{}}`:                                                                        "",
		`{"then":false}`:                                                                   "",
		`{"contains":{"type":"string"},"minContains":2}`:                                   "contains",
		`{"dependentRequired":{"a":["b"]}}`:                                                "dependentRequired",
		`{"dependentSchemas":{"a":{"required":["b"]}}}`:                                    "dependentSchemas",
		`{"dependencies":{"a":["b"],"c":{"type":"object"}}}`:                               "dependencies",
		`{"dependentRequired":{}}`:                                                         "",
		`{"unevaluatedProperties":false,"anyOf":[{}]}`:                                     "unevaluatedProperties",
		`{"unevaluatedItems":false,"contains":{}}`:                                         "contains unevaluatedItems",
		`{"$ref":"#/$defs/a","unevaluatedProperties":false,"$defs":{"a":{}}}`:              "unevaluatedProperties",
		`{"unevaluatedProperties":false,"unevaluatedItems":false}`:                         "",
		`{"$schema":"http://json-schema.org/draft-07/schema#","contentEncoding":"base64"}`: "contentEncoding",
		`{"contentEncoding":"base64"}`:                                                     "",
	} {
		if got := strings.Join(sound(t, text).Dynamic, " "); got != want {
			t.Errorf("%s: dynamic keywords are %q, want %q", text, got, want)
		}
	}
	n := sound(t, `{"properties":{"a":{}},"unevaluatedProperties":false}`)
	if n.AdditionalProperties == nil || !n.AdditionalProperties.Never() {
		t.Error("unevaluatedProperties alone is not read as additionalProperties")
	}
}

func TestLoadNormalisesDrafts(t *testing.T) {
	n := sound(t, `{"$schema":"http://json-schema.org/draft-04/schema#","id":"http://x.test/s","minimum":1,"exclusiveMinimum":true,
		"maximum":5,"exclusiveMaximum":false,"items":[{"type":"string"}],"additionalItems":{"$ref":"http://x.test/s#/definitions/A"},
		"definitions":{"A":{"type":"null"}}}`)
	if n.Minimum != "" || n.ExclusiveMinimum != "1" || n.Maximum != "5" || n.ExclusiveMaximum != "" {
		t.Errorf("bounds are %q %q %q %q", n.Minimum, n.ExclusiveMinimum, n.Maximum, n.ExclusiveMaximum)
	}
	if len(n.PrefixItems) != 1 || n.Items.Target().Types != Null || n.Defs[0].Name != "A" {
		t.Errorf("items: %+v", n)
	}
	if n.Draft() != Draft07 || !n.Draft().FormatAsserted() || n.Draft().String() != "draft-07" {
		t.Errorf("draft is %v", n.Draft())
	}
	n = sound(t, `{"$schema":"https://unknown.test/","items":[{}],"additionalItems":false}`)
	if len(n.PrefixItems) != 1 || !n.Items.Never() || n.Draft() != Draft2020 {
		t.Errorf("an items array in 2020-12: %+v", n)
	}
	if n = sound(t, `{"$schema":"https://json-schema.org/draft/2019-09/schema","items":{},"additionalItems":false}`); n.Items.Never() {
		t.Error("additionalItems beside an items schema counts")
	}
	n, issues := load(t, `{"$schema":"http://json-schema.org/draft-07/schema","prefixItems":[{}],"dependentRequired":{"a":["b"]}}`)
	if n.PrefixItems != nil || n.Dynamic != nil || len(issues) != 2 {
		t.Errorf("draft-07 knows 2020-12's keywords: %v", issues)
	}
}

func TestLoadIgnoresWhatStandsBesideRefInDraft07(t *testing.T) {
	text := `{%s"properties":{"a":{"$ref":"#/definitions/S","description":"d","maxLength":3}},"definitions":{"S":{"type":"string"}}}`
	old, issues := load(t, fmt.Sprintf(text, `"$schema":"http://json-schema.org/draft-07/schema#",`))
	a := old.Property("a")
	if a.MaxLength != nil || a.Description != "d" || a.Target().Types != String || len(issues) != 1 || HasFatal(issues) {
		t.Errorf("draft-07: %+v, issues %v", a, issues)
	}
	if a = sound(t, fmt.Sprintf(text, "")).Property("a"); a.MaxLength == nil || a.Target() != a || a.Ref.Types != String {
		t.Errorf("2020-12: %+v", a)
	}
	root := sound(t, `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/T","definitions":{"T":{"type":"object"}}}`)
	if root.Target().Types != Object || len(root.Defs) != 1 {
		t.Errorf("a root that is a reference: %+v", root)
	}
}

// malformed holds schemas with a keyword that cannot be used, and what is said
// about it.
var malformed = map[string]string{
	`{"required":"x"}`:              `/required: required is a string, expected an array of strings; it is ignored`,
	`{"required":true}`:             `/required: required is a boolean, expected an array of strings; it is ignored`,
	`{"required":["a",1]}`:          `/required: required holds a number, expected only strings; it is ignored`,
	`{"minimum":"5"}`:               `/minimum: minimum is a string, expected a number; it is ignored`,
	`{"minimum":1e9999}`:            `/minimum: minimum is too large a number to compare; it is ignored`,
	`{"exclusiveMaximum":"5"}`:      `/exclusiveMaximum: exclusiveMaximum is a string, expected a number; it is ignored`,
	`{"multipleOf":0}`:              `/multipleOf: multipleOf is "0", expected a number greater than 0; it is ignored`,
	`{"properties":[]}`:             `/properties: properties is an array, expected an object of schemas; it is ignored`,
	`{"properties":{"a":"string"}}`: `/properties/a: schema is a string, expected an object or a boolean; anything is allowed here`,
	`{"patternProperties":{"(?=x)":{}},"additionalProperties":false}`: `/patternProperties: pattern "(?=x)" cannot be matched in Go and is not checked` +
		"|/additionalProperties: additionalProperties is not checked, because a pattern beside it cannot be matched",
	`{"pattern":"(?=x)"}`:           `/pattern: pattern "(?=x)" cannot be matched in Go and is not checked`,
	`{"pattern":5}`:                 `/pattern: pattern is a number, expected a string; it is ignored`,
	`{"type":"any"}`:                `/type: type "any" is no JSON Schema type; type is ignored`,
	`{"type":["string","int"]}`:     `/type: type "int" is no JSON Schema type; type is ignored`,
	`{"type":[]}`:                   `/type: type is an array, expected a type name or an array of them; it is ignored`,
	`{"type":{}}`:                   `/type: type is an object, expected a type name or an array of them; it is ignored`,
	`{"enum":[]}`:                   `/enum: enum is an array, expected an array of at least one value; it is ignored`,
	`{"enum":"a"}`:                  `/enum: enum is a string, expected an array of at least one value; it is ignored`,
	`{"enum":[1e99999]}`:            `/enum: enum holds a number that is too large to compare; it is ignored`,
	`{"const":{"a":[1e99999]}}`:     `/const: const holds a number that is too large to compare; it is ignored`,
	`{"minLength":-1}`:              `/minLength: minLength is "-1", expected a whole number that is not negative; it is ignored`,
	`{"minItems":1.5}`:              `/minItems: minItems is "1.5", expected a whole number that is not negative; it is ignored`,
	`{"minItems":"1"}`:              `/minItems: minItems is a string, expected a whole number; it is ignored`,
	`{"uniqueItems":1}`:             `/uniqueItems: uniqueItems is a number, expected a boolean; it is ignored`,
	`{"items":null}`:                `/items: items is null, expected a schema; it is ignored`,
	`{"items":[]}`:                  `/items: items is an array, expected an array of at least one schema; it is ignored`,
	`{"additionalProperties":"no"}`: `/additionalProperties: additionalProperties is a string, expected a schema; it is ignored`,
	`{"anyOf":[]}`:                  `/anyOf: anyOf is an array, expected an array of at least one schema; it is ignored`,
	`{"anyOf":{}}`:                  `/anyOf: anyOf is an object, expected an array of at least one schema; it is ignored`,
	`{"oneOf":[1]}`:                 `/oneOf/0: schema is a number, expected an object or a boolean; anything is allowed here`,
	`{"not":"x"}`:                   `/not: not is a string, expected a schema; it is ignored`,
	`{"description":7}`:             `/description: description is a number, expected a string; it is ignored`,
	`{"title":null}`:                `/title: title is null, expected a string; it is ignored`,
	`{"deprecated":"yes"}`:          `/deprecated: deprecated is a string, expected a boolean; it is ignored`,
	`{"format":1}`:                  `/format: format is a number, expected a string; it is ignored`,
	`{"$ref":1}`:                    `/$ref: $ref is a number, expected a string; it is ignored`,
	`{"$id":1}`:                     `/$id: $id is a number, expected a string; it is ignored`,
	`{"$id":"http://[x"}`:           `/$id: $id "http://[x" is no URI; it is ignored`,
	`{"$anchor":1}`:                 `/$anchor: $anchor is a number, expected a string; it is ignored`,
	`{"$defs":1}`:                   `/$defs: $defs is a number, expected an object of schemas; it is ignored`,
	`{"dependencies":1}`:            `/dependencies: dependencies is a number, expected an object; it is ignored`,
	`{"dependentRequired":1}`:       `/dependentRequired: dependentRequired is a number, expected an object of string arrays; it is ignored`,
	`{"properties":{"a":{"$id":"x"},"b":{"$id":"x"}}}`: `/properties/b/$id: $id "x" is used twice; the first one counts`,
}

func TestLoadIgnoresMalformedKeywords(t *testing.T) {
	for text, want := range malformed {
		n, issues := load(t, text)
		var got []string
		for _, i := range issues {
			if i.Fatal || i.Line == 0 {
				t.Errorf("%s: issue is fatal or has no place: %+v", text, i)
			}
			got = append(got, i.String())
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s:\n got %s\nwant %s", text, strings.Join(got, "|"), want)
		}
		if n.Constrained() && n.Properties == nil || n.Ref != nil {
			t.Errorf("%s: the malformed keyword counts: %+v", text, n)
		}
	}
}

// The validator, which judges what generated code may leave to it, must read a
// schema as Load does: what one ignores the other drops.
func TestTheValidatorDropsWhatLoadIgnores(t *testing.T) {
	agree := func(text []byte) {
		v, err := ParseJSON("t", text, Limits{})
		if err != nil {
			t.Error(err)
			return
		}
		_, issues := Load(v, Limits{})
		var ignored, dropped []string
		for _, i := range issues {
			if !strings.Contains(i.Message, "beside $ref") && !strings.Contains(i.Message, "is unknown in") {
				ignored = append(ignored, i.Pointer)
			}
		}
		_, drops, err := validation.Compile(text, "")
		if (err != nil) != HasFatal(issues) {
			t.Errorf("%s: validation says %v, Load %v", text, err, issues)
		}
		for _, d := range drops {
			dropped = append(dropped, d.Pointer)
		}
		slices.Sort(ignored)
		if !HasFatal(issues) && !slices.Equal(ignored, dropped) {
			t.Errorf("%s: Load ignores %v, validation drops %v", text, ignored, dropped)
		}
	}
	for text := range malformed {
		agree([]byte(text))
	}
	for _, s := range corpus.File(t, "torture", corpus.Path(t, "cases", "torture.json")) {
		agree(s.Text)
	}
	for _, s := range corpus.Schemas(t) {
		agree(s.Text)
	}
}

// A reference that is no URI reference counts only where something leads to it.
func TestTheValidatorReadsReferencesAsLoadDoes(t *testing.T) {
	for _, ref := range []string{
		`#%X00`, `#/%X`, `#/properties/100%`, `/%X`, `%X#/properties/100%`, `a\\b`, `http://[`, `#a b`, ` #`, `#\u0001`, "\\u0000", `http://x.test/#/a`,
	} {
		for _, text := range []string{
			`{"properties":{"100%%":{},"p":{"$ref":"%s"}}}`,
			`{"$defs":{"unused":{"$ref":"%s"}}}`,
			`{"$defs":{"unused":{"$ref":"%s"}},"$schema":"http://json-schema.org/draft-07/schema#"}`,
			`{"$defs":{"unused":{"$dynamicRef":"%s"}}}`,
			`{"properties":{"p":{"$id":"http://y.test/s","properties":{"100%%":{},"q":{"$ref":"%s"}}}}}`,
			`{"$defs":{"p":{"$id":"http://y.test/s","properties":{"q":{"$ref":"%s"}}}}}`,
		} {
			text := fmt.Sprintf(text, ref)
			_, issues := load(t, text)
			if _, _, err := validation.Compile([]byte(text), ""); (err != nil) != HasFatal(issues) {
				t.Errorf("%s: validation says %v, Load %v", text, err, issues)
			}
		}
	}
}

func TestLoadRefusesARootThatIsNoSchema(t *testing.T) {
	for text, want := range map[string]string{
		`null`: "null", `1`: "a number", `"x"`: "a string", `[]`: "an array",
	} {
		n, issues := load(t, text)
		if n == nil || len(issues) != 1 || !issues[0].Fatal || !strings.Contains(issues[0].Message, "schema is "+want+", expected") {
			t.Errorf("%s: issues are %v", text, issues)
		}
	}
	if n, issues := Load(nil, Limits{}); n == nil || !HasFatal(issues) {
		t.Errorf("nil: issues are %v", issues)
	}
	if n := sound(t, `false`); !n.Never() {
		t.Error("false is not read")
	}
}

func TestLoadIsBounded(t *testing.T) {
	_, issues := Load(parse(t, `{"anyOf":[{},{},{},{}]}`), Limits{Nodes: 3})
	if !HasFatal(issues) || issues[0].Message != "schema has more than 3 subschemas, merged ones included" {
		t.Errorf("issues are %v", issues)
	}
}

func FuzzWhatLoadsAlsoCompiles(f *testing.F) {
	for text := range malformed {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"properties":{"x":{"$ref":"#"}}}}}`))
	f.Add([]byte(`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"#a","$ref":"#a","definitions":{"a":{"$id":"b/c"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON("t", text, Limits{Depth: 60})
		if err != nil {
			return
		}
		if _, issues := Load(v, Limits{Nodes: 2000}); HasFatal(issues) {
			return
		}
		if _, _, err := validation.Compile(text, ""); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	})
}
