package validation

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/corpus"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

func compile(t testing.TB, text, pointer string) *Schema {
	t.Helper()
	s, _, err := Compile([]byte(text), pointer)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

func TestValidateNamesPointerAndRule(t *testing.T) {
	const schema = `{"type":"object","required":["a","b"],"properties":{"a":{"type":"string","minLength":2},"a/b~ c%":{"const":1},
		"l":{"items":{"type":"integer"},"uniqueItems":true,"contains":{"const":3}},"u":{"anyOf":[{"type":"string"},{"type":"object","required":["k"]}]},
		"o":{"oneOf":[{"type":"integer"},{"minimum":2}]},"no":false,"d":{"dependentRequired":{"x":["y"]}},"n":{"not":{"type":"null"}},
		"c":{"if":{"type":"string"},"then":{"maxLength":1}},"r":{"$ref":"#/$defs/R"},"t":{"prefixItems":[{"type":"null"}],"items":false}},
		"additionalProperties":false,"$defs":{"R":{"allOf":[{"type":"number"},{"maximum":5}]}}}`
	for text, want := range map[string]string{
		`{"a":"xx","b":1}`: `"": additionalProperties: additionalProperties 'b' not allowed`,
		`{"a":"x"}`:        `"": required: missing properties: 'b'|"/a": minLength: length must be >= 2, but got 1`,
		`[]`:               `"": type: expected object, but got array`,
		`{"a/b~ c%":2}`:    `"": required: missing properties: 'a', 'b'|"/a~1b~0 c%": const: value must be "1"`,
	} {
		check(t, compile(t, schema, ""), text, want)
	}
	open := strings.Replace(strings.Replace(schema, `"required":["a","b"],`, "", 1), `"additionalProperties":false,`, "", 1)
	for text, want := range map[string]string{
		`{"l":[1,"x",3]}`:                  `"/l/1": type: expected integer, but got string`,
		`{"l":[3,3.0]}`:                    `"/l": uniqueItems: items at index 0 and 1 are equal`,
		`{"l":[]}`:                         `"/l": contains: valid must be >= 1, but got 0`,
		`{"u":{}}`:                         `"/u": anyOf: none of 2 alternatives fits; the first one: type: expected string, but got object`,
		`{"o":3}`:                          `"/o": oneOf: valid against schemas at indexes 0 and 1`,
		`{"o":1.5}`:                        `"/o": oneOf: none of 2 alternatives fits; the first one: type: expected integer, but got number`,
		`{"no":1}`:                         `"/no": false: not allowed`,
		`{"d":{"x":1}}`:                    `"/d": dependentRequired: property 'y' is required, if 'x' property exists`,
		`{"n":null}`:                       `"/n": not: not failed`,
		`{"c":"xx"}`:                       `"/c": maxLength: length must be <= 1, but got 2`,
		`{"r":7}`:                          `"/r": maximum: must be <= 5 but found 7`,
		`{"t":[null,1]}`:                   `"/t/1": items: not allowed`,
		`{"c":1,"r":5,"t":[null],"u":"x"}`: ``,
		`{"l":[1e999999999]}`:              `"/l/0": number: the number has too many digits to be judged`,
		`{"l":`:                            `"": json: unexpected EOF`,
		`{} x`:                             `"": json: more text after the value`,
	} {
		check(t, compile(t, open, ""), text, want)
	}
}

func check(t *testing.T, s *Schema, text, want string) {
	t.Helper()
	var got []string
	for _, v := range s.ValidateJSON([]byte(text)) {
		got = append(got, v.String())
	}
	if strings.Join(got, "|") != want {
		t.Errorf("%s:\n got %s\nwant %s", text, strings.Join(got, "|"), want)
	}
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	s := compile(t, `{"maximum":9007199254740992,"type":"integer"}`, "")
	check(t, s, `9007199254740993`, `"": maximum: must be <= 9.007199254740992e+15 but found 9007199254740993`)
	check(t, s, `9007199254740992.0`, ``)
	check(t, compile(t, `{"multipleOf":0.01}`, ""), `0.07`, ``)
}

func TestAtCompilesSubschemas(t *testing.T) {
	doc, dropped, err := NewDocument([]byte(`{"$id":"https://x.test/s","properties":{"a/b":{"type":"null"},"é %":{"items":[{"type":"string"}],"additionalItems":{"$ref":"#/properties/é %/items/0"}}}}`))
	if err != nil || dropped != nil {
		t.Fatal(err, dropped)
	}
	for pointer, valid := range map[string]string{"": `{}`, "/properties/a~1b": `null`, "/properties/é %": `["x"]`,
		"/properties/é %/items/0": `"x"`, "/properties/é %/additionalItems": `"x"`} {
		s, err := doc.At(pointer)
		if err != nil {
			t.Error(err)
			continue
		}
		check(t, s, valid, "")
		if s.ValidateJSON([]byte(`5`)) == nil && pointer != "" && pointer != "/properties/é %" {
			t.Errorf("%s: 5 is valid", pointer)
		}
	}
	s, _ := doc.At("/properties/é %")
	check(t, s, `["x",1]`, `"/1": type: expected string, but got number`)
	if _, err := doc.At("/properties/zz"); err == nil || !strings.Contains(err.Error(), `schema at "/properties/zz": `) || strings.Contains(err.Error(), "mcpgen:") {
		t.Errorf("error is %v", err)
	}
}

func TestNothingIsEverLoaded(t *testing.T) {
	canary := filepath.Join(t.TempDir(), "canary.json")
	if err := os.WriteFile(canary, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var hits atomic.Int32
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		fmt.Fprint(w, `{"type":"string"}`)
	})}}
	server.Start()
	defer server.Close()
	file := "file://" + filepath.ToSlash(canary)
	if runtime.GOOS == "windows" {
		file = "file:///" + filepath.ToSlash(canary)
	}
	for _, target := range []string{file, canary, server.URL + "/x", "//" + strings.TrimPrefix(server.URL, "http://") + "/x", "other.json", "ftp://x.test/y"} {
		for _, text := range []string{
			`{"$ref":%q}`, `{"properties":{"a":{"$ref":%q}}}`, `{"$dynamicRef":%q}`, `{"$recursiveRef":%q}`,
			`{"$id":%q,"$ref":"sibling.json"}`, `{"$schema":"http://json-schema.org/draft-07/schema#","not":{"$ref":%q}}`,
		} {
			text = fmt.Sprintf(text, target)
			if _, _, err := Compile([]byte(text), ""); err == nil {
				t.Errorf("%s is compiled", text)
			} else if strings.Contains(err.Error(), "type") && strings.Contains(err.Error(), `"string"`) {
				t.Errorf("%s: the error quotes the target: %v", text, err)
			}
		}
		text := fmt.Sprintf(`{"$schema":%q,"type":"object"}`, target)
		check(t, compile(t, text, ""), `{}`, ``)
	}
	if hits.Load() != 0 {
		t.Errorf("the network was used %d times", hits.Load())
	}
}

func TestMalformedKeywordsAreDropped(t *testing.T) {
	for text, want := range map[string]string{
		`{"required":true,"type":"any","minimum":"5","items":[]}`:                                                                                   "/items /minimum /required /type",
		`{"pattern":"(?=x)","patternProperties":{"(?!y)":{},"a":{}},"additionalProperties":false,"unevaluatedProperties":false}`:                    "/additionalProperties /pattern /patternProperties /unevaluatedProperties",
		`{"properties":{"a":"string","title":{"title":1}},"anyOf":[]}`:                                                                              "/anyOf /properties/a /properties/title/title",
		`{"multipleOf":0,"maxLength":-1,"minItems":1.5,"maxItems":1e99,"uniqueItems":"x"}`:                                                          "/maxLength /minItems /multipleOf /uniqueItems",
		`{"enum":[],"const":1e9999,"$ref":5,"$id":7,"$anchor":"9","$defs":[],"dependencies":{"a":[1],"b":["c","c"]},"dependentRequired":{"x":1}}`:   "/$anchor /$defs /$id /$ref /const /enum",
		`{"exclusiveMinimum":true,"minimum":3,"exclusiveMaximum":false,"maximum":9,"type":["string","string"],"required":["a","a"],"enum":[1,1.0]}`: "",
		`{"items":[{"pattern":"("}],"additionalItems":7,"$vocabulary":{"x:y":true}}`:                                                                "/additionalItems /items/0/pattern",
		`{"x-vendor":{"a":{"type":"any"}},"properties":{"p":{"$ref":"#/x-vendor/a"}}}`:                                                              "/x-vendor/a/type",
	} {
		_, dropped, err := Compile([]byte(text), "")
		var got []string
		for _, d := range dropped {
			got = append(got, d.Pointer)
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: dropped %v, want %s; error %v", text, dropped, want, err)
		}
	}
	s := compile(t, `{"minimum":3,"exclusiveMinimum":true}`, "")
	check(t, s, `3`, `"": exclusiveMinimum: must be > 3 but found 3`)
}

func TestDraftsAreFollowed(t *testing.T) {
	const draft4, old, next = `"$schema":"http://json-schema.org/draft-04/schema#"`, `"$schema":"http://json-schema.org/draft-07/schema"`, `"$schema":"urn:x"`
	for _, c := range []struct {
		schema, value string
		valid         bool
	}{
		{`{` + old + `,"format":"ipv4"}`, `"x"`, false}, {`{"format":"ipv4"}`, `"x"`, true}, {`{` + next + `,"format":"ipv4"}`, `"x"`, true},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","format":"ipv4"}`, `"x"`, true},
		{`{` + old + `,"format":"unknown"}`, `"x"`, true}, {`{` + draft4 + `,"format":"ipv4"}`, `"x"`, false},
		{`{` + old + `,"contentEncoding":"base64"}`, `"?"`, false}, {`{"contentEncoding":"base64"}`, `"?"`, true},
		{`{` + old + `,"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}`, `{"a":"xx"}`, true},
		{`{"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}`, `{"a":"xx"}`, false},
		{`{` + draft4 + `,"id":"http://x.test/a","properties":{"a":{"$ref":"http://x.test/a#/definitions/s"}},"definitions":{"s":{"type":"string"}}}`, `{"a":1}`, false},
		{`{` + old + `,"prefixItems":[{"type":"null"}]}`, `[1]`, true}, {`{"prefixItems":[{"type":"null"}]}`, `[1]`, false},
		{`{` + old + `,"items":[{"type":"null"}],"additionalItems":false}`, `[null,1]`, false},
	} {
		if got := compile(t, c.schema, "").ValidateJSON([]byte(c.value)) == nil; got != c.valid {
			t.Errorf("%s of %s: valid is %v", c.value, c.schema, got)
		}
	}
	if !FormatAsserted("http://json-schema.org/draft-07/schema#") || FormatAsserted("") || FormatAsserted("https://json-schema.org/draft/2020-12/schema") {
		t.Error("FormatAsserted disagrees")
	}
}

func TestCheckFormat(t *testing.T) {
	var _ = jsonwire.RegisterFormat // the signature fits
	jsonwire.RegisterFormat(CheckFormat)
	if CheckFormat("date-time", "x") || !CheckFormat("date-time", "2025-01-02T03:04:05Z") || !CheckFormat("nobody-knows", "x") {
		t.Error("formats are not checked")
	}
	if !KnowsFormat("uuid") || KnowsFormat("int32") {
		t.Error("KnowsFormat is wrong")
	}
}

func TestSchemasThatExplodeAreStopped(t *testing.T) {
	value := strings.Repeat("[", 60) + strings.Repeat("]", 60)
	s := compile(t, `{"anyOf":[{"items":{"$ref":"#"},"type":"array","minItems":9},{"items":{"$ref":"#"},"type":"array","maxItems":0,"not":{}}],"type":"array"}`, "")
	start := time.Now()
	s.ValidateJSON([]byte(value))
	deep := `{"$ref":"#/$defs/a0","$defs":{`
	for i := range 40 {
		deep += fmt.Sprintf(`"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	v := compile(t, deep+`"a40":{}}}`, "").ValidateJSON([]byte(`1`))
	if len(v) != 1 || v[0].Rule != "limit" {
		t.Errorf("violations are %v", v)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestSchemasBeyondTheLimitsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"depth":   strings.Repeat(`{"items":`, 250) + `{}` + strings.Repeat(`}`, 250),
		"schemas": `{"prefixItems":[` + strings.Repeat(`{},`, 20_001) + `{}]}`,
		"bytes":   `{"description":"` + strings.Repeat("x", 17<<20) + `"}`,
		"null":    `null`, "text": `{`,
		"loop": `{"$ref":"#"}`,
	} {
		if _, _, err := Compile([]byte(text), ""); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Log(err)
		}
	}
}

func TestEveryCorpusSchemaCompiles(t *testing.T) {
	largest, slowest := 0, time.Duration(0)
	for _, s := range corpus.Schemas(t) {
		start := time.Now()
		_, _, err := Compile(s.Text, "")
		if err != nil {
			t.Errorf("%s: %v", s, err)
		}
		slowest, largest = max(slowest, time.Since(start)), max(largest, len(s.Text))
	}
	t.Logf("slowest %v, largest %d bytes", slowest, largest)
}

func FuzzCompileNeverPanicsOrLoads(f *testing.F) {
	f.Add([]byte(`{"$ref":"#/$defs/a","$defs":{"a":{"items":[{"$ref":"#"}]}}}`), []byte(`[[1e5]]`))
	f.Add([]byte(`{"$id":"a","$dynamicRef":"#x","properties":{"a":{"$anchor":"x","$recursiveRef":"#"}}}`), []byte(`{"a":{"a":1}}`))
	f.Add([]byte(`{"$schema":"http://json-schema.org/draft-04/schema#","id":"#q","required":[],"enum":[1,1]}`), []byte(`1`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		s, _, err := Compile(schema, "")
		if err != nil {
			return
		}
		s.ValidateJSON(value)
	})
}
