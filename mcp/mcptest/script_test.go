package mcptest_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/mcptest"
)

const okResult = `{"content":[{"type":"text","text":"ok"}]}`

// dial connects an untyped client that is closed with the test.
func dial(t *testing.T, transport mcp.Transport, opts ...mcp.Option) *mcp.Client {
	t.Helper()
	conn, err := mcp.Connect(t.Context(), transport, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return conn
}

func TestScriptAnswersInItsOrderAndRecords(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			script := mcptest.NewScript(
				mcptest.Handshake(version),
				mcptest.Expect("tools/call", mcptest.Progress(`"progress":1`), mcptest.Result(okResult)),
				mcptest.Expect("tools/call", mcptest.FailData(-32000, "no more", `{"why":"tired"}`)),
			)
			conn := dial(t, script)
			if conn.Session().Version != version {
				t.Fatalf("version %s", conn.Session().Version)
			}
			var reports int
			if _, err := conn.CallTool(t.Context(), "x", nil, mcp.WithProgress(func(mcp.Progress) { reports++ })); err != nil || reports != 1 {
				t.Errorf("first call: %v, %d reports", err, reports)
			}
			_, err := conn.CallTool(t.Context(), "x", nil)
			if rpc, ok := errors.AsType[*mcp.RPCError](err); !ok || string(rpc.Data) != `{"why":"tired"}` {
				t.Errorf("second call: %v", err)
			}
			if err := script.Done(); err != nil {
				t.Error(err)
			}
			calls := 0
			for _, m := range script.Received() {
				if m.Method == "tools/call" && strings.Contains(string(m.Params), `"name":"x"`) {
					calls++
				}
			}
			if sent := script.Sent(); calls != 2 || !strings.Contains(sent[len(sent)-1].Text, "no more") {
				t.Errorf("%d calls recorded, sent %v", calls, sent)
			}
		})
	}
}

func TestScriptTellsWhatDidNotHappen(t *testing.T) {
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125), mcptest.Expect("tools/call"))
	conn := dial(t, script)
	if err := conn.Ping(t.Context()); !errors.Is(err, mcp.ErrMethodNotFound) {
		t.Errorf("ping: %v", err)
	}
	err := script.Done()
	if err == nil || err.Error() != "script: ping came, tools/call was expected; tools/call never came (step 1 of 1)" {
		t.Errorf("done: %v", err)
	}
}

func TestClientSurvivesMisbehaviour(t *testing.T) {
	for name, actions := range map[string][]mcptest.Action{
		"answer twice":      {mcptest.ResultTwice(okResult)},
		"answer to nobody":  {mcptest.ResultFor("999", okResult), mcptest.Result(okResult)},
		"no JSON first":     {mcptest.Text("Listening on stdio…"), mcptest.Result(okResult)},
		"notification":      {mcptest.Notify("notifications/unheard_of", ""), mcptest.Result(okResult)},
		"text for a number": {mcptest.ResultWithTextID(okResult), mcptest.Result(okResult)},
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, mcptest.NewScript(mcptest.Handshake(mcp.Version20251125), mcptest.Always("tools/call", actions...)))
			for range 2 {
				if _, err := conn.CallTool(t.Context(), "x", nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestScriptBreaksMessagesAndConnections(t *testing.T) {
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125),
		mcptest.Expect("tools/call", mcptest.Truncated(okResult)),
		mcptest.Expect("tools/call", mcptest.Huge(4096)),
		mcptest.Expect("tools/call", mcptest.HangUp(errors.New("power cut"))))
	conn := dial(t, script, mcp.WithVersions(mcp.Version20251125))
	if _, err := conn.CallTool(t.Context(), "x", nil); err == nil {
		t.Error("half an answer was taken for one")
	}
	if _, err := conn.CallTool(t.Context(), "x", nil); err != nil {
		t.Error(err)
	}
	_, err := conn.CallTool(t.Context(), "x", nil)
	if _, ok := errors.AsType[*mcp.TransportError](err); !ok || !strings.Contains(err.Error(), "power cut") {
		t.Errorf("hung up: %v", err)
	}
}

func TestLateAnswersComeWhenTheyMay(t *testing.T) {
	ready := make(chan struct{})
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125),
		mcptest.Expect("tools/call", mcptest.Later(ready, mcptest.Result(okResult))),
		mcptest.Expect("tools/call", mcptest.Result(okResult)))
	conn := dial(t, script)
	first := make(chan error)
	go func() {
		_, err := conn.CallTool(t.Context(), "slow", nil)
		first <- err
	}()
	if _, err := script.Await(t.Context(), "tools/call"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.CallTool(t.Context(), "fast", nil); err != nil {
		t.Error(err)
	}
	close(ready)
	if err := <-first; err != nil {
		t.Error(err)
	}
}

func TestSilenceTakesNoTimeInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125), mcptest.Expect("tools/call"))
		conn, err := mcp.Connect(t.Context(), script)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err = conn.CallTool(t.Context(), "x", nil)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 30*time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		if _, err := script.Await(t.Context(), "notifications/cancelled"); err != nil {
			t.Error(err)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestScriptAsksTheClient(t *testing.T) {
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125),
		mcptest.Expect("tools/call", mcptest.Ask("q1", "ping", "")),
		mcptest.Expect(""))
	conn := dial(t, script)
	ctx, cancel := context.WithCancel(t.Context())
	finished := make(chan error)
	go func() {
		_, err := conn.CallTool(ctx, "x", nil)
		finished <- err
	}()
	answer, err := script.Await(t.Context(), "")
	if err != nil || answer.ID.Text() != `"q1"` || string(answer.Result) != "{}" {
		t.Errorf("answer %+v, %v", answer, err)
	}
	cancel()
	<-finished
	if err := script.Done(); err != nil {
		t.Error(err)
	}
}

func TestPairJoinsOneClient(t *testing.T) {
	transport, peer := mcptest.NewPair()
	conn := dial(t, transport, mcp.WithVersions(mcp.Version20260728))
	go func() {
		data, err := peer.Receive(t.Context())
		if err != nil {
			return
		}
		id, _, _ := strings.Cut(strings.SplitAfter(string(data), `"id":`)[1], ",")
		peer.Send([]byte(`{"jsonrpc":"2.0","id":` + id + `,"result":` + okResult + `}`))
	}()
	if _, err := conn.CallTool(t.Context(), "x", nil); err != nil {
		t.Error(err)
	}
	if _, err := mcp.Connect(t.Context(), transport); err == nil {
		t.Error("a second client joined")
	}
	peer.HangUp(nil)
	if _, err := peer.Receive(t.Context()); err != io.EOF {
		t.Errorf("receive after the end: %v", err)
	}
}
