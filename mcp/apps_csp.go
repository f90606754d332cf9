package mcp

// The content security policy of a tool's page. A page names the origins it needs; everything else is
// forbidden. Its names end up in a header, so only what is an origin and nothing but an origin gets in.

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// PageCSP are the origins that a page asks for, as it wrote them.
type PageCSP struct {
	Connect  []string // for fetch, XMLHttpRequest, WebSocket
	Resource []string // for scripts, styles, images, fonts, media
	Frame    []string // for nested frames
	BaseURI  []string // for the document's base
}

// ReadJSON reads _meta.ui.csp of a page's content.
func (p *PageCSP) ReadJSON(r *jsonwire.Reader) {
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "connectDomains":
			p.Connect = readStrings(r)
		case "resourceDomains":
			p.Resource = readStrings(r)
		case "frameDomains":
			p.Frame = readStrings(r)
		case "baseUriDomains":
			p.BaseURI = readStrings(r)
		default:
			r.Skip()
		}
	}
}

// Policy returns the value of a Content-Security-Policy header (C-360). It allows the page's own inline
// scripts and styles, what the page declared, and nothing else; for a page that declares nothing it is
// the most restrictive. What is not an origin is left out: see Rejected. A host may only tighten it.
func (p PageCSP) Policy() string {
	connect, resource := sources(p.Connect), sources(p.Resource)
	directives := []string{
		"default-src 'none'",
		"script-src 'self' 'unsafe-inline'" + resource,
		"style-src 'self' 'unsafe-inline'" + resource,
		"img-src 'self' data:" + resource,
		"font-src 'self'" + resource,
		"media-src 'self' data:" + resource,
		"connect-src" + orNone(connect),
		"frame-src" + orNone(sources(p.Frame)),
		"object-src 'none'",
		"form-action 'none'",
		"base-uri" + orNone(sources(p.BaseURI)),
	}
	return strings.Join(directives, "; ")
}

// Rejected returns the entries that Policy leaves out.
func (p PageCSP) Rejected() []string {
	return slices.DeleteFunc(slices.Concat(p.Connect, p.Resource, p.Frame, p.BaseURI), isOrigin)
}

func sources(origins []string) string {
	var b strings.Builder
	var seen []string
	for _, origin := range origins {
		if isOrigin(origin) && !slices.Contains(seen, origin) {
			seen = append(seen, origin)
			b.WriteString(" " + origin)
		}
	}
	return b.String()
}

func orNone(sources string) string {
	if sources == "" {
		return " 'none'"
	}
	return sources
}

// isOrigin accepts scheme://host with an optional port, the host perhaps with a wildcard for its first
// label. Keywords, bare schemes, paths and anything that could end a source or a directive are out.
func isOrigin(text string) bool {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || !slices.Contains([]string{"https", "http", "wss", "ws"}, scheme) {
		return false
	}
	host, port, found := strings.Cut(rest, ":")
	if found && !isPort(port) {
		return false
	}
	host = strings.TrimPrefix(host, "*.")
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if !isHostLabel(label) {
			return false
		}
	}
	return true
}

func isPort(port string) bool {
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return false
		}
	}
	return port != "" && len(port) <= 5
}

func isHostLabel(label string) bool {
	if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	for i := range len(label) {
		if !isAlphanumeric(label[i]) && label[i] != '-' {
			return false
		}
	}
	return true
}

// features are the permissions that a page can have, by the name of their browser feature.
var features = []struct{ permission, feature string }{
	{"camera", "camera"},
	{"clipboardWrite", "clipboard-write"},
	{"geolocation", "geolocation"},
	{"microphone", "microphone"},
}

// PermissionsPolicy returns the value of the allow attribute of the page's frame: what the page asks
// for, and may grants. nil grants all that is known.
func (p *Page) PermissionsPolicy(may func(permission string) bool) string {
	var allow []string
	for _, f := range features {
		if slices.Contains(p.Permissions, f.permission) && (may == nil || may(f.permission)) {
			allow = append(allow, f.feature)
		}
	}
	return strings.Join(allow, "; ")
}
