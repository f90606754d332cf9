// Servers to run mcpgen against: one that behaves, over stdio and HTTP, and a
// row of those that do not.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
)

// fakeServerMain is the program "fakeserver KIND".
func fakeServerMain() {
	kind := "good"
	if len(os.Args) > 1 {
		kind = os.Args[1]
	}
	switch kind {
	case "garbage":
		fmt.Println("Welcome to the server!\nListening on port 3000 …")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "exit":
		fmt.Fprintln(os.Stderr, "fatal: \x1b[31mAPI_KEY is not set\x1b[0m")
		os.Exit(3)
	case "silent":
		_ = os.WriteFile("pid", []byte(strconv.Itoa(os.Getpid())), 0o666)
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "env":
		fmt.Fprintf(os.Stderr, "TOKEN=%s\n", os.Getenv("TOKEN"))
		serveLines(fakeServer{})
	case "refuse":
		serveLines(fakeServer{listError: true})
	case "hostile":
		serveLines(fakeServer{hostile: true})
	case "noisy":
		fmt.Fprintln(os.Stderr, "noise \x1b]0;title\a on stderr")
		serveLines(fakeServer{})
	default:
		serveLines(fakeServer{})
	}
}

func serveLines(s fakeServer) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if answer := s.answer(in.Bytes()); answer != nil {
			fmt.Printf("%s\n", answer)
		}
	}
}

// fakeServer speaks the session era: initialize, then lists and calls.
type fakeServer struct {
	listError bool
	hostile   bool
}

type object = map[string]any

func (s fakeServer) answer(line []byte) []byte {
	var request struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	if json.Unmarshal(line, &request) != nil || request.ID == nil {
		return nil
	}
	reply := object{"jsonrpc": "2.0", "id": request.ID}
	if result, err := s.result(request.Method, request.Params); err != nil {
		reply["error"] = err
	} else {
		reply["result"] = result
	}
	text, err := json.Marshal(reply)
	if err != nil {
		panic(err)
	}
	return text
}

func (s fakeServer) result(method string, params json.RawMessage) (result, failure object) {
	switch method {
	case "initialize":
		name := "fake-server"
		if s.hostile {
			name = "fake\x1b[2J\u202eserver"
		}
		return object{
			"protocolVersion": "2025-11-25",
			"capabilities":    object{"tools": object{}, "prompts": object{}, "resources": object{}},
			"serverInfo":      object{"name": name, "version": "1.2.3"},
		}, nil
	case "ping":
		return object{}, nil
	case "tools/list":
		return s.tools(params)
	case "prompts/list":
		return object{"prompts": []any{object{"name": "review", "description": "Reviews code.", "arguments": []any{object{"name": "code", "required": true}}}}}, nil
	case "resources/templates/list":
		return object{"resourceTemplates": []any{object{"name": "ticket", "uriTemplate": "tickets://{id}"}}}, nil
	case "tools/call":
		return callFake(params), nil
	}
	return nil, object{"code": -32601, "message": "Method not found"}
}

// tools has two pages.
func (s fakeServer) tools(params json.RawMessage) (result, failure object) {
	if s.listError {
		return nil, object{"code": -32000, "message": "the database is down"}
	}
	var page struct{ Cursor string }
	_ = json.Unmarshal(params, &page)
	if page.Cursor == "" {
		sum := object{"name": "get-sum", "description": "Returns the sum of two numbers.", "inputSchema": json.RawMessage(
			`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"},"label":{"type":"string"}},"required":["a","b"],"additionalProperties":false}`)}
		if s.hostile {
			sum["description"] = "Clears\x1b[2J the screen \u202eand lies.<script>alert(1)</script>"
		}
		return object{"tools": []any{sum}, "nextCursor": "2"}, nil
	}
	return object{"tools": []any{
		object{"name": "fail", "inputSchema": json.RawMessage(`{"type":"object"}`)},
	}}, nil
}

func callFake(params json.RawMessage) object {
	var call struct {
		Name      string
		Arguments json.RawMessage
	}
	_ = json.Unmarshal(params, &call)
	text := object{"type": "text", "text": call.Name + " " + string(call.Arguments)}
	if call.Name == "fail" {
		text["text"] = "no such ticket"
	}
	return object{"content": []any{text, object{"type": "image", "data": "aGFsbG8=", "mimeType": "image/png"}}, "isError": call.Name == "fail"}
}

var httpHandlers = map[string]http.HandlerFunc{
	"good":     serveMCP(""),
	"token":    serveMCP("Bearer s3cret"),
	"html":     respond(http.StatusOK, "text/html", "<!DOCTYPE html><title>Sign in</title>"),
	"notfound": respond(http.StatusNotFound, "text/plain", "no such page"),
	"broken":   respond(http.StatusInternalServerError, "text/plain", "stack trace"),
	"silent":   wait,
}

func respond(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// wait answers nothing. A request whose body is unread would not notice that
// its client has gone.
func wait(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// serveMCP is Streamable HTTP with JSON answers only.
func serveMCP(authorization string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if authorization != "" && r.Header.Get("Authorization") != authorization {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		answer := fakeServer{}.answer(body)
		if answer == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}
}
