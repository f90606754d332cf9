package mcp

// What only 2025-11-25 has: the server says which requests and which tools may be tasks, the client
// asks for one, lists them, and fetches the result with a request of its own (C-274 … C-285).

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// taskSupport is execution.taskSupport of a tool.
type taskSupport string

const (
	taskOptional taskSupport = "optional"
	taskRequired taskSupport = "required"
)

// capabilityTaskCalls is the capability that a server needs for tool calls as tasks.
const capabilityTaskCalls = "tasks.requests.tools.call"

// coreTasks is the server's capability "tasks" of 2025-11-25.
type coreTasks struct{ calls, cancel, list bool }

func (x *coreTasks) ReadJSON(r *jsonwire.Reader) {
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "cancel":
			x.cancel = declared(r)
		case "list":
			x.list = declared(r)
		case "requests":
			x.calls = hasPath(r.RawNoCopy(), "tools", "call")
		default:
			r.Skip()
		}
	}
}

// declared reports whether a capability is there; null is not.
func declared(r *jsonwire.Reader) bool {
	if r.Null() {
		return false
	}
	r.Skip()
	return true
}

// hasPath reports whether nested objects have the members of path.
func hasPath(text []byte, path ...string) bool {
	for _, name := range path {
		r := jsonwire.NewReader(text)
		if r.Kind() != jsonwire.KindObject {
			return false
		}
		text = nil
		for r.BeginObject(); r.NextMember(); {
			if r.KeyString() == name && r.Kind() != jsonwire.KindNull {
				text = r.RawNoCopy()
			} else {
				r.Skip()
			}
		}
		if text == nil || r.Err() != nil {
			return false
		}
	}
	return true
}

// coreTasks tells what the server does with tasks of 2025-11-25: nothing in any other version.
func (s *Session) coreTasks() coreTasks {
	var x coreTasks
	if s.Version != Version20251125 {
		return x
	}
	raw := s.Capabilities.Extra["tasks"]
	if len(raw) == 0 || jsonwire.Unmarshal(raw, &x) != nil {
		return coreTasks{}
	}
	return x
}

// readTaskSupport reads a tool's execution.
func readTaskSupport(r *jsonwire.Reader) (support taskSupport) {
	lenient(r, func() {
		for r.BeginObject(); r.NextMember(); {
			if string(r.Key()) == "taskSupport" {
				support = taskSupport(r.String())
			} else {
				r.Skip()
			}
		}
	})
	return support
}

// askTask is params.task of a call.
func askTask(o *taskOptions) json.RawMessage {
	if o.ttl <= 0 {
		return json.RawMessage(`{}`)
	}
	return fmt.Appendf(nil, `{"ttl":%d}`, o.ttl.Milliseconds())
}

// allowTask says whether a tool may be started as a task, looking into the server's list if the tool is
// not known yet (C-275).
func (c *Client) allowTask(ctx context.Context, s Session, name string) error {
	if !s.coreTasks().calls && !c.opts.unchecked {
		return &UnsupportedError{Method: methodCallTool, Version: s.Version, Capability: capabilityTaskCalls}
	}
	known, err := c.lookUp(ctx, name)
	if err != nil {
		return err
	}
	if known == nil || known.tasks != taskOptional && known.tasks != taskRequired {
		return fmt.Errorf("tool %q: %w", name, ErrNoTask)
	}
	return nil
}

// mustBeTask reports whether a plain call of a tool has to be made a task (C-275).
func (c *Client) mustBeTask(name string) bool {
	if c.opts.withoutTasks {
		return false
	}
	if known := c.tools.get(name); known == nil || known.tasks != taskRequired {
		return false
	}
	s := c.Session()
	return s.coreTasks().calls
}

// List returns the tasks that a 2025-11-25 server keeps for this client, walking all pages (C-282). The
// extension has no such list: the error is an *UnsupportedError.
func (t *Tasks) List(ctx context.Context, opts ...CallOption) ([]TaskState, error) {
	s := t.client.Session()
	if err := admit(methodListTasks, s.Version, nil); err != nil {
		return nil, err
	}
	if !s.coreTasks().list && !t.client.opts.unchecked {
		return nil, &UnsupportedError{Method: methodListTasks, Version: s.Version, Capability: "tasks.list"}
	}
	return collect(ctx, t.client, &taskListing, opts)
}

var taskListing = listing[TaskState]{methodListTasks, "tasks", func(_ *Client, r *jsonwire.Reader, x *TaskState) bool {
	var wire taskWire
	wire.ReadJSON(r)
	*x = wire.TaskState
	return true
}}

// tied puts the task that a request of the server belongs to into the answer (C-280).
func tied(params []byte, result jsonwire.Appender) jsonwire.Appender {
	if related := relatedTask(params); related != nil && result != nil {
		return tiedResult{result, related}
	}
	return result
}

// relatedTask returns the member of params._meta that names a task.
func relatedTask(params []byte) (related json.RawMessage) {
	r := jsonwire.NewReader(params)
	if len(params) == 0 || r.Kind() != jsonwire.KindObject {
		return nil
	}
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) != "_meta" || r.Kind() != jsonwire.KindObject {
			r.Skip()
			continue
		}
		for r.BeginObject(); r.NextMember(); {
			if string(r.Key()) == metaRelatedTask && r.Kind() == jsonwire.KindObject {
				related = r.Raw()
			} else {
				r.Skip()
			}
		}
	}
	return related
}

type tiedResult struct {
	result  jsonwire.Appender
	related json.RawMessage
}

func (x tiedResult) WriteJSON(w *jsonwire.Writer) {
	own := jsonwire.NewWriter(nil)
	x.result.WriteJSON(own)
	if err := own.Err(); err != nil {
		w.Fail(err)
		return
	}
	rest, meta, err := splitMeta(own.Bytes())
	if err != nil {
		w.Fail(err)
		return
	}
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	meta[metaRelatedTask] = x.related
	w.Literal(string(rest[:len(rest)-1]))
	w.Member(`"_meta":`)
	w.BeginObject()
	w.Extra(meta)
	w.EndObject()
	w.EndObject()
}
