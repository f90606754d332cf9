package mcp

// Roots: the directories and files that the client lets the server work in.

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const methodRootsChanged = "notifications/roots/list_changed"

// RootsRequest asks for the roots.
type RootsRequest struct{ Asker }

// A RootsHandler returns the roots as they are now: only what the user has agreed to share and the
// program can reach. Every URI starts with file://; RootDir makes one. It may be called by several
// calls at once.
type RootsHandler func(ctx context.Context, req *RootsRequest) ([]Root, error)

// WithRoots lets the server ask for the roots. Call Client.RootsChanged when they change. MCP
// 2026-07-28 deprecates roots: new applications should do without, but servers may still ask.
func WithRoots(list RootsHandler) Option {
	return optionFunc(func(o *options) {
		if list == nil {
			o.err = errors.New("the handler of roots is nil")
			return
		}
		o.inputs.roots, o.inputs.movable = list, true
		o.declareRoots()
	})
}

// WithRootList is WithRoots with roots that never change.
func WithRootList(roots ...Root) Option {
	fixed := slices.Clone(roots)
	return optionFunc(func(o *options) {
		if err := checkRoots(fixed); err != nil {
			o.err = err
			return
		}
		o.inputs.roots, o.inputs.movable = func(context.Context, *RootsRequest) ([]Root, error) { return fixed, nil }, false
		o.declareRoots()
	})
}

// declareRoots promises announcements of changes only where they exist (C-210).
func (o *options) declareRoots() {
	o.capabilities["roots"] = func(w *jsonwire.Writer, version string) bool {
		w.BeginObject()
		if o.inputs.movable && version < Version20260728 {
			w.Member(`"listChanged":true`)
		}
		w.EndObject()
		return true
	}
	o.serves[methodListRoots] = serveInput(methodListRoots)
}

// RootsChanged tells a server of the session era that the roots have changed. Later servers ask when
// they need the roots: nothing is sent.
func (c *Client) RootsChanged(ctx context.Context) error {
	if !c.opts.inputs.movable {
		return errors.New(methodRootsChanged + ": not sent: changes need WithRoots")
	}
	l, err := c.live(ctx)
	if err != nil {
		return withMethod(err, methodRootsChanged)
	}
	if !l.speaks().servesRequests() {
		return nil
	}
	if err := l.notify(ctx, methodRootsChanged, ""); err != nil {
		return withMethod(err, methodRootsChanged)
	}
	return nil
}

// RootDir makes the root of a directory or file, named after its last element. It does not look
// whether path exists.
func RootDir(path string) (Root, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return Root{}, fmt.Errorf("root %q: %w", path, err)
	}
	name := filepath.Base(whole)
	return Root{URI: fileURI(filepath.VolumeName(whole), filepath.ToSlash(whole)), Name: &name}, nil
}

// fileURI writes an absolute path with forward slashes as a URI (RFC 8089): /C:/x for a drive, and
// the host in front for a share.
func fileURI(volume, path string) string {
	u := url.URL{Scheme: "file", Path: path}
	switch {
	case strings.HasPrefix(path, "//"):
		host, rest, _ := strings.Cut(strings.TrimPrefix(path, "//"), "/")
		u.Host, u.Path = host, "/"+rest
	case volume != "":
		u.Path = "/" + path
	}
	return u.String()
}

// listRoots makes the question for the roots.
func (h *inputHandlers) listRoots(from Asker) (question, error) {
	if h.roots == nil {
		return nil, ErrNoInputHandler
	}
	return func(ctx context.Context) (jsonwire.Appender, error) {
		roots, err := h.roots(ctx, &RootsRequest{from})
		if err == nil {
			err = checkRoots(roots)
		}
		if err != nil {
			return nil, err
		}
		if roots == nil {
			roots = []Root{}
		}
		return &v20260728.ListRootsResult{Roots: roots}, nil
	}, nil
}

// checkRoots checks that every URI names one absolute path (C-211).
func checkRoots(roots []Root) error {
	for _, root := range roots {
		if err := checkRoot(root.URI); err != nil {
			return fmt.Errorf("root %q: %w", root.URI, err)
		}
	}
	return nil
}

func checkRoot(uri string) error {
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return errors.New("not a URI")
	case u.Scheme != "file" || !strings.HasPrefix(strings.ToLower(uri), "file://"):
		return errors.New("must start with file://")
	case !strings.HasPrefix(u.Path, "/"):
		return errors.New("must have an absolute path: file:///…")
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return errors.New("must have nothing but a path")
	case strings.ContainsRune(u.Path, 0):
		return errors.New("must not contain a zero byte")
	}
	steps := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' || r == '\\' })
	if slices.Contains(steps, "..") || slices.Contains(steps, ".") {
		return errors.New("must not contain the steps . or .. of a path")
	}
	return nil
}
