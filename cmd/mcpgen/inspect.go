// mcpgen inspect: what a server offers, as the Go methods it would become, or
// as the raw lists for saving.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpgen/mcpgen/gen"
)

func (a *app) inspectCommand() *cobra.Command {
	var f sourceFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect [flags] [-- COMMAND ARG…]",
		Short: "Print the tools of a server with their Go signatures",
		Long: "inspect prints what a server offers as Go signatures.\n\n" +
			"With --json it prints the raw lists; saved to a file they serve --tools FILE.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.capture(cmd, args); err != nil {
				return err
			}
			source, err := a.source(&f)
			if err != nil {
				return err
			}
			return a.inspect(cmd.Context(), source, asJSON)
		},
	}
	f.register(cmd.Flags())
	commandOnly(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the raw lists as JSON")
	return cmd
}

func (a *app) inspect(ctx context.Context, source source, asJSON bool) error {
	found, err := source.list(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		text, err := found.rawJSON()
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		return a.writeJSON(text)
	}
	result, err := gen.Tools(found.input(), gen.Options{Generator: version()})
	if err != nil {
		return err
	}
	a.printProblems(&generated{target: &generateTarget{}, result: result})
	_, err = a.stdout.Write([]byte(a.overview(found, &result.Report)))
	return err
}

// rawJSON is the lists as the server sent them, in one object.
func (l *listing) rawJSON() ([]byte, error) {
	type serverInfo struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	object := struct {
		Info      *serverInfo       `json:"serverInfo,omitempty"`
		Protocol  string            `json:"protocolVersion,omitempty"`
		Tools     []json.RawMessage `json:"tools"`
		Prompts   []json.RawMessage `json:"prompts"`
		Templates []json.RawMessage `json:"resourceTemplates"`
	}{Protocol: l.protocol}
	if l.serverName != "" {
		object.Info = &serverInfo{l.serverName, l.serverVersion}
	}
	object.Tools = entries(l.tools, "tools")
	object.Prompts = entries(l.prompts, "prompts")
	object.Templates = entries(l.templates, "resourceTemplates")
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(object)
	return b.Bytes(), err
}

func (a *app) overview(l *listing, r *gen.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", headline(l, r, l.source))
	for _, section := range []struct {
		title string
		list  []gen.ReportTool
	}{{"", r.Tools}, {"Prompts", r.Prompts}, {"Resource templates", r.Resources}} {
		if len(section.list) > 0 && section.title != "" {
			fmt.Fprintf(&b, "\n%s\n", section.title)
		}
		for _, tool := range section.list {
			a.describeTool(&b, tool)
		}
	}
	return b.String()
}

// headline is `everything-server 2.0.0 (MCP 2025-11-25): 17 tools, 4 prompts`;
// a server that gave no name is called unnamed.
func headline(l *listing, r *gen.Report, unnamed string) string {
	name := l.serverName
	if name == "" {
		name = unnamed
	} else if l.serverVersion != "" {
		name += " " + l.serverVersion
	}
	if l.protocol != "" {
		name += " (MCP " + l.protocol + ")"
	}
	parts := []string{count(len(r.Tools), "tool")}
	if n := len(r.Prompts); n > 0 {
		parts = append(parts, count(n, "prompt"))
	}
	if n := len(r.Resources); n > 0 {
		parts = append(parts, count(n, "resource template"))
	}
	if n := r.Skipped(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d left out", n))
	}
	return oneLine(name + ": " + strings.Join(parts, ", "))
}

func (a *app) describeTool(b *strings.Builder, tool gen.ReportTool) {
	fmt.Fprintf(b, "\n%s\n", a.paint(a.stdout, bold, oneLine(tool.Name)))
	fmt.Fprintf(b, "  %s\n", oneLine(signature(tool)))
	if text := firstLine(tool.Description); text != "" {
		fmt.Fprintf(b, "  %s\n", a.paint(a.stdout, dim, oneLine(text)))
	}
}

// signature is the whole method header, whatever part of it the report holds.
func signature(tool gen.ReportTool) string {
	if strings.HasPrefix(tool.Signature, "func ") {
		return tool.Signature
	}
	s := strings.TrimPrefix(tool.Signature, tool.Method)
	return "func (c *Client) " + tool.Method + s
}

// firstLine is the first line of text, cut where it gets too long to read.
func firstLine(text string) string {
	const limit = 160
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(strings.TrimSpace(line))
	if len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return string(runes)
}
