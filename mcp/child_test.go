package mcp

// Child processes of the tests: this test binary again, told by its environment what to play.

import (
	"fmt"
	"os"
	"testing"
)

// children are what a child can play, by name.
var children = map[string]func(){
	"legacy": func() { serveLines(os.Stdin, os.Stdout, legacy(Version20251125, alwaysOK), nil) },
	"modern": func() { serveLines(os.Stdin, os.Stdout, modern(alwaysOK), nil) },
	"task":   func() { serveLines(os.Stdin, os.Stdout, taskServer(created(""), flat("completed", cake)), nil) },
}

func runChild(name string) {
	play, ok := children[name]
	if !ok {
		fmt.Fprintln(os.Stderr, "no such child:", name)
		os.Exit(99)
	}
	play()
	os.Exit(0)
}

// child returns a transport that starts this test binary to play name.
func child(t *testing.T, name string) *CommandTransport {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := Command(self, "-test.run=^$")
	c.Env = map[string]*string{childVariable: &name}
	return c
}
