package refserver

// The table of methods: which eras and versions know a method, and what serves it.

import (
	"context"
	"fmt"
	"net/http"
)

type method struct {
	since, until string // versions that know it; until is inclusive, "" has no bound
	run          func(context.Context, *exchange) (obj, error)
}

func (m method) known(version string) bool {
	return version >= m.since && (m.until == "" || version <= m.until)
}

var methods map[string]method

func init() {
	methods = map[string]method{
		"ping":                     {V20241105, V20251125, servePing},
		"logging/setLevel":         {V20241105, V20251125, serveSetLevel},
		"tools/list":               {V20241105, "", serveToolsList},
		"tools/call":               {V20241105, "", serveToolsCall},
		"prompts/list":             {V20241105, "", servePromptsList},
		"prompts/get":              {V20241105, "", servePromptsGet},
		"resources/list":           {V20241105, "", serveResourcesList},
		"resources/templates/list": {V20241105, "", serveTemplatesList},
		"resources/read":           {V20241105, "", serveResourcesRead},
		"resources/subscribe":      {V20241105, V20251125, serveSubscribe},
		"resources/unsubscribe":    {V20241105, V20251125, serveUnsubscribe},
		"completion/complete":      {V20241105, "", serveComplete},
		"tasks/get":                {V20251125, "", serveTasksGet},
		"tasks/cancel":             {V20251125, "", serveTasksCancel},
		"tasks/list":               {V20251125, V20251125, serveTasksList},
		"tasks/result":             {V20251125, V20251125, serveTasksResult},
		"tasks/update":             {V20260728, "", serveTasksUpdate},
		"server/discover":          {V20260728, "", serveDiscover},
		"subscriptions/listen":     {V20260728, "", serveListen},
	}
}

func (s *Server) dispatch(ctx context.Context, ex *exchange) (obj, error) {
	if ex.modern() {
		if err := ex.checkModern(); err != nil {
			return nil, err
		}
	}
	m, ok := methods[ex.method]
	if !ok || !m.known(ex.version) {
		err := &rpcError{Code: codeMethodNotFound, Message: fmt.Sprintf("%s has no method %q", ex.version, ex.method)}
		if ex.modern() {
			err.status = http.StatusNotFound
		}
		return nil, err
	}
	return m.run(ctx, ex)
}

func servePing(context.Context, *exchange) (obj, error) { return obj{}, nil }

func serveSetLevel(_ context.Context, ex *exchange) (obj, error) {
	level := stringAt(ex.params, "level")
	if _, ok := logLevels[level]; !ok {
		return nil, invalidParams("unknown log level %q", level)
	}
	ex.sess.setLogLevel(level)
	return obj{}, nil
}

func serveDiscover(_ context.Context, ex *exchange) (obj, error) {
	return obj{
		"supportedVersions": ex.srv.opts.Versions,
		"capabilities":      ex.srv.capabilities(ex.version),
		"instructions":      instructions,
	}, nil
}

const instructions = "Tools that take and give every common shape of value. Call them freely: nothing here has side effects outside this server."

// capabilities are what the server offers in that version.
func (s *Server) capabilities(version string) obj {
	changes := obj{"listChanged": true}
	caps := obj{
		"logging":   obj{},
		"tools":     changes,
		"prompts":   changes,
		"resources": obj{"listChanged": true, "subscribe": true},
	}
	if version >= V20250326 {
		caps["completions"] = obj{}
	}
	switch version {
	case V20251125:
		caps["tasks"] = obj{"list": obj{}, "cancel": obj{}, "requests": obj{"tools": obj{"call": obj{}}}}
	case V20260728:
		caps["extensions"] = obj{tasksExtension: obj{}}
	}
	return caps
}
