package jsonwire

import (
	"regexp"
	"sync"
)

// Patterns come from servers. One that RE2 cannot express (a look-ahead, a back
// reference) cannot be checked and must not stop anything, so it matches
// everything; the generator has said so when it met it.

// Pattern is a regular expression that is compiled when it is first used.
type Pattern struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

// NewPattern returns a Pattern; it compiles nothing yet and never fails.
func NewPattern(expr string) *Pattern { return &Pattern{expr: expr} }

// String returns the expression.
func (p *Pattern) String() string { return p.expr }

// Match reports whether the expression matches somewhere in s. An expression
// that RE2 does not know matches everything.
func (p *Pattern) Match(s string) bool {
	p.once.Do(func() { p.re, _ = regexp.Compile(p.expr) })
	return p.re == nil || p.re.MatchString(s)
}
