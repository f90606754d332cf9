// Package subschema knows where schemas stand inside a JSON Schema.
//
// Only the position decides: a property may be called "title" or "$ref", and an
// enum may hold an object that looks like a schema. What walks a schema to read
// or change its keywords must go by this table.
package subschema

// Shape says in which forms a keyword holds schemas.
type Shape uint8

// The forms. A keyword may allow two of them, such as items before 2020-12.
const (
	One   Shape = 1 << iota // the value is a schema
	List                    // the value is an array of schemas
	Named                   // the value is an object whose members are schemas
)

// InPlace marks keywords whose schemas judge the same value as the schema that
// holds them.
const InPlace Shape = 1 << 7

var shapes = map[string]Shape{
	"additionalItems":       One,
	"additionalProperties":  One,
	"allOf":                 List | InPlace,
	"anyOf":                 List | InPlace,
	"contains":              One,
	"contentSchema":         One,
	"$defs":                 Named,
	"definitions":           Named,
	"dependencies":          Named | InPlace, // members may also be arrays of names
	"dependentSchemas":      Named | InPlace,
	"else":                  One | InPlace,
	"if":                    One | InPlace,
	"items":                 One | List,
	"not":                   One | InPlace,
	"oneOf":                 List | InPlace,
	"patternProperties":     Named,
	"prefixItems":           List,
	"properties":            Named,
	"propertyNames":         One,
	"then":                  One | InPlace,
	"unevaluatedItems":      One,
	"unevaluatedProperties": One,
}

// Of returns the shape of a keyword, 0 when it holds no schemas.
func Of(keyword string) Shape { return shapes[keyword] }
