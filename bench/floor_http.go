package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Prepared bytes over net/http. The body is read into a buffer of the size that
// the server announces.

// newHTTPClient returns the same client for every contestant: enough idle
// connections for the 64 callers, no compression.
func newHTTPClient() *http.Client {
	return &http.Client{Transport: newHTTPTransport()}
}

func newHTTPTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 256, 256
	t.DisableCompression = true
	return t
}

type exchange = func(ctx context.Context, id int64, request []byte, v reply, note func([]byte) error) error

func httpExchange(t target) (exchange, func() error) {
	client := newHTTPClient()
	header := http.Header{
		"Content-Type":         {"application/json"},
		"Accept":               {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {t.version()},
	}
	events := strings.HasSuffix(t.url, "/sse")
	do := func(ctx context.Context, _ int64, request []byte, v reply, note func([]byte) error) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, bytes.NewReader(request))
		if err != nil {
			return err
		}
		req.Header = header
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		switch {
		case v == nil:
			_, err = io.Copy(io.Discard, resp.Body)
			return err
		case resp.StatusCode != http.StatusOK:
			return fmt.Errorf("HTTP status %s", resp.Status)
		case events:
			return readEvents(resp.Body, v, note)
		}
		body := make([]byte, resp.ContentLength)
		if _, err := io.ReadFull(resp.Body, body); err != nil {
			return err
		}
		return json.Unmarshal(body, v)
	}
	return do, func() error { client.CloseIdleConnections(); return nil }
}

func readEvents(body io.Reader, v reply, note func([]byte) error) error {
	r := bufio.NewReader(body)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		message, ok := bytes.CutPrefix(line, []byte("data: "))
		switch {
		case !ok:
		case note != nil && isNotification(message):
			if err := note(message); err != nil {
				return err
			}
		default:
			if err := json.Unmarshal(message, v); err != nil {
				return err
			}
			_, err = io.Copy(io.Discard, r)
			return err
		}
	}
}
