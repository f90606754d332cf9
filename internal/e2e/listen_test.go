package e2e

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/peers"
	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

func event(t *testing.T, sub *mcp.Subscription) mcp.Event {
	t.Helper()
	select {
	case e, ok := <-sub.Events():
		if !ok {
			t.Fatalf("ended: %s %v", sub.Reason(), sub.Err())
		}
		return e
	case <-time.After(callLimit):
		t.Fatal("no event")
	}
	return nil
}

func do(t *testing.T, client *mcp.Client, tool string, arguments map[string]any) {
	t.Helper()
	if _, err := client.CallTool(limited(t), tool, arguments); err != nil {
		t.Fatal(err)
	}
}

// C-222 C-223 C-228 C-237: the same subscription in every version over every transport.
func TestListenEverywhere(t *testing.T) {
	each(t, func(t *testing.T, _ string, client *mcp.Client) {
		const uri = "ref://state/counter"
		sub, err := client.Listen(limited(t), mcp.ListenFilter{Tools: true, Prompts: true, URIs: []string{uri}})
		if err != nil {
			t.Fatal(err)
		}
		if refused := sub.Refused(); !refused.IsZero() {
			t.Errorf("refused %+v", refused)
		}
		do(t, client, "change_list", map[string]any{"list": "tools"})
		if e := event(t, sub); e != (mcp.ToolsChanged{}) {
			t.Errorf("got %#v", e)
		}
		do(t, client, "change_list", map[string]any{"list": "resources"}) // not asked for
		do(t, client, "touch_resource", map[string]any{"uri": uri})
		if e := event(t, sub); e != (mcp.ResourceUpdated{URI: uri}) {
			t.Errorf("got %#v", e)
		}
		do(t, client, "change_list", map[string]any{"list": "prompts"})
		if e := event(t, sub); e != (mcp.PromptsChanged{}) {
			t.Errorf("got %#v", e)
		}
		if err := sub.Close(); err != nil || sub.Err() != nil || sub.Reason() != mcp.EndClosed || sub.Dropped() != 0 {
			t.Errorf("closed: %v, %v, %s, %d dropped", err, sub.Err(), sub.Reason(), sub.Dropped())
		}
		do(t, client, "change_list", map[string]any{"list": "tools"})
		if _, open := <-sub.Events(); open {
			t.Error("an event after Close")
		}
	})
}

// B039 B044: cut streams are resumed, forgotten sessions opened anew with their subscriptions.
func TestListenSurvivesTheLossOfItsSession(t *testing.T) {
	for _, version := range []string{refserver.V20250326, refserver.V20250618, refserver.V20251125} {
		t.Run(version, func(t *testing.T) {
			server := refserver.New(refserver.Options{Versions: versions(version)})
			web := httptest.NewServer(server.HTTPHandler())
			defer web.Close()
			defer func() { _ = server.Close() }()
			client, err := mcp.Connect(limited(t), mcp.HTTP(web.URL))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = client.Close() }()
			const uri = "ref://state/counter"
			sub, err := client.Listen(limited(t), mcp.ListenFilter{URIs: []string{uri}})
			if err != nil {
				t.Fatal(err)
			}
			server.ResourceUpdated(uri)
			if e := event(t, sub); e != (mcp.ResourceUpdated{URI: uri}) {
				t.Errorf("got %#v", e)
			}
			server.DropStreams()
			server.ResourceUpdated(uri)
			if e := event(t, sub); e != (mcp.ResourceUpdated{URI: uri}) {
				t.Errorf("after the stream was cut: %#v", e)
			}
			server.ForgetSessions()
			if e := event(t, sub); e != (mcp.EventsMissed{}) {
				t.Errorf("after the session was lost: %#v", e)
			}
			do(t, client, "touch_resource", map[string]any{"uri": uri})
			if e := event(t, sub); e != (mcp.ResourceUpdated{URI: uri}) {
				t.Errorf("in the new session: %#v", e)
			}
		})
	}
}

// C-234
func TestServerEndsTheSubscription(t *testing.T) {
	server := refserver.New(refserver.Options{})
	defer func() { _ = server.Close() }()
	client := connect(t, mcp.Handler(server.HTTPHandler()))
	sub, err := client.Listen(limited(t), mcp.ListenFilter{Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	server.EndSubscriptions()
	for e, err := range sub.All() {
		t.Errorf("got %v %v", e, err)
	}
	if sub.Reason() != mcp.EndCompleted {
		t.Errorf("ended as %s", sub.Reason())
	}
}

// C-263 C-268: the list is asked for once until the server says that it changed.
func TestCacheFollowsTheServer(t *testing.T) {
	asked := make(chan string, 100)
	server := refserver.New(refserver.Options{Trace: func(m refserver.Traffic) {
		if m.Inbound && len(m.Raw) > 0 && m.Header.Get("Mcp-Method") == "tools/list" {
			asked <- "tools/list"
		}
	}})
	web := httptest.NewServer(server.HTTPHandler())
	t.Cleanup(func() {
		_ = server.Close()
		web.Close()
	})
	client := connect(t, mcp.HTTP(web.URL), mcp.WithCache(nil))
	sub, err := client.Listen(limited(t), mcp.ListenFilter{Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	count := func() int {
		t.Helper()
		var n int
		for range 3 {
			tools, err := client.ListTools(limited(t))
			if err != nil {
				t.Fatal(err)
			}
			n = len(tools)
		}
		return n
	}
	before := count()
	do(t, client, "change_list", map[string]any{"list": "tools"})
	event(t, sub)
	if after := count(); after == before || len(asked) != 2 {
		t.Errorf("%d tools, then %d; asked %d times", before, after, len(asked))
	}
}

// C-222 B031: other people's servers announce updates on the stream that they have for it.
func TestListenToEverything(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) mcp.Transport{
		"stdio":    func(t *testing.T) mcp.Transport { return command(peers.Everything(t)) },
		"HTTP":     func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.EverythingHTTP(t)) },
		"HTTP+SSE": func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.EverythingSSE(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			client := connect(t, open(t))
			const uri = "demo://resource/dynamic/text/1"
			sub, err := client.Listen(limited(t), mcp.ListenFilter{URIs: []string{uri}})
			if err != nil {
				t.Fatal(err)
			}
			do(t, client, "toggle-subscriber-updates", nil)
			if e := event(t, sub); e != (mcp.ResourceUpdated{URI: uri}) {
				t.Errorf("got %#v", e)
			}
			do(t, client, "toggle-subscriber-updates", nil)
			if err := sub.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// C-229: servers made with other people's libraries acknowledge.
func TestListenToOtherLibraries(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) mcp.Transport{
		"TypeScript SDK v2 on stdio": func(t *testing.T) mcp.Transport { return command(peers.TypeScriptV2(t)) },
		"TypeScript SDK v2 on HTTP":  func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.TypeScriptV2HTTP(t)) },
		"Go SDK on stdio":            func(t *testing.T) mcp.Transport { return command(peers.GoSDK(t)) },
		"Go SDK on HTTP":             func(t *testing.T) mcp.Transport { return mcp.HTTP(peers.GoSDKHTTP(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			client := connect(t, open(t))
			sub, err := client.Listen(limited(t), mcp.ListenFilter{Tools: true})
			if err != nil {
				t.Fatal(err)
			}
			if !sub.Accepted().Tools {
				t.Errorf("refused %+v", sub.Refused())
			}
			if err := sub.Close(); err != nil || sub.Err() != nil {
				t.Error(err, sub.Err())
			}
		})
	}
}
