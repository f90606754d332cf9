package mcp

import "github.com/mcpgen/mcpgen/mcp/jsonwire"

// Time is a string of the format date-time, for clients generated with
// --formats time. It keeps the text that it was read from.
type Time = jsonwire.Time

// UUID is a string of the format uuid, for clients generated with --formats uuid.
type UUID = jsonwire.UUID
