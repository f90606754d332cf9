package validation

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// CheckFormat reports whether s has the format. Formats that the library does
// not know are had by every string. Its signature is that of
// jsonwire.RegisterFormat.
func CheckFormat(format, s string) bool {
	check, known := jsonschema.Formats[format]
	return !known || check(s)
}

// KnowsFormat reports whether CheckFormat checks anything for the format.
func KnowsFormat(format string) bool {
	_, known := jsonschema.Formats[format]
	return known
}

// FormatAsserted reports whether a schema with this $schema ("" for none)
// asserts format: draft-07 and older do, later drafts take it as an annotation.
func FormatAsserted(schemaURI string) bool { return draftOf(schemaURI) == draft07 }

type draft int

const (
	draft07   draft = 7
	draft2019 draft = 2019
	draft2020 draft = 2020
)

// uri is what the library knows the draft by.
func (d draft) uri() string {
	switch d {
	case draft07:
		return "http://json-schema.org/draft-07/schema#"
	case draft2019:
		return "https://json-schema.org/draft/2019-09/schema"
	default:
		return "https://json-schema.org/draft/2020-12/schema"
	}
}

func draftOf(schemaURI string) draft {
	name := strings.TrimSuffix(strings.TrimSuffix(schemaURI, "/"), "#")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "http:"), "https:")
	switch name {
	case "//json-schema.org/draft-04/schema", "//json-schema.org/draft-06/schema", "//json-schema.org/draft-07/schema":
		return draft07
	case "//json-schema.org/draft/2019-09/schema":
		return draft2019
	default:
		return draft2020
	}
}
