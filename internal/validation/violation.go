package validation

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Violation is one reason why a value is not valid.
type Violation struct {
	Pointer string // of the value that is wrong
	Rule    string // the keyword
	Detail  string
}

// String is pointer, rule and detail.
func (v Violation) String() string { return fmt.Sprintf("%q: %s: %s", v.Pointer, v.Rule, v.Detail) }

const maxViolations = 20

// violations flattens the library's tree of errors. The order does not depend
// on that of maps.
func violations(err error) []Violation {
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return []Violation{{Rule: "schema", Detail: cut(err.Error())}}
	}
	var list []Violation
	collect(ve, &list)
	slices.SortFunc(list, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Detail, b.Detail))
	})
	list = slices.Compact(list)
	return list[:min(len(list), maxViolations)]
}

// collect turns leaves into violations. What the arms of a union say is noise:
// the union itself is the violation, with what its first arm misses.
func collect(ve *jsonschema.ValidationError, list *[]Violation) {
	rule := ruleOf(ve)
	switch {
	case rule == "minContains":
		*list = append(*list, Violation{pointerOf(ve), "contains", cut(ve.Message)})
	case len(ve.Causes) == 0:
		*list = append(*list, Violation{pointerOf(ve), rule, cut(ve.Message)})
	case rule == "anyOf" || rule == "oneOf":
		first := leaf(ve.Causes[0])
		detail := fmt.Sprintf("none of %d alternatives fits; the first one: %s: %s", len(ve.Causes), ruleOf(first), first.Message)
		*list = append(*list, Violation{pointerOf(ve), rule, cut(detail)})
	default:
		for _, c := range ve.Causes {
			collect(c, list)
		}
	}
}

// leaf is the first reason below, chosen without regard to map order.
func leaf(ve *jsonschema.ValidationError) *jsonschema.ValidationError {
	for len(ve.Causes) > 0 {
		ve = slices.MinFunc(ve.Causes, func(a, b *jsonschema.ValidationError) int {
			return cmp.Or(cmp.Compare(a.InstanceLocation, b.InstanceLocation), cmp.Compare(a.KeywordLocation, b.KeywordLocation))
		})
	}
	return ve
}

// ruleOf is the keyword that an error is about.
func ruleOf(ve *jsonschema.ValidationError) string {
	tokens := strings.Split(ve.KeywordLocation, "/")
	last := tokens[len(tokens)-1]
	if ve.Message == "not allowed" {
		switch last {
		case "additionalProperties", "unevaluatedProperties", "items", "additionalItems", "unevaluatedItems":
			return last
		}
		return "false"
	}
	for i := len(tokens) - 2; i > 0; i-- {
		switch tokens[i] {
		case "dependencies", "dependentRequired":
			return tokens[i]
		case "anyOf", "oneOf", "allOf", "prefixItems", "properties":
			return last
		}
	}
	return last
}

// pointerOf undoes the library's percent-encoding.
func pointerOf(ve *jsonschema.ValidationError) string {
	if plain, err := url.PathUnescape(ve.InstanceLocation); err == nil {
		return plain
	}
	return ve.InstanceLocation
}

// cut keeps a message short.
func cut(s string) string {
	const most = 300
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= most {
		return s
	}
	at := most
	for !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at] + "…"
}

// checkNumbers finds a number that the library could not calculate with: it
// would write every digit of 1e1000000 or panic beyond.
func checkNumbers(v any, path []string) *Violation {
	switch v := v.(type) {
	case json.Number:
		if !calculable(string(v), 10_000) {
			return &Violation{joinPointer(path), "number", "the number has too many digits to be judged"}
		}
	case []any:
		for i, item := range v {
			if bad := checkNumbers(item, append(path, strconv.Itoa(i))); bad != nil {
				return bad
			}
		}
	case map[string]any:
		for name, item := range v {
			if bad := checkNumbers(item, append(path, name)); bad != nil {
				return bad
			}
		}
	}
	return nil
}

// calculable reports whether a number has at most about that many digits when
// it is written out.
func calculable(number string, digits int) bool {
	mantissa, exponent := number, ""
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa, exponent = number[:i], number[i+1:]
	}
	if len(mantissa) > digits {
		return false
	}
	if exponent == "" {
		return true
	}
	e, err := strconv.Atoi(exponent)
	return err == nil && -digits <= e && e <= digits
}
