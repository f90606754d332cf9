package jsonschema

import "strings"

// Draft is a version of JSON Schema. The validator that has the last word on
// what is valid (internal/validation over jsonschema/v5) follows the document's
// own $schema; Load reads keywords by the same rules. Draft-04 and draft-06 are
// read as draft-07 (with id for $id and boolean exclusive bounds), an absent or
// unknown $schema as 2020-12.
type Draft int

// The drafts that differ.
const (
	Draft07   Draft = 7
	Draft2019 Draft = 2019
	Draft2020 Draft = 2020
)

// String is the draft's own name.
func (d Draft) String() string {
	switch d {
	case Draft07:
		return "draft-07"
	case Draft2019:
		return "2019-09"
	default:
		return "2020-12"
	}
}

// draftOf reads the root's $schema; idKeyword is the name of $id there.
func draftOf(root *Value) (d Draft, idKeyword string) {
	s := root.Get("$schema")
	if s == nil || s.Kind != StringValue {
		return Draft2020, "$id"
	}
	url := strings.TrimSuffix(strings.TrimSuffix(s.Text, "/"), "#")
	url = strings.TrimPrefix(strings.TrimPrefix(url, "http:"), "https:")
	switch url {
	case "//json-schema.org/draft-04/schema":
		return Draft07, "id"
	case "//json-schema.org/draft-06/schema", "//json-schema.org/draft-07/schema":
		return Draft07, "$id"
	case "//json-schema.org/draft/2019-09/schema":
		return Draft2019, "$id"
	default:
		return Draft2020, "$id"
	}
}

// spans tells in which drafts a keyword means something, where not in all.
var spans = map[string]struct{ first, last Draft }{
	"prefixItems":           {Draft2020, Draft2020},
	"additionalItems":       {Draft07, Draft2019},
	"dependentRequired":     {Draft2019, Draft2020},
	"dependentSchemas":      {Draft2019, Draft2020},
	"unevaluatedProperties": {Draft2019, Draft2020},
	"unevaluatedItems":      {Draft2019, Draft2020},
	"minContains":           {Draft2019, Draft2020},
	"maxContains":           {Draft2019, Draft2020},
	"$anchor":               {Draft2019, Draft2020},
	"$recursiveRef":         {Draft2019, Draft2020},
	"$dynamicAnchor":        {Draft2020, Draft2020},
	"$dynamicRef":           {Draft2020, Draft2020},
	"contentEncoding":       {Draft07, Draft07},
	"contentMediaType":      {Draft07, Draft07},
}

// has reports whether the keyword asserts something in this draft.
func (d Draft) has(keyword string) bool {
	s, limited := spans[keyword]
	return !limited || s.first <= d && d <= s.last
}

// refHidesSiblings reports whether everything beside a $ref is ignored.
func (d Draft) refHidesSiblings() bool { return d < Draft2019 }

// FormatAsserted reports whether the draft makes format an assertion: in
// draft-07 values are checked against the formats that the validator knows, from
// 2019-09 on format is an annotation.
func (d Draft) FormatAsserted() bool { return d < Draft2019 }
