// Package jsonrpc has the JSON-RPC 2.0 vocabulary that the protocol packages
// and the runtime share: ids, methods, errors, and a scanner that finds what a
// transport must know about a message without decoding it.
package jsonrpc
