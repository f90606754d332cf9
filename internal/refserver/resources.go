package refserver

// Resources and resource templates. Reading a template's resource takes the URI apart again
// with its own small parser, so that wrong expansion on the client's side shows.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

const (
	noteURI    = "ref://notes/welcome"
	noteText   = "Welcome to the reference server."
	dotURI     = "ref://images/dot"
	counterURI = "ref://state/counter"
	diaryURI   = "ref://private/diary"
	extraURI   = "ref://notes/surprise"
)

func (ex *exchange) resources() []obj {
	all := []obj{
		{"uri": noteURI, "name": "welcome", "title": "Welcome note", "description": "A short text.", "mimeType": "text/plain", "size": len(noteText)},
		{"uri": dotURI, "name": "dot", "description": "A picture of one pixel.", "mimeType": "image/png"},
		{"uri": counterURI, "name": "counter", "description": "Counts how often it was touched.", "mimeType": "application/json",
			"annotations": obj{"audience": []string{"assistant"}, "priority": 1}},
		{"uri": diaryURI, "name": "diary", "description": "Is shown only to who asks nicely.", "mimeType": "text/plain"},
	}
	if ex.srv.catalog.shows("resources") {
		all = append(all, obj{"uri": extraURI, "name": "surprise", "mimeType": "text/plain"})
	}
	if !ex.since(V20250618) {
		for _, r := range all {
			delete(r, "title")
		}
	}
	return all
}

func serveResourcesList(_ context.Context, ex *exchange) (obj, error) {
	var all []any
	for _, r := range ex.resources() {
		all = append(all, r)
	}
	return ex.page("resources", all)
}

func serveTemplatesList(_ context.Context, ex *exchange) (obj, error) {
	return ex.page("resourceTemplates", []any{
		obj{"uriTemplate": "ref://tickets/{id}", "name": "ticket", "description": "One ticket.", "mimeType": "application/json"},
		obj{"uriTemplate": "ref://search{?q,limit}", "name": "search", "description": "What a search finds.", "mimeType": "application/json"},
		obj{"uriTemplate": "ref://files/{+path}", "name": "file", "description": "A file at any depth.", "mimeType": "text/plain"},
	})
}

func serveResourcesRead(ctx context.Context, ex *exchange) (obj, error) {
	return withInput(ex, func() (obj, error) {
		contents, err := ex.read(ctx, ex.name())
		if err != nil {
			return nil, err
		}
		result := obj{"contents": contents}
		if ex.name() == counterURI && ex.modern() {
			result["ttlMs"], result["cacheScope"] = 1000, "private"
		}
		return result, nil
	})
}

func textContents(uri, mimeType, text string) []any {
	return []any{obj{"uri": uri, "mimeType": mimeType, "text": text}}
}

func (ex *exchange) read(ctx context.Context, uri string) ([]any, error) {
	switch uri {
	case noteURI:
		return textContents(uri, "text/plain", noteText), nil
	case dotURI:
		return []any{obj{"uri": uri, "mimeType": "image/png", "blob": dot}}, nil
	case counterURI:
		return textContents(uri, "application/json", fmt.Sprintf(`{"updates":%d}`, ex.srv.catalog.updates(uri))), nil
	case diaryURI:
		return ex.readDiary(ctx)
	case extraURI:
		if ex.srv.catalog.shows("resources") {
			return textContents(uri, "text/plain", "surprise!"), nil
		}
	}
	if contents := readTemplate(uri); contents != nil {
		return contents, nil
	}
	return nil, ex.notFound(uri)
}

func (ex *exchange) notFound(uri string) error {
	err := &rpcError{Code: codeResourceNotFound, Message: "resource not found", Data: obj{"uri": uri}}
	if ex.modern() {
		err.Code, err.status = codeInvalidParams, http.StatusOK
	}
	return err
}

func (ex *exchange) readDiary(ctx context.Context) ([]any, error) {
	answers, err := ex.input(ctx, askForm("word", "What is the magic word?", obj{"word": obj{"type": "string"}}, "word"))
	if err != nil {
		return nil, err
	}
	content, _, err := accepted(answers["word"])
	if err != nil {
		return nil, err
	}
	if stringAt(content, "word") != "please" {
		return textContents(diaryURI, "text/plain", "The diary stays closed."), nil
	}
	return textContents(diaryURI, "text/plain", "Dear diary, today a client was polite."), nil
}

// readTemplate reads what the three templates expand to; nil when the URI is none of theirs.
func readTemplate(uri string) []any {
	if raw, ok := strings.CutPrefix(uri, "ref://tickets/"); ok && raw != "" && !strings.ContainsAny(raw, "/?#") {
		id, err := url.PathUnescape(raw)
		if err != nil {
			return nil
		}
		return textContents(uri, "application/json", string(encode(obj{"id": id, "open": true})))
	}
	if query, ok := strings.CutPrefix(uri, "ref://search"); ok && (query == "" || query[0] == '?') {
		values, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
		if err != nil {
			return nil
		}
		return textContents(uri, "application/json", string(encode(obj{"q": values["q"], "limit": values["limit"]})))
	}
	if path, ok := strings.CutPrefix(uri, "ref://files/"); ok && path != "" {
		return textContents(uri, "text/plain", "contents of "+path)
	}
	return nil
}
