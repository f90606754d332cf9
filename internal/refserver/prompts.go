package refserver

// Prompts, and completion of prompt arguments and template variables.

import (
	"context"
	"encoding/json"
	"strings"
)

type prompt struct {
	name, title, about string
	arguments          []any
	get                func(context.Context, *exchange, map[string]string) ([]any, error)
}

func argument(name, about string, required bool) obj {
	return obj{"name": name, "description": about, "required": required}
}

func userText(text string) obj { return obj{"role": "user", "content": textBlock(text)} }

const extraPrompt = "surprise"

var prompts = []prompt{
	{name: "daily_greeting", title: "Daily greeting", about: "Asks for a friendly greeting for today. Takes no arguments.",
		get: func(context.Context, *exchange, map[string]string) ([]any, error) {
			return []any{userText("Write a friendly greeting for today.")}, nil
		}},
	{name: "review_text", title: "Review text", about: "Asks for a review of a text, in a tone and of a length.",
		arguments: []any{argument("text", "The text to review.", true), argument("tone", "The tone of the review.", false), argument("length", "Short or long.", false)},
		get: func(_ context.Context, _ *exchange, args map[string]string) ([]any, error) {
			return []any{
				userText("Review this text in a " + or(args["tone"], "neutral") + " tone, " + or(args["length"], "short") + ": " + args["text"]),
				obj{"role": "assistant", "content": textBlock("I have read it.")},
			}, nil
		}},
	{name: "explain-note", about: "Asks for an explanation of a note, which comes along as a resource with a picture.",
		arguments: []any{argument("noteId", "The note's id.", true)},
		get: func(_ context.Context, _ *exchange, args map[string]string) ([]any, error) {
			uri := "ref://notes/" + args["noteId"]
			return []any{
				obj{"role": "user", "content": obj{"type": "resource", "resource": obj{"uri": uri, "mimeType": "text/plain", "text": "note " + args["noteId"]}}},
				obj{"role": "user", "content": obj{"type": "image", "data": dot, "mimeType": "image/png"}},
			}, nil
		}},
	{name: "personal_greeting", about: "Asks the user for a name before it writes the greeting.",
		get: func(ctx context.Context, ex *exchange, _ map[string]string) ([]any, error) {
			answers, err := ex.input(ctx, askForm("name", "What is your name?", obj{"name": obj{"type": "string"}}, "name"))
			if err != nil {
				return nil, err
			}
			content, _, err := accepted(answers["name"])
			return []any{userText("Greet " + or(stringAt(content, "name"), "a stranger") + ".")}, err
		}},
	{name: extraPrompt, about: "Is there only after change_list has put it into the list of prompts.",
		get: func(context.Context, *exchange, map[string]string) ([]any, error) {
			return []any{userText("Surprise me.")}, nil
		}},
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (ex *exchange) prompt(name string) *prompt {
	for i, p := range prompts {
		if p.name == name && (name != extraPrompt || ex.srv.catalog.shows("prompts")) {
			return &prompts[i]
		}
	}
	return nil
}

func servePromptsList(_ context.Context, ex *exchange) (obj, error) {
	var all []any
	for _, p := range prompts {
		if ex.prompt(p.name) == nil {
			continue
		}
		o := obj{"name": p.name, "description": p.about}
		if p.arguments != nil {
			o["arguments"] = p.arguments
		}
		if p.title != "" && ex.since(V20250618) {
			o["title"] = p.title
		}
		all = append(all, o)
	}
	return ex.page("prompts", all)
}

func servePromptsGet(ctx context.Context, ex *exchange) (obj, error) {
	p := ex.prompt(ex.name())
	if p == nil {
		return nil, invalidParams("unknown prompt %q", ex.name())
	}
	args := map[string]string{}
	if raw, ok := ex.params["arguments"]; ok {
		if json.Unmarshal(raw, &args) != nil || string(raw) == "null" {
			return nil, invalidParams("arguments of a prompt are strings: %s", raw)
		}
	}
	for _, a := range p.arguments {
		name := a.(obj)["name"].(string)
		if _, ok := args[name]; !ok && a.(obj)["required"] == true {
			return nil, invalidParams("prompt %q lacks argument %q", p.name, name)
		}
	}
	return withInput(ex, func() (obj, error) {
		messages, err := p.get(ctx, ex, args)
		if err != nil {
			return nil, err
		}
		return obj{"description": p.about, "messages": messages}, nil
	})
}

// completions holds what can be completed: the candidates by "prompt or template" and argument.
var completions = map[string][]string{
	"review_text tone":         {"cheerful", "cold", "formal", "friendly", "neutral"},
	"review_text length":       {"short", "long"},
	"explain-note noteId":      {"welcome", "farewell"},
	"ref://tickets/{id} id":    {"T-1", "T-2", "T-10", "T-21"},
	"ref://search{?q,limit} q": {"apples", "apricots", "bananas"},
	"ref://files/{+path} path": {"docs/readme.txt", "docs/guide.txt", "src/main.go"},
}

func serveComplete(_ context.Context, ex *exchange) (obj, error) {
	var in struct {
		Ref      struct{ Type, Name, URI string }
		Argument *struct{ Name, Value string }
		Context  struct{ Arguments map[string]string }
	}
	if err := json.Unmarshal(encode(ex.params), &in); err != nil || in.Argument == nil {
		return nil, invalidParams("completion/complete needs ref and argument")
	}
	subject := in.Ref.URI
	switch in.Ref.Type {
	case "ref/prompt":
		if subject = in.Ref.Name; ex.prompt(subject) == nil {
			return nil, invalidParams("unknown prompt %q", subject)
		}
	case "ref/resource":
	default:
		return nil, invalidParams("unknown reference type %q", in.Ref.Type)
	}
	values := []string{}
	for _, candidate := range completions[subject+" "+in.Argument.Name] {
		if strings.HasPrefix(candidate, in.Argument.Value) {
			values = append(values, candidate)
		}
	}
	if tone, ok := in.Context.Arguments["tone"]; ok && in.Argument.Name == "length" && tone == "cold" {
		values = []string{"short"}
	}
	return obj{"completion": obj{"values": values, "total": len(values), "hasMore": false}}, nil
}
