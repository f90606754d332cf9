// Package mcpgen is what the generator makes: the typed client of this project's
// own reference server. Read it to see what you would get for yours.
//
// The parts of the project are
//
//   - cmd/mcpgen, the command: go get -tool github.com/mcpgen/mcpgen/cmd/mcpgen
//   - gen, the generator as a library
//   - mcp, the runtime that generated clients link
//   - mcp/generated, one package per protocol version
//   - schema, the facts of the protocol and our words about them
package mcpgen

//go:generate go run ./cmd/mcpgen generate --fake -- go run ./internal/refserver/cmd/refserver
