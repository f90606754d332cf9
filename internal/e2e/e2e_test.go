// Package e2e runs the whole of mcpgen against whole servers: the project's own reference server
// and other people's. Nothing here is a double: children are children, sockets are sockets.
package e2e

import (
	"context"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

// childVersion makes this test binary a reference server on stdio that speaks the version.
const childVersion = "E2E_REFSERVER_VERSION"

func TestMain(m *testing.M) {
	if version, ok := os.LookupEnv(childVersion); ok {
		server := refserver.New(refserver.Options{Versions: versions(version)})
		if err := server.ServeStdio(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func versions(version string) []string {
	if version == "" {
		return nil
	}
	return []string{version}
}

const callLimit = 60 * time.Second

func limited(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	t.Cleanup(cancel)
	return ctx
}

// connect opens a client that is closed with the test.
func connect(t *testing.T, transport mcp.Transport, opts ...mcp.Option) *mcp.Client {
	t.Helper()
	client, err := mcp.Connect(limited(t), transport, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return client
}

// reference is a way to reach the reference server.
type reference struct {
	name  string
	first string // the oldest version that the transport carries
	last  string // the newest
	open  func(t *testing.T, opts refserver.Options) mcp.Transport
}

var references = []reference{
	{"command", refserver.V20241105, refserver.V20260728, openCommand},
	{"stream", refserver.V20241105, refserver.V20260728, openStream},
	{"http", refserver.V20241105, refserver.V20260728, openHTTP},
	{"handler", refserver.V20241105, refserver.V20260728, openHandler},
	{"sse", refserver.V20241105, refserver.V20251125, openSSE},
}

// openCommand knows only one option: at most one version.
func openCommand(t *testing.T, opts refserver.Options) mcp.Transport {
	t.Helper()
	version := ""
	if len(opts.Versions) == 1 {
		version = opts.Versions[0]
	}
	command := mcp.Command(os.Args[0])
	command.Env = map[string]*string{childVersion: &version}
	return command
}

func openStream(t *testing.T, opts refserver.Options) mcp.Transport {
	t.Helper()
	server := refserver.New(opts)
	t.Cleanup(func() { _ = server.Close() })
	return mcp.DialStream(func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		go func() {
			_ = server.ServeStdio(context.Background(), theirs, theirs)
			_ = theirs.Close()
		}()
		return ours, nil
	})
}

func openHTTP(t *testing.T, opts refserver.Options) mcp.Transport {
	t.Helper()
	server := refserver.New(opts)
	web := httptest.NewServer(server.HTTPHandler())
	t.Cleanup(func() {
		_ = server.Close()
		web.Close()
	})
	return mcp.HTTP(web.URL)
}

func openHandler(t *testing.T, opts refserver.Options) mcp.Transport {
	t.Helper()
	server := refserver.New(opts)
	t.Cleanup(func() { _ = server.Close() })
	return mcp.Handler(server.HTTPHandler())
}

func openSSE(t *testing.T, opts refserver.Options) mcp.Transport {
	t.Helper()
	server := refserver.New(opts)
	web := httptest.NewServer(server.SSEHandler())
	t.Cleanup(func() {
		_ = server.Close()
		web.Close()
	})
	return mcp.HTTP(web.URL + "/sse")
}
