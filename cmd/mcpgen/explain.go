// What went wrong between mcpgen and a server, for someone who wants a client
// and has a command or a URL in hand: which of them, what happened, what to do.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"github.com/mcpgen/mcpgen/mcp"
)

// explain names the target and the cause of err. Lines after the first quote
// the child's stderr.
func (t *target) explain(err error) error {
	if err == nil {
		return nil
	}
	if exit, ok := errors.AsType[*mcp.ExitError](err); ok {
		return fmt.Errorf("%s: the server ended before it answered (%s)%s", t, exit.State, quoted(exit.Stderr))
	}
	if t.url == "" {
		return t.explainCommand(err)
	}
	return t.explainHTTP(err)
}

func (t *target) explainCommand(err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s: command %q not found; is it installed and in PATH?", t, t.command[0])
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or folder: %q; give its whole path", t, missing(err, t.command[0]))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %q may not be run: permission denied", t, t.command[0])
	}
	return fmt.Errorf("%s: %w", t, err)
}

func missing(err error, otherwise string) string {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Path
	}
	return otherwise
}

func (t *target) explainHTTP(err error) error {
	if failed, ok := errors.AsType[*mcp.TransportError](err); ok && failed.Status != 0 {
		return t.explainStatus(failed)
	}
	var lookup *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%s: connection refused; is the server running there?", t)
	case errors.As(err, &lookup):
		return fmt.Errorf("%s: no such host %q", t, lookup.Name)
	}
	return fmt.Errorf("%s: %w", t, err)
}

func (t *target) explainStatus(failed *mcp.TransportError) error {
	status := fmt.Sprintf("%d %s", failed.Status, http.StatusText(failed.Status))
	body := ""
	if text := firstLine(failed.Body); text != "" {
		body = fmt.Sprintf(" (%q)", text)
	}
	switch {
	case isHTML(failed.Body):
		return fmt.Errorf("%s: answered with a web page (%s), not with MCP; is this the server's MCP endpoint?", t, status)
	case failed.Status == http.StatusUnauthorized:
		return fmt.Errorf("%s: answered %s%s; sign in with --auth, or send a token with --header 'Authorization: Bearer $TOKEN'", t, status, body)
	case failed.Status == http.StatusForbidden:
		return fmt.Errorf("%s: answered %s%s; may this account use the server?", t, status, body)
	case failed.Status == http.StatusNotFound || failed.Status == http.StatusMethodNotAllowed:
		return fmt.Errorf("%s: answered %s%s; is this the server's MCP endpoint?", t, status, body)
	case failed.Status >= http.StatusInternalServerError:
		return fmt.Errorf("%s: answered %s%s; the server has a fault, its log may say which", t, status, body)
	}
	return fmt.Errorf("%s: answered %s%s: %w", t, status, body, failed)
}

func isHTML(body string) bool {
	start := strings.ToLower(strings.TrimSpace(body))
	return strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html")
}

// quoted is the end of a child's stderr on lines of its own, each marked as the child's.
func quoted(stderr string) string {
	const keep = 20
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(stderr, "\r\n", "\n"), "\n"), "\n")
	if len(lines) == 1 && strings.TrimSpace(lines[0]) == "" {
		return ", and said nothing on stderr"
	}
	return "; its stderr ends with:\n  | " + strings.Join(lines[max(len(lines)-keep, 0):], "\n  | ")
}

// timedOut words the end of the --timeout. What the server did say before is
// the best hint there is.
func (s *liveSource) timedOut(heard *hearsay) error {
	if said := heard.garbage(); said != "" {
		return fmt.Errorf("%s: no answer within %s but text that is no MCP message: %q; is this a server that speaks MCP?", s, s.timeout, said)
	}
	return fmt.Errorf("%s: no answer within %s; allow more with --timeout, or see what the server says with -v", s, s.timeout)
}

// hearsay keeps the first text of a server that package mcp could make nothing
// of. There it is dropped and logged, and the wait for an answer goes on.
type hearsay struct {
	mu   sync.Mutex
	text string
}

func (h *hearsay) garbage() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return firstLine(h.text)
}

// Enabled, Handle, WithAttrs and WithGroup make it a slog.Handler.
func (h *hearsay) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (h *hearsay) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "message" {
			h.mu.Lock()
			if h.text == "" {
				h.text = a.Value.String()
			}
			h.mu.Unlock()
		}
		return true
	})
	return nil
}

func (h *hearsay) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h *hearsay) WithGroup(string) slog.Handler      { return h }
