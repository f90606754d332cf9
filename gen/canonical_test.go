package gen_test

import "github.com/mcpgen/mcpgen/mcp/jsonwire"

func appendCanonical(text []byte) (string, error) {
	out, err := jsonwire.AppendCanonical(nil, text)
	return string(out), err
}
