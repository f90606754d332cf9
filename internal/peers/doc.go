// Package peers gives tests other people's MCP servers to talk to.
//
// The servers come from npm (the reference servers "everything" and "filesystem", and small servers
// on both generations of the TypeScript SDK) and from the official Go SDK. A test that asks for one
// gets it installed, once, into the user's cache folder, started as a child process, and ended with the test.
// Everything listens on 127.0.0.1 only. Versions are pinned: see npm/*/package.json and gosdk/go.mod.
//
// Where node, npm or the package registry is missing, the test is skipped and says so; with CI=true it fails.
package peers
