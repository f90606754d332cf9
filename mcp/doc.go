// Package mcp is a client for servers of the Model Context Protocol: the runtime of the clients that
// mcpgen generates, and usable without them.
//
// A client is opened over a [Transport] and speaks whichever protocol version both sides know, from
// 2024-11-05 to 2026-07-28:
//
//	client, err := mcp.Connect(ctx, mcp.Command("npx", "-y", "some-server"))
//	client, err := mcp.Connect(ctx, mcp.HTTP("https://example.com/mcp"))
//	defer client.Close()
//
//	tools, err := client.ListTools(ctx)
//	result, err := client.CallTool(ctx, "search", map[string]any{"query": "gophers"})
//
// A generated client wraps a [Client] and calls its tools through [ToolSpec], with typed arguments and
// typed output.
//
// # Changes
//
// [Client.Listen] hears of changed lists and updated resources, in every version and over every
// transport. [WithCache] keeps the answers that a 2026-07-28 server allows to be kept, until they
// expire or a change is announced.
//
// # Tasks and apps
//
// A call that the server turns into a task is followed to its end like any other; [ToolSpec.Start] and
// [Client.Tasks] start one and come back to it later, in another process too. [WithApps] says that the
// host renders pages of tools; [ToolUI], [ModelVisible] and [Client.ReadUI] are what it needs then.
//
// # Errors
//
// What the server said is an [*RPCError] or, from a typed call, a [*ToolError]. Everything else is
// this client's own conclusion: [*TimeoutError], [*TransportError], [*VersionError],
// [*UnsupportedError], [*InvalidResultError], [*OutputError], [*InputRequiredError], [*TaskError]. One
// message that makes no sense never ends a connection; it is logged (see [WithLogger]) and dropped.
//
// # Questions of the server
//
// A server may ask for something in the middle of a call: a form filled in ([WithElicitation]), a
// visit to a page ([WithURLElicitation]), a message of a model ([WithSampling]), the roots
// ([WithRoots]). Each option installs one handler and declares the capability, in every version that
// has it; without the option the server hears that it cannot ask. A call whose questions nobody
// answers fails with an [*InputRequiredError] and can be finished later.
//
// # Limits
//
// A call waits 30 s for an answer (WithTimeout), a list walks at most 1,000 pages (WithMaxPages), a
// message of the server may have 16 MiB (WithMaxMessageSize), Close takes at most 5 s.
package mcp
