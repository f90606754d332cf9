package jsonschema

import "fmt"

// Issue is something about a schema that a person should know: a keyword that
// was ignored because its value is malformed, or, when Fatal, a place that
// cannot be understood.
type Issue struct {
	Pointer string
	Line    int // 0 when the place is not in the text
	Column  int
	Message string
	Fatal   bool
}

// String is the pointer and the message.
func (i Issue) String() string {
	if i.Pointer == "" {
		return i.Message
	}
	return i.Pointer + ": " + i.Message
}

// HasFatal reports whether one of the issues is fatal.
func HasFatal(issues []Issue) bool {
	for _, i := range issues {
		if i.Fatal {
			return true
		}
	}
	return false
}

func issueAt(pointer string, src *Value, fatal bool, format string, args ...any) Issue {
	i := Issue{Pointer: pointer, Message: fmt.Sprintf(format, args...), Fatal: fatal}
	if src != nil {
		i.Line, i.Column = src.Line, src.Column
	}
	return i
}
