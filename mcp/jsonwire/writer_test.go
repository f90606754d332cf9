package jsonwire_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

func TestRawIsClosedUpAndChecked(t *testing.T) {
	for text, want := range map[string]string{
		" { \"a b\" : [ 1 ,\n\t2 ] , \"c\\n d\":\"e  f\" } \r\n": `{"a b":[1,2],"c\n d":"e  f"}`,
		`[1.00, -0, 1e400]`: `[1.00,-0,1e400]`,
		"\"\xff\"":          "\"\ufffd\"",
		"\"\u2028\"":        "\"\u2028\"",
	} {
		var w jsonwire.Writer
		if w.Raw(json.RawMessage(text)); string(w.Bytes()) != want || w.Err() != nil {
			t.Errorf("%q became %q, %v", text, w.Bytes(), w.Err())
		}
	}
	for _, bad := range []string{"", " ", "{", "1 2", "[1,]", "nul", "\"\n\""} {
		var w jsonwire.Writer
		if w.Raw(json.RawMessage(bad)); w.Err() == nil {
			t.Errorf("%q was written as %q", bad, w.Bytes())
		}
	}
	var w jsonwire.Writer
	if w.Raw(nil); string(w.Bytes()) != "null" || w.Err() != nil {
		t.Errorf("nil was written as %s, %v", w.Bytes(), w.Err())
	}
}

func TestExtraIsSortedAndNeverRepeatsDeclaredMembers(t *testing.T) {
	w := jsonwire.NewWriter(nil)
	w.BeginObject()
	w.Member(`"id":`)
	w.Int64(1)
	w.Extra(map[string]json.RawMessage{"z": json.RawMessage(`[ ]`), "id": json.RawMessage(`2`), "a\"": nil}, "id")
	w.ExtraAny(map[string]any{"y": 1.5, "x": nil, "id": 3}, "id")
	w.EndObject()
	if want := `{"id":1,"a\"":null,"z":[],"x":null,"y":1.5}`; string(w.Bytes()) != want || w.Err() != nil {
		t.Errorf("got %s, %v", w.Bytes(), w.Err())
	}
}

type stamp struct{ text string }

func (s *stamp) WriteJSON(w *jsonwire.Writer) { w.String(s.text) }

type spaced struct{}

func (spaced) MarshalJSON() ([]byte, error) { return []byte("{\n \"a\": 1 }"), nil }

func TestAnyWritesEveryType(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{nil, `null`},
		{"<é>", `"<é>"`},
		{true, `true`},
		{5, `5`},
		{int32(5), `5`},
		{int8(-5), `-5`},
		{uint64(math.MaxUint64), `18446744073709551615`},
		{1.5, `1.5`},
		{float32(0.1), `0.1`},
		{json.Number("1.00"), `1.00`},
		{json.Number(""), `0`},
		{jsonwire.Number("2.0"), `2.0`},
		{json.RawMessage(" [ ]"), `[]`},
		{map[string]any{"b": []any{1, "x", nil}, "a": map[string]any(nil)}, `{"a":null,"b":[1,"x",null]}`},
		{[]any(nil), `null`},
		{[]any{}, `[]`},
		{[]string{"a"}, `["a"]`},
		{map[string]int{"b": 1, "a": 2}, `{"a":2,"b":1}`},
		{struct {
			A string `json:"a"`
		}{"<&>"}, `{"a":"<&>"}`},
		{spaced{}, `{"a":1}`},
		{&stamp{"s"}, `"s"`},
		{(*stamp)(nil), `null`},
		{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), `"2026-01-02T03:04:05Z"`},
		{[]byte("hi"), `"aGk="`},
		{jsonwire.Value(5), `5`},
	} {
		var w jsonwire.Writer
		if w.Any(tt.v); string(w.Bytes()) != tt.want || w.Err() != nil {
			t.Errorf("%#v is written %s, %v, want %s", tt.v, w.Bytes(), w.Err(), tt.want)
		}
	}
	loop := map[string]any{}
	loop["loop"] = []any{loop}
	for _, v := range []any{make(chan int), math.NaN(), json.Number("x"), loop, func() {}} {
		var w jsonwire.Writer
		if w.Any(v); w.Err() == nil {
			t.Errorf("%T was written", v)
		}
	}
}

func TestFirstWriteErrorStays(t *testing.T) {
	first := errors.New("first")
	var w jsonwire.Writer
	w.Fail(first)
	w.Fail(errors.New("second"))
	if w.Err() != first {
		t.Error(w.Err())
	}
	w.Reset(nil)
	if w.Err() != nil {
		t.Error("Reset kept the error")
	}
}

func TestWritingIntoARoomyBufferAllocatesNothing(t *testing.T) {
	v := rows{{ID: 1, Name: "name with \"quotes\" and é", Tags: []string{"a", "b"}}}
	w := jsonwire.NewWriter(make([]byte, 0, 1024))
	if n := testing.AllocsPerRun(100, func() {
		w.Reset(w.Bytes()[:0])
		v.WriteJSON(w)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestStringsAreNotEscapedForHTML(t *testing.T) {
	var w jsonwire.Writer
	w.String("</script>&\u2028\x7f" + strings.Repeat("a", 20) + "\x1f\b\f\n\r\t\"\\/")
	if want := "\"</script>&\u2028\x7f" + strings.Repeat("a", 20) + `\u001f\b\f\n\r\t\"\\/"`; string(w.Bytes()) != want {
		t.Errorf("got %s", w.Bytes())
	}
}
