package jsonschema

import (
	"math/bits"
	"strings"
)

// TypeSet is a set of the seven JSON Schema type names. The empty set means
// that the schema states no type.
type TypeSet uint8

// The JSON Schema types. Integer is not a subset bit of Number: a schema that
// says "number" has only Number set.
const (
	Null TypeSet = 1 << iota
	Boolean
	Integer
	Number
	String
	Array
	Object
)

var typeNames = [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}

// typeByName returns the type called name, or the empty set.
func typeByName(name string) TypeSet {
	for i, n := range typeNames {
		if n == name {
			return 1 << i
		}
	}
	return 0
}

// Has reports whether every type of other is in the set. Number has Integer.
func (t TypeSet) Has(other TypeSet) bool {
	if t&Number != 0 {
		t |= Integer
	}
	return other&^t == 0
}

// Count returns how many types are in the set.
func (t TypeSet) Count() int { return bits.OnesCount8(uint8(t)) }

// Without returns the set without the types of other.
func (t TypeSet) Without(other TypeSet) TypeSet { return t &^ other }

// String lists the types in the order of the constants: "null or string".
func (t TypeSet) String() string {
	if t == 0 {
		return "none"
	}
	var names []string
	for i, n := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " or ")
}

// intersect keeps what both sets allow: the integers, of integer and number.
func (t TypeSet) intersect(other TypeSet) TypeSet {
	both := t & other
	if (t|other)&Number != 0 && (t&Integer != 0 && other&Number != 0 || t&Number != 0 && other&Integer != 0) {
		both |= Integer
	}
	if both&Number != 0 {
		both &^= Integer
	}
	return both
}

// typeOf is the narrowest type of a value: Integer for 5 and 5.0.
func typeOf(v *Value) TypeSet {
	switch v.Kind {
	case NullValue:
		return Null
	case BoolValue:
		return Boolean
	case StringValue:
		return String
	case ArrayValue:
		return Array
	case ObjectValue:
		return Object
	}
	if parseDecimal(v.Text).integral() {
		return Integer
	}
	return Number
}
