package gen

import (
	"fmt"

	"github.com/mcpgen/mcpgen/gen/internal/lock"
	"github.com/mcpgen/mcpgen/gen/internal/naming"
	"github.com/mcpgen/mcpgen/gen/internal/tools"
)

// Change is one difference between what a client was generated from and what
// the server lists now.
type Change struct {
	Severity string `json:"severity"` // Breaking, Compatible or Cosmetic
	Tool     string `json:"tool,omitempty"`
	Pointer  string `json:"pointer,omitempty"` // JSON pointer inside the tool
	Message  string `json:"message"`
}

// The severities of a Change.
const (
	Breaking   = "breaking"   // a program that compiled or worked before may not any more
	Compatible = "compatible" // programs go on working; there is something new
	Cosmetic   = "cosmetic"   // wording
)

// Diff compares the tools recorded in an mcpgen.lock.json with what the server
// lists now.
func Diff(oldLock []byte, in ToolsInput) ([]Change, error) {
	old, err := lock.Parse(oldLock)
	if err != nil {
		return nil, err
	}
	if in.Source == "" {
		in.Source = "tools/list"
	}
	now, err := lockOf(in, Options{}, nil)
	if err != nil {
		return nil, err
	}
	changes := []Change{}
	for _, c := range lock.Diff(old, now) {
		changes = append(changes, Change{Severity: string(c.Severity), Tool: c.Tool, Pointer: c.Pointer, Message: c.Message})
	}
	return changes, nil
}

// lockOf makes the lock of a server's lists under the names of a run.
func lockOf(in ToolsInput, opts Options, names map[string]string) (*lock.Lock, error) {
	list, err := tools.Entries(in.Source, in.Tools, in.Prompts, in.ResourceTemplates)
	if err != nil {
		return nil, err
	}
	return lockFrom(list, in, opts, names), nil
}

func lockFrom(list *tools.Lists, in ToolsInput, opts Options, names map[string]string) *lock.Lock {
	server := lock.Server{Name: in.ServerName, Version: in.ServerVersion, Protocol: in.Protocol}
	keep := func(tool string) bool { return tools.Wanted(tool, opts.Include, opts.Exclude) }
	return lock.Of(server, list.Tools, list.Prompts, list.Templates, names, keep)
}

func newLock(in ToolsInput, opts Options, built *tools.Result, table *naming.Table) ([]byte, error) {
	l := lockFrom(built.Lists, in, opts, table.Names())
	generated := map[string]bool{}
	for _, op := range built.Package.Ops {
		generated[op.Key] = true
	}
	kept := l.Tools[:0]
	for _, t := range l.Tools {
		if generated[tools.Key(t.Name)] {
			kept = append(kept, t)
		}
	}
	l.Tools = kept
	text, err := lock.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	return text, nil
}
