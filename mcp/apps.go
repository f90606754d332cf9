package mcp

// MCP Apps (io.modelcontextprotocol/ui): tools that come with a page to show. What a client without a
// screen of its own needs is here: to say that its host renders pages, to see which tool has one and for
// whom a tool is meant, and to fetch a page. Rendering it is the host's.

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const (
	extensionApps = "io.modelcontextprotocol/ui"
	uiScheme      = "ui://"
	metaUI        = "ui"
	metaUIFlat    = "ui/resourceUri" // deprecated
)

// AppMIMEType is the media type of the pages of tools.
const AppMIMEType = "text/html;profile=mcp-app"

// WithApps says that the host renders pages of tools, and more media types than AppMIMEType if it does
// (C-356). Without it a tool with a page is a tool like any other.
func WithApps(moreMIMETypes ...string) Option {
	return WithExtension(extensionApps, appSettings(append([]string{AppMIMEType}, moreMIMETypes...)))
}

type appSettings []string

func (s appSettings) WriteJSON(w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"mimeTypes":`)
	w.BeginArray()
	for _, mimeType := range s {
		w.Element()
		w.String(mimeType)
	}
	w.EndArray()
	w.EndObject()
}

// UI is what a tool says about its page.
type UI struct {
	// ResourceURI is the page, to be read with ReadUI; empty if the tool has none.
	ResourceURI string
	// Visibility says for whom the tool is meant, "model" and "app"; other values are kept, but mean
	// nothing. A tool that says nothing is meant for both.
	Visibility []string
}

// ModelVisible reports whether the tool may be offered to a model.
func (u UI) ModelVisible() bool { return u.meantFor("model") }

// AppVisible reports whether a page of the same server may call the tool.
func (u UI) AppVisible() bool { return u.meantFor("app") }

func (u UI) meantFor(whom string) bool {
	for _, value := range u.Visibility {
		if value == whom {
			return true
		}
	}
	return false
}

// ToolUI returns what a tool says about its page, and whether it says anything (C-357). The page that
// the member "ui" of its _meta names counts before that of the deprecated "ui/resourceUri". An address
// that is not a ui:// URI is left out. A visibility that is not a list of strings is meant for nobody.
func ToolUI(tool Tool) (UI, bool) {
	ui, said := UI{Visibility: []string{"model", "app"}}, false
	if raw, ok := tool.Meta[metaUI]; ok {
		said = readUI(raw, &ui)
	}
	if raw, ok := tool.Meta[metaUIFlat]; ok && ui.ResourceURI == "" {
		if uri := uiAddress(raw); uri != "" {
			ui.ResourceURI, said = uri, true
		}
	}
	return ui, said
}

func readUI(raw json.RawMessage, ui *UI) bool {
	r := jsonwire.NewReader(raw)
	if r.Kind() != jsonwire.KindObject {
		return false
	}
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "resourceUri":
			ui.ResourceURI = uiAddress(r.RawNoCopy())
		case "visibility":
			if !r.Null() {
				ui.Visibility = readStrings(r)
			}
		default:
			r.Skip()
		}
	}
	return r.Err() == nil
}

func uiAddress(raw json.RawMessage) string {
	r := jsonwire.NewReader(raw)
	if r.Kind() != jsonwire.KindString {
		return ""
	}
	if uri := r.String(); strings.HasPrefix(uri, uiScheme) {
		return uri
	}
	return ""
}

// readStrings reads a list of strings; none if it is anything else.
func readStrings(r *jsonwire.Reader) []string {
	list := []string{}
	lenient(r, func() {
		read := []string{}
		for r.BeginArray(); r.NextElement(); {
			read = append(read, r.String())
		}
		if r.Err() == nil {
			list = read
		}
	})
	return list
}

// ModelVisible returns the tools that may be offered to a model (C-358). It is for hosts that render
// pages: see WithApps.
func ModelVisible(tools []Tool) []Tool { return meantFor(tools, UI.ModelVisible) }

// AppVisible returns the tools that the pages of their server may call.
func AppVisible(tools []Tool) []Tool { return meantFor(tools, UI.AppVisible) }

func meantFor(tools []Tool, visible func(UI) bool) []Tool {
	kept := make([]Tool, 0, len(tools))
	for _, tool := range tools {
		if ui, _ := ToolUI(tool); visible(ui) {
			kept = append(kept, tool)
		}
	}
	return kept
}

// ErrNotForApps says that a page may not call a tool.
var ErrNotForApps = errors.New("the tool is not meant for apps")

// CallToolForApp calls a tool on behalf of a page that came from this server. The error is
// ErrNotForApps if the tool is not meant for pages or the server does not list it (C-358).
func (c *Client) CallToolForApp(ctx context.Context, name string, arguments any, opts ...CallOption) (*CallToolResult, error) {
	known, err := c.lookUp(ctx, name)
	if err != nil {
		return nil, err
	}
	if known == nil || !known.app {
		return nil, fmt.Errorf("tool %q: %w", name, ErrNotForApps)
	}
	return c.CallTool(ctx, name, arguments, opts...)
}

// Page is the page of a tool, and what it needs of the host. It is the server's text: show it in a
// sandbox, from an origin of its own, under CSP's policy (C-360).
type Page struct {
	URI  string
	HTML string
	CSP  PageCSP
	// Permissions are what the page asks for, such as "camera"; see PermissionsPolicy.
	Permissions []string
	// Domain is the origin that the page would like; empty for none. Check it before use.
	Domain string
	// PrefersBorder is nil if the page does not care.
	PrefersBorder *bool
	Meta          MetaObject
}

// ReadUI reads a tool's page by its ui:// URI, which need not be in any list (C-359).
func (c *Client) ReadUI(ctx context.Context, uri string, opts ...CallOption) (*Page, error) {
	if !strings.HasPrefix(uri, uiScheme) {
		return nil, fmt.Errorf("%s: %q is not a ui:// URI", methodReadResource, printable(uri))
	}
	result, err := c.ReadResource(ctx, uri, opts...)
	if err != nil {
		return nil, err
	}
	page, err := pageOf(uri, result)
	if err != nil {
		return nil, &InvalidResultError{Method: methodReadResource, Err: fmt.Errorf("page %q: %w", printable(uri), err)}
	}
	return page, nil
}

// pageOf picks the content with the page's URI, or the only one.
func pageOf(uri string, result *ReadResourceResult) (*Page, error) {
	for _, item := range result.Contents {
		switch content := item.(type) {
		case *TextResourceContents:
			if content.URI == uri || len(result.Contents) == 1 {
				return newPage(uri, content.Text, content.MIMEType, content.Meta)
			}
		case *BlobResourceContents:
			if content.URI == uri || len(result.Contents) == 1 {
				html, err := base64.StdEncoding.DecodeString(content.Blob)
				if err != nil {
					return nil, fmt.Errorf("blob: %w", err)
				}
				return newPage(uri, string(html), content.MIMEType, content.Meta)
			}
		}
	}
	return nil, errors.New("the result has no such content")
}

func newPage(uri, html string, mimeType *string, meta MetaObject) (*Page, error) {
	if mimeType == nil || !isAppType(*mimeType) {
		return nil, fmt.Errorf("its media type must be %q", AppMIMEType)
	}
	if !utf8.ValidString(html) {
		return nil, errors.New("its text is not UTF-8")
	}
	page := &Page{URI: uri, HTML: html, Meta: meta}
	page.readMeta(meta[metaUI])
	return page, nil
}

// isAppType compares media types by what they mean, not by how they are spelled.
func isAppType(mimeType string) bool {
	kind, params, err := mime.ParseMediaType(mimeType)
	return err == nil && kind == "text/html" && params["profile"] == "mcp-app"
}

// readMeta takes what is well formed; what is not grants nothing.
func (p *Page) readMeta(raw json.RawMessage) {
	r := jsonwire.NewReader(raw)
	if len(raw) == 0 || r.Kind() != jsonwire.KindObject {
		return
	}
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "csp":
			lenient(r, func() { p.CSP.ReadJSON(r) })
		case "permissions":
			lenient(r, func() {
				for r.BeginObject(); r.NextMember(); {
					p.Permissions = append(p.Permissions, r.KeyString())
					r.Skip()
				}
			})
		case "domain":
			lenient(r, func() { p.Domain = r.String() })
		case "prefersBorder":
			lenient(r, func() {
				if border := r.Bool(); r.Err() == nil {
					p.PrefersBorder = &border
				}
			})
		default:
			r.Skip()
		}
	}
}
