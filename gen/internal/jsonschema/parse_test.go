package jsonschema

import (
	"encoding/json"
	"strings"
	"testing"
)

func parse(t testing.TB, text string) *Value {
	t.Helper()
	v, err := ParseJSON("t", []byte(text), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestParseKeepsPositionsAndBytes(t *testing.T) {
	v := parse(t, "\xef\xbb\xbf{\n  \"a\": [1, {\"b\" :true}],\r\n\t\"é\": \"x\"\n}")
	b := v.Get("a").Items[1].Get("b")
	if b.Line != 2 || b.Column != 18 || string(b.Raw) != "true" || b.Kind != BoolValue {
		t.Errorf("b is %d:%d %q", b.Line, b.Column, b.Raw)
	}
	if a := v.Get("a"); string(a.Raw) != `[1, {"b" :true}]` || a.Line != 2 || a.Column != 8 {
		t.Errorf("a is %d:%d %q", a.Line, a.Column, a.Raw)
	}
	if e := v.Get("é"); e.Line != 3 || e.Column != 8 {
		t.Errorf("é is %d:%d", e.Line, e.Column)
	}
	if v.Get("nope") != nil || (*Value)(nil).Get("a") != nil {
		t.Error("Get finds what is not there")
	}
}

func TestParseDecodesStrings(t *testing.T) {
	for text, want := range map[string]string{
		`"a\"\\\/\b\f\n\r\t"`:  "a\"\\/\b\f\n\r\t",
		`"\u00e9\ud83d\ude42"`: "é🙂",
		`"\ud83d"`:             "\ufffd",
		`"\ud83dx"`:            "\ufffdx",
		`"\ud83d\u0041"`:       "\ufffdA",
		`"\ude42\ud83d"`:       "\ufffd\ufffd",
		"\"a\xffb\"":           "a\ufffdb",
		"\"\u2028\"":           "\u2028",
		`"\u0000"`:             "\x00",
	} {
		if got := parse(t, text).Text; got != want {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
	}
}

func TestParseRefusesWhatIsNotJSON(t *testing.T) {
	for text, want := range map[string]string{
		``:                       "t:1:1: end of text where a value should start",
		`nul`:                    "t:1:1: 'n' where a value should start",
		`{"a":1} x`:              "t:1:9: 'x' after the end of the value",
		`[1,]`:                   "t:1:4: ']' where a value should start",
		`[1 2]`:                  "t:1:4: '2' in an array, expected , or ]",
		`{"a" 1}`:                "t:1:6: '1' after a member name, expected :",
		`{a:1}`:                  "t:1:2: 'a' where a member name should start",
		`{"a":1,}`:               "t:1:8: '}' where a member name should start",
		`{"a":1`:                 "t:1:7: end of text in an object, expected , or }",
		`01`:                     "t:1:2: '1' after the end of the value",
		`-`:                      "t:1:2: end of text in a number, expected a digit",
		`1.`:                     "t:1:3: end of text in a number, expected a digit",
		`1e+`:                    "t:1:4: end of text in a number, expected a digit",
		`+1`:                     "t:1:1: '+' where a value should start",
		`NaN`:                    "t:1:1: 'N' where a value should start",
		"[\n\"a\nb\"]":           `t:2:3: control character '\n' in a string, write it as an escape`,
		`"\x"`:                   `t:1:2: unknown escape \'x' in a string`,
		`"\u12g4"`:               `t:1:2: \u in a string needs four hexadecimal digits`,
		`"abc`:                   "t:1:1: string is not closed",
		"{\"a\":1,\n \"a\":2}":   `t:2:2: member "a" was already given at 1:2`,
		`{"a":1,"\u0061":2}`:     `t:1:8: member "a" was already given at 1:2`,
		`// x`:                   "t:1:1: '/' where a value should start",
		strings.Repeat("[", 201): "t:1:201: values are nested more than 200 deep",
	} {
		_, err := ParseJSON("t", []byte(text), Limits{})
		if err == nil || err.Error() != want {
			t.Errorf("%.40q: error is %v, want %s", text, err, want)
		}
	}
}

func TestParseFindsDuplicatesInLargeObjects(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"k7":0`)
	for i := range 100 {
		b.WriteString(",\"x" + strings.Repeat("y", i) + "\":1")
	}
	b.WriteString(`,"k7":1}`)
	if _, err := ParseJSON("t", []byte(b.String()), Limits{}); err == nil || !strings.Contains(err.Error(), "already given at 1:2") {
		t.Errorf("error is %v", err)
	}
}

func TestParseIsBounded(t *testing.T) {
	if _, err := ParseJSON("t", []byte(`[1,2,3]`), Limits{Values: 3}); err == nil {
		t.Error("more values than the limit")
	}
	if _, err := ParseJSON("t", []byte(`[1,2,3]`), Limits{Bytes: 5}); err == nil {
		t.Error("more bytes than the limit")
	}
	if _, err := ParseJSON("t", []byte(`[[1]]`), Limits{Depth: 2}); err == nil {
		t.Error("deeper than the limit")
	}
}

func TestCompactKeepsOrderAndDigits(t *testing.T) {
	v := parse(t, "{ \"b\" : [ 1.50 , -0 , 1E400 ], \"a\":\"<\\u0041\\u0001\\n\\\"\u2028\", \"n\": null, \"e\":{}, \"l\":[ ] }")
	want := "{\"b\":[1.50,-0,1E400],\"a\":\"<A\\u0001\\n\\\"\u2028\",\"n\":null,\"e\":{},\"l\":[]}"
	if got := v.JSONText(); got != want {
		t.Errorf("compact text is %s, want %s", got, want)
	}
}

func TestEqualComparesValues(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true}, {`10`, `1e1`, true}, {`0`, `-0.0`, true}, {`100`, `1E+2`, true}, {`0.001`, `1e-3`, true},
		{`1e999999999999`, `10e999999999998`, true}, {`1e99999999999999999999`, `10e99999999999999999998`, true},
		{`1`, `2`, false}, {`1`, `-1`, false}, {`1`, `"1"`, false}, {`1e5`, `1e6`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":2}`, false}, {`{"a":1}`, `{"b":1}`, false},
		{`[1,2]`, `[2,1]`, false}, {`"\u0041"`, `"A"`, true}, {`null`, `false`, false}, {`true`, `false`, false},
	} {
		a, b := parse(t, c.a), parse(t, c.b)
		if got := Equal(a, b); got != c.want {
			t.Errorf("Equal(%s, %s) = %v", c.a, c.b, got)
		}
		if got := a.Canonical() == b.Canonical(); got != c.want {
			t.Errorf("canonical texts of %s and %s: equal is %v", c.a, c.b, got)
		}
	}
}

func FuzzParseAgreesWithEncodingJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x\u00e9",null,true]}`, `[]`, "\"\xff\"", `{"a":1,"a":2}`, `-0.0`, `"\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ParseJSON("t", text, Limits{})
		if err != nil {
			return // stricter than encoding/json: members given twice, depth
		}
		if !json.Valid(text[len(text)-len(trimBOM(text)):]) {
			t.Fatalf("%q is no JSON", text)
		}
		compact := v.Compact()
		again, err := ParseJSON("t", compact, Limits{})
		if err != nil || !Equal(v, again) || string(again.Compact()) != string(compact) {
			t.Fatalf("%q becomes %q: %v", text, compact, err)
		}
	})
}

func trimBOM(text []byte) []byte { return []byte(strings.TrimPrefix(string(text), "\ufeff")) }
