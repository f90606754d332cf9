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
	list, err := tools.Entries(in.Source, in.Tools, in.Prompts, in.ResourceTemplates)
	if err != nil {
		return nil, err
	}
	now := lockFrom(list, in, nil, nil)
	changes := []Change{}
	for _, c := range lock.Diff(old, now) {
		changes = append(changes, Change{Severity: string(c.Severity), Tool: c.Tool, Pointer: c.Pointer, Message: c.Message})
	}
	return changes, nil
}

func lockFrom(list *tools.Lists, in ToolsInput, names map[string]string, keep func(tool string) (string, bool)) *lock.Lock {
	server := lock.Server{Name: in.ServerName, Version: in.ServerVersion, Protocol: in.Protocol}
	return lock.Of(server, list.Tools, list.Prompts, list.Templates, names, keep)
}

// newLock records the tools that were generated.
func newLock(in ToolsInput, built *tools.Result, table *naming.Table) ([]byte, error) {
	fingerprints := map[string]string{}
	for _, op := range built.Package.Ops {
		fingerprints[op.Key] = op.Fingerprint
	}
	text, err := lock.Marshal(lockFrom(built.Lists, in, table.Names(), func(tool string) (string, bool) {
		fingerprint, generated := fingerprints[tools.Key(tool)]
		return fingerprint, generated
	}))
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	return text, nil
}
