//go:build unix

package peers

import (
	"os"
	"os/exec"
	"syscall"
)

// isolate gives a command a process group of its own, so that wrappers and their children end together.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killTree(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
