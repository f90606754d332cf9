package lock

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/corpus"
)

func lines(changes []Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s: %s", c.Severity, c.Pointer, c.Message)))
	}
	return strings.Join(out, "\n")
}

// diffSchemas compares two schemas as arguments and as results.
func diffSchemas(old, new string) (args, results string) {
	tool := func(in, out string) *Lock {
		return &Lock{Tools: []Tool{{Name: "t", InputSchema: json.RawMessage(in), OutputSchema: json.RawMessage(out)}}}
	}
	const same = `{"type":"object"}`
	return lines(Diff(tool(old, same), tool(new, same))), lines(Diff(tool(same, old), tool(same, new)))
}

// obj is an object schema with these properties.
func obj(properties string) string { return `{"type":"object","properties":{` + properties + `}}` }

// schemaChanges says what each change means in arguments (b, c or - for
// breaking, compatible, cosmetic), what it means in results, and how it is told.
var schemaChanges = []struct {
	old, new      string
	args, results string
	pointer, text string
}{
	{obj(`"a":{}`), obj(`"a":{},"b":{}`), "c", "c", "/properties/b", "an optional argument was added|a member was added"},
	{obj(`"a":{}`), `{"type":"object","properties":{"a":{},"b":{}},"required":["b"]}`, "b", "c", "/properties/b", "a required argument was added|a member was added"},
	{obj(`"a":{},"b":{}`), obj(`"a":{}`), "b", "b", "/properties/b", "the argument was removed|the member was removed"},
	{obj(`"a":{}`), `{"type":"object","properties":{"a":{}},"required":["a"]}`, "b", "c", "/properties/a", "became required"},
	{`{"type":"object","properties":{"a":{}},"required":["a"]}`, obj(`"a":{}`), "c", "b", "/properties/a", "became optional"},
	{`{"type":"object"}`, `{"type":"object","required":["z"]}`, "b", "c", "", `"z" became required`},
	{obj(`"a":{"type":"string"}`), obj(`"a":{"type":"integer"}`), "b", "b", "/properties/a", "was string and is integer"},
	{obj(`"a":{"type":"integer"}`), obj(`"a":{"type":"number"}`), "c", "b", "/properties/a", "was integer and is number"},
	{obj(`"a":{"type":"number"}`), obj(`"a":{"type":"integer"}`), "b", "c", "/properties/a", "was number and is integer"},
	{obj(`"a":{"type":"string"}`), obj(`"a":{"type":["string","null"]}`), "c", "b", "/properties/a", "null is allowed now"},
	{obj(`"a":{"type":"string"}`), obj(`"a":{"anyOf":[{"type":"string"},{"type":"null"}]}`), "c", "b", "/properties/a", "null is allowed now"},
	{obj(`"a":{"type":["string","null"]}`), obj(`"a":{"type":"string"}`), "b", "c", "/properties/a", "null is no longer allowed"},
	{obj(`"a":{"type":["string","null"]}`), obj(`"a":{"oneOf":[{"type":"null"},{"type":"string"}]}`), "-", "-", "", "the schema is written in another way"},
	{obj(`"a":{}`), obj(`"a":{"type":"string"}`), "b", "c", "/properties/a", "was anything and is string"},
	{obj(`"a":{"type":"string"}`), obj(`"a":true`), "c", "b", "/properties/a", "was string and is anything"},
	{obj(`"a":{"type":["string","integer"]}`), obj(`"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}`), "-", "-", "", "the schema is written in another way"},
	{obj(`"a":{"enum":["x","y"]}`), obj(`"a":{"enum":["y","x"]}`), "-", "-", "", "the schema is written in another way"},
	{obj(`"a":{"enum":["x","y"]}`), obj(`"a":{"enum":["x"]}`), "b", "c", "/properties/a", `"y" is no longer allowed`},
	{obj(`"a":{"enum":["x"]}`), obj(`"a":{"enum":["x","y","z"]}`), "c", "b", "/properties/a", `"y", "z" are allowed now`},
	{obj(`"a":{"type":"string"}`), obj(`"a":{"type":"string","enum":["x"]}`), "b", "c", "/properties/a", `only "x" is allowed now`},
	{obj(`"a":{"type":"integer","enum":[1,2]}`), obj(`"a":{"type":"integer"}`), "c", "b", "/properties/a", `other values than 1, 2 are allowed now`},
	{obj(`"a":{"const":"x"}`), obj(`"a":{"enum":["x"]}`), "-", "-", "", "the schema is written in another way"},
	{obj(`"a":{"minimum":1}`), obj(`"a":{"minimum":2}`), "b", "c", "/properties/a", "the minimum was 1 and is 2"},
	{obj(`"a":{"maximum":9}`), obj(`"a":{"exclusiveMaximum":9}`), "b", "c", "/properties/a", "the maximum was 9 and is 9 (exclusive)"},
	{obj(`"a":{"exclusiveMinimum":9}`), obj(`"a":{}`), "c", "b", "/properties/a", "the minimum is no longer 9 (exclusive)"},
	{obj(`"a":{"minimum":1.0}`), obj(`"a":{"minimum":1}`), "", "", "", ""},
	{obj(`"a":{"type":"string"}`), obj(`"a":{"type":"string","minLength":1}`), "b", "c", "/properties/a", "the minimum length is 1 now"},
	{obj(`"a":{"maxLength":5}`), obj(`"a":{"maxLength":6}`), "c", "b", "/properties/a", "the maximum length was 5 and is 6"},
	{obj(`"a":{"minItems":0}`), obj(`"a":{}`), "-", "-", "", "the schema is written in another way"},
	{obj(`"a":{"type":"array"}`), obj(`"a":{"type":"array","uniqueItems":true}`), "b", "c", "/properties/a", "items must be unique now"},
	{obj(`"a":{"pattern":"^a"}`), obj(`"a":{"pattern":"^b"}`), "b", "b", "/properties/a", `the pattern was "^a" and is "^b"`},
	{obj(`"a":{"pattern":"^a"}`), obj(`"a":{}`), "c", "b", "/properties/a", `the pattern is no longer "^a"`},
	{obj(`"a":{"multipleOf":2}`), obj(`"a":{"multipleOf":3}`), "b", "b", "/properties/a", `multipleOf was 2 and is 3`},
	{obj(`"a":{"type":"string"}`), obj(`"a":{"type":"string","format":"uri"}`), "c", "c", "/properties/a", `the format is uri now`},
	{`{"type":"object"}`, `{"type":"object","additionalProperties":false}`, "b", "c", "", "other members are no longer allowed"},
	{`{"type":"object","additionalProperties":false}`, `{"type":"object"}`, "c", "b", "", "other members are allowed now"},
	{`{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"integer"}}`, "b", "b", "/additionalProperties", "was string and is integer"},
	{`{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object"}`, "c", "b", "", "other members may be anything now"},
	{`{"type":"object","additionalProperties":true}`, `{"type":"object"}`, "-", "-", "", "the schema is written in another way"},
	{`{"type":"object","properties":{"a":{}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}`, "c", "b", "/properties/b",
		"an optional argument was added|a member was added to an object that allowed no others"},
	{obj(`"a":{"items":{"type":"string"}}`), obj(`"a":{"items":{"type":"integer"}}`), "b", "b", "/properties/a/items", "was string and is integer"},
	{obj(`"a":{"prefixItems":[{"type":"number"}]}`), obj(`"a":{"prefixItems":[{"type":"integer"}]}`), "b", "c", "/properties/a/prefixItems/0", "was number and is integer"},
	{obj(`"a":{"items":{}}`), obj(`"a":{"items":{"type":"null"}}`), "b", "c", "/properties/a/items", "was anything and is null"},
	{obj(`"a":{"type":"null"}`), obj(`"a":{"type":"string"}`), "b", "b", "/properties/a", "was null and is string"},
	{obj(`"a":{"type":"null"}`), obj(`"a":{"type":["string","null"]}`), "c", "b", "/properties/a", "was null and is string"},
	{obj(`"a":{}`), obj(`"a":{"not":{"type":"null"}}`), "b", "c", "/properties/a", "not was added"},
	{`{"if":{},"then":{"required":["a"]}}`, `{"if":{},"then":{"required":["b"]}}`, "b", "b", "", "if changed"},
	{`{"allOf":[{"$ref":"#/$defs/x"}],"type":"object","$defs":{"x":{"not":{"required":["a"]}}}}`, `{"allOf":[{"$ref":"#/$defs/x"}],"type":"object","$defs":{"x":{"not":{"required":["b"]}}}}`, "b", "b", "", "not changed"},
	{obj(`"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}`), obj(`"a":{"anyOf":[{"type":"string"},{"type":"boolean"}]}`), "bc", "cb", "", "the alternative integer was removed\nthe alternative boolean was added"},
	{obj(`"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}`), obj(`"a":{"type":"string"}`), "b", "c", "/properties/a", "the alternative integer was removed"},
	{obj(`"a":{"oneOf":[{"properties":{"t":{"const":"x"},"v":{"type":"string"}}},{"properties":{"t":{"const":"y"}}}]}`),
		obj(`"a":{"oneOf":[{"properties":{"t":{"const":"y"}}},{"properties":{"t":{"const":"x"},"v":{"type":"integer"}}}]}`), "b", "b", "/properties/a/oneOf/1/properties/v", "was string and is integer"},
	{obj(`"a":{"oneOf":[{"properties":{"t":{"const":"x"}}},{"properties":{"t":{"const":"y"}}}]}`),
		obj(`"a":{"oneOf":[{"properties":{"t":{"const":"x"}}},{"properties":{"t":{"const":"y"}}},{"properties":{"t":{"const":"z"}}}]}`), "c", "b", "/properties/a/oneOf/2", `the alternative with "t" "z" was added`},
	{`{"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"properties":{"a":{},"b":{}}}`, "c", "b", "", "none of 2 alternatives must fit any more"},
	{`{"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]}]}`, "b", "c", "", "the alternative at \"/anyOf/1\" was removed"},
	{obj(`"a":{"$ref":"#/$defs/x"}`) + "\b" + `,"$defs":{"x":{"type":"string"}}}`, obj(`"a":{"type":"string"}`), "-", "-", "", "the schema is written in another way"},
	{obj(`"a":{"description":"x","type":"string"}`), obj(`"a":{"description":"y","type":"string"}`), "-", "-", "/properties/a", "the description changed"},
	{obj(`"a":{"title":"x"}`), obj(`"a":{}`), "-", "-", "/properties/a", "the title was removed"},
	{obj(`"a":{"default":1}`), obj(`"a":{"default":1.0}`), "", "", "", ""},
	{obj(`"a":{"default":1}`), obj(`"a":{"default":2,"deprecated":true}`), "--", "--", "/properties/a", "the default changed\nis deprecated now"},
	{obj(`"a":{"type":"string","x-mcp-header":"R"}`), obj(`"a":{"type":"string"}`), "b", "-", "", `x-mcp-header was "R" and is not set|the schema is written in another way`},
	{obj(`"a":false`), obj(`"a":{"type":"string"}`), "c", "b", "/properties/a", "values are allowed now"},
	{obj(`"a":{"type":"string"}`), obj(`"a":false`), "b", "c", "/properties/a", "no value is allowed any more"},
	{`{"propertyNames":{"maxLength":3},"type":"object"}`, `{"propertyNames":{"maxLength":2},"type":"object"}`, "b", "c", "/propertyNames", "the maximum length was 3 and is 2"},
	{`{"patternProperties":{"^a":{}},"type":"object"}`, `{"patternProperties":{"^a":{"type":"string"}},"type":"object"}`, "b", "c", "/patternProperties/^a", "was anything and is string"},
	{obj(`"a":{"$ref":"http://x.test/"}`), obj(`"a":{"$ref":"http://y.test/"}`), "b", "b", "",
		`the schema changed and cannot be compared: /properties/a/$ref: $ref "http://y.test/" leaves the document; only references inside the schema are followed`},
}

func TestDiffOfSchemas(t *testing.T) {
	for _, r := range schemaChanges {
		r.old = strings.Replace(r.old, "}\b", "", 1)
		args, results := diffSchemas(r.old, r.new)
		argText, resultText, two := strings.Cut(r.text, "|")
		if !two {
			resultText = argText
		}
		for _, c := range []struct{ dir, got, severities, text string }{{"/inputSchema", args, r.args, argText}, {"/outputSchema", results, r.results, resultText}} {
			if got, want := severities(c.got), c.severities; got != want {
				t.Errorf("%s: %s -> %s: severities are %q, want %q:\n%s", c.dir, r.old, r.new, got, want, c.got)
				continue
			}
			for _, text := range strings.Split(c.text, "\n") {
				if !strings.Contains(c.got, ": "+text) && text != "" {
					t.Errorf("%s: %s -> %s:\n%s\nwant %s", c.dir, r.old, r.new, c.got, text)
				}
			}
			if c.got != "" && !strings.Contains(c.got, c.dir+r.pointer) {
				t.Errorf("%s: %s -> %s:\n%s\nwant pointer %s", c.dir, r.old, r.new, c.got, r.pointer)
			}
		}
	}
}

func severities(got string) string {
	var b strings.Builder
	for _, line := range strings.Split(got, "\n") {
		switch {
		case strings.HasPrefix(line, "breaking"):
			b.WriteByte('b')
		case strings.HasPrefix(line, "compatible"):
			b.WriteByte('c')
		case strings.HasPrefix(line, "cosmetic"):
			b.WriteByte('-')
		}
	}
	return b.String()
}

func TestDiffEndsOnRecursion(t *testing.T) {
	schema := `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"v":{"type":"%s"},"next":{"$ref":"#/$defs/N"},"kids":{"items":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}}}}}}`
	args, _ := diffSchemas(fmt.Sprintf(schema, "string"), fmt.Sprintf(schema, "integer"))
	if args != "breaking /inputSchema/$defs/N/properties/v: was string and is integer" {
		t.Errorf("changes are %s", args)
	}
}

func TestDiffOfTools(t *testing.T) {
	tool := func(name, rest string) Tool { return ToolOf(value(t, `{"name":"`+name+`",`+rest+`}`), "", "") }
	const big = `"inputSchema":{"type":"object","properties":{"first":{"type":"string"},"second":{"type":"integer"},"third":{"type":"boolean"}}}`
	for _, c := range []struct {
		name     string
		old, new []Tool
		want     string
	}{
		{"removed", []Tool{tool("a", big)}, nil, "breaking : the tool was removed"},
		{"added", nil, []Tool{tool("a", big)}, "compatible : the tool was added"},
		{"renamed", []Tool{tool("a", big)}, []Tool{tool("b", big)}, `breaking : the tool was renamed to "b"`},
		{"small tools that look alike", []Tool{tool("a", `"description":"x","inputSchema":{}`)}, []Tool{tool("b", `"description":"y","inputSchema":{}`)},
			"breaking : the tool was removed\ncompatible : the tool was added"},
		{"reordered", []Tool{tool("a", big), tool("b", big)}, []Tool{tool("b", big), tool("a", big)}, ""},
		{"texts", []Tool{tool("a", `"title":"x","description":"d",`+big)}, []Tool{tool("a", `"description":"e",`+big)},
			"cosmetic /description: the description changed\ncosmetic /title: the title was removed"},
		{"hints", []Tool{tool("a", `"annotations":{"readOnlyHint":true,"title":"x"},`+big)}, []Tool{tool("a", `"annotations":{"readOnlyHint":false,"idempotentHint":true,"title":"y"},`+big)},
			"compatible /annotations/idempotentHint: idempotentHint is true now\ncompatible /annotations/readOnlyHint: readOnlyHint was true and is false\ncosmetic /annotations/title: the title changed"},
		{"task", []Tool{tool("a", big)}, []Tool{tool("a", `"execution":{"taskSupport":"required"},`+big)}, "breaking /execution/taskSupport: running as a task was forbidden and is required"},
		{"task allowed", []Tool{tool("a", big)}, []Tool{tool("a", `"execution":{"taskSupport":"optional"},`+big)}, "compatible /execution/taskSupport: running as a task was forbidden and is optional"},
		{"output added", []Tool{tool("a", big)}, []Tool{tool("a", big+`,"outputSchema":{"type":"object"}`)}, "compatible /outputSchema: the output schema was added; generating again types the result"},
		{"output removed", []Tool{tool("a", big+`,"outputSchema":{"type":"object"}`)}, []Tool{tool("a", big)}, "breaking /outputSchema: the output schema was removed"},
		{"input absent", []Tool{tool("a", `"inputSchema":null`)}, []Tool{tool("a", `"inputSchema":{"type":"object"}`)}, "cosmetic /inputSchema: the schema is written in another way"},
	} {
		if got := lines(Diff(&Lock{Tools: c.old}, &Lock{Tools: c.new})); got != c.want {
			t.Errorf("%s: changes are\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	old, new := tool("a", big), tool("a", big)
	old.Go, new.Go = "A", "A2"
	if got := lines(Diff(&Lock{Tools: []Tool{old}}, &Lock{Tools: []Tool{new}})); got != "breaking : the Go name was A and is A2" {
		t.Errorf("changes are %s", got)
	}
}

func TestDiffOfPromptsTemplatesAndServer(t *testing.T) {
	old := &Lock{Server: Server{"s", "1", "2025-06-18"},
		Prompts:   []Prompt{{Name: "p", Arguments: []Argument{{Name: "a"}, {Name: "b", Required: true}, {Name: "c"}}}, {Name: "gone"}},
		Templates: []Template{{Name: "r", URITemplate: "x://{a}"}, {Name: "gone", URITemplate: "y"}}}
	new := &Lock{Server: Server{"s", "2", "2025-11-25"},
		Prompts:   []Prompt{{Name: "p", Title: "T", Arguments: []Argument{{Name: "a", Required: true}, {Name: "b"}, {Name: "d/e"}, {Name: "f", Required: true}}}, {Name: "new"}},
		Templates: []Template{{Name: "r", URITemplate: "x://{a}/{b}"}, {Name: "new", URITemplate: "z"}}}
	want := `cosmetic : the server's version was "1" and is "2"
compatible : the protocol version was "2025-06-18" and is "2025-11-25"
breaking : the prompt was removed
compatible : the prompt was added
breaking /arguments/a: became required
compatible /arguments/b: became optional
breaking /arguments/c: the argument was removed
compatible /arguments/d~1e: an optional argument was added
breaking /arguments/f: a required argument was added
cosmetic /title: the title was added
breaking : the resource template was removed
compatible : the resource template was added
breaking /uriTemplate: the template was "x://{a}" and is "x://{a}/{b}"`
	if got := lines(Diff(old, new)); got != want {
		t.Errorf("changes are\n%s\nwant\n%s", got, want)
	}
}

// Against itself nothing in the corpus may differ, also when it is written in
// another order: a spurious change would train people to ignore the rest.
func TestDiffOfTheCorpusAgainstItselfIsEmpty(t *testing.T) {
	for _, s := range corpus.Schemas(t) {
		var v any
		if err := json.Unmarshal(s.Text, &v); err != nil {
			t.Fatal(err)
		}
		sorted, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		d := &differ{told: map[Change]bool{}}
		d.schemas("", s.Text, sorted, arguments)
		d.schemas("", s.Text, sorted, results)
		if len(d.changes) > 0 {
			t.Errorf("%s: %s", s, lines(d.changes))
		}
	}
}

// Every schema against every later one of its server: nothing must hang or
// panic however little they have in common.
func TestDiffOfUnrelatedSchemasEnds(t *testing.T) {
	all := corpus.Schemas(t)
	for i := 1; i < len(all); i++ {
		d := &differ{told: map[Change]bool{}}
		d.schemas("", all[i-1].Text, all[i].Text, results)
		for _, c := range d.changes {
			if c.Message == "" {
				t.Errorf("%s: empty message", all[i])
			}
		}
	}
	for _, s := range corpus.File(t, "torture", corpus.Path(t, "cases", "torture.json")) {
		d := &differ{told: map[Change]bool{}}
		d.schemas("", s.Text, []byte(`{"type":"string"}`), arguments)
		d.schemas("", s.Text, s.Text, arguments)
	}
}
