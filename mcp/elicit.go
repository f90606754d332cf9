package mcp

// Elicitation: the server asks the user, in a form that the client shows or at a page that the user
// visits. Nothing is ever answered, opened or fetched without the application's handler.

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// FormRequest is a form that the server wants filled in.
type FormRequest struct {
	Asker
	// Params hold the question and the form: a flat object of simple fields, each of which is one of
	// the schema types of this package, for instance *StringSchema.
	Params *ElicitRequestFormParams
}

// A FormHandler puts a form to the user and returns what they did: ElicitAccept with what they
// entered, ElicitDecline or ElicitCancel. It should say which server asks, let the user look over
// the answer and refuse at any time, limit how often it is asked, and never enter a secret. ctx ends
// when nobody waits for the answer any more. It may be called by several calls at once.
//
// Fields left out of an accepted form get the form's defaults; what breaks the form is an error and
// is not sent.
type FormHandler func(ctx context.Context, req *FormRequest) (*ElicitResult, error)

// URLRequest is a page that the server wants the user to visit.
type URLRequest struct {
	Asker
	Params *ElicitRequestURLParams
	// Host is the host of the URL, to be shown apart from it.
	Host string
	// Suspicious says that the host has characters outside ASCII or is written in punycode, and so
	// may imitate another; warn the user.
	Suspicious bool
	// ElicitationID is the server's name for the visit, in 2025-11-25 only.
	ElicitationID string
}

// A URLHandler shows the whole URL and its host to the user, asks for consent, and only then opens
// the URL where neither this program nor a model can look: in the system's browser, started without
// a shell. Nothing may be fetched from the URL before. It returns ElicitAccept(nil), ElicitDecline
// or ElicitCancel; accepting means consent, not that the visit is over. The URL is https, or http to
// this machine; others never reach the handler. It may be called by several calls at once.
type URLHandler func(ctx context.Context, req *URLRequest) (*ElicitResult, error)

// WithElicitation lets the server ask the user through forms (2025-06-18 and later).
func WithElicitation(handle FormHandler) Option {
	return optionFunc(func(o *options) {
		if handle == nil {
			o.err = errors.New("the handler of forms is nil")
			return
		}
		o.inputs.form = handle
		o.declareElicitation()
	})
}

// WithURLElicitation lets the server send the user to pages (2025-11-25 and later). A 2025-11-25 call
// that fails with CodeURLElicitationRequired is made again once the user has consented to all its
// pages and the server has reported them done, or after a while without a report.
func WithURLElicitation(handle URLHandler) Option {
	return optionFunc(func(o *options) {
		if handle == nil {
			o.err = errors.New("the handler of URLs is nil")
			return
		}
		o.inputs.page, o.inputs.visits = handle, newVisits()
		o.observers = append(o.observers, o.inputs.visits.observe)
		o.declareElicitation()
	})
}

// ElicitAccept accepts a form with values by field: strings, booleans, numbers and lists of strings.
// With nil it consents to a visit, or accepts a form as its defaults have it.
func ElicitAccept(content map[string]any) *ElicitResult {
	result := &ElicitResult{Action: v20260728.ElicitResultActionAccept}
	if content != nil {
		result.Content = map[string]ElicitResultContentValue{}
	}
	for key, value := range content {
		result.Content[key] = elicitValue(value)
	}
	return result
}

// ElicitDecline says that the user refused.
func ElicitDecline() *ElicitResult {
	return &ElicitResult{Action: v20260728.ElicitResultActionDecline}
}

// ElicitCancel says that the user turned away without a choice.
func ElicitCancel() *ElicitResult {
	return &ElicitResult{Action: v20260728.ElicitResultActionCancel}
}

// elicitValue keeps numbers in the digits that encoding gives them. What cannot be encoded is found
// when the form is checked.
func elicitValue(value any) ElicitResultContentValue {
	w := jsonwire.NewWriter(nil)
	w.Any(value)
	r := jsonwire.NewReader(w.Bytes())
	if w.Err() == nil && r.Kind() != jsonwire.KindNumber {
		if known := v20260728.ReadElicitResultContentValue(r); r.End() == nil {
			return known
		}
	}
	return &v20260728.UnknownElicitResultContentValue{Unknown: jsonwire.Unknown{Raw: w.Bytes()}}
}

// declareElicitation declares the modes that have a handler (C-177).
func (o *options) declareElicitation() {
	o.capabilities["elicitation"] = func(w *jsonwire.Writer, version string) bool {
		form, page := o.inputs.elicits(version)
		if !form && !page {
			return false
		}
		w.BeginObject()
		if version >= Version20251125 && form {
			w.Member(`"form":{}`)
		}
		if page {
			w.Member(`"url":{}`)
		}
		w.EndObject()
		return true
	}
	o.serves[methodElicit] = serveInput(methodElicit)
}

// elicits reports which modes can be asked for in version.
func (h *inputHandlers) elicits(version string) (form, page bool) {
	return h.form != nil && version >= Version20250618, h.page != nil && version >= Version20251125
}

// elicitation checks one request to ask the user; without a mode it is about a form (C-178).
func (h *inputHandlers) elicitation(from Asker, params []byte) (question, error) {
	form, page := h.elicits(from.Version)
	mode := jsonwire.NewReader(params).Tag("mode")
	switch {
	case !form && !page:
		return nil, ErrNoInputHandler
	case mode == "" || mode == `"form`:
		if !form {
			return nil, h.undeclared(from, "form")
		}
		return h.askForm(from, params)
	case mode == `"url`:
		if !page {
			return nil, h.undeclared(from, "url")
		}
		return h.askVisit(from, params)
	}
	return nil, refuse(CodeInvalidParams, "elicitation mode %s is not known", printable(mode))
}

// undeclared refuses a mode without a handler (C-171, C-179).
func (h *inputHandlers) undeclared(from Asker, mode string) error {
	if from.Version >= Version20260728 {
		return fmt.Errorf("elicitation mode %q: %w", mode, ErrNoInputHandler)
	}
	return refuse(CodeInvalidParams, "elicitation mode %q is not supported", mode)
}

func (h *inputHandlers) askForm(from Asker, params []byte) (question, error) {
	req := &FormRequest{Asker: from, Params: &ElicitRequestFormParams{}}
	if err := jsonwire.Unmarshal(params, req.Params); err != nil {
		return nil, malformed(err)
	}
	schema := &req.Params.RequestedSchema
	if err := flatten(schema); err != nil {
		return nil, refuse(CodeInvalidParams, "params: requestedSchema: %w", err)
	}
	return func(ctx context.Context) (jsonwire.Appender, error) {
		result, err := h.form(ctx, req)
		if err != nil {
			return nil, err
		}
		if err := checkAction(result); err != nil || result.Action != v20260728.ElicitResultActionAccept {
			return withoutContent(result), err
		}
		content, err := completeForm(schema, result.Content)
		if err != nil {
			return nil, fmt.Errorf("the answer does not fit the form: %w", err)
		}
		return &ElicitResult{Action: result.Action, Content: content, Extra: result.Extra}, nil
	}, nil
}

func (h *inputHandlers) askVisit(from Asker, params []byte) (question, error) {
	req := &URLRequest{Asker: from, Params: &ElicitRequestURLParams{}}
	if err := jsonwire.Unmarshal(params, req.Params); err != nil {
		return nil, malformed(err)
	}
	if err := req.fill(); err != nil {
		return nil, refuse(CodeInvalidParams, "params: url: %w", err)
	}
	return func(ctx context.Context) (jsonwire.Appender, error) {
		result, err := h.page(ctx, req)
		if err == nil {
			err = checkAction(result)
		}
		if err != nil {
			return nil, err
		}
		return withoutContent(result), nil
	}, nil
}

func checkAction(result *ElicitResult) error {
	switch {
	case result == nil:
		return errors.New("the handler returned no result")
	case result.Action.Validate() != nil:
		return fmt.Errorf("the handler returned the action %q", result.Action)
	}
	return nil
}

// withoutContent drops the content, which belongs to an accepted form only (C-180).
func withoutContent(result *ElicitResult) *ElicitResult {
	if result == nil {
		return nil
	}
	return &ElicitResult{Action: result.Action, Extra: result.Extra}
}
