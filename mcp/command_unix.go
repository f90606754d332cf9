//go:build !windows

package mcp

// Ending a process tree on systems with process groups.

import (
	"os/exec"
	"syscall"
)

type processTree struct{ group int }

// prepare makes the child the leader of a group of its own, so that signals reach its children too
// (C-074), and keeps a terminal's Ctrl-C from it.
func (t *processTree) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func (t *processTree) started(cmd *exec.Cmd) { t.group = cmd.Process.Pid }

func (t *processTree) terminate() { _ = syscall.Kill(-t.group, syscall.SIGTERM) }

func (t *processTree) kill() { _ = syscall.Kill(-t.group, syscall.SIGKILL) }

func lookupEnv(env map[string]*string, name string) (*string, bool) {
	value, ok := env[name]
	return value, ok
}
