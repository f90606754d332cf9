package gen

import "errors"

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
	Breaking   = "breaking"
	Compatible = "compatible"
	Cosmetic   = "cosmetic"
)

// Diff compares the tools recorded in an mcpgen.lock.json with a new list.
func Diff(oldLock []byte, in ToolsInput) ([]Change, error) {
	return nil, errors.New("diff: not there yet")
}
