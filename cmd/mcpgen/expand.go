// Variables in configuration values. Editors share the forms ${VAR},
// ${VAR:-default} and ${env:VAR}; a --header also takes $VAR, as a shell does.
// A variable that is not set is an error that names it: an empty token would
// come back as a riddle from the server.
package main

import (
	"fmt"
	"net/http"
	"net/textproto"
	"path/filepath"
	"strings"
)

// expander replaces variables in the values of one file or flag.
type expander struct {
	getenv func(string) (string, bool)
	folder string // value of ${workspaceFolder}; "" where there is none
	bare   bool   // $VAR without braces counts, and $$ is a dollar sign
}

func (e *expander) expand(s string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "$")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		value, after, err := e.variable(rest)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		s = after
	}
}

// variable expands what follows a dollar sign and returns what follows that.
func (e *expander) variable(s string) (value, rest string, err error) {
	switch {
	case strings.HasPrefix(s, "{"):
		inner, rest, closed := strings.Cut(s[1:], "}")
		if !closed {
			return "", "", fmt.Errorf("${%s: no closing brace", s[1:])
		}
		value, err := e.braced(inner)
		return value, rest, err
	case e.bare && strings.HasPrefix(s, "$"):
		return "$", s[1:], nil
	case e.bare && nameLength(s) > 0:
		n := nameLength(s)
		value, err := e.lookup(s[:n])
		return value, s[n:], err
	default:
		return "$", s, nil
	}
}

func (e *expander) braced(inner string) (string, error) {
	name, fallback, hasFallback := strings.Cut(inner, ":-")
	name = strings.TrimPrefix(name, "env:")
	if nameLength(name) == len(name) && name != "" {
		if name == "workspaceFolder" && e.folder != "" {
			return e.folder, nil
		}
		if value, ok := e.getenv(name); ok && (value != "" || !hasFallback) {
			return value, nil
		}
		if hasFallback {
			return fallback, nil
		}
		if name == "userHome" {
			return e.lookup("HOME")
		}
		return e.lookup(name)
	}
	if id, ok := strings.CutPrefix(inner, "input:"); ok {
		return "", fmt.Errorf("${input:%s} is asked for by an editor; put an environment variable there, such as ${env:%s}",
			id, strings.ToUpper(strings.ReplaceAll(id, "-", "_")))
	}
	switch inner {
	case "workspaceFolderBasename":
		return filepath.Base(e.folder), nil
	case "pathSeparator", "/":
		return string(filepath.Separator), nil
	}
	return "", fmt.Errorf("${%s}: unknown variable; known are ${VAR}, ${VAR:-default} and ${env:VAR}", inner)
}

func (e *expander) lookup(name string) (string, error) {
	if value, ok := e.getenv(name); ok {
		return value, nil
	}
	return "", fmt.Errorf("environment variable %s is not set; set it, or write ${%s:-default}", name, name)
}

// nameLength is the length of the variable name that s starts with.
func nameLength(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

// parseHeaders reads the values of --header.
func parseHeaders(values []string, getenv func(string) (string, bool)) (http.Header, error) {
	header := http.Header{}
	e := &expander{getenv: getenv, bare: true}
	for i, v := range values {
		name, value, ok := strings.Cut(v, ":")
		name = strings.TrimSpace(name)
		if !ok || !validHeaderName(name) {
			// The text may be a secret, so the message does not repeat it.
			return nil, usagef("--header (number %d): want 'Name: value'", i+1)
		}
		expanded, err := e.expand(strings.TrimSpace(value))
		if err != nil {
			return nil, fmt.Errorf("--header %s: %w", name, err)
		}
		if err := addHeader(header, name, expanded); err != nil {
			return nil, fmt.Errorf("--header %s: %w", name, err)
		}
	}
	return header, nil
}

func addHeader(h http.Header, name, value string) error {
	if !validHeaderName(name) {
		return fmt.Errorf("%q is no header name", name)
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return fmt.Errorf("the value holds a control character")
	}
	h.Add(textproto.CanonicalMIMEHeaderKey(name), value)
	return nil
}

func validHeaderName(name string) bool {
	const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return name != "" && strings.Trim(name, token) == ""
}
