// Command tiny is the server that every contestant of the benchmark talks to, in
// a process of its own. It does as little as a server can: answers are built
// once, a request is scanned for its id, its method and a few words, and the
// answer is those bytes behind the id. What is left on the clock is the client.
//
//	tiny http          serve /2025/json, /2025/sse, /2026/json, /2026/sse; print the base URL
//	tiny stdio 2025    serve standard input and output
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tiny:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "http":
		return serveHTTP()
	case len(args) == 2 && args[0] == "stdio":
		return serveStdio(args[1])
	}
	return fmt.Errorf("usage: tiny http | tiny stdio 2025|2026")
}
