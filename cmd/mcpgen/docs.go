// mcpgen docs: one HTML page about the client of a server. It stands alone: no
// request leaves it, and its content policy would stop one that a hostile
// description smuggled in.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen"
)

//go:embed docs.html
var docsPage string

//go:embed docs.css
var docsStyle string

//go:embed docs.js
var docsScript string

type docsFlags struct {
	sourceFlags
	out string
}

func (a *app) docsCommand() *cobra.Command {
	var f docsFlags
	cmd := &cobra.Command{
		Use:   "docs [flags] [-- COMMAND ARG…]",
		Short: "Write one self-contained HTML page of the client",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.capture(cmd, args); err != nil {
				return err
			}
			source, err := a.source(&f.sourceFlags)
			if err != nil {
				return err
			}
			return a.docs(cmd.Context(), source, f.out)
		},
	}
	f.register(cmd.Flags())
	commandOnly(cmd.Flags())
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "`FILE` to write (default: standard output)")
	return cmd
}

func (a *app) docs(ctx context.Context, source source, out string) error {
	found, err := source.list(ctx)
	if err != nil {
		return err
	}
	result, err := gen.Tools(found.input(), gen.Options{Generator: version()})
	if err != nil {
		return err
	}
	page, err := renderDocs(found, &result.Report)
	if err != nil {
		return err
	}
	if out == "" {
		_, err := a.stdout.Write(page)
		return err
	}
	changed, err := changes([]output{{path: out, content: page}})
	if err != nil {
		return err
	}
	return writeAll(changed)
}

// docsData is what the page shows.
type docsData struct {
	Title, Headline, Generator string
	Policy                     string
	Style                      template.CSS
	Script                     template.JS
	Sections                   []docsSection
	LeftOut                    []string
}

type docsSection struct {
	ID, Title string
	Entries   []docsEntry
}

// docsEntry is one tool, prompt or resource template. Its texts show what would
// otherwise be invisible or reorder the text around it.
type docsEntry struct {
	ID, Name, Title, Description, Signature string
	Traits                                  []string
	Schemas                                 []docsSchema
}

type docsSchema struct{ Title, Text string }

func renderDocs(l *listing, r *gen.Report) ([]byte, error) {
	page, err := template.New("docs").Parse(docsPage)
	if err != nil {
		return nil, err
	}
	// A file's path is nothing for a page that others read.
	const unnamed = "MCP client"
	title := oneLine(l.serverName)
	if title == "" {
		title = unnamed
	}
	data := docsData{
		Title: title, Headline: headline(l, r, unnamed), Generator: "mcpgen " + version(),
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
			sourceHash(docsStyle), sourceHash(docsScript)),
		Style: template.CSS(docsStyle), Script: template.JS(docsScript),
		Sections: docsSections(l, r),
	}
	for _, p := range r.Problems {
		if p.Severity == gen.Skipped {
			data.LeftOut = append(data.LeftOut, oneLine(p.String()))
		}
	}
	var b bytes.Buffer
	if err := page.Execute(&b, data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// sourceHash names an inline script or style in a content policy.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func docsSections(l *listing, r *gen.Report) []docsSection {
	var sections []docsSection
	for _, s := range []struct {
		id, title string
		list      []gen.ReportTool
		raw       map[string]json.RawMessage
	}{
		{"tool", "Tools", r.Tools, byName(entries(l.tools, "tools"))},
		{"prompt", "Prompts", r.Prompts, byName(entries(l.prompts, "prompts"))},
		{"resource", "Resource templates", r.Resources, byName(entries(l.templates, "resourceTemplates"))},
	} {
		section := docsSection{ID: s.id + "s", Title: s.title}
		for _, tool := range s.list {
			section.Entries = append(section.Entries, docsEntryOf(s.id, tool, s.raw[tool.Name]))
		}
		if len(section.Entries) > 0 {
			sections = append(sections, section)
		}
	}
	return sections
}

func byName(items []json.RawMessage) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	for _, raw := range items {
		var item struct{ Name string }
		if json.Unmarshal(raw, &item) == nil {
			m[item.Name] = raw
		}
	}
	return m
}

func docsEntryOf(kind string, tool gen.ReportTool, raw json.RawMessage) docsEntry {
	var listed struct {
		Title       string
		Description string
		URITemplate string
		Input       json.RawMessage `json:"inputSchema"`
		Output      json.RawMessage `json:"outputSchema"`
		Arguments   json.RawMessage
		Annotations struct {
			ReadOnly    *bool `json:"readOnlyHint"`
			Destructive *bool `json:"destructiveHint"`
			Idempotent  *bool `json:"idempotentHint"`
			OpenWorld   *bool `json:"openWorldHint"`
		}
	}
	_ = json.Unmarshal(raw, &listed) // what cannot be read is not shown
	e := docsEntry{
		ID: kind + "-" + tool.Method, Name: oneLine(tool.Name), Title: oneLine(listed.Title),
		Description: manyLines(strings.TrimSpace(listed.Description)), Signature: oneLine(signature(tool)),
	}
	for _, t := range []struct {
		hint *bool
		name string
	}{
		{listed.Annotations.ReadOnly, "read-only"}, {listed.Annotations.Destructive, "destructive"},
		{listed.Annotations.Idempotent, "idempotent"}, {listed.Annotations.OpenWorld, "open world"},
	} {
		if t.hint != nil && *t.hint {
			e.Traits = append(e.Traits, t.name)
		}
	}
	if listed.URITemplate != "" {
		e.Traits = append(e.Traits, oneLine(listed.URITemplate))
	}
	for _, s := range []struct {
		title string
		text  json.RawMessage
	}{{"Input schema", listed.Input}, {"Output schema", listed.Output}, {"Arguments", listed.Arguments}} {
		if len(s.text) > 0 {
			e.Schemas = append(e.Schemas, docsSchema{s.title, visibleJSON(bytes.TrimSpace(indented(s.text)))})
		}
	}
	return e
}
