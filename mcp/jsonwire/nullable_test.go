package jsonwire_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

func TestNullableHasThreeStates(t *testing.T) {
	type object struct {
		F jsonwire.Nullable[int] `json:"f,omitzero"`
	}
	for _, text := range []string{`{}`, `{"f":null}`, `{"f":0}`, `{"f":5}`} {
		var x object
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(x); err != nil || string(got) != text {
			t.Errorf("%s became %s, %v", text, got, err)
		}
	}
	var n jsonwire.Nullable[string]
	if !n.IsAbsent() || n.IsNull() || n.Ptr() != nil || !n.IsZero() {
		t.Error("the zero Nullable is not absent")
	}
	n.Set("a")
	*n.Ptr() += "b"
	if v, ok := n.Get(); v != "ab" || !ok || n.IsAbsent() || n.IsNull() {
		t.Errorf("got %q, %v", v, ok)
	}
	n.SetNull()
	if v, ok := n.Get(); v != "" || ok || !n.IsNull() || n != jsonwire.Null[string]() {
		t.Errorf("null holds %q, %v", v, ok)
	}
	n.Clear()
	if !n.IsAbsent() || jsonwire.Value("") == n {
		t.Error("Clear leaves something")
	}
	if err := json.Unmarshal([]byte(`{"f":"x"}`), new(object)); err == nil {
		t.Error("a string was read as an int")
	}
}
