package mcp

import (
	"testing"
)

// Every transport in both eras carries a call.
func TestCallOverEveryTransport(t *testing.T) {
	scripts := map[string]script{
		"legacy": legacy(Version20251125, alwaysOK),
		"modern": modern(alwaysOK),
	}
	for era, s := range scripts {
		t.Run("pipe "+era, func(t *testing.T) {
			transport, _ := pipe(t, s)
			checkOK(t, connect(t, transport))
		})
		t.Run("child "+era, func(t *testing.T) {
			checkOK(t, connect(t, child(t, era)))
		})
		t.Run("http "+era, func(t *testing.T) {
			checkOK(t, connect(t, HTTP(newHTTPServer(t, jsonScript(s)).URL)))
		})
		t.Run("handler "+era, func(t *testing.T) {
			server := newHTTPServer(t, jsonScript(s))
			checkOK(t, connect(t, Handler(server.Config.Handler)))
		})
	}
}

func checkOK(t *testing.T, c *Client) {
	t.Helper()
	result, err := c.CallTool(t.Context(), "echo", map[string]any{"a": 1})
	if err != nil {
		t.Fatal(err)
	}
	if text := resultText(result); text != "ok" {
		t.Fatalf("got %q", text)
	}
}
