package mcp

// URI templates after RFC 6570, all four levels.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// URIValues are the values of a template's variables. A variable that is not set expands to nothing.
type URIValues struct{ values map[string]uriValue }

type uriValue struct {
	text  string
	list  []string
	pairs map[string]string
	kind  byte // 's', 'l' or 'm'
}

// Set sets a variable to a string.
func (v *URIValues) Set(name, value string) { v.put(name, uriValue{text: value, kind: 's'}) }

// SetList sets a variable to a list; an empty one counts as not set.
func (v *URIValues) SetList(name string, values []string) {
	v.put(name, uriValue{list: values, kind: 'l'})
}

// SetMap sets a variable to an associative array, expanded in the order of its keys; an empty one
// counts as not set.
func (v *URIValues) SetMap(name string, pairs map[string]string) {
	v.put(name, uriValue{pairs: pairs, kind: 'm'})
}

func (v *URIValues) put(name string, value uriValue) {
	if v.values == nil {
		v.values = map[string]uriValue{}
	}
	v.values[name] = value
}

// uriOperator is how one kind of expression is written (RFC 6570 appendix A).
type uriOperator struct {
	first, separator string
	named            bool
	empty            string // after the name of an empty value
	reserved         bool   // reserved characters are kept
}

var uriOperators = map[byte]uriOperator{
	0:   {separator: ","},
	'+': {separator: ",", reserved: true},
	'#': {first: "#", separator: ",", reserved: true},
	'.': {first: ".", separator: "."},
	'/': {first: "/", separator: "/"},
	';': {first: ";", separator: ";", named: true},
	'?': {first: "?", separator: "&", named: true, empty: "="},
	'&': {first: "&", separator: "&", named: true, empty: "="},
}

// ExpandURITemplate expands template with values.
func ExpandURITemplate(template string, values *URIValues) (string, error) {
	var b strings.Builder
	rest := template
	for {
		literal, after, found := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return "", fmt.Errorf("URI template %q: '}' without '{'", template)
		}
		writeEscaped(&b, literal, true)
		if !found {
			return b.String(), nil
		}
		expression, after, closed := strings.Cut(after, "}")
		if !closed {
			return "", fmt.Errorf("URI template %q: '{' without '}'", template)
		}
		if err := expandExpression(&b, expression, values); err != nil {
			return "", fmt.Errorf("URI template %q: {%s}: %w", template, expression, err)
		}
		rest = after
	}
}

func expandExpression(b *strings.Builder, expression string, values *URIValues) error {
	var mark byte
	if expression != "" && strings.IndexByte("+#./;?&", expression[0]) >= 0 {
		mark, expression = expression[0], expression[1:]
	}
	op := uriOperators[mark]
	written := false
	for spec := range strings.SplitSeq(expression, ",") {
		v, err := parseVariable(spec)
		if err != nil {
			return err
		}
		value, ok := values.values[v.name]
		if !ok || value.kind == 'l' && len(value.list) == 0 || value.kind == 'm' && len(value.pairs) == 0 {
			continue
		}
		if v.prefix > 0 && value.kind != 's' {
			return fmt.Errorf("variable %q: a prefix cannot be taken of a list", v.name)
		}
		if written {
			b.WriteString(op.separator)
		} else {
			b.WriteString(op.first)
			written = true
		}
		op.expand(b, v, value)
	}
	return nil
}

type uriVariable struct {
	name    string
	prefix  int
	explode bool
}

func parseVariable(spec string) (uriVariable, error) {
	v := uriVariable{name: spec}
	if name, ok := strings.CutSuffix(spec, "*"); ok {
		v.name, v.explode = name, true
	} else if name, length, ok := strings.Cut(spec, ":"); ok {
		n, err := strconv.Atoi(length)
		if err != nil || n < 1 || n > 9999 || length[0] == '+' {
			return v, fmt.Errorf("prefix %q is not a number from 1 to 9999", length)
		}
		v.name, v.prefix = name, n
	}
	if !validVariable(v.name) {
		return v, fmt.Errorf("variable name %q is malformed", v.name)
	}
	return v, nil
}

func validVariable(name string) bool {
	if name == "" || name[0] == '.' || strings.HasSuffix(name, ".") {
		return false
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case isAlphanumeric(c) || c == '_' || c == '.':
		case c == '%' && i+2 < len(name) && isHex(name[i+1]) && isHex(name[i+2]):
			i += 2
		default:
			return false
		}
	}
	return true
}

func (op uriOperator) expand(b *strings.Builder, v uriVariable, value uriValue) {
	switch {
	case value.kind == 's':
		text := value.text
		if v.prefix > 0 {
			text = firstRunes(text, v.prefix)
		}
		op.writeNamed(b, v.name, text)
	case v.explode:
		op.expandExploded(b, v, value)
	default:
		if op.named {
			b.WriteString(v.name + "=")
		}
		items := value.list
		for _, key := range jsonwire.SortedKeys(value.pairs) {
			items = append(items, key, value.pairs[key])
		}
		for i, item := range items {
			if i > 0 {
				b.WriteByte(',')
			}
			writeEscaped(b, item, op.reserved)
		}
	}
}

func (op uriOperator) expandExploded(b *strings.Builder, v uriVariable, value uriValue) {
	for i, item := range value.list {
		if i > 0 {
			b.WriteString(op.separator)
		}
		op.writeNamed(b, v.name, item)
	}
	for i, key := range jsonwire.SortedKeys(value.pairs) {
		if i > 0 {
			b.WriteString(op.separator)
		}
		writeEscaped(b, key, op.reserved)
		if value.pairs[key] == "" && op.named {
			b.WriteString(op.empty)
			continue
		}
		b.WriteByte('=')
		writeEscaped(b, value.pairs[key], op.reserved)
	}
}

// writeNamed writes name=value where the operator names its values.
func (op uriOperator) writeNamed(b *strings.Builder, name, value string) {
	if op.named {
		b.WriteString(name)
		if value == "" {
			b.WriteString(op.empty)
			return
		}
		b.WriteByte('=')
	}
	writeEscaped(b, value, op.reserved)
}

func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// writeEscaped percent-encodes all but unreserved characters; with reserved, those too stay, and so
// do percent-encoded triplets.
func writeEscaped(b *strings.Builder, text string, reserved bool) {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case isAlphanumeric(c) || strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		case reserved && strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0:
			b.WriteByte(c)
		case reserved && c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]):
			b.WriteString(text[i : i+3])
			i += 2
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
