// Refserver runs the project's reference MCP server.
//
// Without flags it serves one client on stdin and stdout. With -http it serves Streamable HTTP at
// /mcp and HTTP+SSE at /sse, and prints the first address as the only line on stdout.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/internal/refserver"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "refserver:", err)
		os.Exit(1)
	}
}

func run() error {
	address := flag.String("http", "", "listen on this address of the loopback interface, e.g. 127.0.0.1:0")
	versions := flag.String("versions", "", "protocol versions to speak, separated by commas; also legacy, modern")
	pageSize := flag.Int("page-size", 0, "entries on a page of each list; 0 puts all on one")
	answer := flag.String("answer", "auto", "form of HTTP answers: auto, json or sse")
	sessionless := flag.Bool("sessionless", false, "leave out Mcp-Session-Id")
	flag.Parse()

	opts := refserver.Options{PageSize: *pageSize, Sessionless: *sessionless}
	var err error
	if opts.Versions, err = parseVersions(*versions); err != nil {
		return err
	}
	modes := map[string]refserver.AnswerMode{"auto": refserver.AnswerAuto, "json": refserver.AnswerJSON, "sse": refserver.AnswerSSE}
	mode, ok := modes[*answer]
	if !ok {
		return fmt.Errorf("-answer %q: want auto, json or sse", *answer)
	}
	opts.Answer = mode

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := refserver.New(opts)
	defer server.Close()
	if *address == "" {
		return server.ServeStdio(ctx, os.Stdin, os.Stdout)
	}
	return serveHTTP(ctx, server, *address)
}

func parseVersions(text string) ([]string, error) {
	switch text {
	case "":
		return nil, nil
	case "legacy":
		return refserver.LegacyVersions(), nil
	case "modern":
		return refserver.ModernVersions(), nil
	}
	versions := strings.Split(text, ",")
	for _, v := range versions {
		if !slices.Contains(refserver.AllVersions(), v) {
			return nil, fmt.Errorf("-versions %q: want some of %v", v, refserver.AllVersions())
		}
	}
	return versions, nil
}

func serveHTTP(ctx context.Context, server *refserver.Server, address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("-http %q: %w", address, err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("-http %q: not an address of the loopback interface, such as 127.0.0.1:0", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.HTTPHandler())
	mux.Handle("/sse", server.SSEHandler())
	httpServer := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	fmt.Printf("http://%s/mcp\n", listener.Addr())

	ended := make(chan error, 1)
	go func() { ended <- httpServer.Serve(listener) }()
	select {
	case err = <-ended:
		return err
	case <-ctx.Done():
	}
	server.Close()
	shutdown, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := httpServer.Shutdown(shutdown); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return httpServer.Close()
	}
	return nil
}
