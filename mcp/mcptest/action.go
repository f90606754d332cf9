package mcptest

// What a scripted server does with a message: first what servers should do, then what they should not.

import (
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
)

// An Action is one reaction of a script. Write your own over the methods of Exchange. It runs on the
// goroutine that reads the connection: what waits belongs into Later.
type Action func(x *Exchange)

// Result answers with a result, given as JSON text.
func Result(json string) Action {
	return func(x *Exchange) { x.Send(string(result(x.id(), json))) }
}

// Fail answers with an error.
func Fail(code int64, message string) Action { return FailData(code, message, "") }

// FailData answers with an error whose data is JSON text.
func FailData(code int64, message, data string) Action {
	err := &jsonrpc.Error{Code: code, Message: message}
	if data != "" {
		err.Data = []byte(data)
	}
	return func(x *Exchange) { x.Send(string(failure(x.id(), err))) }
}

// Notify sends a notification; params is JSON text or empty.
func Notify(method, params string) Action {
	return func(x *Exchange) { x.Send(string(notification(method, params))) }
}

// Progress reports progress of the request, given as the members of the notification without its token:
// Progress(`"progress":1,"total":2`). It does nothing if the request asks for none.
func Progress(members string) Action {
	return func(x *Exchange) {
		if token := member(member(x.Params, "_meta"), metaProgressToken); token != nil {
			Notify("notifications/progress", `{"progressToken":`+string(token)+`,`+members+`}`)(x)
		}
	}
}

// Ask sends a request of the server. Its answer comes as a message without a method: Expect("").
func Ask(id, method, params string) Action {
	return func(x *Exchange) { x.Send(string(request(jsonrpc.StringID(id), method, params))) }
}

// HangUp ends the connection, with or without a reason.
func HangUp(reason error) Action { return func(x *Exchange) { x.HangUp(reason) } }

// Later does the actions once ready is closed, while the script goes on: for answers that come late or
// in another order. They are dropped if the connection ends first.
func Later(ready <-chan struct{}, actions ...Action) Action {
	return func(x *Exchange) {
		x.later.Go(func() {
			select {
			case <-ready:
			case <-x.ctx.Done():
				return
			}
			for _, act := range actions {
				act(x)
			}
		})
	}
}

// Text sends anything at all: a log line, half a message, another protocol.
func Text(text string) Action { return func(x *Exchange) { x.Send(text) } }

// ResultTwice answers twice.
func ResultTwice(json string) Action {
	return func(x *Exchange) {
		Result(json)(x)
		Result(json)(x)
	}
}

// ResultFor answers a request that nobody made, given as the JSON text of its id.
func ResultFor(id, json string) Action {
	return Text(`{"jsonrpc":"2.0","id":` + id + `,"result":` + json + `}`)
}

// ResultWithTextID answers with the number of the request as a string.
func ResultWithTextID(json string) Action {
	return func(x *Exchange) { x.Send(string(result(jsonrpc.StringID(x.id().Text()), json))) }
}

// Truncated sends the first half of an answer.
func Truncated(json string) Action {
	return func(x *Exchange) {
		whole := string(result(x.id(), json))
		x.Send(whole[:len(whole)/2])
	}
}

// Huge answers a tool call with a text of the size in bytes.
func Huge(size int) Action {
	return func(x *Exchange) {
		Result(`{"content":[{"type":"text","text":"` + strings.Repeat("x", size) + `"}]}`)(x)
	}
}
