package jsonschema

import (
	"regexp"
	"slices"
)

// nodeReader decodes the keywords of one schema object. A keyword whose value
// has not the form that JSON Schema gives it is ignored with an Issue, as the
// validator does; unknown keywords are ignored in silence.
type nodeReader struct {
	g     *graph
	n     *Node
	res   *resource
	depth int

	exclusiveMin bool // draft-04
	exclusiveMax bool
	arrayItems   []*Node // draft-07's items array
	extraItems   *Node
	unevalProps  *Node
	unevalItems  *Node
	hasThen      bool
	ifNodes      []*Node
	lostPattern  bool
	refs         int
}

func (r *nodeReader) read() {
	r.identify()
	if ref := r.n.Src.Get("$ref"); ref != nil && ref.Kind == StringValue && r.g.draft.refHidesSiblings() {
		r.readBesideRef()
		return
	}
	for _, m := range r.n.Src.Members {
		if !r.g.draft.has(m.Name) {
			if m.Name != "additionalItems" || r.n.Src.Get("items") == nil || r.n.Src.Get("items").Kind != ArrayValue {
				r.outOfDraft(m)
				continue
			}
		}
		_ = r.annotation(m) || r.reference(m) || r.assertion(m) || r.text(m) || r.objectKeyword(m) || r.arrayKeyword(m) || r.combination(m)
	}
	r.finish()
}

// readBesideRef reads a schema whose $ref hides everything beside it; the
// annotations are still worth having and the definitions may be referred to.
func (r *nodeReader) readBesideRef() {
	for _, m := range r.n.Src.Members {
		switch {
		case r.annotation(m), r.reference(m):
		case isConstraint(m.Name):
			r.issue(m, "%s beside $ref is ignored, as draft-07 says", m.Name)
		}
	}
}

func isConstraint(keyword string) bool {
	return slices.Contains([]string{"type", "enum", "const", "properties", "required", "additionalProperties", "items",
		"allOf", "anyOf", "oneOf", "not", "if", "minimum", "maximum", "pattern", "minLength", "maxLength"}, keyword)
}

func (r *nodeReader) outOfDraft(m Member) {
	switch m.Name {
	case "contentEncoding", "contentMediaType", "minContains", "maxContains", "$dynamicAnchor", "additionalItems":
		return
	}
	r.issue(m, "%s is unknown in %s and ignored", m.Name, r.g.draft)
}

// issue reports something about a member that is not fatal.
func (r *nodeReader) issue(m Member, format string, args ...any) {
	r.g.report(r.n, issueAt(joinPointer(r.n.Pointer, m.Name), m.Value, false, format, args...))
}

func (r *nodeReader) malformed(m Member, expected string) {
	r.issue(m, "%s is %s, expected %s; it is ignored", m.Name, article(m.Value.Kind), expected)
}

func (r *nodeReader) annotation(m Member) bool {
	n := r.n
	switch m.Name {
	case "title":
		r.str(m, &n.Title)
	case "description":
		r.str(m, &n.Description)
	case "$comment":
		r.str(m, &n.Comment)
	case "default":
		n.Default = m.Value
	case "deprecated":
		r.boolean(m, &n.Deprecated)
	case "nullable":
		n.Nullable = m.Value.Kind == BoolValue && m.Value.Text == "true"
	case "x-mcp-header":
		n.Header = m.Value
	case "$defs", "definitions":
		n.Defs = append(n.Defs, r.properties(m)...)
	default:
		return false
	}
	return true
}

func (r *nodeReader) assertion(m Member) bool {
	n := r.n
	switch m.Name {
	case "type":
		r.types(m)
	case "enum":
		r.enum(m)
	case "const":
		if plausibleValue(m.Value) {
			n.Const = m.Value
		} else {
			r.issue(m, "const holds a number that is too large to compare; it is ignored")
		}
	case "required":
		n.Required = r.names(m)
	case "minProperties":
		n.MinProperties = r.countOf(m)
	case "maxProperties":
		n.MaxProperties = r.countOf(m)
	case "minItems":
		n.MinItems = r.countOf(m)
	case "maxItems":
		n.MaxItems = r.countOf(m)
	case "minLength":
		n.MinLength = r.countOf(m)
	case "maxLength":
		n.MaxLength = r.countOf(m)
	case "uniqueItems":
		r.boolean(m, &n.UniqueItems)
	case "minimum":
		n.Minimum = r.number(m)
	case "maximum":
		n.Maximum = r.number(m)
	case "exclusiveMinimum":
		n.ExclusiveMinimum = r.exclusive(m, &r.exclusiveMin)
	case "exclusiveMaximum":
		n.ExclusiveMaximum = r.exclusive(m, &r.exclusiveMax)
	case "multipleOf":
		r.multipleOf(m)
	default:
		return false
	}
	return true
}

func (r *nodeReader) text(m Member) bool {
	switch m.Name {
	case "format":
		r.str(m, &r.n.Format)
	case "pattern":
		if m.Value.Kind != StringValue {
			r.malformed(m, "a string")
		} else if r.compiles(m, m.Value.Text) {
			r.n.Patterns = []string{m.Value.Text}
		}
	case "contentEncoding":
		if m.Value.Kind == StringValue && m.Value.Text == "base64" {
			r.dynamic(m.Name)
		}
	case "contentMediaType":
		if m.Value.Kind == StringValue && m.Value.Text == "application/json" {
			r.dynamic(m.Name)
		}
	default:
		return false
	}
	return true
}

// compiles reports whether the pattern is one that Go can match. Others, such
// as those with look-ahead, are not checked by anybody.
func (r *nodeReader) compiles(m Member, pattern string) bool {
	_, err := regexp.Compile(pattern)
	if err != nil {
		r.issue(m, "pattern %s cannot be matched in Go and is not checked", quoteShort(pattern))
	}
	return err == nil
}

func (r *nodeReader) dynamic(keyword string) {
	if !slices.Contains(r.n.Dynamic, keyword) {
		r.n.Dynamic = append(r.n.Dynamic, keyword)
	}
}

// finish folds what several keywords say together.
func (r *nodeReader) finish() {
	n := r.n
	if r.exclusiveMin && n.Minimum != "" {
		n.ExclusiveMinimum, n.Minimum = n.Minimum, ""
	}
	if r.exclusiveMax && n.Maximum != "" {
		n.ExclusiveMaximum, n.Maximum = n.Maximum, ""
	}
	if r.arrayItems != nil && n.PrefixItems == nil {
		n.PrefixItems, n.Items = r.arrayItems, r.extraItems
	}
	if r.hasThen && r.ifNodes != nil {
		n.inPlace = append(n.inPlace, r.ifNodes...)
		r.dynamic("if")
	}
	if r.lostPattern && n.AdditionalProperties != nil {
		n.AdditionalProperties = nil
		r.unevalProps = nil
		r.issue(Member{"additionalProperties", n.Src}, "additionalProperties is not checked, because a pattern beside it cannot be matched")
	}
	r.finishUnevaluated()
}

// finishUnevaluated writes unevaluatedProperties as additionalProperties, and
// unevaluatedItems as items, where nothing beside them could evaluate a member.
func (r *nodeReader) finishUnevaluated() {
	n := r.n
	alone := r.refs == 0 && len(n.AllOf)+len(n.AnyOf)+len(n.OneOf)+len(n.inPlace) == 0
	contains := slices.Contains(n.Dynamic, "contains")
	switch {
	case r.unevalProps == nil:
	case alone && n.AdditionalProperties == nil:
		n.AdditionalProperties = r.unevalProps
	default:
		r.dynamic("unevaluatedProperties")
		n.inside = append(n.inside, r.unevalProps)
	}
	switch {
	case r.unevalItems == nil:
	case alone && n.Items == nil && !contains:
		n.Items = r.unevalItems
	default:
		r.dynamic("unevaluatedItems")
		n.inside = append(n.inside, r.unevalItems)
	}
}
