// What may reach a terminal. Names, descriptions and answers of a server are a
// stranger's text: an escape sequence in them could clear the screen, a bidi
// control could make a command read as another. Here they become visible.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// oneLine makes control, format and line-breaking characters of s visible, so
// that it stays on its line and says what it shows.
func oneLine(s string) string { return visible(s, false) }

// manyLines is oneLine for text of several lines: line feeds and tabs stay.
func manyLines(s string) string {
	return visible(strings.ReplaceAll(s, "\r\n", "\n"), true)
}

func visible(s string, lines bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case lines && (r == '\n' || r == '\t'):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case !deceptive(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

// visibleJSON writes deceptive characters of a JSON text as escapes of JSON, so
// that the text stays equal and harmless. Line feeds and tabs between tokens stay.
func visibleJSON(text []byte) string {
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r == '\n' || r == '\t' || !deceptive(r):
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// deceptive reports characters that act instead of showing: controls (C0, C1,
// DEL), format characters (bidi, zero width, tags; the joiner of emoji is
// harmless) and the Unicode line separators.
func deceptive(r rune) bool {
	const joiner = '\u200d'
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != joiner || r == '\u2028' || r == '\u2029'
}

type color string

const (
	red    color = "31"
	green  color = "32"
	yellow color = "33"
	bold   color = "1"
	dim    color = "2"
)

// paint colours text for a terminal, unless NO_COLOR asks otherwise.
func (a *app) paint(w io.Writer, c color, text string) string {
	if !isTerminal(w) || a.noColor() {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// noColor follows no-color.org: any value but the empty one.
func (a *app) noColor() bool {
	if v, _ := a.getenv("NO_COLOR"); v != "" {
		return true
	}
	v, _ := a.getenv("TERM")
	return v == "dumb"
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth is the number of columns of w, or 80.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}

// childStderr is where a server's stderr is shown with -v; nil: nowhere.
func (a *app) childStderr() io.Writer {
	if !a.verbose {
		return nil
	}
	return &visibleWriter{w: a.stderr}
}

// visibleWriter makes each line written to it harmless.
type visibleWriter struct {
	w    io.Writer
	line []byte
}

// maxLine bounds what is kept of a line that does not end.
const maxLine = 64 << 10

func (v *visibleWriter) Write(p []byte) (int, error) {
	v.line = append(v.line, p...)
	for {
		n := bytes.IndexByte(v.line, '\n')
		if n < 0 && len(v.line) < maxLine {
			return len(p), nil
		}
		if n < 0 {
			n = len(v.line) - 1
		}
		if _, err := io.WriteString(v.w, manyLines(string(v.line[:n+1]))); err != nil {
			return 0, err
		}
		v.line = v.line[n+1:]
	}
}
