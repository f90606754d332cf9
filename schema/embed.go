// Package schema holds the facts of the Model Context Protocol, one JSON Schema
// per protocol version, and our own words about them.
//
// <version>/schema.json states names, types, required members, constants and
// bounds and nothing else; tasks/schema.json does so for the Tasks extension.
// docs.json gives every type, field, value and method one line, shared by all
// versions; README.md describes its conventions.
package schema

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed */schema.json docs.json
var files embed.FS

var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// Versions returns the protocol versions that have a schema, oldest first.
func Versions() []string { return slices.Clone(versions) }

// Protocol returns the schema of a protocol version.
func Protocol(version string) ([]byte, error) {
	if !slices.Contains(versions, version) {
		return nil, fmt.Errorf("protocol version %q has no schema; known are %s", version, strings.Join(versions, ", "))
	}
	return read(version + "/schema.json"), nil
}

// Tasks returns the schema of the Tasks extension, io.modelcontextprotocol/tasks.
func Tasks() []byte { return read("tasks/schema.json") }

// Docs returns docs.json, the prose shared by all versions.
func Docs() []byte { return read("docs.json") }

func read(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the embed directive above names every file that is asked for
	}
	return data
}
