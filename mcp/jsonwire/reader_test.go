package jsonwire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// A codec as the generator writes it.

type row struct {
	ID    int64
	Name  string
	Score *float64
	Tags  []string
	Extra map[string]json.RawMessage
}

func (x *row) ReadJSON(r *jsonwire.Reader) {
	*x = row{}
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "id":
			x.ID = r.Int64()
			seen |= 1 << 0
		case "name":
			x.Name = r.String()
			seen |= 1 << 1
		case "score":
			if !r.Null() {
				v := r.Float64()
				x.Score = &v
			}
		case "tags":
			x.Tags = []string{}
			for r.BeginArray(); r.NextElement(); {
				x.Tags = append(x.Tags, r.String())
			}
		default:
			r.Extra(&x.Extra)
		}
	}
	r.Missing(seen, "id", "name")
}

func (x *row) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"id":`)
	w.Int64(x.ID)
	w.Member(`"name":`)
	w.String(x.Name)
	if x.Score != nil {
		w.Member(`"score":`)
		w.Float64(*x.Score)
	}
	if x.Tags != nil {
		w.Member(`"tags":`)
		w.BeginArray()
		for _, t := range x.Tags {
			w.Element()
			w.String(t)
		}
		w.EndArray()
	}
	w.Extra(x.Extra, "id", "name", "score", "tags")
	w.EndObject()
}

type rows []row

func (x *rows) ReadJSON(r *jsonwire.Reader) {
	for r.BeginArray(); r.NextElement(); {
		*x = append(*x, row{})
		(*x)[len(*x)-1].ReadJSON(r)
	}
}

func (x rows) WriteJSON(w *jsonwire.Writer) {
	w.BeginArray()
	for i := range x {
		w.Element()
		x[i].WriteJSON(w)
	}
	w.EndArray()
}

func TestCodecRoundTrip(t *testing.T) {
	const text = `[{"id":1,"name":"a\nb","score":0.5,"tags":[],"z":{"k":[1.0]}},{"id":-9223372036854775808,"name":"é"},{"id":2,"name":"","tags":["x","y"]}]`
	var v rows
	if err := jsonwire.Unmarshal([]byte(" "+strings.ReplaceAll(text, ",", " ,\n\t")+" "), &v); err != nil {
		t.Fatal(err)
	}
	if got, err := jsonwire.Marshal(v); err != nil || string(got) != text {
		t.Errorf("got  %s, %v\nwant %s", got, err, text)
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{}`, `type: array expected, object found (offset 0)`},
		{`[{"id":1,"name":5}]`, `/0/name: type: string expected, number found (offset 16)`},
		{`[{"id":1,"name":"a"},{"name":"b","id":"c"}]`, `/1/id: type: number expected, string found (offset 38)`},
		{`[{"id":1,"name":"a","tags":["b",null]}]`, `/0/tags/1: type: string expected, null found (offset 32)`},
		{`[{"id":1,"name":"a","tags":{}}]`, `/0/tags: type: array expected, object found (offset 27)`},
		{`[{"id":1,"name":"a"},{"id":2}]`, `/1: required: member "name" is missing (offset 28)`},
		{`[{"id":1.5,"name":"a"}]`, `/0/id: type: integer expected, number with a fraction found (offset 7)`},
		{`[{"id":9223372036854775808,"name":"a"}]`, `/0/id: range: number does not fit a 64-bit signed integer (offset 7)`},
		{`[{"id":1e999999999999999999999,"name":"a"}]`, `/0/id: range: number does not fit a 64-bit integer (offset 7)`},
		{`[{"id":1,"score":1e400,"name":"a"}]`, `/0/score: range: number does not fit a 64-bit float (offset 17)`},
		{`[{"id":1,"name":"a","q/~\u0001":[01]}]`, `/0/q~1~0\x01/0: syntax: malformed number (offset 33)`},
		{`[{"id":1,"name":"a"`, `/0/name: syntax: unexpected end of the text, ',' or '}' expected (offset 19)`},
		{`[{"id":1,"name":"a}`, `/0/name: syntax: string is not closed (offset 19)`},
		{`[{"id":1,"name":"a\q"}]`, `/0/name: syntax: malformed escape in string (offset 18)`},
		{"[{\"id\":1,\"name\":\"a\nb\"}]", `/0/name: syntax: control character in string (offset 18)`},
		{`[{"id":1,"name":"a"},]`, `syntax: a value expected, "]" found (offset 21)`},
		{`[{"id":1,"name":"a",}]`, `/0: syntax: a member name expected, "}" found (offset 20)`},
		{`[{"id":1 "name":"a"}]`, `/0/id: syntax: ',' or '}' expected, "\"" found (offset 9)`},
		{`[] []`, `syntax: nothing expected after the value (offset 3)`},
	} {
		var v rows
		err := jsonwire.Unmarshal([]byte(tt.text), &v)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s\ngot  %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

func TestErrorsQuoteLittleAndPrintably(t *testing.T) {
	long := strings.Repeat("\x1b\u202e", 5000)
	key := strings.Repeat("/~k", 20000)
	for _, text := range []string{
		`{"` + key + `":{"` + key + `":tru}}`,
		"[" + long + "]",
		strings.Repeat(`{"`+strings.Repeat("k", 100)+`":`, 900),
		`{"a` + "\u202e" + `":nul}`,
	} {
		r := jsonwire.NewReader([]byte(text))
		r.Any()
		checkError(t, []byte(text), r.End())
		if s := r.Err().Error(); strings.ContainsAny(s, "\u202e\x1b") {
			t.Errorf("unprintable: %q", s)
		}
	}
	r := jsonwire.NewReader([]byte(`"` + strings.Repeat("v", 5000) + `"`))
	r.Const(`"text"`)
	checkError(t, nil, &jsonwire.Error{Rule: "x"})
	if s := r.Err().Error(); len(s) > 200 || !strings.HasPrefix(s, `const: "text" expected, "vvv`) {
		t.Errorf("got %q", s)
	}
}

func TestFirstErrorStaysAndEverythingAfterIsEmpty(t *testing.T) {
	r := jsonwire.NewReader([]byte(`[true,1,"a",{"b":1}]`))
	r.BeginArray()
	r.NextElement()
	r.Int64()
	want := r.Err().Error()
	if r.NextElement() || r.NextMember() || r.String() != "" || r.Int64() != 0 || r.Uint64() != 0 || r.Float64() != 0 || r.Bool() ||
		r.Null() || r.Raw() != nil || r.Any() != nil || r.Number() != "" || r.Tag("a") != "" || r.Has("a") || r.Kind() != jsonwire.KindInvalid {
		t.Error("a failed Reader still finds values")
	}
	var m map[string]json.RawMessage
	r.Extra(&m)
	r.Unknown()
	r.Missing(0, "x")
	r.Fail("x", "y")
	r.Const("1")
	if r.End().Error() != want || m != nil || r.Offset() != 1 {
		t.Errorf("got %v at %d, want %s", r.End(), r.Offset(), want)
	}
}

func TestUnknownMembers(t *testing.T) {
	read := func(lenient bool) error {
		r := jsonwire.NewReader([]byte(`{"a":[{"b":1}],"c":2}`))
		r.SetLenient(lenient)
		for r.BeginObject(); r.NextMember(); {
			r.Unknown()
		}
		return r.End()
	}
	if err := read(true); err != nil {
		t.Error(err)
	}
	if err := read(false); err == nil || err.Error() != `additionalProperties: member "a" is not allowed (offset 1)` {
		t.Errorf("got %v", err)
	}
}

func TestFailBlamesTheValueJustRead(t *testing.T) {
	for _, tt := range []struct {
		want string
		read func(r *jsonwire.Reader)
	}{
		{"/a/0", func(r *jsonwire.Reader) {}},
		{"/a/0", func(r *jsonwire.Reader) { r.Int64() }},
		{"/a", func(r *jsonwire.Reader) { r.Int64(); r.NextElement(); r.Skip(); r.NextElement() }},
		{"/a/1", func(r *jsonwire.Reader) { r.Int64(); r.NextElement(); r.Skip() }},
	} {
		r := jsonwire.NewReader([]byte(`{"a": [ 1 , {"b" : "}"} ] , "c": 2}`))
		r.BeginObject()
		r.NextMember()
		r.BeginArray()
		r.NextElement()
		tt.read(r)
		r.Fail("oneOf", "no arm")
		if e := r.Err().(*jsonwire.Error); e.Pointer != tt.want {
			t.Errorf("pointer %s, want %s", e.Pointer, tt.want)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	deep := []byte(strings.Repeat("[", 5_000_000))
	var w jsonwire.Writer
	w.Raw(deep)
	for name, read := range map[string]func(r *jsonwire.Reader){
		"any":  func(r *jsonwire.Reader) { r.Any() },
		"skip": func(r *jsonwire.Reader) { r.Skip() },
		"canonical": func(r *jsonwire.Reader) {
			_, err := jsonwire.AppendCanonical(nil, deep)
			r.Fail("depth", fmt.Sprint(err))
		},
	} {
		r := jsonwire.NewReader(deep)
		read(r)
		if e, ok := r.Err().(*jsonwire.Error); !ok || e.Rule != "depth" || name != "canonical" && e.Offset != jsonwire.DefaultMaxDepth {
			t.Errorf("%s: %v", name, r.Err())
		}
	}
	if w.Err() == nil || jsonwire.Valid(deep) {
		t.Error("five million brackets were accepted")
	}
	r := jsonwire.NewReader([]byte(`[[1],[[2]],3]`))
	r.SetMaxDepth(2)
	r.Any()
	if err := r.End(); err == nil || err.Error() != "/1/0: depth: values nest too deeply (offset 6)" {
		t.Errorf("got %v", err)
	}
	text := []byte(strings.Repeat("[", 3000) + strings.Repeat("]", 3000))
	r.Reset(text)
	r.SetMaxDepth(3000)
	if r.Skip(); r.End() != nil {
		t.Error(r.Err())
	}
}

func TestResetReadsWithoutAllocation(t *testing.T) {
	text := []byte(`{"a":[1,2.5,true,null],"b":{"c":"d"}}`)
	r := jsonwire.NewReader(nil)
	if n := testing.AllocsPerRun(100, func() {
		r.Reset(text)
		for r.BeginObject(); r.NextMember(); {
			switch string(r.Key()) {
			case "a":
				r.BeginArray()
				r.NextElement()
				r.Int64()
				r.NextElement()
				r.Float64()
				r.NextElement()
				r.Bool()
				r.NextElement()
				r.Null()
				r.NextElement()
			default:
				m := r.Mark()
				r.Int64()
				r.Rewind(m)
				r.Has("c")
				r.Tag("c")
				r.Skip()
			}
		}
		if r.End() != nil {
			t.Error(r.Err())
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
