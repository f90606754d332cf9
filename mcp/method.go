package mcp

// Which version defines which method, and which capability of the server it needs, as a table.
// Methods that are not in the table belong to extensions and are never refused here.

import "slices"

const (
	methodInitialize       = "initialize"
	methodInitialized      = "notifications/initialized"
	methodDiscover         = "server/discover"
	methodPing             = "ping"
	methodListTools        = "tools/list"
	methodCallTool         = "tools/call"
	methodListResources    = "resources/list"
	methodListTemplates    = "resources/templates/list"
	methodReadResource     = "resources/read"
	methodSubscribe        = "resources/subscribe"
	methodUnsubscribe      = "resources/unsubscribe"
	methodListPrompts      = "prompts/list"
	methodGetPrompt        = "prompts/get"
	methodComplete         = "completion/complete"
	methodSetLevel         = "logging/setLevel"
	methodListen           = "subscriptions/listen"
	methodGetTask          = "tasks/get"
	methodUpdateTask       = "tasks/update"
	methodCancelTask       = "tasks/cancel"
	methodListTasks        = "tasks/list"
	methodTaskResult       = "tasks/result"
	methodElicit           = "elicitation/create"
	methodCreateMessage    = "sampling/createMessage"
	methodListRoots        = "roots/list"
	methodCancelled        = "notifications/cancelled"
	methodProgress         = "notifications/progress"
	methodMessage          = "notifications/message"
	methodToolsChanged     = "notifications/tools/list_changed"
	methodPromptsChanged   = "notifications/prompts/list_changed"
	methodResourcesChanged = "notifications/resources/list_changed"
	methodResourceUpdated  = "notifications/resources/updated"
	methodAcknowledged     = "notifications/subscriptions/acknowledged"
)

// methodFacts says where a client may use a method.
type methodFacts struct {
	first, last string // versions, inclusive; empty last: still there
	capability  string // of the server
	capableFrom string // the version from which the capability exists, if not from the start
	rounds      bool   // may answer input_required (C-162)
}

var methodTable = map[string]methodFacts{
	methodInitialize:    {first: Version20241105, last: Version20251125},
	methodPing:          {first: Version20241105, last: Version20251125},
	methodDiscover:      {first: Version20260728},
	methodListTools:     {first: Version20241105, capability: "tools"},
	methodCallTool:      {first: Version20241105, capability: "tools", rounds: true},
	methodListResources: {first: Version20241105, capability: "resources"},
	methodListTemplates: {first: Version20241105, capability: "resources"},
	methodReadResource:  {first: Version20241105, capability: "resources", rounds: true},
	methodSubscribe:     {first: Version20241105, last: Version20251125, capability: "resources"},
	methodUnsubscribe:   {first: Version20241105, last: Version20251125, capability: "resources"},
	methodListPrompts:   {first: Version20241105, capability: "prompts"},
	methodGetPrompt:     {first: Version20241105, capability: "prompts", rounds: true},
	methodComplete:      {first: Version20241105, capability: "completions", capableFrom: Version20250326}, // C-048
	methodSetLevel:      {first: Version20241105, last: Version20251125, capability: "logging"},
	methodListen:        {first: Version20260728},
	methodGetTask:       {first: Version20251125},
	methodCancelTask:    {first: Version20251125},
	methodUpdateTask:    {first: Version20260728},
	methodListTasks:     {first: Version20251125, last: Version20251125},
	methodTaskResult:    {first: Version20251125, last: Version20251125},
}

// definedIn reports whether version has the method.
func (f methodFacts) definedIn(version string) bool {
	return version >= f.first && (f.last == "" || version <= f.last)
}

// admit refuses a request that the connection's version does not define or that needs a capability
// which the server did not declare (C-047, C-065). declared is nil while it is not known.
func admit(method, version string, declared []string) error {
	facts, known := methodTable[method]
	if !known {
		return nil
	}
	if !facts.definedIn(version) {
		return &UnsupportedError{Method: method, Version: version}
	}
	if facts.capability == "" || declared == nil || version < facts.capableFrom {
		return nil
	}
	if !slices.Contains(declared, facts.capability) {
		return &UnsupportedError{Method: method, Version: version, Capability: facts.capability}
	}
	return nil
}
