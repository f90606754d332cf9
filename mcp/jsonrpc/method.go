package jsonrpc

import (
	"context"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// What the generated protocol packages need to make a call: a caller, and a
// descriptor that ties a method's name to the types of its params and result.

// Caller sends one request and reads its result. A nil params sends none; a nil
// result is checked and dropped. A server's error comes back as an error that
// wraps an [*Error].
type Caller interface {
	CallRPC(ctx context.Context, method string, params jsonwire.Appender, result jsonwire.Decoder) error
}

// Direction says who may send a method.
type Direction uint8

// The directions of a method.
const (
	ClientToServer Direction = iota
	ServerToClient
	Both
)

// String returns the direction in words.
func (d Direction) String() string {
	switch d {
	case ClientToServer:
		return "client to server"
	case ServerToClient:
		return "server to client"
	case Both:
		return "both directions"
	}
	return "unknown direction"
}

// Method describes a request of the protocol.
type Method[Params, Result any] struct {
	Name          string
	Direction     Direction
	Paginated     bool // params have a cursor, the result a nextCursor
	Cacheable     bool // the result has ttlMs and cacheScope
	InputRequired bool // the result may ask for input first
}
