package jsonschema

import (
	"strings"
	"testing"
)

func TestReferencesStayInTheDocument(t *testing.T) {
	const defs = `,"$defs":{"S":{"type":"string"},"a/b c":{"type":"null"},"t~x":{"type":"boolean"},"100%":{"type":"array"},
		"é":{"type":"number"},"B":{"$anchor":"here","type":"object","properties":{"k":{"type":"integer"}}},
		"D":{"$dynamicAnchor":"dyn","type":"array"},"E":{"$id":"sub/e.json","type":"null","$defs":{"F":{"$anchor":"f","type":"number"}}},
		"L":{"prefixItems":[{"type":"boolean"}]}},"x-vendor":{"deep":[{"type":"integer","properties":{"r":{"$ref":"#/$defs/S"}}}]}}`
	for ref, want := range map[string]TypeSet{
		"#/$defs/S": String, "#/$defs/a~1b%20c": Null, "#/$defs/a~1b c": Null, "#/$defs/a%2Fb%20c": Null, "#/$defs/t~0x": Boolean,
		"#/$defs/t%7E0x": Boolean, "#/$defs/100%25": Array, "#/$defs/100%": Array, "#/$defs/%C3%A9": Number, "#/$defs/é": Number,
		"#here": Object, "#dyn": Array, "#/$defs/B/properties/k": Integer, "#/$defs/L/prefixItems/0": Boolean,
		"#/x-vendor/deep/0": Integer, "#/x-vendor/deep/0/properties/r": String,
		"https://x.test/dir/y#/$defs/S": String, "y#/$defs/S": String, "sub/e.json": Null, "sub/e.json#f": Number,
		"https://x.test/dir/sub/e.json#/$defs/F": Number, "/dir/y#here": Object,
	} {
		n, issues := load(t, `{"$id":"https://x.test/dir/y","properties":{"p":{"$ref":"`+ref+`"}}`+defs)
		if got := n.Property("p").Target().Types; got != want || HasFatal(issues) {
			t.Errorf("%s leads to %s, want %s; issues %v", ref, got, want, issues)
		}
	}
}

func TestReferencesToTheRoot(t *testing.T) {
	for _, text := range []string{
		`{"properties":{"c":{"$ref":"#"}}}`,
		`{"properties":{"c":{"$ref":"#/"}}}`,
		`{"properties":{"c":{"$recursiveRef":"#"}},"$schema":"https://json-schema.org/draft/2019-09/schema"}`,
		`{"$dynamicAnchor":"n","properties":{"c":{"$dynamicRef":"#n"}}}`,
		`{"$id":"urn:uuid:1","properties":{"c":{"$ref":"urn:uuid:1#"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"c":{"$ref":"#root"}},"$id":"#root"}`,
	} {
		n := sound(t, text)
		if n.Property("c").Ref != n {
			t.Errorf("%s: the reference does not lead to the root", text)
		}
	}
}

func TestReferencesThatCannotBeFollowedAreFatal(t *testing.T) {
	for ref, want := range map[string]string{
		"http://evil.test/x":            `$ref "http://evil.test/x" leaves the document; only references inside the schema are followed`,
		"file:///etc/passwd":            `$ref "file:///etc/passwd" leaves the document; only references inside the schema are followed`,
		"other.json#/a":                 `$ref "other.json#/a" leaves the document; only references inside the schema are followed`,
		"../up":                         `$ref "../up" leaves the document; only references inside the schema are followed`,
		"#/$defs/Q":                     `$ref "#/$defs/Q" has no target`,
		"#nowhere":                      `$ref "#nowhere" has no target`,
		"#/properties/p/type":           `$ref "#/properties/p/type" points at a string, not at a schema`,
		"#/required/7":                  `$ref "#/required/7" has no target`,
		"http://[bad":                   `$ref "http://[bad" is no URI reference`,
		"#" + strings.Repeat("/a", 300): `$ref "#` + strings.Repeat("/a", 39) + `/…" has no target`,
	} {
		n, issues := load(t, `{"properties":{"p":{"type":"string"},"q":{"$ref":"`+ref+`"}},"required":["p"]}`)
		if len(issues) != 1 || !issues[0].Fatal || issues[0].Message != want || issues[0].Pointer != "/properties/q/$ref" {
			t.Errorf("%s: issues are %v, want %s", ref, issues, want)
		}
		if n.Property("q").Ref != nil {
			t.Errorf("%s: has a target", ref)
		}
	}
}

func TestUnusedDefinitionsAreNeverFatal(t *testing.T) {
	_, issues := load(t, `{"type":"object","$defs":{"a":{"$ref":"http://x.test/"},"l":{"$ref":"#/$defs/l"}}}`)
	if len(issues) != 2 || HasFatal(issues) {
		t.Errorf("issues are %v", issues)
	}
	_, issues = load(t, `{"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"items":{"$ref":"http://x.test/"}}}}`)
	if !HasFatal(issues) {
		t.Errorf("a definition that is used below not: issues are %v", issues)
	}
}

func TestSchemasThatApplyThemselvesAreFatal(t *testing.T) {
	for _, text := range []string{
		`{"$ref":"#"}`,
		`{"properties":{"v":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}`,
		`{"allOf":[{"$ref":"#"}]}`,
		`{"anyOf":[{"type":"string"},{"oneOf":[{"$ref":"#"}]}]}`,
		`{"not":{"$ref":"#"}}`,
		`{"if":{"$ref":"#"},"then":{}}`,
		`{"dependentSchemas":{"a":{"$ref":"#"}}}`,
		`{"properties":{"a":{"$ref":"#/$defs/X/allOf/0"}},"$defs":{"X":{"allOf":[{"$ref":"#/$defs/X"}]}}}`,
	} {
		n, issues := load(t, text)
		if len(issues) != 1 || !issues[0].Fatal || !strings.Contains(issues[0].Message, "applies itself") {
			t.Errorf("%s: issues are %v", text, issues)
		}
		n.Target()
		Flatten(n)
	}
	sound(t, `{"properties":{"a":{"$ref":"#"}},"items":{"$ref":"#"},"additionalProperties":{"$ref":"#"}}`)
}

func TestTargetSkipsWhatSaysNothing(t *testing.T) {
	n := sound(t, `{"properties":{
		"ref":{"$ref":"#/$defs/S","description":"d","default":1},
		"all":{"allOf":[{"$ref":"#/$defs/S"}],"title":"t"},
		"any":{"anyOf":[{"$ref":"#/$defs/S"}]},
		"one":{"oneOf":[{"allOf":[{"$ref":"#/$defs/S"}]}]},
		"limited":{"$ref":"#/$defs/S","maxLength":1},
		"two":{"anyOf":[{"$ref":"#/$defs/S"},{"type":"null"}]},
		"mixed":{"$ref":"#/$defs/S","allOf":[{"$ref":"#/$defs/S"}]},
		"dyn":{"$ref":"#/$defs/S","not":{}}
	},"$defs":{"S":{"$ref":"#/$defs/T"},"T":{"type":"string"}}}`)
	target := n.Defs[1].Node
	for _, p := range n.Properties {
		leads := p.Name == "ref" || p.Name == "all" || p.Name == "any" || p.Name == "one"
		if got := p.Node.Target(); leads != (got == target) || !leads && got != p.Node {
			t.Errorf("%s leads to %q", p.Name, got.Pointer)
		}
	}
}

func TestInferredAndHintedTypes(t *testing.T) {
	for text, want := range map[string][2]TypeSet{
		`{"type":"string"}`:                       {String, 0},
		`{"type":["string","null"],"enum":["a"]}`: {String | Null, 0},
		`{"enum":["a",null,1,1.5]}`:               {String | Null | Number, 0},
		`{"enum":[1,2.0]}`:                        {Integer, 0},
		`{"const":{"a":1}}`:                       {Object, 0},
		`{"const":[]}`:                            {Array, 0},
		`{"const":true}`:                          {Boolean, 0},
		`{"properties":{}}`:                       {0, Object},
		`{"items":{}}`:                            {0, Array},
		`{"pattern":"a"}`:                         {0, String},
		`{"format":"uri"}`:                        {0, String},
		`{"format":"int32"}`:                      {0, 0},
		`{"minimum":1,"required":["a"]}`:          {0, Number | Object},
		`true`:                                    {0, 0},
	} {
		n := sound(t, text)
		if n.InferredTypes() != want[0] || n.HintedTypes() != want[1] {
			t.Errorf("%s: inferred %s, hinted %s", text, n.InferredTypes(), n.HintedTypes())
		}
	}
}

func TestUnrestricted(t *testing.T) {
	for text, want := range map[string]bool{
		`true`: true, `{}`: true, `{"description":"x","$defs":{"a":{}}}`: true, `false`: false, `{"type":"null"}`: false,
		`{"not":{}}`: false, `{"anyOf":[{}]}`: false, `{"minLength":0}`: false,
	} {
		if got := sound(t, text).Unrestricted(); got != want {
			t.Errorf("%s: unrestricted is %v", text, got)
		}
	}
}
