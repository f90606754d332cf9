package peers

// The peers themselves. Functions that return a Command are for clients that start their server;
// functions that return a URL have started it.

import (
	"path/filepath"
	"testing"
)

// node is a script of an npm installation, run with the loopback preload.
func node(dir string, script ...string) Command {
	args := []string{"--require", filepath.Join(dir, "loopback.cjs"), filepath.Join(dir, script[0])}
	return Command{Path: "node", Args: append(args, script[1:]...)}
}

func everything(t testing.TB, transport string) Command {
	t.Helper()
	return node(npmFolder(t, "v1"), "node_modules/@modelcontextprotocol/server-everything/dist/index.js", transport)
}

// Everything is @modelcontextprotocol/server-everything on stdio.
func Everything(t testing.TB) Command {
	t.Helper()
	return everything(t, "stdio")
}

// EverythingHTTP is @modelcontextprotocol/server-everything on Streamable HTTP.
func EverythingHTTP(t testing.TB) (url string) {
	t.Helper()
	return "http://" + serve(t, everything(t, "streamableHttp"), "PORT=0") + "/mcp"
}

// EverythingSSE is @modelcontextprotocol/server-everything on HTTP+SSE.
func EverythingSSE(t testing.TB) (url string) {
	t.Helper()
	return "http://" + serve(t, everything(t, "sse"), "PORT=0") + "/sse"
}

// Filesystem is @modelcontextprotocol/server-filesystem on stdio, serving the folders.
func Filesystem(t testing.TB, folders ...string) Command {
	t.Helper()
	script := "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
	return node(npmFolder(t, "v1"), append([]string{script}, folders...)...)
}

// TypeScriptV1 is a server on @modelcontextprotocol/sdk 1.x on stdio.
func TypeScriptV1(t testing.TB) Command {
	t.Helper()
	return node(npmFolder(t, "v1"), "server.mjs", "stdio")
}

// TypeScriptV1HTTP is the same server on Streamable HTTP with sessions.
func TypeScriptV1HTTP(t testing.TB) (url string) {
	t.Helper()
	return "http://" + serve(t, node(npmFolder(t, "v1"), "server.mjs", "http"), "PORT=0") + "/mcp"
}

// TypeScriptV2 is a server on @modelcontextprotocol/server 2.x on stdio; it speaks both eras.
func TypeScriptV2(t testing.TB) Command {
	t.Helper()
	return node(npmFolder(t, "v2"), "server.mjs", "stdio")
}

// TypeScriptV2HTTP is the same server on Streamable HTTP, without sessions.
func TypeScriptV2HTTP(t testing.TB) (url string) {
	t.Helper()
	return "http://" + serve(t, node(npmFolder(t, "v2"), "server.mjs", "http"), "PORT=0") + "/mcp"
}

// GoSDK is a server on the official Go SDK on stdio. Without versions it speaks all that the SDK knows.
func GoSDK(t testing.TB, versions ...string) Command {
	t.Helper()
	return Command{Path: goServer(t), Args: versions}
}

// GoSDKHTTP is the same server on Streamable HTTP.
func GoSDKHTTP(t testing.TB, versions ...string) (url string) {
	t.Helper()
	c := GoSDK(t, versions...)
	c.Args = append([]string{"-http"}, c.Args...)
	return "http://" + serve(t, c) + "/mcp"
}
