// Windows knows Ctrl-C only; closing the console arrives as SIGTERM.

package main

import (
	"os"
	"syscall"
)

var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}
