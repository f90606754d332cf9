// Files are replaced, never edited: everything new is written beside its target
// first, and only when all of it is on the disk are the names moved over, so
// that an interrupted or failing run leaves either all old files or all new ones.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// output is one file to write, or to remove when content is nil.
type output struct {
	path    string
	content []byte
}

// change is an output that differs from what is on the disk.
type change struct {
	output
	target string // path with symbolic links resolved: a link stays a link
	old    []byte
	exists bool
	mode   fs.FileMode
	temp   string
}

// changes compares outputs with the disk.
func changes(outputs []output) ([]*change, error) {
	var list []*change
	for _, o := range outputs {
		c := &change{output: o, target: o.path, mode: 0o666}
		if resolved, err := filepath.EvalSymlinks(o.path); err == nil {
			c.target = resolved
		}
		info, err := os.Stat(c.target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("%s: %w", o.path, cause(err))
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s: is not a regular file, so it cannot be written", o.path)
		default:
			c.exists, c.mode = true, info.Mode().Perm()
			if c.old, err = os.ReadFile(c.target); err != nil {
				return nil, fmt.Errorf("%s: %w", o.path, cause(err))
			}
		}
		if c.differs() {
			if isHandwritten(c.target, c.old) {
				return nil, fmt.Errorf("%s: is not overwritten, because it holds Go that no generator wrote; give another --out, or remove the file", o.path)
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// generatedLine is how Go marks generated files.
var generatedLine = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// isHandwritten tells whether a Go file has something to lose: anything beyond a package clause, without
// the mark of a generator.
func isHandwritten(path string, text []byte) bool {
	if filepath.Ext(path) != ".go" || len(bytes.TrimSpace(text)) == 0 || generatedLine.Match(text) {
		return false
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	return err != nil || len(file.Decls) > 0
}

func (c *change) differs() bool {
	if c.content == nil {
		return c.exists
	}
	return !c.exists || !bytes.Equal(c.old, c.content)
}

// writeAll makes all changes or none.
func writeAll(list []*change) (err error) {
	var made []string // folders that did not exist before
	defer func() {
		if err == nil {
			return
		}
		for _, c := range list {
			if c.temp != "" {
				_ = os.Remove(c.temp)
			}
		}
		for i := len(made) - 1; i >= 0; i-- {
			_ = os.Remove(made[i])
		}
	}()
	for _, c := range list {
		if c.content == nil {
			continue
		}
		created, err := makeFolders(filepath.Dir(c.target))
		made = append(made, created...)
		if err != nil {
			return fmt.Errorf("%s: %w", c.path, cause(err))
		}
		if c.temp, err = stage(c.target, c.content, c.mode, c.exists); err != nil {
			return fmt.Errorf("%s: %w", c.path, cause(err))
		}
	}
	for i, c := range list {
		if err := c.apply(); err != nil {
			for _, done := range list[:i] {
				done.undo()
			}
			return fmt.Errorf("%s: %w", c.path, cause(err))
		}
	}
	return nil
}

func (c *change) apply() error {
	if c.content == nil {
		return os.Remove(c.target)
	}
	err := os.Rename(c.temp, c.target)
	if err == nil {
		c.temp = ""
	}
	return err
}

func (c *change) undo() {
	if !c.exists {
		_ = os.Remove(c.target)
		return
	}
	if temp, err := stage(c.target, c.old, c.mode, true); err == nil {
		if os.Rename(temp, c.target) != nil {
			_ = os.Remove(temp)
		}
	}
}

// stage writes content to a new file beside target. A new target gets what the
// umask leaves of mode; an existing one keeps its bits exactly.
func stage(target string, content []byte, mode fs.FileMode, exact bool) (temp string, err error) {
	f, err := createBeside(target, mode)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(content)
	if exact && err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return f.Name(), errors.Join(err, f.Close())
}

func createBeside(target string, mode fs.FileMode) (*os.File, error) {
	dir, base := filepath.Split(target)
	for n := os.Getpid(); ; n++ {
		name := filepath.Join(dir, "."+base+".mcpgen-"+strconv.Itoa(n))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// makeFolders is os.MkdirAll that tells which folders it made, outermost first.
func makeFolders(dir string) (made []string, err error) {
	if _, err := os.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if parent := filepath.Dir(dir); parent != dir {
		if made, err = makeFolders(parent); err != nil {
			return made, err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return made, err
	}
	return append(made, dir), nil
}

// cause strips the operation and path from a file error: the message around it
// names the file as the user wrote it.
func cause(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
	}
	if linkError, ok := errors.AsType[*os.LinkError](err); ok {
		return linkError.Err
	}
	return err
}
