// Package mcptest has what a test of an MCP client needs instead of a server:
//
//   - [NewFake], a typed server in this process; mcpgen generate --fake prints the call,
//   - [NewScript], a server that follows a script, for answers that no well-behaved server gives,
//   - [NewRecorder] and [NewReplay], which keep a session with a real server and play it again,
//   - [Pipe] and [NewPair], the in-memory transports below all of them.
//
// Nothing here opens a socket or starts a process, and nothing sleeps: a test may run in a
// testing/synctest bubble.
package mcptest
