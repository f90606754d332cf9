// Package naming gives every declaration, field, constant and operation of a
// package its Go identifier, in one pass over the model. Afterwards names are
// only looked up; nothing can fail.
package naming

// From a raw name to a Go identifier: the words in it, Go's initialisms, and
// what to do when there is no letter to begin with.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
)

// initialisms are written in capitals, as Go's linters expect.
var initialisms = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields(`ACL AMQP API ASCII CPU CSS DB DNS EOF GID GUID HTML HTTP HTTPS ID IP JSON JWT MCP MIME
		QPS RAM RPC RTP SIP SLA SMTP SQL SSE SSH TCP TLS TTL UDP UI UID UUID URI URL UTF8 VM XML XMPP XSRF XSS`) {
		m[s] = true
	}
	return m
}()

// maxRunes bounds an identifier; longer raw names keep their start and a hash.
const maxRunes = 80

// Exported turns raw names into one exported identifier. kind is the prefix
// for names that cannot start an identifier: "Tool", "Field", "Value", "Type".
func Exported(kind string, raw ...string) string {
	var b strings.Builder
	for _, r := range raw {
		for _, w := range words(r) {
			b.WriteString(title(w))
		}
	}
	name := b.String()
	if name == "" {
		name = kind + spell(strings.Join(raw, " "))
	}
	first := []rune(name)[0]
	if !unicode.IsUpper(first) && !strings.HasPrefix(name, kind) {
		name = kind + name
	}
	if runes := []rune(name); len(runes) > maxRunes {
		name = string(runes[:maxRunes]) + "_" + digest(strings.Join(raw, "\x00"))
	}
	return name
}

// words splits at everything that is no letter or digit, and at the humps of
// camel case.
func words(raw string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		out = append(out, humps([]rune(part))...)
	}
	if len(out) > 1 && raw == strings.ToUpper(raw) { // SCREAMING_CASE
		for i, w := range out {
			out[i] = strings.ToLower(w)
		}
	}
	if !hasLetter(raw) {
		return nil
	}
	return out
}

// humps splits camel case: parseHTMLPage is parse, HTML, Page.
func humps(r []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(r); i++ {
		up := unicode.IsUpper(r[i])
		afterLower := up && !unicode.IsUpper(r[i-1])
		lastOfRun := up && unicode.IsUpper(r[i-1]) && i+1 < len(r) && unicode.IsLower(r[i+1]) && !pluralAt(r, i+1)
		if afterLower || lastOfRun {
			out = append(out, string(r[start:i]))
			start = i
		}
	}
	return append(out, string(r[start:]))
}

// pluralAt tells whether the s at i only makes a plural of capitals: IDs.
func pluralAt(r []rune, i int) bool {
	return r[i] == 's' && (i+1 == len(r) || unicode.IsUpper(r[i+1]))
}

func title(w string) string {
	upper := strings.ToUpper(w)
	if initialisms[upper] {
		return upper
	}
	if s, ok := strings.CutSuffix(upper, "S"); ok && initialisms[s] && len(s) > 1 && s != "DN" && s != "CS" {
		return s + "s"
	}
	r := []rune(w)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

func hasLetter(s string) bool {
	return strings.IndexFunc(s, unicode.IsLetter) >= 0
}

var symbols = map[rune]string{
	'+': "Plus", '-': "Minus", '*': "Star", '/': "Slash", '\\': "Backslash", '=': "Equal", '<': "Less", '>': "Greater",
	'!': "Not", '?': "Question", '.': "Dot", ',': "Comma", ':': "Colon", ';': "Semicolon", '_': "Underscore", '$': "Dollar",
	'@': "At", '#': "Hash", '%': "Percent", '&': "And", '|': "Or", '^': "Caret", '~': "Tilde", '(': "Open", ')': "Close",
	'[': "Open", ']': "Close", '{': "Open", '}': "Close", '"': "Quote", '\'': "Quote", '`': "Backquote", ' ': "Space",
}

// spell names what has no letters: "+1" is Plus1, "" is Empty.
func spell(raw string) string {
	if raw == "" {
		return "Empty"
	}
	var b strings.Builder
	for _, r := range raw {
		switch {
		case unicode.IsDigit(r):
			b.WriteRune(r)
		case symbols[r] != "":
			b.WriteString(symbols[r])
		default:
			fmt.Fprintf(&b, "U%04X", r)
		}
		if b.Len() > 40 {
			break
		}
	}
	return b.String()
}

// digest is the suffix that a raw name gives itself when it meets another.
func digest(raw string) string {
	sum := sha256.Sum256([]byte(raw))
	return hex.EncodeToString(sum[:3])
}

// unexported lowers the first word of an exported identifier.
func unexported(name string) string {
	r := []rune(name)
	n := 0
	for n < len(r) && unicode.IsUpper(r[n]) {
		n++
	}
	if n > 1 && n < len(r) && unicode.IsLetter(r[n]) {
		n--
	}
	for i := 0; i < n; i++ {
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}

// rank orders raw names that ask for the same identifier: the exact match, then
// what differs in fewer ways.
func rank(raw, name string) int {
	switch {
	case raw == name:
		return 0
	case strings.EqualFold(raw, name):
		return 1
	case strings.EqualFold(strings.ReplaceAll(raw, "_", ""), name):
		return 2
	case strings.EqualFold(strings.ReplaceAll(raw, "-", ""), name):
		return 3
	}
	return 4
}
