package mcp

// Calls, streams and servers that must not get into each other's way.

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// C-101
func TestB065LongStreamsHaveNoTotalDeadline(t *testing.T) {
	for _, version := range []string{Version20251125, Version20260728} {
		synctest.Test(t, func(t *testing.T) {
			respond := onCall(version, func(w http.ResponseWriter, _ *http.Request, m message) {
				for i := range 15 {
					time.Sleep(20 * time.Second) // of the fake clock
					sse(w, ": still here\n\n"+data(progress(m.token(), i)))
				}
				sse(w, data(m.result(okResult)))
			})
			c := connect(t, Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { respond(w, r, readMessage(r)) })))
			started := time.Now()
			if _, err := c.CallTool(t.Context(), "x", nil, WithProgressResetsTimeout(0)); err != nil || time.Since(started) != 5*time.Minute {
				t.Errorf("after %v: %v", time.Since(started), err)
			}
		})
	}
}

func TestB072OneSilentServerDelaysNoOther(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	good := newHTTPServer(t, jsonScript(modern(alwaysOK)))
	failed := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := Connect(ctx, HTTP("http://"+silent.Addr().String()))
		failed <- err
	}()
	checkOK(t, connect(t, HTTP(good.URL)))
	cancel()
	if err := <-failed; err == nil {
		t.Error("connected to a silent server")
	}
}

func TestB082AllKindsOfContentKeepTheirFieldsAndOrder(t *testing.T) {
	const content = `[{"type":"text","text":"t"},{"type":"resource_link","uri":"file:///a","name":"n","title":"T","description":"d","mimeType":"text/plain","size":7,"annotations":{"priority":1}},` +
		`{"type":"resource","resource":{"uri":"file:///b","text":"body"}},{"type":"resource","resource":{"uri":"file:///c","blob":"AA=="}},` +
		`{"type":"audio","data":"AA==","mimeType":"audio/wav"},{"type":"image","data":"AA==","mimeType":"image/png"}]`
	for _, version := range []string{Version20250618, Version20260728} {
		c, _ := answering(t, version, func(m message) []string { return []string{m.result(`{"content":` + content + `}`)} })
		result, err := c.CallTool(t.Context(), "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, block := range result.Content {
			kinds = append(kinds, strings.TrimPrefix(fmt.Sprintf("%T", block), "*v20260728."))
		}
		if got := strings.Join(kinds, " "); got != "TextContent ResourceLink EmbeddedResource EmbeddedResource AudioContent ImageContent" {
			t.Errorf("%s: got %s", version, got)
		}
		link, ok := result.Content[1].(*ResourceLink)
		if !ok || link.URI != "file:///a" || link.Name != "n" || *link.Title != "T" || *link.Description != "d" || *link.MIMEType != "text/plain" || link.Size == nil || link.Annotations == nil {
			t.Errorf("%s: got %+v", version, link)
		}
	}
}

func TestB150CloseOverHTTP2IsPrompt(t *testing.T) {
	arrived, left := make(chan struct{}), make(chan struct{})
	respond := onCall(Version20251125, func(w http.ResponseWriter, r *http.Request, _ message) {
		if r.ProtoMajor != 2 {
			t.Errorf("HTTP %s", r.Proto)
		}
		sse(w, ": open\n\n")
		close(arrived)
		<-r.Context().Done()
		close(left)
	})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { respond(w, r, readMessage(r)) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	c := connect(t, HTTP(server.URL, WithHTTPClient(server.Client())))
	failed := make(chan error)
	go func() {
		_, err := c.CallTool(t.Context(), "x", nil)
		failed <- err
	}()
	<-arrived
	started := time.Now()
	if err := c.Close(); err != nil || time.Since(started) > closeLimit/2 {
		t.Errorf("closed after %v: %v", time.Since(started), err)
	}
	if <-failed == nil {
		t.Error("the call succeeded")
	}
	<-left
}

func TestB151CallsInProcessRunAtTheSameTime(t *testing.T) {
	release := make(chan struct{})
	respond := onCall(Version20260728, func(w http.ResponseWriter, _ *http.Request, m message) {
		if strings.Contains(m.raw, `"slow"`) {
			sse(w, data(progress(m.token(), 1)))
			<-release
		}
		sse(w, data(m.result(okResult)))
	})
	c := connect(t, Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { respond(w, r, readMessage(r)) })))
	told, slow := make(chan struct{}), make(chan error)
	go func() {
		_, err := c.CallTool(t.Context(), "slow", nil, WithProgress(func(Progress) { close(told) }))
		slow <- err
	}()
	<-told
	checkOK(t, c)
	close(release)
	if err := <-slow; err != nil {
		t.Error(err)
	}
}

func TestB159NothingOfAnInboundRequestIsForwarded(t *testing.T) {
	upstream := newHTTPServer(t, jsonScript(modern(alwaysOK)))
	c := connect(t, HTTP(upstream.URL))
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := c.CallTool(context.WithValue(r.Context(), http.ServerContextKey, r.Header), "x", nil); err != nil {
			t.Error(err)
		}
	}))
	defer proxy.Close()
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, proxy.URL, nil)
	req.Header.Set("Cookie", "secret=1")
	req.Header.Set("Authorization", "Bearer secret")
	resp, err := proxy.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	for _, x := range upstream.exchanges() {
		if text := fmt.Sprint(x.header); strings.Contains(text, "secret") {
			t.Errorf("%s carries %s", x.Method, text)
		}
	}
}
