// On Unix a closed terminal (SIGHUP) and a polite kill (SIGTERM) end the server
// that mcpgen started just as Ctrl-C does.

//go:build !windows

package main

import (
	"os"
	"syscall"
)

var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
