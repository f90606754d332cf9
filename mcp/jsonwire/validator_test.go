package jsonwire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// The judge of what a keyword means is jsonschema/v5: each check is made by
// both and must come out the same.

func judge(t *testing.T, schema string, value string) bool {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.AssertFormat = true
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("refused") }
	if err := c.AddResource("test.json", strings.NewReader(schema)); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	s, err := c.Compile("test.json")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	dec := json.NewDecoder(strings.NewReader(value))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return s.Validate(v) == nil
}

func agree(t *testing.T, keyword, operand, value string, check func(v *jsonwire.Validator)) {
	t.Helper()
	var v jsonwire.Validator
	check(&v)
	err := v.Err()
	want := judge(t, fmt.Sprintf(`{%q:%s}`, keyword, operand), value)
	if (err == nil) != want {
		t.Errorf("%s %s of %s: %v, the judge says %v", keyword, operand, value, err, want)
	}
	if e, ok := err.(*jsonwire.ValidationError); err != nil && (!ok || e.Rule != keyword) {
		t.Errorf("%s %s of %s: rule of %v", keyword, operand, value, err)
	}
}

var decimals = []string{
	"0", "-0", "1", "-1", "1.0", "10e-1", "2", "3", "-3", "0.1", "0.3", "-0.3", "0.30", "1.1", "2.5", "7.5", "1e2", "100", "1e-2", "0.01", "33.33",
	"9007199254740992", "9007199254740993", "9007199254740993.0", "9223372036854775807", "18446744073709551616", "1e20", "1e30", "-1e30",
	"12345678901234567890.123456789", "0.000000000000000000001", "1e-21", "3e400", "1e400",
}

func TestNumberBoundsAgreeWithTheJudge(t *testing.T) {
	for _, n := range decimals {
		for _, bound := range decimals {
			x := jsonwire.Number(n)
			agree(t, "minimum", bound, n, func(v *jsonwire.Validator) { v.MinNumber(x, bound) })
			agree(t, "maximum", bound, n, func(v *jsonwire.Validator) { v.MaxNumber(x, bound) })
			agree(t, "exclusiveMinimum", bound, n, func(v *jsonwire.Validator) { v.ExclusiveMinNumber(x, bound) })
			agree(t, "exclusiveMaximum", bound, n, func(v *jsonwire.Validator) { v.ExclusiveMaxNumber(x, bound) })
		}
	}
}

func TestMultipleOfAgreesWithTheJudge(t *testing.T) {
	for _, n := range decimals {
		for _, of := range decimals {
			if of[0] == '-' || strings.Trim(of, "0.") == "" {
				continue // the keyword requires a number above zero
			}
			agree(t, "multipleOf", of, n, func(v *jsonwire.Validator) { v.MultipleOf(n, of) })
			if f, err := jsonwire.Number(n).Float64(); err == nil {
				text, _ := json.Marshal(f)
				agree(t, "multipleOf", of, string(text), func(v *jsonwire.Validator) { v.MultipleOfFloat(f, of) })
			}
		}
	}
}

func TestTypedBoundsAgreeWithTheJudge(t *testing.T) {
	ints := []int64{0, 1, -1, 2, 7, -14, 1<<53 + 1, 1<<63 - 1, -1 << 63}
	for _, n := range ints {
		for _, b := range ints {
			nt, bt := strconv.FormatInt(n, 10), strconv.FormatInt(b, 10)
			agree(t, "minimum", bt, nt, func(v *jsonwire.Validator) { v.MinInt(n, b) })
			agree(t, "maximum", bt, nt, func(v *jsonwire.Validator) { v.MaxInt(n, b) })
			if b > 0 {
				agree(t, "multipleOf", bt, nt, func(v *jsonwire.Validator) { v.MultipleOfInt(n, b) })
			}
			u, ub := uint64(n), uint64(b)
			ut, ubt := strconv.FormatUint(u, 10), strconv.FormatUint(ub, 10)
			agree(t, "minimum", ubt, ut, func(v *jsonwire.Validator) { v.MinUint(u, ub) })
			agree(t, "maximum", ubt, ut, func(v *jsonwire.Validator) { v.MaxUint(u, ub) })
		}
	}
	floats := []float64{0, 0.1, 0.30000000000000004, -1.5, 1e300, 5e-324, 3}
	for _, n := range floats {
		for _, b := range floats {
			nt, _ := json.Marshal(n)
			bt, _ := json.Marshal(b)
			agree(t, "minimum", string(bt), string(nt), func(v *jsonwire.Validator) { v.MinFloat(n, b) })
			agree(t, "maximum", string(bt), string(nt), func(v *jsonwire.Validator) { v.MaxFloat(n, b) })
			agree(t, "exclusiveMinimum", string(bt), string(nt), func(v *jsonwire.Validator) { v.ExclusiveMinFloat(n, b) })
			agree(t, "exclusiveMaximum", string(bt), string(nt), func(v *jsonwire.Validator) { v.ExclusiveMaxFloat(n, b) })
		}
	}
}

func TestIntegerNumberAgreesWithTheJudge(t *testing.T) {
	for _, n := range decimals {
		agree(t, "type", `"integer"`, n, func(v *jsonwire.Validator) { v.IntegerNumber(jsonwire.Number(n)) })
	}
}

func TestStringChecksAgreeWithTheJudge(t *testing.T) {
	for _, s := range []string{"", "a", "ab", "é", "😀😀", "e\u0301", "a\nb", "\u2028", "line\nend", "ABC-12"} {
		value, _ := json.Marshal(s)
		for n := range 5 {
			agree(t, "minLength", strconv.Itoa(n), string(value), func(v *jsonwire.Validator) { v.MinLength(s, n) })
			agree(t, "maxLength", strconv.Itoa(n), string(value), func(v *jsonwire.Validator) { v.MaxLength(s, n) })
		}
		for _, p := range []string{"", "a", "^a$", ".", "^.$", `\d`, "^[A-Z]+-[0-9]+$", `^\p{L}+$`, "end$"} {
			operand, _ := json.Marshal(p)
			agree(t, "pattern", string(operand), string(value), func(v *jsonwire.Validator) { v.Pattern(s, jsonwire.NewPattern(p)) })
		}
	}
}

func TestUniqueItemsAgreesWithTheJudge(t *testing.T) {
	for _, list := range []string{
		`[]`, `[1]`, `[1,2]`, `[1,1.0]`, `[1,1e0,2]`, `[0,-0]`, `["a","\u0061"]`, `[1,"1"]`, `[{"a":1,"b":2},{"b":2,"a":1.0}]`, `[[1],[1,2]]`,
		`[[1,2],[2,1]]`, `[null,null]`, `[null,false,0,""]`, `[{},{}]`, `[{},[]]`, `[9007199254740992,9007199254740993]`, `[true,true]`, `[1e400,10e399]`,
	} {
		var raws []json.RawMessage
		var anys []any
		if err := json.Unmarshal([]byte(list), &raws); err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(strings.NewReader(list))
		dec.UseNumber()
		if err := dec.Decode(&anys); err != nil {
			t.Fatal(err)
		}
		agree(t, "uniqueItems", "true", list, func(v *jsonwire.Validator) { jsonwire.UniqueJSON(v, raws) })
		agree(t, "uniqueItems", "true", list, func(v *jsonwire.Validator) { jsonwire.UniqueJSON(v, anys) })
	}
	for _, list := range [][]string{nil, {"a"}, {"a", "b"}, {"a", "b", "a"}, {"é", "e\u0301"}} {
		value, _ := json.Marshal(append([]string{}, list...))
		agree(t, "uniqueItems", "true", string(value), func(v *jsonwire.Validator) { jsonwire.Unique(v, list) })
	}
	var v jsonwire.Validator
	if jsonwire.UniqueJSON(&v, []row{{ID: 1}, {ID: 2}, {ID: 1}}); v.Err() == nil || v.Err().Error() != "uniqueItems: elements 0 and 2 are equal" {
		t.Errorf("got %v", v.Err())
	}
}

func TestEnumAndConstAgreeWithTheJudge(t *testing.T) {
	literals := []string{`1`, `"1"`, `null`, `{"a":[1,2]}`, `1.50`, `[]`, `false`}
	for _, value := range []string{`1.0`, `10e-1`, `2`, `"1"`, `"\u0031"`, `null`, `{"a":[1.0,2e0]}`, `{"a":[2,1]}`, `{}`, `1.5`, `[ ]`, `[[]]`, `false`, `0`} {
		agree(t, "enum", "["+strings.Join(literals, ",")+"]", value, func(v *jsonwire.Validator) { v.EnumJSON(json.RawMessage(value), literals...) })
		for _, l := range literals {
			agree(t, "const", l, value, func(v *jsonwire.Validator) { v.ConstJSON(json.RawMessage(value), l) })
		}
	}
}

func TestSizesAgreeWithTheJudge(t *testing.T) {
	lists, objects := []string{`[]`, `[1]`, `[1,2]`}, []string{`{}`, `{"a":1}`, `{"a":1,"b":2}`}
	for n := range 3 {
		for bound := range 4 {
			b := strconv.Itoa(bound)
			agree(t, "minItems", b, lists[n], func(v *jsonwire.Validator) { v.MinItems(n, bound) })
			agree(t, "maxItems", b, lists[n], func(v *jsonwire.Validator) { v.MaxItems(n, bound) })
			agree(t, "minProperties", b, objects[n], func(v *jsonwire.Validator) { v.MinProperties(n, bound) })
			agree(t, "maxProperties", b, objects[n], func(v *jsonwire.Validator) { v.MaxProperties(n, bound) })
		}
	}
}

func TestHugeNumbersAreCheckedInLinearTime(t *testing.T) {
	start := time.Now()
	digits := strings.Repeat("123456789", 200_000)
	for _, n := range []string{"1e1000000000", "1e-1000000000", digits, "1e999999999999999999999999", "-" + digits + "e-5"} {
		var v jsonwire.Validator
		v.MultipleOf(n, "0.7")
		v.MultipleOf("7", n)
		v.MinNumber(jsonwire.Number(n), "5")
		v.IntegerNumber(jsonwire.Number(n))
		v.EnumJSON(json.RawMessage(n), "1", "2")
		for _, x := range v.Err().(*jsonwire.ValidationError).All {
			if len(x.Detail) > 300 {
				t.Errorf("detail of %d bytes", len(x.Detail))
			}
		}
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestViolationsCarryPointersAndStopAtTwenty(t *testing.T) {
	var v jsonwire.Validator
	v.Enter("a/b~c")
	v.Index(3)
	v.MinInt(1, 2)
	v.ViolateAt("/x/0", "type", "string expected")
	v.Leave()
	v.NotNil(false)
	v.Leave()
	v.NotNil(true)
	for range 30 {
		v.Violate("maxItems", "")
	}
	err := v.Err()
	var e *jsonwire.ValidationError
	if !errors.As(err, &e) || len(e.All) != 20 || !v.Full() {
		t.Fatalf("got %#v", err)
	}
	if want := "/a~1b~0c/3: minimum: at least 2 expected, 1 found (and 19 more)"; err.Error() != want {
		t.Errorf("got %s, want %s", err, want)
	}
	if e.All[1].Pointer != "/a~1b~0c/3/x/0" || e.All[2] != (jsonwire.Violation{Pointer: "/a~1b~0c", Rule: "required", Detail: "value is missing"}) {
		t.Errorf("got %+v", e.All[:3])
	}
	var outer jsonwire.Validator
	outer.Enter("o")
	outer.Add("schema", err)
	outer.Add("schema", nil)
	if got := outer.Err().(*jsonwire.ValidationError); got.Pointer != "/o/a~1b~0c/3" || len(got.All) != 20 {
		t.Errorf("got %+v", got)
	}
	if (&jsonwire.Validator{}).Err() != nil {
		t.Error("no violation is an error")
	}
}

func TestPatternBeyondRE2MatchesEverything(t *testing.T) {
	if p := jsonwire.NewPattern(`^(?!x)a$`); !p.Match("x") || p.String() != `^(?!x)a$` {
		t.Error("a look-ahead refused a string")
	}
}

func TestFormatsAreCheckedByTheRegisteredFunction(t *testing.T) {
	var v jsonwire.Validator
	v.Format("x", "date-time")
	if v.Err() != nil {
		t.Error("a format was checked without a function")
	}
	jsonwire.RegisterFormat(func(format, s string) bool {
		check, ok := jsonschema.Formats[format]
		return !ok || check(s)
	})
	t.Cleanup(func() { jsonwire.RegisterFormat(nil) })
	for _, s := range []string{"2026-01-02T03:04:05Z", "2026-01-02", "x"} {
		value, _ := json.Marshal(s)
		for _, f := range []string{"date-time", "date", "email", "no-such-format"} {
			agree(t, "format", strconv.Quote(f), string(bytes.TrimSpace(value)), func(v *jsonwire.Validator) { v.Format(s, f) })
		}
	}
}
