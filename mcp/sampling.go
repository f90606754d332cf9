package mcp

// Sampling: the server asks for a message of the client's model. The conversation is checked before
// the application sees it, and the message before the server does.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// SamplingRequest is a conversation that the model is to continue.
type SamplingRequest struct {
	Asker
	// Params hold the conversation. MaxTokens must be respected, the rest may be. Tools are for the
	// model alone, in this request alone: the server runs them, never call them through this client.
	Params *CreateMessageRequestParams
}

// A SamplingHandler has the model continue a conversation. It should show the user both the request
// and the message, let them refuse with ErrUserRejected, limit how often and how long it is asked,
// and give away no other server's context without consent. ctx ends when nobody waits for the answer
// any more. It may be called by several calls at once.
//
// The message needs content and a model; the role is the assistant's if left empty.
type SamplingHandler func(ctx context.Context, req *SamplingRequest) (*CreateMessageResult, error)

// ErrUserRejected is what a SamplingHandler returns when the user refuses.
var ErrUserRejected = errors.New("the user rejected the sampling request")

// A SamplingOption says what more a SamplingHandler can do.
type SamplingOption interface{ applySampling(*samplingAbilities) }

type samplingAbilities struct{ tools, context bool }

type samplingOptionFunc func(*samplingAbilities)

func (f samplingOptionFunc) applySampling(a *samplingAbilities) { f(a) }

// SamplingTools says that the model can be given tools (2025-11-25 and later). Without it a request
// with tools is refused.
func SamplingTools() SamplingOption {
	return samplingOptionFunc(func(a *samplingAbilities) { a.tools = true })
}

// SamplingContext says that context of servers can be included. The protocol deprecates it.
func SamplingContext() SamplingOption {
	return samplingOptionFunc(func(a *samplingAbilities) { a.context = true })
}

// WithSampling lets the server use the client's model. MCP 2026-07-28 deprecates sampling: new
// applications should do without, but servers may still ask.
func WithSampling(handle SamplingHandler, opts ...SamplingOption) Option {
	return optionFunc(func(o *options) {
		if handle == nil {
			o.err = errors.New("the handler of sampling is nil")
			return
		}
		o.inputs.sample, o.inputs.model = handle, samplingAbilities{}
		for _, opt := range opts {
			opt.applySampling(&o.inputs.model)
		}
		o.capabilities["sampling"] = o.inputs.model.write
		o.serves[methodCreateMessage] = serveInput(methodCreateMessage)
	})
}

func (a samplingAbilities) write(w *jsonwire.Writer, version string) bool {
	w.BeginObject()
	if version >= Version20251125 {
		if a.context {
			w.Member(`"context":{}`)
		}
		if a.tools {
			w.Member(`"tools":{}`)
		}
	}
	w.EndObject()
	return true
}

// PickModel chooses the model that preferences hint at: the first hint that is part of a name among
// available wins (C-199). It reports false if no hint fits; then only the priorities are left to go by.
func PickModel(preferences *ModelPreferences, available []string) (model string, ok bool) {
	if preferences == nil {
		return "", false
	}
	for _, hint := range preferences.Hints {
		if hint.Name == nil || *hint.Name == "" {
			continue
		}
		i := slices.IndexFunc(available, func(name string) bool {
			return strings.Contains(strings.ToLower(name), strings.ToLower(*hint.Name))
		})
		if i >= 0 {
			return available[i], true
		}
	}
	return "", false
}

// sampling checks one request for a message.
func (h *inputHandlers) sampling(from Asker, params []byte) (question, error) {
	if h.sample == nil {
		return nil, ErrNoInputHandler
	}
	req := &SamplingRequest{Asker: from, Params: &CreateMessageRequestParams{}}
	if err := jsonwire.Unmarshal(params, req.Params); err != nil {
		return nil, malformed(err)
	}
	tools := h.model.tools && from.Version >= Version20251125
	if !tools && (req.Params.Tools != nil || req.Params.ToolChoice != nil) {
		return nil, refuse(CodeInvalidParams, "tools and toolChoice need the capability sampling.tools") // C-201
	}
	if err := checkConversation(req.Params.Messages); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (jsonwire.Appender, error) {
		result, err := h.sample(ctx, req)
		if err != nil {
			return nil, err
		}
		return checkMessage(req, result)
	}, nil
}

// checkConversation checks that uses of tools and their results pair up (C-203).
func checkConversation(messages []SamplingMessage) error {
	var open []string
	for i := range messages {
		blocks := blocksOf(messages[i].Content)
		var results []string
		for _, block := range blocks {
			if result, ok := block.(*v20260728.ToolResultContent); ok {
				results = append(results, result.ToolUseID)
			}
		}
		if len(results) > 0 && len(results) < len(blocks) {
			return refuse(CodeInvalidParams, "Tool results mixed with other content")
		}
		if slices.ContainsFunc(open, func(id string) bool { return !slices.Contains(results, id) }) {
			return refuse(CodeInvalidParams, "Tool result missing in request")
		}
		if open = nil; messages[i].Role == v20260728.RoleAssistant {
			open = usesIn(blocks)
		}
	}
	if len(open) > 0 {
		return refuse(CodeInvalidParams, "Tool result missing in request")
	}
	return nil
}

func usesIn(blocks []any) (ids []string) {
	for _, block := range blocks {
		if use, ok := block.(*v20260728.ToolUseContent); ok {
			ids = append(ids, use.ID)
		}
	}
	return ids
}

// blocksOf returns the blocks of content that may be one block or a list (C-202).
func blocksOf(content any) (blocks []any) {
	switch c := content.(type) {
	case nil:
	case v20260728.SamplingMessageContentArray:
		for _, block := range c {
			blocks = append(blocks, block)
		}
	case v20260728.CreateMessageResultContentArray:
		for _, block := range c {
			blocks = append(blocks, block)
		}
	default:
		blocks = append(blocks, c)
	}
	return blocks
}

// checkMessage checks what the handler gives (C-204, C-205) and puts it as version has it: one block
// before 2025-11-25, and a list only since.
func checkMessage(req *SamplingRequest, result *CreateMessageResult) (*CreateMessageResult, error) {
	if result == nil {
		return nil, errors.New("the handler returned no message")
	}
	message := *result
	if message.Role == "" {
		message.Role = v20260728.RoleAssistant
	}
	blocks := blocksOf(message.Content)
	switch {
	case message.Model == "":
		return nil, errors.New("the message names no model")
	case len(blocks) == 0:
		return nil, errors.New("the message has no content")
	case len(usesIn(blocks)) > 0 && !mayUseTools(req.Params):
		return nil, errors.New("the message uses a tool although the request allows none")
	}
	if list, ok := message.Content.(v20260728.CreateMessageResultContentArray); ok && req.Version < Version20251125 {
		if len(list) > 1 {
			return nil, fmt.Errorf("the message has %d blocks, but MCP %s allows one", len(list), req.Version)
		}
		single, ok := list[0].(CreateMessageResultContent)
		if !ok {
			return nil, fmt.Errorf("the message has a block of type %T", list[0])
		}
		message.Content = single
	}
	return &message, message.Validate()
}

func mayUseTools(params *CreateMessageRequestParams) bool {
	choice := params.ToolChoice
	return len(params.Tools) > 0 && (choice == nil || choice.Mode == nil || *choice.Mode != v20260728.ToolChoiceModeNone)
}
