// Command mcpgen writes typed Go clients for MCP servers.
//
// It asks a server for its tools (or reads a saved list), hands the answer to
// package gen and writes what comes back. This file holds the way in: one
// process, one context that Ctrl-C ends, one exit status.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
)

func main() {
	debug.SetGCPercent(800) // the generator makes much and keeps it; the process is short
	os.Exit(run())
}

func run() int {
	// The handler stays installed to the end: a second Ctrl-C while a child is
	// being stopped must not leave that child behind.
	ctx, stop := signal.NotifyContext(context.Background(), endSignals...)
	defer stop()
	return newApp().execute(ctx, os.Args[1:])
}
