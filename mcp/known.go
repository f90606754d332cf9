package mcp

// What lists have shown of the server's tools. The newest list counts, whatever its age (C-126, B121).

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"github.com/mcpgen/mcpgen/internal/validation"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

type knownTool struct {
	name    string
	headers []HeaderBinding
	output  *Schema // nil: no output schema
	// repeatable says that the tool calls itself read-only or idempotent.
	repeatable bool
	tasks      taskSupport
	app        bool // pages of the server may call the tool (MCP Apps)
}

type knownTools struct {
	mu    sync.RWMutex
	tools map[string]*knownTool
}

// get returns nil for a tool that no list has shown.
func (k *knownTools) get(name string) *knownTool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.tools[name]
}

// learn takes one tool of a list.
func (k *knownTools) learn(name string, t *knownTool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.tools == nil {
		k.tools = map[string]*knownTool{}
	}
	k.tools[name] = t
}

// lookUp returns what a list says of a tool, asking for the list if none has shown the tool yet; nil if
// the server does not list it.
func (c *Client) lookUp(ctx context.Context, name string) (*knownTool, error) {
	if known := c.tools.get(name); known != nil {
		return known, nil
	}
	for tool, err := range c.Tools(ctx) {
		if err != nil {
			return nil, err
		}
		if tool.Name == name {
			break
		}
	}
	return c.tools.get(name), nil
}

// bindings returns the header bindings to use: those of the newest list, else those of the generator (C-133).
func (t *knownTool) bindings(generated []HeaderBinding) headerBindings {
	if t == nil {
		return generated
	}
	return t.headers
}

// checkOutput checks the structured content of an untyped call. A schema that cannot be used costs
// only the check (B100), unless it refers to another document: what that would demand is unknown, and
// not to be taken for nothing (C-250).
func (t *knownTool) checkOutput(logger *slog.Logger, content json.RawMessage, present bool) error {
	if t == nil || t.output == nil {
		return nil
	}
	if !present {
		return errNoStructure
	}
	var v jsonwire.Validator
	err := t.output.check(&v, "", content)
	if errors.As(err, new(*validation.ExternalError)) {
		return err
	}
	if err != nil {
		logger.Warn("mcp: structured output not validated", "tool", printable(t.name), "error", err)
		return nil
	}
	return v.Err()
}
