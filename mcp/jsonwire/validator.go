package jsonwire

import (
	"errors"
	"strconv"
	"strings"
)

// Validation walks a Go value with the path in hand, unlike reading, because
// there is no text to find a place in. Segments are kept as they come and are
// joined only for a violation.

// maxViolations is how many violations are collected.
const maxViolations = 20

// Checker is implemented by generated types.
type Checker interface{ ValidateJSON(*Validator) }

// Validate checks x and returns a [*ValidationError], or nil.
func Validate(x Checker) error {
	var v Validator
	x.ValidateJSON(&v)
	return v.Err()
}

// Violation is one place where a value breaks its schema.
type Violation struct {
	Pointer string // RFC 6901 pointer; long ones are shortened
	Rule    string // the schema's keyword
	Detail  string
}

// ValidationError reports that a value breaks its schema. Pointer, Rule and
// Detail are those of the first violation.
type ValidationError struct {
	Pointer string
	Rule    string
	Detail  string
	All     []Violation // at most 20
}

// Error returns the first violation and how many more there are.
func (e *ValidationError) Error() string {
	var b strings.Builder
	if e.Pointer != "" {
		b.WriteString(printable(e.Pointer) + ": ")
	}
	b.WriteString(e.Rule)
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if n := len(e.All) - 1; n > 0 {
		b.WriteString(" (and " + strconv.Itoa(n) + " more)")
	}
	return b.String()
}

// Validator collects violations. The zero Validator is ready to use.
type Validator struct {
	path []place
	all  []Violation
}

type place struct {
	member string
	index  int // -1 for a member
}

// Enter goes to a member of the current object.
//
//go:noinline
func (v *Validator) Enter(member string) { v.path = append(v.path, place{member, -1}) }

// Index goes to an element of the current array.
//
//go:noinline
func (v *Validator) Index(i int) { v.path = append(v.path, place{"", i}) }

// Leave goes back to the container.
//
//go:noinline
func (v *Validator) Leave() { v.path = v.path[:len(v.path)-1] }

// Violate records that the current value breaks rule. The detail must be the
// caller's own words or a bounded quotation.
func (v *Validator) Violate(rule, detail string) { v.ViolateAt("", rule, detail) }

// ViolateAt is [Validator.Violate] for the value at a JSON Pointer below the
// current one.
func (v *Validator) ViolateAt(pointer, rule, detail string) {
	if len(v.all) < maxViolations {
		v.all = append(v.all, Violation{shorten(v.pointer()+pointer, pointerLimit), rule, detail})
	}
}

// Pointer returns the JSON Pointer of the current value.
func (v *Validator) Pointer() string { return v.pointer() }

func (v *Validator) pointer() string {
	var b strings.Builder
	for _, p := range v.path {
		b.WriteByte('/')
		if p.index >= 0 {
			b.WriteString(strconv.Itoa(p.index))
		} else {
			b.WriteString(escapeToken(shorten(p.member, segmentLimit)))
		}
	}
	return b.String()
}

// Full reports whether no further violations are collected, so that a long walk
// may stop.
func (v *Validator) Full() bool { return len(v.all) >= maxViolations }

// Err returns what was collected as a [*ValidationError], or nil.
func (v *Validator) Err() error {
	if len(v.all) == 0 {
		return nil
	}
	first := v.all[0]
	return &ValidationError{first.Pointer, first.Rule, first.Detail, v.all}
}

// Add records the violations of an error from elsewhere at the current value:
// those of a [*ValidationError] below it, anything else as a breach of rule.
func (v *Validator) Add(rule string, err error) {
	if err == nil {
		return
	}
	if e, ok := errors.AsType[*ValidationError](err); ok {
		for _, x := range e.All {
			v.ViolateAt(x.Pointer, x.Rule, x.Detail)
		}
		return
	}
	v.Violate(rule, excerpt(err.Error()))
}
