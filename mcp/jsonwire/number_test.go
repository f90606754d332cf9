package jsonwire_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

func TestIntegersAreExactInEverySpelling(t *testing.T) {
	const fraction, tooBig = "type", "range"
	for _, tt := range []struct {
		text   string
		want   int64
		fault  string
		wantU  uint64
		faultU string
	}{
		{`0`, 0, "", 0, ""},
		{`-0`, 0, "", 0, ""},
		{`-0.0e5`, 0, "", 0, ""},
		{`5.0`, 5, "", 5, ""},
		{`1e3`, 1000, "", 1000, ""},
		{`1.5E+1`, 15, "", 15, ""},
		{`1500e-2`, 15, "", 15, ""},
		{`0e999999999999999999999999`, 0, "", 0, ""},
		{`9007199254740993`, 9007199254740993, "", 9007199254740993, ""},
		{`9007199254740993.00`, 9007199254740993, "", 9007199254740993, ""},
		{`999999999999999999`, 999999999999999999, "", 999999999999999999, ""},
		{`9223372036854775807`, math.MaxInt64, "", math.MaxInt64, ""},
		{`-9223372036854775808`, math.MinInt64, "", 0, tooBig},
		{`9223372036854775808`, 0, tooBig, 9223372036854775808, ""},
		{`18446744073709551615`, 0, tooBig, math.MaxUint64, ""},
		{`1844674407370955161.5e1`, 0, tooBig, math.MaxUint64, ""},
		{`18446744073709551616`, 0, tooBig, 0, tooBig},
		{`-1`, -1, "", 0, tooBig},
		{`1e400`, 0, tooBig, 0, tooBig},
		{`1e99999999999999999999`, 0, tooBig, 0, tooBig},
		{`1e-99999999999999999999`, 0, fraction, 0, fraction},
		{`1.5`, 0, fraction, 0, fraction},
		{`1e-1`, 0, fraction, 0, fraction},
		{strings.Repeat("9", 1000), 0, tooBig, 0, tooBig},
	} {
		r := jsonwire.NewReader([]byte(tt.text))
		got := r.Int64()
		checkRule(t, tt.text, r.End(), tt.fault)
		r.Reset([]byte(tt.text))
		gotU := r.Uint64()
		checkRule(t, tt.text, r.End(), tt.faultU)
		if got != tt.want || gotU != tt.wantU {
			t.Errorf("%s: %d and %d, want %d and %d", tt.text, got, gotU, tt.want, tt.wantU)
		}
	}
}

func checkRule(t *testing.T, text string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.(*jsonwire.Error).Rule
	}
	if got != want {
		t.Errorf("%s: rule %q (%v), want %q", text, got, err, want)
	}
}

func TestFloatsAreTheNearest(t *testing.T) {
	for _, text := range []string{
		`0.1`, `-0`, `-0.0`, `0.3`, `123456789.123456`, `999999999999999`, `9999999999999999`, `0.000000000000001`, `5e-324`, `1e-400`,
		`1.7976931348623157e308`, `9007199254740993`, `0.1e-6`, `123456789012345.6`, `1.000000000000000`, `1e22`, `-12.5`,
	} {
		var want float64
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		r := jsonwire.NewReader([]byte(text))
		if got := r.Float64(); r.End() != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: %v, want %v (%v)", text, got, want, r.Err())
		}
	}
}

func TestFloatsAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1e15, 1e15 - 1, -1e15, 1e20, 1e21, 1e-6, 1e-7, 123456.789, 5e-324, math.MaxFloat64, 1 << 53, 100, 1e-10,
	} {
		want, _ := json.Marshal(f)
		var w jsonwire.Writer
		if w.Float64(f); string(w.Bytes()) != string(want) {
			t.Errorf("%v is written %s, want %s", f, w.Bytes(), want)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		var w jsonwire.Writer
		if w.Float64(f); w.Err() == nil {
			t.Errorf("%v was written as %s", f, w.Bytes())
		}
	}
}

func TestShortDecimalsAreTheShortest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		f := float64(random.Int64N(1<<40)-1<<39) / []float64{10, 100, 1000, 1e4, 1e5, 8, 3}[random.IntN(7)]
		want := strconv.FormatFloat(f, 'f', -1, 64)
		var w jsonwire.Writer
		if w.Float64(f); string(w.Bytes()) != want {
			t.Fatalf("%v is written %s, want %s", f, w.Bytes(), want)
		}
	}
}

func TestNumberKeepsItsDigits(t *testing.T) {
	for _, text := range []string{`1.00`, `-0`, `1e400`, `12345678901234567890.123456789`, `1E5`} {
		var n jsonwire.Number
		if err := json.Unmarshal([]byte(text), &n); err != nil || string(n) != text {
			t.Errorf("%s became %s, %v", text, n, err)
		}
		if got, err := n.MarshalJSON(); err != nil || string(got) != text {
			t.Errorf("%s became %s, %v", text, got, err)
		}
		var w jsonwire.Writer
		if w.Number(n); string(w.Bytes()) != text || w.Err() != nil {
			t.Errorf("%s was written %s, %v", text, w.Bytes(), w.Err())
		}
	}
	for _, bad := range []jsonwire.Number{"x", "01", "1 ", "1,2", "\"1\"", "NaN"} {
		var w jsonwire.Writer
		if w.Number(bad); w.Err() == nil {
			t.Errorf("%q was written", bad)
		}
		if _, err := bad.MarshalJSON(); err == nil {
			t.Errorf("%q was marshalled", bad)
		}
		if _, err := bad.Int64(); err == nil {
			t.Errorf("%q is an integer", bad)
		}
	}
	var zero jsonwire.Number
	if got, err := json.Marshal(zero); err != nil || string(got) != "0" {
		t.Errorf("the zero Number is written %s, %v", got, err)
	}
	if n, err := jsonwire.Number("1.5e1").Int64(); n != 15 || err != nil {
		t.Error(n, err)
	}
	if _, err := jsonwire.Number("1e400").Float64(); err == nil {
		t.Error("1e400 is a float64")
	}
}

func TestCanonicalNumbersHaveOneSpelling(t *testing.T) {
	for _, tt := range []struct {
		want  string
		texts string
	}{
		{`1`, `1 1.0 1e0 10e-1 0.1e1 1.000E+0`},
		{`0`, `0 -0 0.0 0e10 -0.000e-9 0e99999999999999999999`},
		{`-1.5`, `-1.5 -15e-1 -1.50 -0.15E1`},
		{`0.00001`, `0.00001 1e-5`},
		{`1e-7`, `0.0000001 1e-7 10e-8`},
		{`100000000000000000000`, `1e20 100000000000000000000 1.0e20`},
		{`1e21`, `1e21 1000000000000000000000`},
		{`1.5e400`, `15e399 1.5e400`},
		{`9007199254740993`, `9007199254740993 9007199254740993.0`},
		{`1.234567890123456789012e25`, `12345678901234567890120000 1.234567890123456789012e25`},
	} {
		for text := range strings.FieldsSeq(tt.texts) {
			if got, err := jsonwire.AppendCanonical(nil, []byte(text)); err != nil || string(got) != tt.want {
				t.Errorf("%s: %s, %v, want %s", text, got, err, tt.want)
			}
		}
	}
	if _, err := jsonwire.AppendCanonical(nil, []byte(`[1e99999999999999999999]`)); err == nil || !strings.HasPrefix(err.Error(), "/0: range") {
		t.Errorf("got %v", err)
	}
}

func TestCanonicalOrdersMembersAndKeepsTheLastOfEqualNames(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":{"d":1,"c":[ {"f":1,"e":2.0} ]},"a":"\u00e9\/"}`: `{"a":"é/","b":{"c":[{"e":2,"f":1}],"d":1}}`,
		`{"a":1,"b":2,"a":3}`: `{"a":3,"b":2}`,
		`{"\u0061":1}`:        `{"a":1}`,
		`[null,true,{},[]]`:   `[null,true,{},[]]`,
	} {
		got, err := jsonwire.AppendCanonical([]byte("prefix"), []byte(text))
		if err != nil || string(got) != "prefix"+want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	if got, err := jsonwire.AppendCanonical([]byte("prefix"), []byte(`{"a":}`)); err == nil || string(got) != "prefix" {
		t.Errorf("got %s, %v", got, err)
	}
}
