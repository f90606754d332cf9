package refserver

// Input from the client while it waits for an answer. A session is asked by a request of the
// server's own; a stateless request ends with input_required, and its retry brings the answers.

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// question is one thing to ask the client.
type question struct {
	key    string
	method string
	params obj
	needs  []string // path of the capability it takes
}

// inputRequired ends a stateless request early: what it asks for must come with the retry.
type inputRequired struct{ questions []question }

func (e *inputRequired) Error() string { return "input required" }

// input asks all questions and returns the answers by key.
func (ex *exchange) input(ctx context.Context, questions ...question) (map[string]json.RawMessage, error) {
	for _, q := range questions {
		if ex.canAnswer(q) {
			continue
		}
		if ex.modern() {
			return nil, missingCapability(nest(q.needs))
		}
		return nil, invalidParams("this needs a client with the capability %s", strings.Join(q.needs, "."))
	}
	switch {
	case ex.task != nil:
		return ex.task.input(ctx, ex, questions)
	case ex.modern():
		return ex.collected(questions)
	}
	answers := map[string]json.RawMessage{}
	for _, q := range questions {
		answer, err := ex.sess.ask(ctx, ex.out, q.method, q.legacyParams(ex.version))
		if err != nil {
			return nil, err
		}
		answers[q.key] = answer
	}
	return answers, nil
}

// canAnswer follows the capability rules of each version: before 2025-11-25 elicitation had no
// modes, and an empty elicitation capability still means forms.
func (ex *exchange) canAnswer(q question) bool {
	if q.needs[0] == "elicitation" && !ex.since(V20250618) {
		return false
	}
	if ex.has(q.needs...) {
		return true
	}
	form := len(q.needs) == 2 && q.needs[1] == "form"
	return form && ex.has("elicitation") && !ex.has("elicitation", "url")
}

func nest(path []string) obj {
	inner := obj{}
	for i := len(path) - 1; i >= 0; i-- {
		inner = obj{path[i]: inner}
	}
	return inner
}

// legacyParams adapts the params to what the session's version has.
func (q question) legacyParams(version string) obj {
	params := obj{}
	for k, v := range q.params {
		params[k] = v
	}
	if q.method == "elicitation/create" {
		if version < V20251125 {
			delete(params, "mode")
		} else if params["mode"] == "url" {
			params["elicitationId"] = q.key
		}
	}
	return params
}

// collected returns the answers that earlier rounds and this request brought, or asks for the rest.
func (ex *exchange) collected(questions []question) (map[string]json.RawMessage, error) {
	var open []question
	for _, q := range questions {
		if _, ok := ex.answers[q.key]; !ok {
			open = append(open, q)
		}
	}
	if len(open) > 0 {
		return nil, &inputRequired{open}
	}
	return ex.answers, nil
}

// withInput runs a handler that may ask for input. State travels in requestState: signed, and
// bound to the request, so that a client that changes or mixes up states is found out.
func withInput(ex *exchange, run func() (obj, error)) (obj, error) {
	if !ex.modern() || ex.task != nil {
		return run()
	}
	if err := ex.restore(); err != nil {
		return nil, err
	}
	result, err := run()
	need, ok := err.(*inputRequired)
	if !ok {
		return result, err
	}
	requests := obj{}
	for _, q := range need.questions {
		requests[q.key] = obj{"method": q.method, "params": q.params}
	}
	return obj{"resultType": "input_required", "inputRequests": requests, "requestState": ex.state(need.questions)}, nil
}

type state struct {
	Request string                     `json:"request"`
	Answers map[string]json.RawMessage `json:"answers"`
	Open    []string                   `json:"open"`
}

// fingerprint names the request that a state belongs to: its method and its own params.
func (ex *exchange) fingerprint() string {
	own := map[string]json.RawMessage{}
	for k, v := range ex.params {
		if k != "_meta" && k != "inputResponses" && k != "requestState" {
			own[k] = v
		}
	}
	sum := sha256.Sum256(append([]byte(ex.method+"\n"), encode(own)...))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

func (ex *exchange) state(open []question) string {
	st := state{Request: ex.fingerprint(), Answers: ex.answers}
	for _, q := range open {
		st.Open = append(st.Open, q.key)
	}
	text := base64.RawURLEncoding.EncodeToString(encode(st))
	return text + "." + ex.srv.sign(text)
}

func (s *Server) sign(text string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// restore reads the state and the answers of a retry.
func (ex *exchange) restore() error {
	raw, retried := ex.params["requestState"]
	responses := members(ex.params["inputResponses"])
	if !retried {
		if len(responses) > 0 {
			return invalidParams("inputResponses without the requestState they belong to")
		}
		ex.answers = map[string]json.RawMessage{}
		return nil
	}
	st, err := ex.open(raw)
	if err != nil {
		return err
	}
	for _, key := range st.Open {
		answer, ok := responses[key]
		if !ok {
			return invalidParams("inputResponses lacks %q", key)
		}
		st.Answers[key] = answer
		delete(responses, key)
	}
	for key := range responses {
		return invalidParams("inputResponses has %q, which was not asked", key)
	}
	ex.answers = st.Answers
	return nil
}

func (ex *exchange) open(raw json.RawMessage) (*state, error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return nil, invalidParams("requestState is not a string")
	}
	body, sum, _ := strings.Cut(text, ".")
	if !hmac.Equal([]byte(sum), []byte(ex.srv.sign(body))) {
		return nil, invalidParams("requestState was changed or is not from here")
	}
	decoded, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return nil, invalidParams("requestState: %v", err)
	}
	st := &state{}
	if err := json.Unmarshal(decoded, st); err != nil {
		return nil, invalidParams("requestState: %v", err)
	}
	if st.Request != ex.fingerprint() {
		return nil, invalidParams("requestState belongs to another request")
	}
	if st.Answers == nil {
		st.Answers = map[string]json.RawMessage{}
	}
	return st, nil
}

// The questions that tools, prompts and resources ask.

func askForm(key, text string, properties obj, required ...string) question {
	schema := obj{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	params := obj{"mode": "form", "message": text, "requestedSchema": schema}
	return question{key, "elicitation/create", params, []string{"elicitation", "form"}}
}

func askURL(key, text, url string) question {
	params := obj{"mode": "url", "message": text, "url": url}
	return question{key, "elicitation/create", params, []string{"elicitation", "url"}}
}

func askModel(key, prompt string, maxTokens int) question {
	content := obj{"type": "text", "text": prompt}
	params := obj{"messages": []any{obj{"role": "user", "content": content}}, "maxTokens": maxTokens}
	return question{key, "sampling/createMessage", params, []string{"sampling"}}
}

func askRoots(key string) question {
	return question{key, "roots/list", obj{}, []string{"roots"}}
}

// accepted reads an elicitation answer: its content, and what to say when there is none.
func accepted(answer json.RawMessage) (content map[string]json.RawMessage, refusal string, err error) {
	fields := members(answer)
	switch action := stringAt(fields, "action"); action {
	case "accept":
		return members(fields["content"]), "", nil
	case "decline", "cancel":
		return nil, action, nil
	default:
		return nil, "", fmt.Errorf("elicitation answered with action %q", action)
	}
}
