package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/bench/jsonengines"
)

// The floor is no client at all: the bytes of each request are prepared, sent
// over net/http or a pipe, and the answer goes through one json.Unmarshal into
// exactly the struct that is needed.

// floor does the exchange; the answer goes into v, each notification to note.
type floor struct {
	exchange func(ctx context.Context, id int64, request []byte, v reply, note func([]byte) error) error
	close    func() error
	ids      atomic.Int64
	meta     string // members of _meta, for the stateless era
}

// reply is a response that can tell whose it is.
type reply interface{ outcome() error }

type envelope struct {
	ID    int64           `json:"id"`
	Error json.RawMessage `json:"error"`
}

func (e *envelope) outcome() error {
	if e.Error != nil {
		return fmt.Errorf("the server says %s", e.Error)
	}
	return nil
}

func (f *floor) Close() error { return f.close() }

func openFloor(ctx context.Context, t target) (session, error) {
	f := &floor{}
	if t.era == "2026" {
		f.meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
			`"io.modelcontextprotocol/clientInfo":{"name":"floor","version":"1.0.0"}`
	}
	if t.url != "" {
		f.exchange, f.close = httpExchange(t)
	} else {
		p, err := startPipe(t.command)
		if err != nil {
			return nil, err
		}
		f.exchange, f.close = p.exchange, p.close
	}
	if t.era == "2026" {
		return f, nil
	}
	return f, f.initialize(ctx)
}

func openFloorUnpinned(ctx context.Context, t target) (session, error) {
	s, err := openFloor(ctx, target{url: t.url, command: t.command, era: "2026"})
	if err != nil || t.era == "2026" {
		return s, err
	}
	var probe envelope
	if err := s.(*floor).do(ctx, "server/discover", nil, &probe, nil); err == nil {
		return nil, errors.New("a server of the session era answered server/discover")
	}
	return openFloor(ctx, t)
}

func (f *floor) initialize(ctx context.Context) error {
	var answer envelope
	err := f.do(ctx, "initialize", []byte(`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"floor","version":"1.0.0"}`), &answer, nil)
	if err != nil {
		return err
	}
	return f.exchange(ctx, 0, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`), nil, nil)
}

// do sends a request whose params are the given members.
func (f *floor) do(ctx context.Context, method string, params []byte, v reply, note func([]byte) error) error {
	id := f.ids.Add(1)
	b := make([]byte, 0, 512)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(b, `,"method":"`...)
	b = append(b, method...)
	b = append(b, `","params":{`...)
	b = append(b, params...)
	meta := f.meta
	if note != nil {
		meta = `"progressToken":7`
		if f.meta != "" {
			meta += "," + f.meta
		}
	}
	if meta != "" {
		if len(params) > 0 {
			b = append(b, ',')
		}
		b = append(b, `"_meta":{`...)
		b = append(b, meta...)
		b = append(b, '}')
	}
	b = append(b, "}}"...)
	if err := f.exchange(ctx, id, b, v, note); err != nil {
		return err
	}
	return v.outcome()
}

// Sum calls the tool "sum".
func (f *floor) Sum(ctx context.Context, a, b int64) (jsonengines.Sum, error) {
	var answer struct {
		envelope
		Result struct {
			Output jsonengines.Sum `json:"structuredContent"`
		} `json:"result"`
	}
	var room [96]byte
	params := append(room[:0], `"name":"sum","arguments":{"a":`...)
	params = strconv.AppendInt(params, a, 10)
	params = append(params, `,"b":`...)
	params = strconv.AppendInt(params, b, 10)
	params = append(params, '}')
	err := f.do(ctx, "tools/call", params, &answer, nil)
	return answer.Result.Output, err
}

// Text calls a tool that answers with one text.
func (f *floor) Text(ctx context.Context, tool string) (string, error) {
	var answer struct {
		envelope
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
	}
	if err := f.do(ctx, "tools/call", []byte(`"name":"`+tool+`"`), &answer, nil); err != nil {
		return "", err
	}
	if len(answer.Result.Content) != 1 {
		return "", errors.New("not one text")
	}
	return answer.Result.Content[0].Text, nil
}

// Rows calls the tool "rows".
func (f *floor) Rows(ctx context.Context) (rowSet, error) {
	var answer struct {
		envelope
		Result struct {
			Output jsonengines.Rows `json:"structuredContent"`
		} `json:"result"`
	}
	err := f.do(ctx, "tools/call", []byte(`"name":"rows"`), &answer, nil)
	return plainRows(answer.Result.Output.Rows), err
}

// List lists all tools.
func (f *floor) List(ctx context.Context) ([]string, error) {
	var answer struct {
		envelope
		Result jsonengines.Tools `json:"result"`
	}
	err := f.do(ctx, "tools/list", nil, &answer, nil)
	names := make([]string, len(answer.Result.Tools))
	for i := range names {
		names[i] = answer.Result.Tools[i].Name
	}
	return names, err
}

// Progress calls the tool "progress".
func (f *floor) Progress(ctx context.Context) (int, error) {
	var answer struct{ envelope }
	n := 0
	err := f.do(ctx, "tools/call", []byte(`"name":"progress"`), &answer, func(message []byte) error {
		var report struct {
			Params struct {
				Progress float64 `json:"progress"`
				Total    float64 `json:"total"`
				Message  string  `json:"message"`
			} `json:"params"`
		}
		if err := json.Unmarshal(message, &report); err != nil {
			return err
		}
		if int(report.Params.Progress) == n+1 {
			n++
		}
		return nil
	})
	return n, err
}

// isNotification tells notifications from the answer without decoding either.
func isNotification(message []byte) bool {
	return bytes.HasPrefix(message, []byte(`{"jsonrpc":"2.0","method":`))
}
