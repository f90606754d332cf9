package golang

// The only place where foreign text meets jennifer. A server's words reach the
// source as quoted literals or as line comments, and in no other way.

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

const commentWidth = 100

// text is a string literal: raw where that reads better and is safe.
func text(s string) *jen.Statement {
	if strings.ContainsAny(s, "\"\\") && backquotable(s) {
		return jen.Op("`" + s + "`")
	}
	return jen.Op(strconv.Quote(s))
}

// backquotable tells whether a raw literal shows the string as it is: printable
// runes only, no backquote.
func backquotable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r >= ' ' && r <= '~' && r != '`' {
			continue
		}
		if r == '`' || r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Z, r) && r != ' ' {
			return false
		}
	}
	return true
}

// texts are the literals of several strings.
func texts(list []string) []jen.Code {
	out := make([]jen.Code, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// comment is a block of line comments. Paragraphs are separated by an empty
// comment line; every line is cleaned and wrapped.
func comment(paragraphs ...string) jen.Code {
	return lineComments(commentLines(paragraphs...))
}

// comments is a block of line comments that belongs to what follows it.
type comments struct{ *jen.Statement }

// lineComments prints clean lines as they are; nil for none.
func lineComments(lines []string) jen.Code {
	if len(lines) == 0 {
		return nil
	}
	out := jen.Op(lines[0])
	for _, l := range lines[1:] {
		out.Line().Op(l)
	}
	return comments{out}
}

// commentLines cleans foreign text into comment lines, each starting with "//".
func commentLines(paragraphs ...string) []string {
	var out []string
	for _, p := range paragraphs {
		var block []string
		for _, line := range strings.Split(p, "\n") {
			words := strings.Fields(strings.Map(visible, line))
			if len(words) == 0 {
				if len(block) > 0 && block[len(block)-1] != "//" {
					block = append(block, "//")
				}
				continue
			}
			block = append(block, wrap(words)...)
		}
		for len(block) > 0 && block[len(block)-1] == "//" {
			block = block[:len(block)-1]
		}
		if len(block) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "//")
		}
		out = append(out, block...)
	}
	return out
}

// visible turns what could end, hide or reorder a comment line into a space.
func visible(r rune) rune {
	switch {
	case r >= ' ' && r <= '~':
		return r
	case r == utf8.RuneError, r == '\u2028', r == '\u2029', r == '\u0085', r == '\ufeff':
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Z, r):
		return ' '
	}
	return r
}

func wrap(words []string) []string {
	var out []string
	flush := func(line []string) { out = append(out, "// "+inert(strings.Join(line, " "))) }
	first, width := 0, -1 // of the words on the line
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		if i > first && width+1+n > commentWidth {
			flush(words[first:i])
			first, width = i, -1
		}
		width += 1 + n
	}
	flush(words[first:])
	return out
}

// directives are the beginnings that a tool could read as more than prose.
var directives = []string{"+build", "go:", "line ", "export ", "extern ", "Deprecated:", "nolint", "lint:", "Output:", "Unordered output:", "#cgo"}

// inert quotes a line that would otherwise be a directive, and keeps gofmt from
// reading it as a heading, a list or a link definition.
func inert(line string) string {
	for _, d := range directives {
		if len(line) >= len(d) && strings.EqualFold(line[:len(d)], d) {
			return "“" + line + "”"
		}
	}
	if strings.HasPrefix(line, "[") && strings.Contains(line, "]:") {
		return "“" + line + "”"
	}
	return line
}

// quoteName shows a raw name inside a comment.
func quoteName(raw string) string { return strconv.Quote(raw) }

// tag is a struct tag for a member name, or nil where the name cannot stand in
// one: the codec methods know the name anyway.
func tag(raw, option string) jen.Code {
	if raw == "" || raw == "-" {
		return nil
	}
	for _, r := range raw {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./$@", r)) {
			return nil
		}
	}
	if option != "" {
		raw += "," + option
	}
	return jen.Op("`json:\"" + raw + "\"`")
}
