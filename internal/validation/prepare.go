package validation

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/subschema"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Preparing rewrites a decoded schema, in place, into one that the library
// accepts and that means the same: spellings of other drafts are translated,
// and keywords that would make it refuse everything are dropped. The generator
// reads schemas by the same rules (gen/internal/jsonschema), and a test holds
// the two together.
type preparer struct {
	root      any
	draft     draft
	idKeyword string
	dropped   []Dropped
	moved     map[string]bool // schemas whose items array became prefixItems
	seen      map[string]bool
	edges     map[string][]string // schema to subschemas and targets, by pointer
	opaque    bool                // a reference whose target is not in edges
	refs      []reference
	ids       map[string]bool
}

type reference struct {
	from    string
	schema  map[string]any
	keyword string
}

func newPreparer(root any) *preparer {
	return &preparer{root: root, idKeyword: "$id", moved: map[string]bool{}, seen: map[string]bool{}, edges: map[string][]string{}, ids: map[string]bool{}}
}

var (
	errTooMany  = fmt.Errorf("schema has more than %d subschemas", maxSchemas)
	errTooDeep  = fmt.Errorf("schemas are nested more than %d deep", maxDepth)
	errNoSchema = errors.New("schema is neither an object nor a boolean")
)

func (p *preparer) prepare() error {
	if tooDeep(p.root, maxDepth) {
		return errTooDeep
	}
	root, isObject := p.root.(map[string]any)
	if _, isBool := p.root.(bool); !isObject && !isBool {
		return errNoSchema
	}
	p.chooseDraft(root)
	p.schema(nil, p.root, false)
	for i := 0; i < len(p.refs); i++ {
		p.reference(p.refs[i])
	}
	if len(p.seen) > maxSchemas {
		return errTooMany
	}
	slices.SortFunc(p.dropped, func(a, b Dropped) int { return strings.Compare(a.Pointer, b.Pointer) })
	return nil
}

func tooDeep(v any, left int) bool {
	if left == 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			if tooDeep(item, left-1) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if tooDeep(item, left-1) {
				return true
			}
		}
	}
	return false
}

func (p *preparer) chooseDraft(root map[string]any) {
	uri, _ := root["$schema"].(string)
	p.draft = draftOf(uri)
	if strings.Contains(uri, "draft-04") && p.draft == draft07 {
		p.idKeyword = "id"
	}
	if root != nil {
		root["$schema"] = p.draft.uri()
	}
}

func (p *preparer) drop(schema map[string]any, tokens []string, keyword, reason string) {
	delete(schema, keyword)
	p.note(tokens, keyword, reason)
}

func (p *preparer) note(tokens []string, keyword, reason string) {
	p.dropped = append(p.dropped, Dropped{joinPointer(append(tokens[:len(tokens):len(tokens)], keyword)), reason})
}

// schema prepares a schema position and returns what takes its place.
func (p *preparer) schema(tokens []string, v any, embedded bool) any {
	pointer := joinPointer(tokens)
	if p.seen[pointer] || len(p.seen) > maxSchemas {
		return v
	}
	p.seen[pointer] = true
	m, ok := v.(map[string]any)
	if !ok {
		if _, isBool := v.(bool); isBool {
			return v
		}
		p.dropped = append(p.dropped, Dropped{pointer, "is neither an object nor a boolean"})
		return true
	}
	p.edges[pointer] = nil
	delete(m, "$vocabulary")
	if len(tokens) > 0 {
		delete(m, "$schema")
	}
	embedded = p.identify(tokens, m) || embedded
	p.foldExclusive(m, "minimum", "exclusiveMinimum")
	p.foldExclusive(m, "maximum", "exclusiveMaximum")
	p.moveItems(pointer, m)
	for _, keyword := range jsonwire.SortedKeys(m) {
		if problem := malformed(m, keyword); problem != "" {
			delete(m, keyword)
			p.note(tokens, p.oldName(pointer, keyword), problem)
			continue
		}
		p.subschemas(tokens, m, keyword, embedded)
		if isReference(keyword) && !p.hidden(keyword) {
			p.addReference(pointer, m, keyword, embedded)
		}
	}
	p.loosen(tokens, m)
	return m
}

// oldName is the name that the text has for a keyword.
func (p *preparer) oldName(pointer, keyword string) string {
	if p.moved[pointer] {
		switch keyword {
		case "prefixItems":
			return "items"
		case "items":
			return "additionalItems"
		}
	}
	return keyword
}

func isReference(keyword string) bool {
	return keyword == "$ref" || keyword == "$dynamicRef" || keyword == "$recursiveRef"
}

// hidden reports whether a reference is ignored by the draft.
func (p *preparer) hidden(keyword string) bool {
	return p.draft == draft07 && keyword != "$ref" || p.draft == draft2019 && keyword == "$dynamicRef"
}

func (p *preparer) addReference(pointer string, m map[string]any, keyword string, embedded bool) {
	ref := m[keyword].(string)
	if !isURIReference(ref) && (embedded || !strings.HasPrefix(ref, "#/")) {
		m[keyword] = encodeReference(ref)
		p.opaque = true
		return
	}
	if embedded || !strings.HasPrefix(ref, "#") {
		p.opaque = true
		return
	}
	p.refs = append(p.refs, reference{pointer, m, keyword})
}

// reference prepares the target of a reference, which may be no schema position
// otherwise, and spells the reference as the library expects it.
func (p *preparer) reference(r reference) {
	fragment := r.schema[r.keyword].(string)[1:]
	switch {
	case fragment == "" || fragment == "/":
		p.edges[r.from] = append(p.edges[r.from], "")
		return
	case !strings.HasPrefix(fragment, "/"):
		p.opaque = true
		return
	}
	tokens, target, ok := p.fragmentTokens(fragment)
	if !ok {
		r.schema[r.keyword] = encodeReference("#" + fragment)
		return // compiling says so, if the place is used at all
	}
	if _, isObject := target.(map[string]any); isObject {
		p.schema(tokens, target, false)
	}
	p.edges[r.from] = append(p.edges[r.from], joinPointer(tokens))
	r.schema[r.keyword] = "#" + escapePointer(translate(p.moved, tokens))
}

// encodeReference encodes a reference that is no URI reference, which the
// library refuses even where nothing leads to it. A fragment still names what
// its letters say; another reference becomes one that has no target.
func encodeReference(ref string) string {
	if isURIReference(ref) {
		return ref
	}
	fragment, isFragment := strings.CutPrefix(ref, "#")
	if !isFragment {
		return "#:" + url.PathEscape(ref)
	}
	return "#" + strings.ReplaceAll(url.PathEscape(fragment), "%2F", "/")
}

// identify checks $id and the anchors and reports whether the schema is a
// resource of its own inside the document.
func (p *preparer) identify(tokens []string, m map[string]any) (embedded bool) {
	if p.idKeyword == "id" {
		if id, ok := m["id"]; ok {
			delete(m, "id")
			m["$id"] = id
		}
	}
	id, ok := m["$id"]
	if !ok {
		return false
	}
	text, isString := id.(string)
	address, _, _ := strings.Cut(text, "#")
	switch {
	case !isString:
		p.drop(m, tokens, "$id", "is not a string")
	case !isStableURI(address) || !isURIReference(text):
		p.drop(m, tokens, "$id", "is not a URI")
	case address == "":
		if p.draft != draft07 {
			delete(m, "$id")
		}
	case p.ids[address]:
		p.drop(m, tokens, "$id", "is used twice")
	default:
		p.ids[address] = true
		if p.draft != draft07 {
			m["$id"] = address
		}
		return len(tokens) > 0
	}
	return false
}

// foldExclusive turns draft-04's boolean bound into a number.
func (p *preparer) foldExclusive(m map[string]any, bound, exclusive string) {
	flag, ok := m[exclusive].(bool)
	if !ok {
		return
	}
	delete(m, exclusive)
	if number, ok := m[bound].(json.Number); ok && flag {
		m[exclusive] = number
		delete(m, bound)
	}
}

// moveItems turns an items array into prefixItems where the draft has only
// that.
func (p *preparer) moveItems(pointer string, m map[string]any) {
	items, isArray := m["items"].([]any)
	if !isArray || p.draft != draft2020 || len(items) == 0 {
		return
	}
	delete(m, "items")
	if _, has := m["prefixItems"]; has {
		return
	}
	m["prefixItems"] = items
	p.moved[pointer] = true
	if rest, has := m["additionalItems"]; has {
		delete(m, "additionalItems")
		m["items"] = rest
	}
}

// loosen drops the keywords that depend on a pattern that had to be dropped.
func (p *preparer) loosen(tokens []string, m map[string]any) {
	patterns, _ := m["patternProperties"].(map[string]any)
	lost := false
	for _, pattern := range jsonwire.SortedKeys(patterns) {
		if !compiles(pattern) {
			delete(patterns, pattern)
			lost = true
			p.note(tokens, "patternProperties", fmt.Sprintf("pattern %q cannot be matched in Go", pattern))
		}
	}
	for _, keyword := range [...]string{"additionalProperties", "unevaluatedProperties"} {
		if _, has := m[keyword]; has && lost {
			p.drop(m, tokens, keyword, "a pattern beside it cannot be matched in Go")
		}
	}
}

// subschemas prepares what a keyword holds.
func (p *preparer) subschemas(tokens []string, m map[string]any, keyword string, embedded bool) {
	shape := subschema.Of(keyword)
	pointer := joinPointer(tokens)
	child := func(v any, names ...string) any {
		at := append(tokens[:len(tokens):len(tokens)], names...)
		if keyword != "$defs" && keyword != "definitions" {
			p.edges[pointer] = append(p.edges[pointer], joinPointer(at))
		}
		return p.schema(at, v, embedded)
	}
	name := p.oldName(pointer, keyword)
	switch v := m[keyword].(type) {
	case []any:
		if shape&subschema.List != 0 {
			for i, item := range v {
				v[i] = child(item, name, strconv.Itoa(i))
			}
		}
	case map[string]any:
		if shape&subschema.Named != 0 {
			for _, member := range jsonwire.SortedKeys(v) {
				if _, isList := v[member].([]any); !isList || keyword != "dependencies" {
					v[member] = child(v[member], name, member)
				}
			}
			return
		}
		if shape&subschema.One != 0 {
			m[keyword] = child(v, name)
		}
	}
}
