package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

func readPostBody(t *testing.T, b *postBody) (string, error) {
	t.Helper()
	r, err := b.reader()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

func TestBodyIsReadAgainByAnotherAttempt(t *testing.T) {
	for _, size := range []int{1, smallBuffer, smallBuffer + 1} {
		data := bytes.Repeat([]byte("x"), size)
		b := newPostBody(data)
		for range 3 {
			if got, err := readPostBody(t, b); err != nil || got != string(data) {
				t.Errorf("size %d: got %d bytes, %v", size, len(got), err)
			}
		}
	}
}

func TestBodyDoesNotReferToTheMessageAfterTheExchange(t *testing.T) {
	small := []byte("small")
	b := newPostBody(small)
	b.detach()
	copy(small, "other")
	if got, err := readPostBody(t, b); err != nil || got != "small" {
		t.Errorf("got %q, %v", got, err)
	}
	b = newPostBody(make([]byte, smallBuffer+1))
	b.detach()
	if got, err := readPostBody(t, b); !errors.Is(err, errDetached) || got != "" {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

type countingConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c countingConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// A second write would cost a small call a tenth of its time.
func TestSmallMessageTakesOneWrite(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(cheapAnswer(nil, body, okResult))
	}))
	defer server.Close()
	var writes atomic.Int64
	via := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return countingConn{conn, &writes}, err
	}}
	defer via.CloseIdleConnections()
	c, err := Connect(t.Context(), HTTP(server.URL, WithRoundTripper(via)), WithVersions(Version20260728))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 3 {
		before := writes.Load()
		if _, err := sumTool.CallResult(t.Context(), c, sumArgs{1, 2}); err != nil {
			t.Fatal(err)
		}
		if n := writes.Load() - before; n != 1 {
			t.Errorf("%d writes", n)
		}
	}
}
