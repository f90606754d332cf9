package jsonwire_test

import (
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

func TestTagAndHasConsumeNothing(t *testing.T) {
	for _, tt := range []struct {
		text, member, tag string
		has               bool
	}{
		{`{"type":"text"}`, "type", `"text`, true},
		{` { "a" : [ {"type":"no"} , 1 ] , "type" : "text" } `, "type", `"text`, true},
		{`{"type":"te\u0078t"}`, "type", `"text`, true},
		{`{"t\u0079pe":"text"}`, "type", `"text`, true},
		{`{"type":"first","type":"second"}`, "type", `"first`, true},
		{`{"v":1.50}`, "v", `1.50`, true},
		{`{"v":true}`, "v", `true`, true},
		{`{"v":null}`, "v", `null`, true},
		{`{"v":{"v":1}}`, "v", ``, true},
		{`{"v":[]}`, "v", ``, true},
		{`{"v":""}`, "v", `"`, true},
		{`{}`, "v", ``, false},
		{`[{"v":1}]`, "v", ``, false},
		{`"v"`, "v", ``, false},
		{``, "v", ``, false},
		{`{"a":tru,"v":1}`, "v", ``, false},
		{`{"a":1 "v":1}`, "v", ``, false},
		{`{"v":`, "v", ``, false},
		{`{"v":tru`, "v", ``, true},
	} {
		r := jsonwire.NewReader([]byte(tt.text))
		if got := r.Tag(tt.member); got != tt.tag {
			t.Errorf("%s: Tag is %q, want %q", tt.text, got, tt.tag)
		}
		if got := r.Has(tt.member); got != tt.has {
			t.Errorf("%s: Has is %v", tt.text, got)
		}
		if r.Err() != nil || r.Offset() > 1 {
			t.Errorf("%s: looking ahead moved to %d, %v", tt.text, r.Offset(), r.Err())
		}
	}
}

func TestRewindForgetsErrorsAndKeepsTheKey(t *testing.T) {
	r := jsonwire.NewReader([]byte(`[{"\u0061":{"\u0062":[1,[2]]}},5]`))
	r.BeginArray()
	r.NextElement()
	r.BeginObject()
	r.NextMember()
	m := r.Mark()
	for r.BeginObject(); r.NextMember(); {
		for r.BeginArray(); r.NextElement(); {
			r.Int64()
		}
	}
	if r.Err() == nil {
		t.Fatal("an array was read as an integer")
	}
	r.Rewind(m)
	if r.Err() != nil || r.KeyString() != "a" {
		t.Errorf("after Rewind: key %q, %v", r.KeyString(), r.Err())
	}
	if got := string(r.Raw()); got != `{"\u0062":[1,[2]]}` {
		t.Errorf("got %s", got)
	}
	if r.NextMember() || !r.NextElement() || r.Int64() != 5 || r.NextElement() || r.End() != nil {
		t.Errorf("the rest was lost: %v", r.Err())
	}
}

func TestRawSinceIsTheTextOfTheValueJustRead(t *testing.T) {
	r := jsonwire.NewReader([]byte(`{"a" :  {"b": [1.0, 2] } , "c":3}`))
	r.BeginObject()
	r.NextMember()
	m := r.Mark()
	r.Any()
	if got := string(r.RawSince(m)); got != `{"b": [1.0, 2] }` {
		t.Errorf("got %s", got)
	}
	if !r.NextMember() || r.KeyString() != "c" {
		t.Errorf("the place is lost: %v", r.Err())
	}
	m = r.Mark()
	if r.Bool(); r.RawSince(m) != nil {
		t.Error("there is text after an error")
	}
}

func TestMarkTakenAfterAnErrorKeepsIt(t *testing.T) {
	r := jsonwire.NewReader([]byte(`1`))
	r.Bool()
	m := r.Mark()
	r.Rewind(m)
	if r.Err() == nil {
		t.Error("the error is gone")
	}
}

func TestConstComparesValues(t *testing.T) {
	for _, tt := range []struct {
		text, literal string
		equal         bool
	}{
		{`"text"`, `"text"`, true},
		{`"te\u0078t"`, `"text"`, true},
		{`"textual"`, `"text"`, false},
		{`1.0`, `1`, true},
		{`1e2`, `100`, true},
		{`10`, `1`, false},
		{`-0`, `0`, true},
		{`9007199254740993`, `9007199254740992`, false},
		{`{"b":[1.0],"a":null}`, `{"a":null,"b":[1]}`, true},
		{`[1,2]`, `[2,1]`, false},
		{`null`, `null`, true},
		{`null`, `false`, false},
		{`"1"`, `1`, false},
		{`true`, `true`, true},
	} {
		r := jsonwire.NewReader([]byte(tt.text + " "))
		r.Const(tt.literal)
		if err := r.End(); (err == nil) != tt.equal {
			t.Errorf("%s against %s: %v", tt.text, tt.literal, err)
		} else if err != nil && err.(*jsonwire.Error).Rule != "const" {
			t.Errorf("%s against %s: %v", tt.text, tt.literal, err)
		}
	}
	r := jsonwire.NewReader([]byte(`"a`))
	if r.Const(`"a"`); r.Err() == nil || r.Err().(*jsonwire.Error).Rule != "syntax" {
		t.Errorf("got %v", r.Err())
	}
}
