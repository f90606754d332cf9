package gen

import (
	"fmt"
	"strings"
)

// Severity says what a Problem did to the output.
type Severity string

// The severities.
const (
	Note     Severity = "note"     // something worth knowing; the type is exact
	Warning  Severity = "warning"  // something that is hardly meant so; the type is exact
	Weakened Severity = "weakened" // a type says less than the schema
	Skipped  Severity = "skipped"  // a tool, prompt or template was left out
)

// Problem is a located diagnostic.
type Problem struct {
	Severity Severity `json:"severity"`
	// Source, Line and Column tell where in the input; Line is 0 when unknown.
	Source string `json:"source,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Where is the operation: `tools[3] "search"`.
	Where string `json:"where,omitempty"`
	// Pointer is the JSON pointer inside the operation's schema.
	Pointer string `json:"pointer,omitempty"`
	Message string `json:"message"`
}

// String is one line: place, pointer and message.
func (p Problem) String() string {
	var parts []string
	for _, s := range []string{p.Where, p.Pointer} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	place := strings.Join(parts, " ")
	if place == "" {
		return p.Message
	}
	return fmt.Sprintf("%s: %s", place, p.Message)
}
