// Package jsonwire reads and writes JSON for code that knows its types.
//
// Generated codecs call it member by member, so there is no reflection and no
// intermediate tree: a [Reader] walks one JSON text and hands out values, a
// [Writer] appends them. Both keep the first error and turn every later call
// into a no-op, which lets a codec be written without a single error check.
//
// The grammar is exactly that of RFC 8259: what encoding/json refuses is
// refused here. Integers are read from their digits and never pass through a
// float64; strings with invalid UTF-8 are repaired with U+FFFD, never refused.
package jsonwire
