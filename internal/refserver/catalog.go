package refserver

// The catalog: every tool, how it is listed in each version, and how a call reaches it.

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

type tool struct {
	name, title, about string
	input, output      string // JSON Schema; no output schema when empty
	hints              obj    // annotations
	tasks              string // execution.taskSupport
	run                func(context.Context, *exchange, json.RawMessage) (*toolResult, error)

	inputSchema, outputSchema map[string]any
	bindings                  []binding
}

type toolResult struct {
	content    []any
	structured json.RawMessage
	isError    bool
}

// say is a result of text alone.
func say(format string, args ...any) *toolResult {
	return &toolResult{content: []any{textBlock(fmt.Sprintf(format, args...))}}
}

// give is a result of structured content, which the text repeats.
func give(v any) *toolResult {
	raw, ok := v.(json.RawMessage)
	if !ok {
		raw = encode(v)
	}
	return &toolResult{content: []any{textBlock(string(raw))}, structured: raw}
}

func textBlock(text string) obj { return obj{"type": "text", "text": text} }

// catalog holds what is offered. The tools are fixed but for one that can be switched on.
type catalog struct {
	tools  []*tool
	byName map[string]*tool

	mu      sync.Mutex
	extra   map[string]bool // lists ("tools", "prompts", "resources") that show their extra entry
	touched map[string]int  // how often each resource was updated
}

func newCatalog() *catalog {
	c := &catalog{byName: map[string]*tool{}, extra: map[string]bool{}, touched: map[string]int{}}
	for _, group := range [][]*tool{plainTools(), shapeTools(), outputTools(), liveTools(), askingTools(), changeTools()} {
		for _, t := range group {
			t.compile()
			c.tools = append(c.tools, t)
			c.byName[t.name] = t
		}
	}
	return c
}

func (t *tool) compile() {
	t.inputSchema = mustParse(t.name, t.input)
	if t.output != "" {
		t.outputSchema = mustParse(t.name, t.output)
	}
	t.bindings = bindings(t.inputSchema, nil)
}

func mustParse(name, text string) map[string]any {
	v, err := parse([]byte(text))
	schema, ok := v.(map[string]any)
	if err != nil || !ok {
		panic(fmt.Sprintf("refserver: the schema of tool %s: %v", name, err))
	}
	return schema
}

func (c *catalog) tool(name string) *tool {
	t := c.byName[name]
	if t != nil && t.name == extraTool && !c.shows("tools") {
		return nil
	}
	return t
}

func (c *catalog) shows(list string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.extra[list]
}

// flip shows or hides the extra entry of a list.
func (c *catalog) flip(list string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.extra[list] = !c.extra[list]
	return c.extra[list]
}

func (c *catalog) touch(uri string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.touched[uri]++
	return c.touched[uri]
}

func (c *catalog) updates(uri string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.touched[uri]
}

func serveToolsList(_ context.Context, ex *exchange) (obj, error) {
	var all []any
	for _, t := range ex.srv.catalog.tools {
		if ex.srv.catalog.tool(t.name) != nil {
			all = append(all, t.listed(ex.version))
		}
	}
	return ex.page("tools", all)
}

// listed is the tool as a version shows it.
func (t *tool) listed(version string) obj {
	o := obj{"name": t.name, "description": t.about, "inputSchema": json.RawMessage(t.input)}
	if version >= V20250326 && t.hints != nil {
		o["annotations"] = t.hints
	}
	if version >= V20250618 && t.title != "" {
		o["title"] = t.title
	}
	if t.promises(version) {
		o["outputSchema"] = json.RawMessage(t.output)
	}
	if version == V20251125 && t.tasks != "" {
		o["execution"] = obj{"taskSupport": t.tasks}
	}
	return o
}

// promises reports whether the tool has an output schema in that version: before 2026-07-28 only
// objects could be promised, before 2025-06-18 nothing.
func (t *tool) promises(version string) bool {
	if t.output == "" || version < V20250618 {
		return false
	}
	return isModernVersion(version) || t.outputSchema["type"] == "object"
}

func serveToolsCall(ctx context.Context, ex *exchange) (obj, error) {
	t := ex.srv.catalog.tool(ex.name())
	if t == nil {
		return nil, invalidParams("unknown tool %q", ex.name())
	}
	args, ok := ex.params["arguments"]
	if !ok {
		args = json.RawMessage("{}")
	}
	if members(args) == nil {
		return nil, invalidParams("arguments is not an object")
	}
	if err := checkJSON(t.inputSchema, args); err != nil {
		if ex.since(V20251125) {
			return ex.shown(t, &toolResult{content: say("invalid arguments: %v", err).content, isError: true}), nil
		}
		return nil, invalidParams("invalid arguments: %v", err)
	}
	work := func(ctx context.Context, ex *exchange) (obj, error) {
		return withInput(ex, func() (obj, error) {
			result, err := t.run(ctx, ex, args)
			if err != nil {
				return nil, err
			}
			return ex.shown(t, result), nil
		})
	}
	if asTask, err := ex.asTask(t); err != nil || asTask {
		return ex.taskStarted(work, err)
	}
	return work(ctx, ex)
}

// asTask decides whether a call becomes a task: in 2025-11-25 the client asks for it, with the
// extension the server decides, and every tool that can does.
func (ex *exchange) asTask(t *tool) (bool, error) {
	_, asked := ex.params["task"]
	switch {
	case ex.modern():
		return t.tasks != "" && ex.needTasks() == nil, nil
	case ex.version != V20251125:
		return false, nil
	case asked && t.tasks == "":
		return false, &rpcError{Code: codeMethodNotFound, Message: fmt.Sprintf("tool %q cannot run as a task", t.name)}
	case !asked && t.tasks == "required":
		return false, &rpcError{Code: codeMethodNotFound, Message: fmt.Sprintf("tool %q runs as a task only", t.name)}
	}
	return asked, nil
}

func (ex *exchange) taskStarted(work func(context.Context, *exchange) (obj, error), err error) (obj, error) {
	if err != nil {
		return nil, err
	}
	if !ex.modern() {
		t := ex.startTask(members(ex.params["task"])["ttl"], work)
		return obj{"task": t.legacyView()}, nil
	}
	t := ex.startTask(nil, work)
	t.mu.Lock()
	defer t.mu.Unlock()
	v := t.summary()
	v["resultType"] = "task"
	return v, nil
}

// shown is a tool's result as the version shows it.
func (ex *exchange) shown(t *tool, r *toolResult) obj {
	result := obj{"content": r.content}
	if r.isError {
		result["isError"] = true
	}
	if r.structured == nil || !ex.since(V20250618) {
		return result
	}
	if ex.modern() || r.structured[0] == '{' {
		result["structuredContent"] = r.structured
	}
	return result
}
