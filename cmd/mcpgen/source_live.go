// The way to a running server, through package mcp.
package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"
)

var protocolVersions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

type dialOptions struct {
	protocol string        // the one version to talk; "" for any
	timeout  time.Duration // of the whole exchange, for bounds inside it
	stderr   io.Writer     // where the child's stderr goes; nil to keep only its end
}

type dialFunc func(context.Context, *target, dialOptions) (session, error)

func dialLive(context.Context, *target, dialOptions) (session, error) {
	return nil, errors.New("the runtime is not there yet")
}

func quotedTail(error) string { return "" }

// childStderr is where a server's stderr is shown with -v.
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

func (v *visibleWriter) Write(p []byte) (int, error) {
	v.line = append(v.line, p...)
	for {
		n := bytes.IndexByte(v.line, '\n')
		if n < 0 {
			return len(p), nil
		}
		if _, err := io.WriteString(v.w, manyLines(string(v.line[:n+1]))); err != nil {
			return 0, err
		}
		v.line = v.line[n+1:]
	}
}
