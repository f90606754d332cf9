package mcp

// Ending a process tree on Windows, where taskkill knows the children.

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

type processTree struct{ cmd *exec.Cmd }

// prepare makes the child the root of a console group of its own.
func (t *processTree) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func (t *processTree) started(cmd *exec.Cmd) { t.cmd = cmd }

// terminate asks politely; console programs have no other way to be asked than the end of stdin.
func (t *processTree) terminate() {
	_ = exec.Command("taskkill", "/T", "/PID", strconv.Itoa(t.cmd.Process.Pid)).Run()
}

// kill ends the tree.
func (t *processTree) kill() {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(t.cmd.Process.Pid)).Run()
	_ = t.cmd.Process.Kill()
}

// lookupEnv ignores case, as Windows does.
func lookupEnv(env map[string]*string, name string) (*string, bool) {
	for candidate, value := range env {
		if strings.EqualFold(candidate, name) {
			return value, true
		}
	}
	return nil, false
}
