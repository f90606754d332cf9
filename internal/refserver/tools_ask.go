package refserver

// Tools that need something from the client (a form, a visit to a page, a model, its roots), and
// tools that change what the server offers.

import (
	"context"
	"encoding/json"
	"fmt"
)

func askingTools() []*tool {
	none := `{"type":"object","additionalProperties":false}`
	return []*tool{
		{name: "ask_form", title: "Ask form", about: "Asks the user to fill in a form with a field of every kind, and gives back what was entered.",
			input: `{"type":"object","properties":{"message":{"type":"string","default":"Please introduce yourself."}}}`, run: askFormTool},
		{name: "ask_consent", title: "Ask consent", about: "Asks the user to visit a page, by a request or, in 2025-11-25, by an error that names the page.",
			input: `{"type":"object","properties":{"page":{"type":"string"},"how":{"type":"string","enum":["request","error"],"default":"request"}},"required":["page"]}`, run: askConsent},
		{name: "ask_model", title: "Ask model", about: "Asks the client's model to continue a text.",
			input: `{"type":"object","properties":{"prompt":{"type":"string"},"max_tokens":{"type":"integer","minimum":1,"default":100}},"required":["prompt"]}`, run: askModelTool},
		{name: "list_roots", title: "List roots", about: "Lists the folders that the client lets the server see.", input: none,
			output: `{"type":"object","properties":{"roots":{"type":"array","items":{"type":"object","properties":{"uri":{"type":"string"},"name":{"type":"string"}},"required":["uri"]}}},"required":["roots"]}`, run: listRoots},
		{name: "ask_everything", about: "Asks for a form, the model and the roots in one round, and then once more for a confirmation.", input: none, run: askEverything},
	}
}

func askFormTool(ctx context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	text := stringAt(members(raw), "message")
	if text == "" {
		text = "Please introduce yourself."
	}
	fields := obj{
		"name":  obj{"type": "string", "title": "Name", "minLength": 1},
		"email": obj{"type": "string", "format": "email"},
		"age":   obj{"type": "integer", "minimum": 0, "maximum": 150},
		"score": obj{"type": "number"},
		"spam":  obj{"type": "boolean", "default": false},
	}
	if ex.since(V20251125) {
		fields["country"] = obj{"type": "string", "oneOf": []any{obj{"const": "de", "title": "Germany"}, obj{"const": "jp", "title": "Japan"}}, "default": "de"}
		fields["langs"] = obj{"type": "array", "items": obj{"type": "string", "enum": []string{"go", "ts", "py"}}, "minItems": 1}
	} else {
		fields["country"] = obj{"type": "string", "enum": []string{"de", "jp"}, "enumNames": []string{"Germany", "Japan"}}
	}
	answers, err := ex.input(ctx, askForm("form", text, fields, "name"))
	if err != nil {
		return nil, err
	}
	content, refusal, err := accepted(answers["form"])
	if err != nil {
		return nil, err
	}
	if refusal != "" {
		return say("the user chose to %s", refusal), nil
	}
	return give(encode(content)), nil
}

func askConsent(ctx context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	in := members(raw)
	page := stringAt(in, "page")
	q := askURL("consent-"+page, "Please read and accept "+page, "https://refserver.invalid/consent/"+page)
	if stringAt(in, "how") == "error" && ex.version == V20251125 {
		return askConsentByError(ex, q)
	}
	answers, err := ex.input(ctx, q)
	if err != nil {
		return nil, err
	}
	_, refusal, err := accepted(answers[q.key])
	if err != nil {
		return nil, err
	}
	if refusal != "" {
		return say("the user chose to %s", refusal), nil
	}
	if ex.version == V20251125 {
		ex.notify("notifications/elicitation/complete", obj{"elicitationId": q.key})
	}
	return say("consent to %s was given", page), nil
}

// askConsentByError refuses the first call with the page to visit, and serves the next. The visit
// belongs to no request, so that it is over is told on the session's own stream.
func askConsentByError(ex *exchange, q question) (*toolResult, error) {
	if !ex.sess.firstVisit(q.key) {
		return say("consent to %s was given", q.params["url"]), nil
	}
	sess, tick := ex.sess, ex.srv.opts.Tick
	ex.srv.start(func() {
		if pause(sess.ctx, tick) == nil {
			sess.out.send(encodeNotification("notifications/elicitation/complete", obj{"elicitationId": q.key}), false, 0)
		}
	})
	return nil, &rpcError{Code: codeURLElicitation, Message: "a page must be visited first",
		Data: obj{"elicitations": []any{q.legacyParams(ex.version)}}}
}

func askModelTool(ctx context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	in := struct {
		Prompt    string
		MaxTokens int `json:"max_tokens"`
	}{MaxTokens: 100}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, invalidParams("arguments: %v", err)
	}
	answers, err := ex.input(ctx, askModel("continuation", in.Prompt, in.MaxTokens))
	if err != nil {
		return nil, err
	}
	text, err := sampled(answers["continuation"])
	if err != nil {
		return nil, err
	}
	return say("the model said: %s", text), nil
}

// sampled is the text of a sampling answer of one block or, since 2025-11-25, several.
func sampled(answer json.RawMessage) (string, error) {
	fields := members(answer)
	if stringAt(fields, "model") == "" || stringAt(fields, "role") == "" {
		return "", fmt.Errorf("the sampling answer lacks model or role: %s", answer)
	}
	content := fields["content"]
	if parts, many := splitBatch(content); many && len(parts) > 0 {
		content = parts[0]
	}
	return stringAt(members(content), "text"), nil
}

func listRoots(ctx context.Context, ex *exchange, _ json.RawMessage) (*toolResult, error) {
	answers, err := ex.input(ctx, askRoots("roots"))
	if err != nil {
		return nil, err
	}
	roots := members(answers["roots"])["roots"]
	if len(roots) == 0 {
		return nil, fmt.Errorf("the roots answer lacks roots: %s", answers["roots"])
	}
	return give(obj{"roots": roots}), nil
}

func askEverything(ctx context.Context, ex *exchange, _ json.RawMessage) (*toolResult, error) {
	field := obj{"value": obj{"type": "string"}}
	answers, err := ex.input(ctx, askForm("a-form", "A value, please.", field, "value"), askModel("b-model", "Say something.", 10), askRoots("c-roots"))
	if err != nil {
		return nil, err
	}
	confirmed, err := ex.input(ctx, askForm("d-confirm", "Are you sure?", obj{"sure": obj{"type": "boolean"}}, "sure"))
	if err != nil {
		return nil, err
	}
	content, _, err := accepted(confirmed["d-confirm"])
	if err != nil {
		return nil, err
	}
	value, _, err := accepted(answers["a-form"])
	if err != nil {
		return nil, err
	}
	return say("value %s, model %s, roots %s, sure %s", stringAt(value, "value"), answers["b-model"], answers["c-roots"], content["sure"]), nil
}

const extraTool = "surprise"

func changeTools() []*tool {
	return []*tool{
		{name: "change_list", about: "Adds an entry to the list of tools, prompts or resources, or takes it away again, and announces the change.",
			input:  `{"type":"object","properties":{"list":{"type":"string","enum":["tools","prompts","resources"]}},"required":["list"]}`,
			output: `{"type":"object","properties":{"shown":{"type":"boolean"}},"required":["shown"]}`, run: changeList},
		{name: "touch_resource", about: "Changes a resource and announces it to whoever subscribed to it.",
			input:  `{"type":"object","properties":{"uri":{"type":"string","format":"uri"}},"required":["uri"]}`,
			output: `{"type":"object","properties":{"updates":{"type":"integer"}},"required":["updates"]}`, run: touchResource},
		{name: extraTool, about: "Is there only after change_list has put it into the list of tools.", input: `{"type":"object"}`,
			run: reading(func(struct{}) *toolResult { return say("surprise!") })},
	}
}

func changeList(_ context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	list := stringAt(members(raw), "list")
	shown := ex.srv.catalog.flip(list)
	ex.srv.ListChanged(list)
	return give(obj{"shown": shown}), nil
}

func touchResource(_ context.Context, ex *exchange, raw json.RawMessage) (*toolResult, error) {
	uri := stringAt(members(raw), "uri")
	n := ex.srv.catalog.touch(uri)
	ex.srv.ResourceUpdated(uri)
	return give(obj{"updates": n}), nil
}
