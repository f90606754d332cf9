package mcp

import (
	"context"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
)

func sampleParams(members string) string {
	return `"method":"sampling/createMessage","params":{"maxTokens":5,` + members + `}`
}

const (
	toolUse    = `{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"u1","name":"f","input":{}}]}`
	toolResult = `{"role":"user","content":[{"type":"tool_result","toolUseId":"u1","content":[],"_meta":{"k":1}}]}`
	userText   = `{"role":"user","content":{"type":"text","text":"hi"}}`
)

// C-201 C-203 C-207
func TestConversationsAreCheckedBeforeTheModelSeesThem(t *testing.T) {
	mixed := `{"role":"user","content":[{"type":"tool_result","toolUseId":"u1","content":[]},{"type":"text","text":"x"}]}`
	single := `{"role":"user","content":{"type":"tool_result","toolUseId":"u1","content":[]}}`
	for name, test := range map[string]struct{ members, message string }{
		"plain":               {`"messages":[` + userText + `]`, ""},
		"tools":               {`"messages":[` + userText + `],"tools":[{"name":"f","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"}`, ""},
		"paired":              {`"messages":[` + userText + `,` + toolUse + `,` + toolResult + `]`, ""},
		"paired, one block":   {`"messages":[` + toolUse + `,` + single + `]`, ""},
		"mixed":               {`"messages":[` + toolUse + `,` + mixed + `]`, "Tool results mixed with other content"},
		"missing at the end":  {`"messages":[` + toolUse + `]`, "Tool result missing in request"},
		"something between":   {`"messages":[` + toolUse + `,` + userText + `,` + toolResult + `]`, "Tool result missing in request"},
		"another result":      {`"messages":[` + toolUse + `,` + strings.Replace(toolResult, "u1", "u2", 1) + `]`, "Tool result missing in request"},
		"without maxTokens":   {`"maxTokens":null,"messages":[` + userText + `]`, "maxTokens"},
		"odd include context": {`"includeContext":"everything","messages":[` + userText + `]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			called := false
			model := WithSampling(func(_ context.Context, req *SamplingRequest) (*CreateMessageResult, error) {
				called = true
				if req.Params.MaxTokens != 5 {
					t.Errorf("maxTokens is %d", req.Params.MaxTokens)
				}
				return &CreateMessageResult{Model: "m", Content: &TextContent{Text: "hello"}}, nil
			}, SamplingTools())
			_, failure := answerTo(t, Version20251125, sampleParams(test.members), model)
			if test.message == "" && (failure != "" || !called) {
				t.Errorf("refused with %s", failure)
			}
			if test.message != "" && (called || !strings.Contains(failure, "-32602") || !strings.Contains(failure, test.message)) {
				t.Errorf("answer is %s, called %v", failure, called)
			}
		})
	}
	for _, version := range []string{Version20250618, Version20251125} {
		for _, member := range []string{`"tools":[]`, `"toolChoice":{}`} {
			_, failure := answerTo(t, version, sampleParams(member+`,"messages":[`+userText+`]`), sayHello())
			if !strings.Contains(failure, "-32602") || !strings.Contains(failure, "sampling.tools") {
				t.Errorf("%s: %s: answer is %s", version, member, failure)
			}
		}
	}
}

// C-201 C-171: in the stateless era such a request fails the call.
func TestUndeclaredToolsFailTheCall(t *testing.T) {
	transport, rec := pipe(t, rounds(`"inputRequests":{"a":{`+sampleParams(`"tools":[],"messages":[]`)+`}}`))
	_, err := connect(t, transport, sayHello()).CallTool(t.Context(), "t", nil)
	if err == nil || !strings.Contains(err.Error(), "sampling.tools") || len(rec.calls()) != 1 {
		t.Errorf("error is %v", err)
	}
}

// C-202 C-204 C-205 C-206
func TestMessagesOfTheModelAreChecked(t *testing.T) {
	text := &TextContent{Text: "hello"}
	use := &ToolUseContent{ID: "u", Name: "f", Input: nil, Meta: MetaObject{"k": []byte("1")}}
	list := func(blocks ...v20260728.SamplingMessageContentBlock) CreateMessageResultContent {
		return v20260728.CreateMessageResultContentArray(blocks)
	}
	stop := "providersOwnWord"
	tools := `"tools":[{"name":"f","inputSchema":{"type":"object"}}],`
	for name, test := range map[string]struct {
		version string
		members string
		message *CreateMessageResult
		want    string // of the result; else what the error contains
	}{
		"one block":          {Version20251125, "", &CreateMessageResult{Model: "m", Content: text, StopReason: &stop}, `{"content":{"type":"text","text":"hello"},"model":"m","role":"assistant","stopReason":"providersOwnWord"}`},
		"a list":             {Version20251125, "", &CreateMessageResult{Model: "m", Content: list(text)}, `{"content":[{"type":"text","text":"hello"}],"model":"m","role":"assistant"}`},
		"a list, older":      {Version20250618, "", &CreateMessageResult{Model: "m", Content: list(text)}, `{"content":{"type":"text","text":"hello"},"model":"m","role":"assistant"}`},
		"two blocks, older":  {Version20250618, "", &CreateMessageResult{Model: "m", Content: list(text, text)}, `2 blocks`},
		"tool use":           {Version20251125, tools, &CreateMessageResult{Model: "m", Content: list(use)}, `"_meta":{"k":1}`},
		"tool use, no tools": {Version20251125, "", &CreateMessageResult{Model: "m", Content: use}, `uses a tool`},
		"tool use, none":     {Version20251125, tools + `"toolChoice":{"mode":"none"},`, &CreateMessageResult{Model: "m", Content: use}, `uses a tool`},
		"no model":           {Version20251125, "", &CreateMessageResult{Content: text}, `no model`},
		"no content":         {Version20251125, "", &CreateMessageResult{Model: "m"}, `no content`},
		"empty list":         {Version20251125, "", &CreateMessageResult{Model: "m", Content: list()}, `no content`},
		"odd role":           {Version20251125, "", &CreateMessageResult{Model: "m", Content: text, Role: "robot"}, `role`},
		"nothing":            {Version20251125, "", nil, `no message`},
	} {
		t.Run(name, func(t *testing.T) {
			model := WithSampling(func(context.Context, *SamplingRequest) (*CreateMessageResult, error) { return test.message, nil }, SamplingTools())
			result, failure := answerTo(t, test.version, sampleParams(test.members+`"messages":[`+userText+`]`), model)
			if strings.HasPrefix(test.want, "{") && result != test.want || !strings.Contains(result+failure, test.want) {
				t.Errorf("answer is %s %s", result, failure)
			}
		})
	}
}

// C-199
func TestModelsArePickedByTheFirstHintThatFits(t *testing.T) {
	hints := func(names ...string) *ModelPreferences {
		p := &ModelPreferences{Hints: []ModelHint{{}}}
		for _, name := range names {
			p.Hints = append(p.Hints, ModelHint{Name: &name})
		}
		return p
	}
	available := []string{"swift-small-2", "deep-large-1", "deep-small-3"}
	for _, test := range []struct {
		preferences *ModelPreferences
		want        string
	}{
		{nil, ""}, {hints(), ""}, {hints("none", "deep"), "deep-large-1"}, {hints("SMALL", "deep"), "swift-small-2"}, {hints("deep-small-3"), "deep-small-3"}, {hints("gone"), ""},
	} {
		if got, ok := PickModel(test.preferences, available); got != test.want || ok != (test.want != "") {
			t.Errorf("picked %q, want %q", got, test.want)
		}
	}
}
