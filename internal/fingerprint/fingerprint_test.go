package fingerprint

import "testing"

const base = `{"type":["object","null"],"properties":{"title":{"type":"string","description":"d"},"n":{"type":"number","minimum":1}},"required":["title","n"]}`

func TestWhatMeansTheSameHasOneFingerprint(t *testing.T) {
	want := Tool([]byte(base), nil)
	if len(want) != 32 {
		t.Errorf("fingerprint is %q", want)
	}
	for _, same := range []string{
		`{"required":["n","title"],"type":["null","object"],"properties":{"n":{"minimum":1.0,"type":"number"},"title":{"type":"string"}}}`,
		`{"title":"T","$comment":"c","examples":[1],"default":{},"deprecated":true,"readOnly":true,"writeOnly":false,` + base[1:],
	} {
		if got := Tool([]byte(same), nil); got != want {
			t.Errorf("%s has another fingerprint", same)
		}
	}
}

func TestWhatMeansSomethingElseHasAnother(t *testing.T) {
	seen := map[string]string{Tool([]byte(base), nil): base, Tool(nil, []byte(base)): "output", Tool([]byte(base), []byte(base)): "both", Tool(nil, nil): "none"}
	for _, other := range []string{
		`{"type":["object","null"],"properties":{"n":{"type":"number","minimum":1}},"required":["title","n"]}`,
		`{"type":["object","null"],"properties":{"title":{"type":"string"},"n":{"type":"number","minimum":2}},"required":["title","n"]}`,
		`{"enum":[{"title":"a"}]}`, `{"enum":[{"title":"b"}]}`,
		`{"properties":{"default":{"const":{"description":"x"}}}}`, `{"properties":{"default":{"const":{}}}}`,
		`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`,
		`{"x-mcp-header":"A"}`, `true`, `false`, `{`, `{"required":[1,"a"]}`, `{"required":["a",1]}`,
	} {
		print := Tool([]byte(other), nil)
		if twin, ok := seen[print]; ok {
			t.Errorf("%s and %s have the same fingerprint", other, twin)
		}
		seen[print] = other
	}
}
