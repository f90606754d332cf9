package gen

// Options says what to generate. The zero value generates everything with the
// defaults.
type Options struct {
	// Package is the package name; default "tools" for Tools and "v" plus the
	// digits of the version for Protocol.
	Package string
	// File is the name of the main file, default "tools_gen.go". With Split each
	// tool has a file of its own, named after File and the tool.
	File  string
	Split bool
	// Fake adds a typed in-process server for tests.
	Fake bool
	// Include and Exclude are path.Match globs over raw tool names; empty
	// Include means all.
	Include []string
	Exclude []string
	// Formats opts in to richer Go types: "time", "uuid".
	Formats []string
	// Names overrides Go names by raw name: "get-user" or "tools/get-user" for
	// a tool, "prompts/x", "resources/x", and "tools/x/args/properties/y" for a type.
	Names map[string]string
	// Lock is the previous mcpgen.lock.json; names in it are kept.
	Lock []byte
	// Generator is the version in the header comment, "v0.1.0".
	Generator string
}
