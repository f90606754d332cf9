package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

func formOf(t *testing.T, properties string, required ...string) *formSchema {
	t.Helper()
	schema := &formSchema{}
	if err := jsonwire.Unmarshal([]byte(`{"type":"object","properties":`+properties+`}`), schema); err != nil {
		t.Fatal(err)
	}
	schema.Required = required
	if err := flatten(schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

const everyField = `{
"text":{"type":"string","minLength":2,"maxLength":4},
"mail":{"type":"string","format":"email"},
"day":{"type":"string","format":"date"},
"when":{"type":"string","format":"date-time"},
"page":{"type":"string","format":"uri"},
"odd":{"type":"string","format":"no-such-format"},
"code":{"type":"string","pattern":"^[a-z]+$"},
"whole":{"type":"integer","minimum":0,"maximum":10},
"real":{"type":"number","minimum":-0.5,"maximum":99.5},
"flag":{"type":"boolean"},
"one":{"type":"string","enum":["a","b"]},
"titled":{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]},
"many":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"minItems":1,"maxItems":2},
"titledMany":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}},
"named":{"type":"string","enum":["a","b"],"enumNames":["A","B"]}}`

// C-181 C-183 C-184 C-186
func TestAnAnswerIsCheckedAgainstTheForm(t *testing.T) {
	schema := formOf(t, everyField)
	for _, test := range []struct {
		field string
		value any
		rule  string // empty: fits
	}{
		{"text", "ab", ""}, {"text", "äöüß", ""}, {"text", "a", "minLength"}, {"text", "abcde", "maxLength"}, {"text", 7, "type"}, {"text", nil, "type"},
		{"mail", "a@example.com", ""}, {"mail", "nobody", "format"},
		{"day", "2026-07-28", ""}, {"day", "28.7.2026", "format"},
		{"when", "2026-07-28T10:00:00Z", ""}, {"when", "noon", "format"},
		{"page", "https://example.com/", ""}, {"page", "not a page", "format"},
		{"odd", "anything", ""},
		{"code", "abc", ""}, {"code", "A1", "pattern"},
		{"whole", 0, ""}, {"whole", 10.0, ""}, {"whole", json.Number("1e1"), ""}, {"whole", 1.5, "type"}, {"whole", -1, "minimum"}, {"whole", 11, "maximum"}, {"whole", "1", "type"},
		{"real", 95.5, ""}, {"real", -0.5, ""}, {"real", 100, "maximum"}, {"real", true, "type"},
		{"flag", false, ""}, {"flag", "no", "type"},
		{"one", "a", ""}, {"one", "c", "enum"}, {"one", []string{"a"}, "type"},
		{"titled", "b", ""}, {"titled", "B", "enum"},
		{"named", "b", ""}, {"named", "B", "enum"},
		{"many", []string{"a", "c"}, ""}, {"many", []string{}, "minItems"}, {"many", []string{"a", "b", "c"}, "maxItems"}, {"many", []string{"d"}, "enum"}, {"many", "a", "type"}, {"many", []any{1}, "type"},
		{"titledMany", []string{"b"}, ""}, {"titledMany", []string{"B"}, "enum"}, {"titledMany", []any{"a", "b"}, ""},
		{"other", "x", "properties"},
	} {
		_, err := completeForm(schema, ElicitAccept(map[string]any{test.field: test.value}).Content)
		var broken *ValidationError
		switch {
		case test.rule == "" && err != nil:
			t.Errorf("%s: %v: %v", test.field, test.value, err)
		case test.rule != "" && (!errors.As(err, &broken) || broken.Rule != test.rule || !strings.HasPrefix(broken.Pointer, "/"+test.field)):
			t.Errorf("%s: %v: %v", test.field, test.value, err)
		}
	}
	if _, err := completeForm(formOf(t, everyField, "text"), nil); err == nil || !strings.Contains(err.Error(), `"text"`) {
		t.Errorf("error for a missing field is %v", err)
	}
}

// C-185
func TestDefaultsFillWhatAnAnswerLeavesOut(t *testing.T) {
	schema := formOf(t, `{
"text":{"type":"string","default":"t"},"whole":{"type":"integer","default":42},"real":{"type":"number","default":95.5},
"flag":{"type":"boolean","default":true},"one":{"type":"string","enum":["a","b"],"default":"b"},
"titled":{"type":"string","oneOf":[{"const":"a","title":"A"}],"default":"a"},
"named":{"type":"string","enum":["a"],"enumNames":["A"],"default":"a"},
"many":{"type":"array","items":{"type":"string","enum":["a","b"]},"default":["a"]},
"titledMany":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]},"default":["a"]},
"bad":{"type":"string","minLength":5,"default":"x"},"none":{"type":"string"}}`, "text")
	wire := func(content map[string]any) string {
		full, err := completeForm(schema, ElicitAccept(content).Content)
		if err != nil {
			t.Fatal(err)
		}
		text, err := jsonwire.Marshal(&ElicitResult{Action: "accept", Content: full})
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimPrefix(string(text), `{"action":"accept","content":`)
	}
	want := `{"flag":true,"many":["a"],"named":"a","one":"b","real":95.5,"text":"t","titled":"a","titledMany":["a"],"whole":42}}`
	if got := wire(nil); got != want {
		t.Errorf("defaults are %s", got)
	}
	want = `{"flag":false,"many":[],"named":"a","one":"a","real":0,"text":"","titled":"a","titledMany":["a"],"whole":0}}`
	given := map[string]any{"flag": false, "text": "", "whole": 0, "real": 0.0, "one": "a", "many": []string{}}
	if got := wire(given); got != want {
		t.Errorf("with values it is %s", got)
	}
}

// C-182
func TestOnlyFlatFormsAreForms(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}}}}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}}}`,
		`{"type":"object","properties":{"a":{"type":"string","$ref":"#/$defs/x"}}}`,
		`{"type":"object","properties":{"a":{"type":"string","anyOf":[{}]}}}`,
		`{"type":"object","properties":{"a":{"type":"number","enum":[1,2]}}}`,
		`{"type":"object","properties":{"a":{"type":["string","null"]}}}`,
		`{"type":"object","properties":{"a":true}}`,
		`{"type":"object","properties":{},"allOf":[]}`,
		`{"type":"object","properties":{},"required":["a"]}`,
	} {
		form := &formSchema{}
		err := jsonwire.Unmarshal([]byte(schema), form)
		if err == nil {
			err = flatten(form)
		}
		if err == nil {
			t.Errorf("%s was taken for a form", schema)
		}
	}
	for _, schema := range []string{
		`{"type":"object","properties":{}}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string","examples":["x"]}},"additionalProperties":false}`,
	} {
		form := &formSchema{}
		if err := errors.Join(jsonwire.Unmarshal([]byte(schema), form), flatten(form)); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

// C-189
func TestOnlySafePagesReachTheHandler(t *testing.T) {
	for address, fine := range map[string]bool{
		"https://example.com/a?b=c":         true,
		"https://example.com:8443/":         true,
		"http://localhost:3000/cb":          true,
		"http://127.0.0.1/":                 true,
		"http://[::1]:80/":                  true,
		"http://example.com/":               false,
		"javascript:alert(1)":               false,
		"file:///etc/passwd":                false,
		"data:text/html,x":                  false,
		"ftp://example.com/":                false,
		"https:///path":                     false,
		"example.com":                       false,
		"":                                  false,
		"https://bank.com@evil.example/":    false,
		"https://example.com/\x00":          false,
		"https://example.com/ --flag":       false,
		`https://example.com\@evil.invalid`: false,
	} {
		if _, err := checkPage(address); (err == nil) != fine {
			t.Errorf("%q: %v", address, err)
		}
	}
	for host, want := range map[string]bool{"example.com": false, "xn--80ak6aa92e.com": true, "a.XN--x.org": true, "аpple.com": true} {
		if suspicious(host) != want {
			t.Errorf("suspicious(%q) is not %v", host, want)
		}
	}
}

// C-177 C-201 C-210 C-050: capabilities by handlers and version.
func TestCapabilitiesFollowFromHandlers(t *testing.T) {
	form, page := enter(nil), WithURLElicitation(func(context.Context, *URLRequest) (*ElicitResult, error) { return nil, nil })
	sample := func(opts ...SamplingOption) Option {
		return WithSampling(func(context.Context, *SamplingRequest) (*CreateMessageResult, error) { return nil, nil }, opts...)
	}
	roots := WithRoots(func(context.Context, *RootsRequest) ([]Root, error) { return nil, nil })
	for _, test := range []struct {
		version string
		opts    []Option
		want    string
	}{
		{Version20260728, nil, `{}`},
		{Version20241105, []Option{form, page}, `{}`},
		{Version20250618, []Option{form, page}, `{"elicitation":{}}`},
		{Version20250618, []Option{page}, `{}`},
		{Version20251125, []Option{form}, `{"elicitation":{"form":{}}}`},
		{Version20251125, []Option{page}, `{"elicitation":{"url":{}}}`},
		{Version20260728, []Option{form, page}, `{"elicitation":{"form":{},"url":{}}}`},
		{Version20241105, []Option{sample(SamplingTools())}, `{"sampling":{}}`},
		{Version20251125, []Option{sample(SamplingTools(), SamplingContext())}, `{"sampling":{"context":{},"tools":{}}}`},
		{Version20260728, []Option{sample()}, `{"sampling":{}}`},
		{Version20241105, []Option{roots}, `{"roots":{"listChanged":true}}`},
		{Version20251125, []Option{WithRootList()}, `{"roots":{}}`},
		{Version20260728, []Option{roots}, `{"roots":{}}`},
	} {
		o, err := newOptions(append(test.opts, WithoutTasks()))
		if err != nil {
			t.Fatal(err)
		}
		w := jsonwire.NewWriter(nil)
		if err := o.writeCapabilities(w, test.version); err != nil || string(w.Bytes()) != test.want {
			t.Errorf("%s: %s, %v; want %s", test.version, w.Bytes(), err, test.want)
		}
	}
	for _, option := range []Option{WithElicitation(nil), WithURLElicitation(nil), WithSampling(nil), WithRoots(nil)} {
		if _, err := newOptions([]Option{option}); err == nil {
			t.Error("a nil handler was taken") // C-187
		}
	}
}
