// Package tinytools is the client that mcpgen generates for the tiny server. tools.json has the schemas
// that such a server would list: the tools/list that is measured is another, made up, of 1,000 tools.
package tinytools

//go:generate go -C ../.. run ./cmd/mcpgen generate --quiet --tools bench/tinytools/tools.json --out bench/tinytools/tools_gen.go --package tinytools --lock=
