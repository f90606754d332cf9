package mcp

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// What a server requires makes a retry that is JSON and has the state as it came, or an error.
func FuzzInputRound(f *testing.F) {
	for _, text := range []string{
		`{"inputRequests":{"a":` + askName + `},"requestState":"\ud800"}`,
		`{"resultType":"input_required","requestState":""}`,
		`{"inputRequests":{"a":{"method":"roots/list","params":null}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}}}`,
		`{"inputRequests":null,"requestState":null}`, `[]`, `{"inputRequests":{"":{"method":7}}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, result []byte) {
		round, err := readRound(result)
		if err != nil {
			return
		}
		answers := map[string]json.RawMessage{}
		for key := range round.requests {
			answers[key] = json.RawMessage(`{}`)
		}
		members := roundMembers(answers, round.state)
		if text := append(append([]byte("{"), members...), '}'); !json.Valid(text) {
			t.Fatalf("members are %s", members)
		}
		if round.state != nil && (!bytes.Contains(result, round.state) || !bytes.HasSuffix(members, round.state)) {
			t.Fatalf("state %s is not as it came", round.state)
		}
	})
}

// Any schema and any answer make content that is JSON and fits, or an error.
func FuzzForm(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":`+everyField+`}`), []byte(`{"text":"ab","whole":1.5,"many":["a"]}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"integer","default":1e400}}}`), []byte(`{}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"(","default":"x"}},"required":["a"]}`), []byte(`{}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"array","items":{"enum":[]},"minItems":-1}}}`), []byte(`{"a":[null]}`))
	f.Fuzz(func(t *testing.T, schema, answer []byte) {
		form := &formSchema{}
		if jsonwire.Unmarshal(schema, form) != nil || flatten(form) != nil {
			return
		}
		var content map[string]any
		if json.Unmarshal(answer, &content) != nil {
			return
		}
		full, err := completeForm(form, ElicitAccept(content).Content)
		if err != nil {
			return
		}
		text, err := jsonwire.Marshal(&ElicitResult{Action: "accept", Content: full})
		if err != nil || !json.Valid(text) {
			t.Fatalf("content is %s, %v", text, err)
		}
		if _, err := completeForm(form, full); err != nil {
			t.Fatalf("content that was accepted is not: %v", err)
		}
	})
}
