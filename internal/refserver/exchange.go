package refserver

// An exchange is one request being served, whatever era or transport carried it. Tools,
// prompts and resources see only the exchange: where the eras differ (how input is asked
// for, when a log line may be sent) it hides the difference.

import (
	"context"
	"encoding/json"
	"net/http"
)

// Keys of the stateless era's _meta.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
	metaRelatedTask  = "io.modelcontextprotocol/related-task"
	tasksExtension   = "io.modelcontextprotocol/tasks"
)

// sink takes the messages of one stream. final marks the last one; a nil message only ends it.
type sink interface {
	send(raw []byte, final bool, status int)
}

type exchange struct {
	srv     *Server
	sess    *session // nil in the stateless era
	version string
	id      json.RawMessage
	method  string
	params  map[string]json.RawMessage
	meta    map[string]json.RawMessage
	caps    json.RawMessage // the client's capabilities
	out     sink
	header  http.Header // nil unless HTTP carried the request

	answers map[string]json.RawMessage // input collected so far (stateless era)
	task    *task                      // set while the request runs as a task
}

func (ex *exchange) modern() bool { return isModernVersion(ex.version) }

func (ex *exchange) since(version string) bool { return ex.version >= version }

// name is what the request is about: the tool, prompt, resource or task.
func (ex *exchange) name() string { return stringAt(ex.params, nameMember(ex.method)) }

// notify sends a notification on the stream of this request.
func (ex *exchange) notify(method string, params obj) {
	ex.out.send(encodeNotification(method, params), false, 0)
}

// progress reports progress if the caller asked for it.
func (ex *exchange) progress(done, total int, text string) {
	token, ok := ex.meta["progressToken"]
	if !ok {
		return
	}
	params := obj{"progressToken": token, "progress": done, "total": total}
	if ex.since(V20250326) {
		params["message"] = text
	}
	ex.notify("notifications/progress", params)
}

var logLevels = map[string]int{
	"debug": 0, "info": 1, "notice": 2, "warning": 3, "error": 4, "critical": 5, "alert": 6, "emergency": 7,
}

// log sends a log message if the client wants that level: sessions until a level is set want
// all, stateless requests only what their own _meta asks for.
func (ex *exchange) log(level, logger string, data any) bool {
	wanted := "debug"
	if ex.modern() {
		if wanted = stringAt(ex.meta, metaLogLevel); wanted == "" {
			return false
		}
	} else if l := ex.sess.logLevel(); l != "" {
		wanted = l
	}
	if logLevels[level] < logLevels[wanted] {
		return false
	}
	ex.notify("notifications/message", obj{"level": level, "logger": logger, "data": data})
	return true
}

// run serves the exchange and sends the answer. A cancelled one ends without an answer. The
// request stops being in flight just before its answer goes out, since its id may then be used again.
func (ex *exchange) run(ctx context.Context, done func()) {
	result, err := ex.srv.dispatch(ctx, ex)
	cancelled := ctx.Err() != nil
	done()
	switch {
	case cancelled:
		ex.out.send(nil, true, 0)
	case err != nil:
		ex.out.send(encodeError(ex.id, asRPCError(err)), true, asRPCError(err).status)
	default:
		ex.out.send(encodeResult(ex.id, ex.finish(result)), true, 0)
	}
}

func asRPCError(err error) *rpcError {
	if e, ok := err.(*rpcError); ok {
		return e
	}
	return &rpcError{Code: codeInternal, Message: err.Error()}
}

var cacheable = map[string]bool{
	"server/discover": true, "tools/list": true, "prompts/list": true, "resources/list": true,
	"resources/templates/list": true, "resources/read": true,
}

// finish adds what every stateless result carries.
func (ex *exchange) finish(result obj) obj {
	if !ex.modern() {
		return result
	}
	setAbsent(result, "resultType", "complete")
	meta, _ := result["_meta"].(obj)
	if meta == nil {
		meta = obj{}
	}
	meta[metaServerInfo] = ex.srv.implementation()
	result["_meta"] = meta
	if cacheable[ex.method] && result["resultType"] == "complete" {
		setAbsent(result, "ttlMs", ex.srv.opts.TTL.Milliseconds())
		setAbsent(result, "cacheScope", "public")
	}
	return result
}

func setAbsent(o obj, key string, value any) {
	if _, ok := o[key]; !ok {
		o[key] = value
	}
}

// has reports whether the client declared the capability at path, e.g. "elicitation", "url".
func (ex *exchange) has(path ...string) bool {
	at := ex.caps
	for _, step := range path {
		next, ok := members(at)[step]
		if !ok {
			return false
		}
		at = next
	}
	return len(at) > 0 && at[0] == '{'
}
