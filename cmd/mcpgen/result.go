// A tool's answer as text for people: its text as it is, and a short mark for
// what is no text.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

type toolResult struct {
	Content    []contentBlock  `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

type contentBlock struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Resource struct {
		URI      string  `json:"uri"`
		MIMEType string  `json:"mimeType"`
		Text     *string `json:"text"`
		Blob     string  `json:"blob"`
	} `json:"resource"`
}

// text joins the blocks, each on lines of its own. Structured content counts
// where there are no blocks: a server sends it as text too for older clients.
func (r *toolResult) text() string {
	var parts []string
	for _, block := range r.Content {
		parts = append(parts, block.String())
	}
	if len(parts) == 0 && len(r.Structured) > 0 {
		return string(indented(r.Structured))
	}
	return strings.Join(parts, "\n")
}

func (c contentBlock) String() string {
	switch c.Type {
	case "text":
		return c.Text
	case "image", "audio":
		return mark(c.Type, c.MIMEType, base64Size(c.Data))
	case "resource_link":
		return mark("link", c.Name, c.URI)
	case "resource":
		if c.Resource.Text != nil {
			return *c.Resource.Text
		}
		return mark("resource", c.Resource.URI, c.Resource.MIMEType, base64Size(c.Resource.Blob))
	default:
		return mark("content of type "+c.Type, "--raw shows it")
	}
}

func mark(kind string, details ...string) string {
	parts := []string{kind}
	for _, d := range details {
		if d != "" {
			parts = append(parts, d)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func base64Size(s string) string {
	return fmt.Sprintf("%d bytes", len(strings.TrimRight(s, "="))*3/4)
}

func indented(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(raw), "", "  ") != nil {
		return raw
	}
	b.WriteByte('\n')
	return b.Bytes()
}
