package jsonrpc_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
)

func TestScanTellsMessagesApart(t *testing.T) {
	for _, tt := range []struct{ text, id, kind string }{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "1", "request"},
		{`{"jsonrpc":"2.0","id":"a\u0062","method":"ping","params":{}}`, `"ab"`, "request"},
		{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"x":1}}`, "", "notification"},
		{` {"result":{"a":[1,2]}, "id" : 123456789012345678901234567890 , "jsonrpc":"2.0"} `, "123456789012345678901234567890", "response"},
		{`{"jsonrpc":"2.0","id":1.0,"result":null}`, "1", "response"},
		{`{"jsonrpc":"2.0","id":-1,"error":{"code":1,"message":"x"},"extra":[]}`, "-1", "response"},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, "", "unaddressed"},
		{`{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}`, "", "unaddressed"},
	} {
		e, err := jsonrpc.Scan([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		kind := "?"
		switch {
		case e.Unaddressed():
			kind = "unaddressed"
		case e.IsRequest():
			kind = "request"
		case e.IsNotification():
			kind = "notification"
		case e.IsResponse():
			kind = "response"
		}
		if kind != tt.kind || e.ID.Text() != tt.id {
			t.Errorf("%s: %s with id %s, want %s with %s", tt.text, kind, e.ID.Text(), tt.kind, tt.id)
		}
	}
}

func TestScanRefusesMalformedMessages(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"id":1,"result":{}}`, "jsonrpc"},
		{`{"jsonrpc":"1.0","id":1,"result":{}}`, "/jsonrpc: const"},
		{`{"jsonrpc":2.0,"id":1,"result":{}}`, "/jsonrpc: const"},
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`, "result and error"},
		{`{"jsonrpc":"2.0","id":1,"method":"x","result":{}}`, "method and result"},
		{`{"jsonrpc":"2.0","id":1}`, "none of"},
		{`{"jsonrpc":"2.0","result":{}}`, "without an id"},
		{`{"jsonrpc":"2.0","id":null,"result":{}}`, "without an id"},
		{`{"jsonrpc":"2.0","id":null,"method":"x"}`, "null id"},
		{`{"jsonrpc":"2.0","id":1.5,"result":{}}`, "/id: type"},
		{`{"jsonrpc":"2.0","id":1e30,"result":{}}`, "/id: range"},
		{`{"jsonrpc":"2.0","id":01,"result":{}}`, "/id: syntax"},
		{`{"jsonrpc":"2.0","id":true,"result":{}}`, "/id: type"},
		{`{"jsonrpc":"2.0","id":{},"result":{}}`, "/id: type"},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, "/method: type"},
		{`{"jsonrpc":"2.0","id":1,"result":{"a":01}}`, "/result/a: syntax"},
		{`{"jsonrpc":"2.0","id":1,"result":{}} {}`, "nothing expected"},
		{`[{"jsonrpc":"2.0","id":1,"result":{}}]`, "type: object expected, array found"},
		{``, "unexpected end"},
		{`Listening on port 8080`, "syntax"},
	} {
		_, err := jsonrpc.Scan([]byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.text, err, tt.want)
		}
	}
}

func TestScanSpansHoldTheMembers(t *testing.T) {
	text := []byte(`{"jsonrpc":"2.0", "params": {"a": 1} ,"method":"x","id":1}`)
	e, err := jsonrpc.Scan(text)
	if err != nil || string(e.Params.Of(text)) != `{"a": 1}` || e.Result.Of(text) != nil {
		t.Errorf("params %s, result %s, error %v", e.Params.Of(text), e.Result.Of(text), err)
	}
}

func TestPeekStopsEarly(t *testing.T) {
	e, err := jsonrpc.Peek([]byte(`{"jsonrpc":"2.0","id":7,"result":{"rest of it is cut`))
	if err != nil || e.ID != jsonrpc.IntID(7) || !e.HasResult {
		t.Errorf("got %+v, %v", e, err)
	}
	e, err = jsonrpc.Peek([]byte(`{"result":{"a":1},"jsonrpc":"2.0","id":8}`))
	if err != nil || e.ID != jsonrpc.IntID(8) || !e.HasResult {
		t.Errorf("got %+v, %v", e, err)
	}
}

func TestPeekDoesNotWaitForTheIDOfANotification(t *testing.T) {
	e, err := jsonrpc.Peek([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"cut`))
	if err != nil || !e.IsNotification() {
		t.Errorf("got %+v, %v", e, err)
	}
	e, err = jsonrpc.Peek([]byte(`{"jsonrpc":"2.0","method":"ping","params":{},"id":9}`))
	if err != nil || e.ID != jsonrpc.IntID(9) || !e.IsRequest() {
		t.Errorf("got %+v, %v", e, err)
	}
}

func TestIDRoundTrip(t *testing.T) {
	for _, text := range []string{`1`, `"1"`, `-9223372036854775808`, `123456789012345678901234567890`, `""`, `"a\"b"`, `"é"`} {
		var id jsonrpc.ID
		if err := json.Unmarshal([]byte(text), &id); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := json.Marshal(id); err != nil || string(got) != text || id.Text() != text {
			t.Errorf("%s became %s, %v", text, got, err)
		}
	}
	if jsonrpc.IntID(1) == jsonrpc.StringID("1") || jsonrpc.StringID("a").String() != "a" {
		t.Error("integer and string ids must differ")
	}
	if got, _ := json.Marshal(jsonrpc.ID{}); string(got) != "null" {
		t.Errorf("no id is written as %s", got)
	}
}

func TestErrorKeepsUnknownMembers(t *testing.T) {
	const text = `{"code":-32042,"message":"go there","data":{"elicitations":[1.0]},"hint":"x"}`
	var e jsonrpc.Error
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(&e); err != nil || string(got) != text {
		t.Errorf("got %s, %v", got, err)
	}
	if want := "URL elicitation required (-32042): go there"; e.Error() != want {
		t.Errorf("text %q, want %q", e.Error(), want)
	}
	if err := json.Unmarshal([]byte(`{"code":1}`), &e); err == nil || !strings.Contains(err.Error(), `"message" is missing`) {
		t.Errorf("an error without a message gives %v", err)
	}
}

func TestErrorTextIsPrintable(t *testing.T) {
	e := jsonrpc.Error{Code: 1, Message: "a\n\x1b[31m\u202eb" + strings.Repeat("x", 5000)}
	if s := e.Error(); strings.ContainsAny(s, "\n\x1b\u202e") || len(s) > 1200 {
		t.Errorf("got %q", s)
	}
}

func TestScanOfAnAnswerAllocatesNothing(t *testing.T) {
	text := []byte(`{"jsonrpc":"2.0","id":123,"result":{"content":[{"type":"text","text":"x"}]}}`)
	if n := testing.AllocsPerRun(100, func() {
		if e, err := jsonrpc.Scan(text); err != nil || e.ID != jsonrpc.IntID(123) {
			t.Error(e, err)
		}
		if _, err := jsonrpc.Peek(text); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"a":[1,2,{"b":null}]}}`))
	f.Add([]byte(`{"result":{},"jsonrpc":"2.0","id":"x"}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := jsonrpc.Scan(data)
		if err != nil {
			return
		}
		var m map[string]json.RawMessage
		if json.Unmarshal(data, &m) != nil {
			t.Fatalf("accepted %q", data)
		}
		if v := m["jsonrpc"]; !bytes.Contains(v, []byte("2")) {
			t.Fatalf("accepted %q", data)
		}
		_, hasID := m["id"]
		if e.ID.IsZero() && hasID && !e.NullID {
			t.Fatalf("lost the id of %q", data)
		}
		if _, has := m["result"]; has != e.HasResult {
			t.Fatalf("result of %q", data)
		}
	})
}
