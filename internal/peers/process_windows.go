package peers

import (
	"os"
	"os/exec"
	"strconv"
)

func isolate(*exec.Cmd) {}

// killTree ends a process and whatever it started.
func killTree(p *os.Process) error {
	return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run()
}
