package mcp

// What a subscription tells: typed events, made of the notifications of either era.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// An Event is something that a [Subscription] tells: [ToolsChanged], [PromptsChanged],
// [ResourcesChanged], [ResourceUpdated], [TaskChanged] or [EventsMissed].
type Event interface{ isEvent() }

type (
	// ToolsChanged says that ListTools would return something else now.
	ToolsChanged struct{}
	// PromptsChanged says that ListPrompts would return something else now.
	PromptsChanged struct{}
	// ResourcesChanged says that ListResources or ListResourceTemplates would return something else now.
	ResourcesChanged struct{}
	// ResourceUpdated says that a resource has new contents. URI is as the server puts it; it may be
	// part of the resource that was asked for (C-222).
	ResourceUpdated struct{ URI string }
	// TaskChanged says that a task has moved on. Params are those of the notification: the task.
	TaskChanged struct {
		TaskID string
		Params json.RawMessage
	}
	// EventsMissed says that the connection was down for a while and is back. Whatever the
	// subscription is about may have changed in between (C-235, B040).
	EventsMissed struct{}
)

func (ToolsChanged) isEvent()     {}
func (PromptsChanged) isEvent()   {}
func (ResourcesChanged) isEvent() {}
func (ResourceUpdated) isEvent()  {}
func (TaskChanged) isEvent()      {}
func (EventsMissed) isEvent()     {}

// eventKey is equal for events that say the same: one of them unread is as good as many (C-237).
// It is empty for events that are all different.
func eventKey(e Event) string {
	switch e := e.(type) {
	case ToolsChanged:
		return "tools"
	case PromptsChanged:
		return "prompts"
	case ResourcesChanged:
		return "resources"
	case EventsMissed:
		return "missed"
	case ResourceUpdated:
		return "uri " + e.URI
	}
	return ""
}

// A ListenFilter says what a subscription is about.
type ListenFilter struct {
	Tools     bool     // the list of tools
	Prompts   bool     // the list of prompts
	Resources bool     // the lists of resources and resource templates
	URIs      []string // the contents of these resources
	// TaskIDs are tasks; 2026-07-28 needs the tasks extension for them (see WithExtension).
	TaskIDs []string
}

// IsZero reports whether the filter asks for nothing.
func (f ListenFilter) IsZero() bool {
	return !f.Tools && !f.Prompts && !f.Resources && len(f.URIs) == 0 && len(f.TaskIDs) == 0
}

// without returns what is in f but not in other.
func (f ListenFilter) without(other ListenFilter) ListenFilter {
	return ListenFilter{
		Tools: f.Tools && !other.Tools, Prompts: f.Prompts && !other.Prompts, Resources: f.Resources && !other.Resources,
		URIs: minus(f.URIs, other.URIs), TaskIDs: minus(f.TaskIDs, other.TaskIDs),
	}
}

func minus(all, less []string) (left []string) {
	for _, s := range all {
		if !slices.Contains(less, s) {
			left = append(left, s)
		}
	}
	return left
}

func (f ListenFilter) clone() ListenFilter {
	f.URIs, f.TaskIDs = slices.Clone(f.URIs), slices.Clone(f.TaskIDs)
	return f
}

// names lists the parts of f as errors put them.
func (f ListenFilter) names() string {
	var names []string
	for _, part := range []struct {
		in   bool
		name string
	}{{f.Tools, "tools.listChanged"}, {f.Prompts, "prompts.listChanged"}, {f.Resources, "resources.listChanged"}, {len(f.URIs) > 0, "resources.subscribe"}, {len(f.TaskIDs) > 0, "tasks"}} {
		if part.in {
			names = append(names, part.name)
		}
	}
	return strings.Join(names, ", ")
}

// wants reports whether f asks for e. A part of a resource belongs to it.
func (f ListenFilter) wants(e Event) bool {
	switch e := e.(type) {
	case ToolsChanged:
		return f.Tools
	case PromptsChanged:
		return f.Prompts
	case ResourcesChanged:
		return f.Resources
	case ResourceUpdated:
		return slices.ContainsFunc(f.URIs, func(uri string) bool { return covers(uri, e.URI) })
	case TaskChanged:
		return slices.Contains(f.TaskIDs, e.TaskID)
	}
	return true
}

// covers reports whether part is uri or lies below it.
func covers(uri, part string) bool {
	rest, ok := strings.CutPrefix(part, uri)
	return ok && (rest == "" || strings.HasSuffix(uri, "/") || strings.ContainsRune("/?#", rune(rest[0])))
}

// WriteJSON writes the filter as subscriptions/listen has it (C-228).
func (f ListenFilter) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	for _, list := range []struct {
		in     bool
		member string
	}{{f.Tools, `"toolsListChanged":`}, {f.Prompts, `"promptsListChanged":`}, {f.Resources, `"resourcesListChanged":`}} {
		if list.in {
			w.Member(list.member)
			w.Bool(true)
		}
	}
	writeTexts(w, `"resourceSubscriptions":`, f.URIs)
	writeTexts(w, `"taskIds":`, f.TaskIDs)
	w.EndObject()
}

func writeTexts(w *jsonwire.Writer, member string, texts []string) {
	if len(texts) == 0 {
		return
	}
	w.Member(member)
	w.BeginArray()
	for _, text := range texts {
		w.Element()
		w.String(text)
	}
	w.EndArray()
}

// ReadJSON reads an acknowledged filter; what it does not know it skips.
func (f *ListenFilter) ReadJSON(r *jsonwire.Reader) {
	*f = ListenFilter{}
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "toolsListChanged":
			lenient(r, func() { f.Tools = r.Bool() })
		case "promptsListChanged":
			lenient(r, func() { f.Prompts = r.Bool() })
		case "resourcesListChanged":
			lenient(r, func() { f.Resources = r.Bool() })
		case "resourceSubscriptions":
			lenient(r, func() { f.URIs = readTexts(r) })
		case "taskIds":
			lenient(r, func() { f.TaskIDs = readTexts(r) })
		default:
			r.Skip()
		}
	}
}

func readTexts(r *jsonwire.Reader) (texts []string) {
	for r.BeginArray(); r.NextElement(); {
		texts = append(texts, r.String())
	}
	return texts
}

// noticed is what subscriptions read in a notification.
type noticed struct {
	method       string
	subscription jsonrpc.ID // zero if absent
	request      jsonrpc.ID // of notifications/cancelled
	uri, task    string
	reason       string
	filter       *ListenFilter
	params       json.RawMessage
}

// noticeable reports whether subscriptions care about a method.
func noticeable(method string) bool {
	switch method {
	case methodAcknowledged, methodCancelled, methodToolsChanged, methodPromptsChanged, methodResourcesChanged,
		methodResourceUpdated, methodTaskChanged, methodTaskStatus:
		return true
	}
	return false
}

// readNoticed reads n. Members that are not what they should be count as absent.
func readNoticed(n *Notification) noticed {
	x := noticed{method: n.Method, params: n.Params}
	r := jsonwire.NewReader(n.Params)
	if r.Kind() != jsonwire.KindObject {
		return x
	}
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "_meta":
			lenient(r, func() { x.readMeta(r) })
		case "requestId":
			lenient(r, func() { x.request.ReadJSON(r) })
		case "uri":
			lenient(r, func() { x.uri = r.String() })
		case "taskId":
			lenient(r, func() { x.task = r.String() })
		case "reason":
			lenient(r, func() { x.reason = r.String() })
		case "notifications":
			lenient(r, func() {
				x.filter = new(ListenFilter)
				x.filter.ReadJSON(r)
			})
		default:
			r.Skip()
		}
	}
	return x
}

func (x *noticed) readMeta(r *jsonwire.Reader) {
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) == metaSubscriptionID {
			lenient(r, func() { x.subscription.ReadJSON(r) })
		} else {
			r.Skip()
		}
	}
}

// event returns what x tells; nil if nothing.
func (x *noticed) event() Event {
	switch x.method {
	case methodToolsChanged:
		return ToolsChanged{}
	case methodPromptsChanged:
		return PromptsChanged{}
	case methodResourcesChanged:
		return ResourcesChanged{}
	case methodResourceUpdated:
		if x.uri != "" {
			return ResourceUpdated{URI: x.uri}
		}
	case methodTaskChanged, methodTaskStatus:
		if x.task != "" {
			return TaskChanged{TaskID: x.task, Params: slices.Clone(x.params)}
		}
	}
	return nil
}
