// Package generated is the home of the packages of the protocol versions. They
// are written by make generate from the documents in schema.
package generated

//go:generate go run github.com/mcpgen/mcpgen/internal/genprotocols .
