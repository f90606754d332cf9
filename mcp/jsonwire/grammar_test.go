package jsonwire_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// The judge of what is JSON is encoding/json; these texts are the seeds of the
// fuzz targets as well.

var texts = []string{
	`null`, `true`, `false`, `0`, `-0`, `1.5`, `-1e5`, `1E+5`, `1e-400`, `"a"`, `[]`, `{}`, ` [ ] `, "\t{\n}\r",
	`[1,2,3]`, `[[],[[]]]`, `{"a":1,"b":[true,null,{"c":"d"}]}`, `{"a":{"b":{}}}`, `{"a":1,"a":2}`, `{"\u0061":1}`,
	`"\"\\\/\b\f\n\r\t\u00e9"`, `"\ud83d\ude00"`, `"\ud800"`, `"\udc00x"`, `"\ud800\ud800"`, `"\ud800\u0041"`, `"é😀"`, "\"\xff\xfe\"", "\"a\xe2\x82\"",
	"\"\x7f\"", "\"\u2028\"", `"` + strings.Repeat("x", 100) + `"`, `"` + strings.Repeat(`\n`, 50) + `"`, "{\"\xff\":1}",
	`12345678901234567890123456789012345678901234567890`, `1e400`, `0.1e1`, `123456789012345678`, `1234567890123456789`, `9223372036854775808`,
	``, ` `, `nul`, `nulll`, `tru`, `truE`, `fals`, `01`, `-`, `-01`, `1.`, `.5`, `1e`, `1e+`, `+1`, `0x1`, `1_0`, `NaN`, `Infinity`, `--1`, `1.e5`,
	`"`, `"\"`, `"\x"`, `"\u12"`, `"\u123g"`, "\"\n\"", "\"\x00\"", "\"\x1f\"", `'a'`, `[`, `[1`, `[1,`, `[1,]`, `[,1]`, `[1 2]`, `]`, `[}`,
	`{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{a:1}`, `{"a" 1}`, `{"a"::1}`, `{1:1}`, `{"a":1]`, `}`, `1 1`, `{}{}`, `[] x`, "\ufeff1",
	"\x0b1", "[\x0c]", "1\u00a0", `/*x*/1`, `"a" "b"`, "\"abcdefg\x01\"", `"abcdefg\`, `"abcdef\u`, `[[[[[[[[[[`, `{"a":[{"b":[{`, `[true,fals]`, `[nullx]`,
}

func TestReaderAcceptsWhatEncodingJSONAccepts(t *testing.T) {
	for _, text := range texts {
		sameAsEncodingJSON(t, []byte(text))
	}
}

// sameAsEncodingJSON reads data in every untyped way and compares the outcome.
func sameAsEncodingJSON(t *testing.T, data []byte) {
	t.Helper()
	valid := json.Valid(data)
	if got := jsonwire.Valid(data); got != valid {
		t.Errorf("Valid(%q) = %v", data, got)
	}
	r := jsonwire.NewReader(data)
	r.SetMaxDepth(20000)
	v := r.Any()
	if err := r.End(); (err == nil) != valid {
		t.Errorf("Any of %q: error %v, valid %v", data, err, valid)
	} else if err != nil {
		checkError(t, data, err)
	}
	r.Reset(data)
	raw := r.Raw()
	if err := r.End(); (err == nil) != valid {
		t.Errorf("Raw of %q: error %v, valid %v", data, err, valid)
	}
	if !valid {
		return
	}
	if want := bytes.Trim(data, " \t\r\n"); !bytes.Equal(raw, want) {
		t.Errorf("Raw of %q is %q", data, raw)
	}
	if want := decodeAny(t, data); !reflect.DeepEqual(v, want) {
		t.Errorf("Any of %q is %#v, want %#v", data, v, want)
	}
	typedLikeEncodingJSON(t, data)
	writtenLikeEncodingJSON(t, data, v)
}

func decodeAny(t *testing.T, data []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	if v == nil {
		return json.RawMessage("null")
	}
	return v
}

func typedLikeEncodingJSON(t *testing.T, data []byte) {
	t.Helper()
	r := jsonwire.NewReader(data)
	switch r.Kind() {
	case jsonwire.KindString:
		var want string
		_ = json.Unmarshal(data, &want)
		if got := r.String(); got != want || r.End() != nil {
			t.Errorf("String of %q is %q, want %q", data, got, want)
		}
	case jsonwire.KindNumber:
		var want float64
		err := json.Unmarshal(data, &want)
		got := r.Float64()
		if (r.End() == nil) != (err == nil) || err == nil && strconv.FormatFloat(got, 'g', -1, 64) != strconv.FormatFloat(want, 'g', -1, 64) {
			t.Errorf("Float64 of %q is %v, %v, want %v, %v", data, got, r.Err(), want, err)
		}
		var i int64
		if json.Unmarshal(data, &i) == nil {
			r.Reset(data)
			if got := r.Int64(); got != i || r.End() != nil {
				t.Errorf("Int64 of %q is %d, %v", data, got, r.Err())
			}
		}
	}
}

func writtenLikeEncodingJSON(t *testing.T, data []byte, v any) {
	t.Helper()
	var w jsonwire.Writer
	w.Raw(data)
	if err := w.Err(); err != nil || !json.Valid(w.Bytes()) || bytes.ContainsAny(w.Bytes(), "\n\r") {
		t.Errorf("Raw wrote %q for %q, %v", w.Bytes(), data, err)
	} else if got := decodeAny(t, w.Bytes()); !reflect.DeepEqual(got, v) {
		t.Errorf("Raw changed %q to %q", data, w.Bytes())
	}
	w.Reset(nil)
	w.Any(v)
	if err := w.Err(); err != nil || !reflect.DeepEqual(decodeAny(t, w.Bytes()), v) {
		t.Errorf("Any wrote %q for %q, %v", w.Bytes(), data, err)
	}
}

// checkError holds what an error promises: printable, bounded, inside the text.
func checkError(t *testing.T, data []byte, err error) {
	t.Helper()
	e, ok := err.(*jsonwire.Error)
	if !ok || e.Offset < 0 || e.Offset > len(data) || e.Rule == "" {
		t.Errorf("%q: error %#v", data, err)
	}
	if s := err.Error(); len(s) > 1200 || strings.ContainsAny(s, "\n\r\x00\x1b") {
		t.Errorf("%q: error text %q", data, s)
	}
}

func FuzzReader(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return // encoding/json allows more nesting than Valid does
		}
		if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > jsonwire.DefaultMaxDepth {
			return
		}
		sameAsEncodingJSON(t, data)
	})
}

func FuzzWriterString(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\\n\x00\x1f\x7f", "é\u2028<>&", "\xff", strings.Repeat("y", 30) + "\t", "\xed\xa0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var w jsonwire.Writer
		w.String(s)
		var got string
		if err := json.Unmarshal(w.Bytes(), &got); err != nil || got != repaired(s) {
			t.Fatalf("%q became %q, %v", s, w.Bytes(), err)
		}
		if got := jsonwire.NewReader(w.Bytes()).String(); got != repaired(s) {
			t.Fatalf("%q was read back as %q", s, got)
		}
	})
}

func repaired(s string) string { return string([]rune(s)) }

func FuzzCanonical(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := jsonwire.AppendCanonical(nil, data)
		if err != nil {
			return
		}
		if !json.Valid(data) || !json.Valid(once) {
			t.Fatalf("%q became %q", data, once)
		}
		again, err := jsonwire.AppendCanonical(nil, once)
		if err != nil || !bytes.Equal(once, again) {
			t.Fatalf("%q became %q and then %q, %v", data, once, again, err)
		}
		if !jsonwire.EqualJSON(data, once) {
			t.Fatalf("%q is not equal to %q", data, once)
		}
	})
}
