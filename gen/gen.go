// Package gen turns MCP protocol schemas and the tool lists of MCP servers into
// Go source.
//
// Tools makes the typed client of one server; Protocol makes the package of one
// protocol version. Both return files in memory and never touch the disk, the
// network or the environment: the same input gives the same bytes.
package gen

// ToolsInput is what one server told about itself.
type ToolsInput struct {
	// Source names where the lists came from, for messages: a file name, a URL,
	// a command. It is never written into the output.
	Source string

	// Tools is the tools/list result: a bare array, a result object, or a whole
	// JSON-RPC reply. Pages must have been joined before. Required.
	Tools []byte
	// Prompts and ResourceTemplates are the prompts/list and
	// resources/templates/list results in the same three forms; nil for none.
	Prompts           []byte
	ResourceTemplates []byte

	// ServerName, ServerVersion and Protocol stand in the header comment; empty
	// when unknown.
	ServerName    string
	ServerVersion string
	Protocol      string
}

// ProtocolInput is one protocol schema.
type ProtocolInput struct {
	Source  string // for messages
	Schema  []byte // the schema file
	Docs    []byte // docs.json; nil: comments come from the schema's own descriptions
	Version string // "2025-11-25"
}
