package refserver

// The stateless era: every request stands alone, and says in its own _meta which version it
// speaks and what its client can do. Over HTTP the headers repeat parts of the body, and must agree with it.

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// looksModern reports whether a message names its version in _meta.
func looksModern(m *message) bool {
	_, ok := members(m.fields()["_meta"])[metaVersion]
	return ok
}

// modernExchange builds the exchange of a stateless request. Its version may be one that the
// server does not speak; checkModern answers that.
func (s *Server) modernExchange(m *message, out sink, header http.Header) *exchange {
	params := m.fields()
	meta := members(params["_meta"])
	return &exchange{
		srv: s, version: V20260728, id: m.ID, method: m.Method, params: params, meta: meta,
		caps: meta[metaCapabilities], out: out, header: header,
	}
}

// checkModern refuses what a stateless server must refuse before it looks at the method.
func (ex *exchange) checkModern() error {
	version := stringAt(ex.meta, metaVersion)
	switch {
	case ex.method == "initialize":
		return ex.srv.unsupported(stringAt(ex.params, "protocolVersion"))
	case version == "":
		return badRequest(codeInvalidParams, "params._meta lacks %q", metaVersion)
	case members(ex.caps) == nil:
		return badRequest(codeInvalidParams, "params._meta lacks %q", metaCapabilities)
	}
	if ex.header != nil {
		if err := ex.checkHeaders(version); err != nil {
			return err
		}
	}
	if !ex.srv.speaks(version) || !isModernVersion(version) {
		return ex.srv.unsupported(version)
	}
	if raw, ok := ex.meta[metaLogLevel]; ok {
		if _, known := logLevels[stringAt(ex.meta, metaLogLevel)]; !known {
			return badRequest(codeInvalidParams, "unknown log level %s", raw)
		}
	}
	return nil
}

func (s *Server) unsupported(requested string) *rpcError {
	err := badRequest(codeUnsupportedVersion, "unsupported protocol version %q", requested)
	err.Data = obj{"supported": s.opts.Versions, "requested": requested}
	return err
}

// missingCapability is the error for a request that needs a capability its client did not declare.
func missingCapability(required obj) *rpcError {
	err := badRequest(codeMissingCapability, "the client lacks a required capability")
	err.Data = obj{"requiredCapabilities": required}
	return err
}

// nameMember is the member of params that Mcp-Name repeats, or "" where there is none.
func nameMember(method string) string {
	switch method {
	case "tools/call", "prompts/get":
		return "name"
	case "resources/read":
		return "uri"
	case "tasks/get", "tasks/update", "tasks/cancel":
		return "taskId"
	}
	return ""
}

func (ex *exchange) checkHeaders(version string) error {
	if err := sameHeader(ex.header, "MCP-Protocol-Version", version); err != nil {
		return err
	}
	if err := sameHeader(ex.header, "Mcp-Method", ex.method); err != nil {
		return err
	}
	if nameMember(ex.method) != "" {
		if err := sameHeader(ex.header, "Mcp-Name", ex.name()); err != nil {
			return err
		}
	} else if _, ok := ex.header["Mcp-Name"]; ok {
		return badRequest(codeHeaderMismatch, "Mcp-Name is not defined for %s", ex.method)
	}
	if ex.method == "tools/call" {
		return ex.checkParamHeaders()
	}
	return nil
}

// checkParamHeaders compares the Mcp-Param headers of a tool call with its arguments.
func (ex *exchange) checkParamHeaders() error {
	tool := ex.srv.catalog.tool(ex.name())
	if tool == nil {
		return nil
	}
	for _, b := range tool.bindings {
		name := http.CanonicalHeaderKey("Mcp-Param-" + b.header)
		want, ok := b.value(ex.params["arguments"])
		if !ok {
			if _, sent := ex.header[name]; sent {
				return badRequest(codeHeaderMismatch, "%s was sent although the argument is absent", name)
			}
			continue
		}
		if err := sameHeader(ex.header, name, want); err != nil {
			return err
		}
	}
	return nil
}

func sameHeader(h http.Header, name, want string) error {
	values := h.Values(name)
	if len(values) != 1 {
		return badRequest(codeHeaderMismatch, "%s must be sent once, not %d times", name, len(values))
	}
	got, ok := decodeHeader(values[0])
	if !ok {
		return badRequest(codeHeaderMismatch, "%s is not valid base64: %q", name, values[0])
	}
	if got != want {
		return badRequest(codeHeaderMismatch, "%s is %q, but the body says %q", name, got, want)
	}
	return nil
}

// decodeHeader undoes the base64 sentinel. A value that needed the sentinel never arrives intact
// without it, so nothing else is checked here.
func decodeHeader(v string) (string, bool) {
	inner, found := strings.CutPrefix(v, "=?base64?")
	if !found || !strings.HasSuffix(inner, "?=") {
		return v, true
	}
	text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
	return string(text), err == nil
}

// binding is one x-mcp-header annotation of an input schema.
type binding struct {
	header string
	path   []string
}

// bindings walks the properties of an input schema.
func bindings(schema map[string]any, path []string) []binding {
	var found []binding
	properties, _ := schema["properties"].(map[string]any)
	for name, sub := range properties {
		property, _ := sub.(map[string]any)
		at := append(slices.Clone(path), name)
		if header, ok := property["x-mcp-header"].(string); ok {
			found = append(found, binding{header, at})
		}
		found = append(found, bindings(property, at)...)
	}
	return found
}

// value is the header text of the bound argument; false when it is absent or null.
func (b binding) value(arguments json.RawMessage) (string, bool) {
	at := arguments
	for _, step := range b.path {
		at = members(at)[step]
	}
	if len(at) == 0 || string(at) == "null" {
		return "", false
	}
	var s string
	if json.Unmarshal(at, &s) == nil {
		return s, true
	}
	if f, err := strconv.ParseFloat(string(at), 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64), true
	}
	return string(at), true
}
