package fingerprint

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/internal/corpus"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// What is written straight is what encoding and making canonical gives.
func TestMeaningIsCanonical(t *testing.T) {
	check := func(text []byte) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(strip(v))
		if err != nil {
			t.Fatal(err)
		}
		want, err := jsonwire.AppendCanonical(nil, encoded)
		if err != nil {
			want = text
		}
		if got := meaning(text); !bytes.Equal(got, want) {
			t.Errorf("%s: meaning is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		`{"const":"<&>\u2028\ud800é\"","b":[1.50,1e3,-0,12345678901234567890,true,null,{}],"a":{"\u0061":1,"z":2},"required":["b","a"]}`,
		`{"minimum":1e99999999999999999999}`, `[]`, `"x"`, `7`,
	} {
		check([]byte(text))
	}
	for _, s := range corpus.Schemas(t) {
		check(s.Text)
	}
}
