// What a run of generate says: one line per client and one per place where the
// client says less than the server, or all of it as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/gen"
)

// printProblems tells of weakened types and left-out tools on stderr.
func (a *app) printProblems(g *generated) {
	for _, p := range g.result.Report.Problems {
		text := placed(p)
		if g.target.id != "" {
			text = g.target.id + ": " + text
		}
		switch p.Severity {
		case gen.Note:
			a.note(text)
		case gen.Skipped:
			a.warn(text + " (left out)")
		default:
			a.warn(text)
		}
	}
}

// placed prefixes a problem with its place in a saved file, as compilers do.
func placed(p gen.Problem) string {
	if p.Line == 0 {
		return p.String()
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Source, p.Line, p.Column, p)
}

// printReports writes the result of the run to stdout.
func (a *app) printReports(all []*generated, changed []*change, run runFlags, many bool) error {
	if run.report == "json" {
		reports := make([]any, len(all))
		for i, g := range all {
			reports[i] = g.jsonReport(changed)
		}
		if many {
			return a.printJSON(reports)
		}
		return a.printJSON(reports[0])
	}
	if a.quiet {
		return nil
	}
	for _, g := range all {
		if _, err := fmt.Fprintln(a.stdout, oneLine(g.textReport(changed, run.check))); err != nil {
			return err
		}
	}
	return nil
}

// fileReport is one file in --report json.
type fileReport struct {
	Name    string `json:"name"`
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed,omitempty"` // its tool is gone
}

type jsonReport struct {
	ID string `json:"id,omitempty"`
	gen.Report
	Weakened int          `json:"weakened"`
	Skipped  int          `json:"skipped"`
	Files    []fileReport `json:"files"`
}

func (g *generated) jsonReport(changed []*change) jsonReport {
	r := jsonReport{ID: g.target.id, Report: g.result.Report, Weakened: g.result.Report.Weakened(), Skipped: g.result.Report.Skipped()}
	if r.Tools == nil {
		r.Tools = []gen.ReportTool{}
	}
	if r.Problems == nil {
		r.Problems = []gen.Problem{}
	}
	for _, o := range g.outputs {
		r.Files = append(r.Files, fileReport{Name: filepath.ToSlash(o.path), Changed: isChanged(o, changed), Removed: o.content == nil})
	}
	return r
}

func isChanged(o output, changed []*change) bool {
	for _, c := range changed {
		if c.path == o.path {
			return true
		}
	}
	return false
}

// textReport is `out/tools_gen.go: 17 tools, 4 prompts, 62 types; 1 weakened, 0 left out; unchanged`.
func (g *generated) textReport(changed []*change, check bool) string {
	r := g.result.Report
	parts := []string{count(len(r.Tools), "tool")}
	if n := len(r.Prompts); n > 0 {
		parts = append(parts, count(n, "prompt"))
	}
	if n := len(r.Resources); n > 0 {
		parts = append(parts, count(n, "resource template"))
	}
	parts = append(parts, count(r.Types, "type"))
	return fmt.Sprintf("%s: %s; %d weakened, %d left out; %s",
		filepath.ToSlash(g.target.out), strings.Join(parts, ", "), r.Weakened(), r.Skipped(), g.outcome(changed, check))
}

func (g *generated) outcome(changed []*change, check bool) string {
	n := 0
	for _, o := range g.outputs {
		if isChanged(o, changed) {
			n++
		}
	}
	switch {
	case n == 0:
		return "unchanged"
	case check:
		return countFiles(n) + " would change"
	}
	return countFiles(n) + " written"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func countFiles(n int) string { return count(n, "file") }

// printJSON writes value indented to stdout, harmless on a terminal.
func (a *app) printJSON(value any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	return a.writeJSON([]byte(b.String()))
}

// writeJSON writes JSON text to stdout: as it is to a pipe or a file, with
// deceptive characters escaped to a terminal.
func (a *app) writeJSON(text []byte) error {
	if isTerminal(a.stdout) {
		text = []byte(visibleJSON(text))
	}
	_, err := a.stdout.Write(text)
	return err
}

// writeText writes a server's text to stdout under the same rule, ending in a line feed.
func (a *app) writeText(text string) error {
	if isTerminal(a.stdout) {
		text = manyLines(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(a.stdout, text)
	return err
}
