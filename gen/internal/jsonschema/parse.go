package jsonschema

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The parser reads JSON into Values that know their position. It is stricter
// than encoding/json where a schema would otherwise become ambiguous (a member
// given twice is an error) and as lenient where text is only text (bad UTF-8
// becomes U+FFFD). Its cost is bounded by Limits.

// ParseError is a JSON text that could not be read.
type ParseError struct {
	Name    string // the name given to ParseJSON
	Line    int
	Column  int
	Message string
}

// Error is name:line:column: message.
func (e *ParseError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Message)
}

// ParseJSON reads one JSON text. The name stands for it in errors. The values
// alias data, which must not change afterwards.
func ParseJSON(name string, data []byte, lim Limits) (*Value, error) {
	return (&parser{name: name, data: data, line: 1, lim: lim.withDefaults()}).parse()
}

// ParseList is ParseJSON for a text of many entries of which one may be broken
// without the others: where a member is given twice or values are nested too
// deep, the value and all that hold it have a Fault.
func ParseList(name string, data []byte, lim Limits) (*Value, error) {
	return (&parser{name: name, data: data, line: 1, lim: lim.withDefaults(), tolerant: true}).parse()
}

func (p *parser) parse() (*Value, error) {
	data := p.data
	if len(data) > p.lim.Bytes {
		return nil, p.errorf(0, "text is %d bytes long, more than the limit of %d", len(data), p.lim.Bytes)
	}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		p.pos, p.lineStart = 3, 3
	}
	p.space()
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(data) {
		return nil, p.errorf(p.pos, "%s after the end of the value", p.found())
	}
	return v, nil
}

type parser struct {
	name      string
	data      []byte
	pos       int
	line      int // of pos
	lineStart int
	lim       Limits
	count     int
	slab      []Value
	tolerant  bool
	faults    []*ParseError
}

func (p *parser) errorf(pos int, format string, args ...any) *ParseError {
	return &ParseError{Name: p.name, Line: p.line, Column: pos - p.lineStart + 1, Message: fmt.Sprintf(format, args...)}
}

// found describes what stands at the current position.
func (p *parser) found() string {
	if p.pos >= len(p.data) {
		return "end of text"
	}
	r, _ := utf8.DecodeRune(p.data[p.pos:])
	return strconv.QuoteRune(r)
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case '\n':
			p.pos++
			p.line++
			p.lineStart = p.pos
		case ' ', '\t', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

// alloc hands out values from slabs: a tools/list has hundreds of thousands.
func (p *parser) alloc() *Value {
	if len(p.slab) == 0 {
		p.slab = make([]Value, min(1024, 16+p.count))
	}
	v := &p.slab[0]
	p.slab = p.slab[1:]
	v.Line, v.Column = p.line, p.pos-p.lineStart+1
	return v
}

func (p *parser) value(depth int) (*Value, error) {
	if depth >= p.lim.Depth {
		err := p.errorf(p.pos, "values are nested more than %d deep", p.lim.Depth)
		if !p.tolerant {
			return nil, err
		}
		p.faults = append(p.faults, err)
		return p.skipped()
	}
	if p.count++; p.count > p.lim.Values {
		return nil, p.errorf(p.pos, "text has more than %d values", p.lim.Values)
	}
	v, start, faults := p.alloc(), p.pos, len(p.faults)
	var err error
	switch c := p.peek(); {
	case c == '{':
		v.Kind = ObjectValue
		err = p.object(v, depth)
	case c == '[':
		v.Kind = ArrayValue
		err = p.array(v, depth)
	case c == '"':
		v.Kind = StringValue
		v.Text, err = p.str()
	case c == '-' || '0' <= c && c <= '9':
		v.Kind = NumberValue
		v.Text, err = p.number()
	default:
		err = p.literal(v)
	}
	v.Raw = p.data[start:p.pos:p.pos]
	if len(p.faults) > faults {
		v.Fault = p.faults[faults]
	}
	return v, err
}

// skipped moves past a value without reading it, and has null in its place.
func (p *parser) skipped() (*Value, error) {
	v, start, open := p.alloc(), p.pos, 0
	v.Kind, v.Text, v.Fault = NullValue, "null", p.faults[len(p.faults)-1]
	for {
		switch c := p.peek(); {
		case p.pos >= len(p.data):
			return nil, p.errorf(p.pos, "%s in a value", p.found())
		case c == '"':
			if _, err := p.str(); err != nil {
				return nil, err
			}
		case c == '{' || c == '[':
			open++
			p.pos++
		case c == '}' || c == ']':
			open--
			p.pos++
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			p.space()
			continue
		default:
			p.pos++
			for c := p.peek(); open == 0 && c != 0 && bytes.IndexByte([]byte(",}] \t\r\n"), c) < 0; c = p.peek() {
				p.pos++ // the rest of a scalar that is the whole value
			}
		}
		if open <= 0 {
			v.Raw = p.data[start:p.pos:p.pos]
			return v, nil
		}
	}
}

func (p *parser) literal(v *Value) error {
	for _, l := range [...]struct {
		text string
		kind Kind
	}{{"null", NullValue}, {"true", BoolValue}, {"false", BoolValue}} {
		if bytes.HasPrefix(p.data[p.pos:], []byte(l.text)) {
			v.Kind, v.Text = l.kind, l.text
			p.pos += len(l.text)
			return nil
		}
	}
	return p.errorf(p.pos, "%s where a value should start", p.found())
}

func (p *parser) array(v *Value, depth int) error {
	p.pos++
	p.space()
	if p.peek() == ']' {
		p.pos++
		return nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
		p.space()
		switch p.peek() {
		case ',':
			p.pos++
			p.space()
		case ']':
			p.pos++
			return nil
		default:
			return p.errorf(p.pos, "%s in an array, expected , or ]", p.found())
		}
	}
}

func (p *parser) object(v *Value, depth int) error {
	p.pos++
	p.space()
	if p.peek() == '}' {
		p.pos++
		return nil
	}
	var names nameSet
	for {
		if err := p.member(v, &names, depth); err != nil {
			return err
		}
		p.space()
		switch p.peek() {
		case ',':
			p.pos++
			p.space()
		case '}':
			p.pos++
			return nil
		default:
			return p.errorf(p.pos, "%s in an object, expected , or }", p.found())
		}
	}
}

func (p *parser) member(v *Value, names *nameSet, depth int) error {
	if p.peek() != '"' {
		return p.errorf(p.pos, "%s where a member name should start", p.found())
	}
	at := place{p.line, p.pos - p.lineStart + 1}
	name, err := p.str()
	if err != nil {
		return err
	}
	first, twice := names.add(name, at)
	if twice {
		err := &ParseError{p.name, at.line, at.column,
			fmt.Sprintf("member %s was already given at %d:%d", quoteShort(name), first.line, first.column)}
		if !p.tolerant {
			return err
		}
		p.faults = append(p.faults, err)
		v.Twice = true
	}
	p.space()
	if p.peek() != ':' {
		return p.errorf(p.pos, "%s after a member name, expected :", p.found())
	}
	p.pos++
	p.space()
	value, err := p.value(depth + 1)
	if err != nil {
		return err
	}
	if !twice {
		v.Members = append(v.Members, Member{Name: name, Value: value})
	}
	return nil
}

// place is a position in the text.
type place struct{ line, column int }

// nameSet remembers the member names of one object; most have few, so it
// becomes a map only when it grows.
type nameSet struct {
	few    []string
	places []place
	many   map[string]int
}

func (s *nameSet) add(name string, at place) (first place, twice bool) {
	if i, ok := s.find(name); ok {
		return s.places[i], true
	}
	s.few = append(s.few, name)
	s.places = append(s.places, at)
	switch {
	case s.many != nil:
		s.many[name] = len(s.few) - 1
	case len(s.few) > 12:
		s.many = make(map[string]int, 4*len(s.few))
		for i, n := range s.few {
			s.many[n] = i
		}
	}
	return place{}, false
}

func (s *nameSet) find(name string) (int, bool) {
	if s.many != nil {
		i, ok := s.many[name]
		return i, ok
	}
	for i, n := range s.few {
		if n == name {
			return i, true
		}
	}
	return 0, false
}

func (p *parser) number() (string, error) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++
	} else if !p.digits() {
		return "", p.errorf(p.pos, "%s in a number, expected a digit", p.found())
	}
	if p.peek() == '.' {
		p.pos++
		if !p.digits() {
			return "", p.errorf(p.pos, "%s in a number, expected a digit", p.found())
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if !p.digits() {
			return "", p.errorf(p.pos, "%s in a number, expected a digit", p.found())
		}
	}
	return string(p.data[start:p.pos]), nil
}

func (p *parser) digits() bool {
	start := p.pos
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos > start
}

func (p *parser) str() (string, error) {
	open := p.pos
	p.pos++
	start := p.pos
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; {
		case c == '"':
			text := string(p.data[start:p.pos])
			p.pos++
			return text, nil
		case c == '\\' || c >= utf8.RuneSelf:
			return p.unquote(open, append([]byte(nil), p.data[start:p.pos]...))
		case c < 0x20:
			return "", p.errorf(p.pos, "control character %q in a string, write it as an escape", c)
		}
		p.pos++
	}
	return "", p.errorf(open, "string is not closed")
}

// unquote goes on with a string that is not plain ASCII; buf holds what was
// read so far.
func (p *parser) unquote(open int, buf []byte) (string, error) {
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; {
		case c == '"':
			p.pos++
			return string(buf), nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			buf = utf8.AppendRune(buf, r)
		case c < 0x20:
			return "", p.errorf(p.pos, "control character %q in a string, write it as an escape", c)
		default:
			r, size := utf8.DecodeRune(p.data[p.pos:])
			buf = utf8.AppendRune(buf, r)
			p.pos += size
		}
	}
	return "", p.errorf(open, "string is not closed")
}

var simpleEscapes = [256]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *parser) escape() (rune, error) {
	p.pos++
	c := p.peek()
	if r := simpleEscapes[c]; r != 0 {
		p.pos++
		return r, nil
	}
	if c != 'u' {
		return 0, p.errorf(p.pos-1, "unknown escape \\%s in a string", p.found())
	}
	r, ok := p.hex4(p.pos + 1)
	if !ok {
		return 0, p.errorf(p.pos-1, "\\u in a string needs four hexadecimal digits")
	}
	p.pos += 5
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if bytes.HasPrefix(p.data[p.pos:], []byte(`\u`)) {
		if low, ok := p.hex4(p.pos + 2); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				p.pos += 6
				return both, nil
			}
		}
	}
	return utf8.RuneError, nil
}

func (p *parser) hex4(at int) (rune, bool) {
	if at+4 > len(p.data) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.data[at:at+4]), 16, 16)
	return rune(n), err == nil
}

// quoteShort quotes foreign text for a message and keeps the message short.
func quoteShort(s string) string {
	const most = 80
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}
