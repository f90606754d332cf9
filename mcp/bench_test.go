package mcp

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// A server that costs as little as possible: it finds the id by its place and answers with fixed bytes.
func cheapAnswer(dst, line []byte, text string) []byte {
	const lead = `{"jsonrpc":"2.0","id":`
	id := line[len(lead):]
	id = id[:bytes.IndexByte(id, ',')]
	switch {
	case bytes.Contains(line, []byte(`"initialize"`)):
		text = leg(Version20251125)
	case bytes.Contains(line, []byte(`"server/discover"`)):
		text = mod
	}
	return append(append(append(append(append(dst, lead...), id...), `,"result":`...), text...), '}')
}

func init() {
	children["cheap"] = func() {
		in := bufio.NewReaderSize(os.Stdin, 1<<20)
		out := bufio.NewWriterSize(os.Stdout, 1<<16)
		var buf []byte
		for {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return
			}
			if !bytes.HasPrefix(line, []byte(`{"jsonrpc":"2.0","id"`)) {
				continue
			}
			buf = append(cheapAnswer(buf[:0], line, okResult), '\n')
			_, _ = out.Write(buf)
			if in.Buffered() == 0 {
				_ = out.Flush()
			}
		}
	}
}

type sumArgs struct{ A, B int64 }

var sumTool = ToolSpec[sumArgs, NoOutput]{
	ToolInfo: ToolInfo{Name: "sum"},
	Args:     func(a *sumArgs) jsonwire.Codec { return jsonwire.CodecOf(a, writeSum, nil, nil) },
}

func writeSum(a *sumArgs, w *jsonwire.Writer) {
	w.BeginObject()
	w.Member(`"a":`)
	w.Int64(a.A)
	w.Member(`"b":`)
	w.Int64(a.B)
	w.EndObject()
}

func benchmarkCalls(b *testing.B, transport Transport, parallel int, opts ...Option) {
	c, err := Connect(context.Background(), transport, opts...)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	call := func() {
		if _, err := sumTool.CallResult(context.Background(), c, sumArgs{1, 2}); err != nil {
			b.Error(err)
		}
	}
	b.ReportAllocs()
	if parallel == 0 {
		for b.Loop() {
			call()
		}
		return
	}
	b.SetParallelism(parallel)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			call()
		}
	})
}

func cheapServer(b *testing.B, stream bool) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		if !bytes.HasPrefix(body.Bytes(), []byte(`{"jsonrpc":"2.0","id"`)) {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer := cheapAnswer(nil, body.Bytes(), okResult)
		if stream {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}))
	b.Cleanup(server.Close)
	return server.URL
}

func BenchmarkCall(b *testing.B) {
	self, _ := os.Executable()
	cheap := func() Transport {
		c := Command(self, "-test.run=^$")
		c.Env = map[string]*string{childVariable: new("cheap")}
		return c
	}
	for _, v := range []string{Version20251125, Version20260728} {
		pin := WithVersions(v)
		b.Run("stdio/"+v, func(b *testing.B) { benchmarkCalls(b, cheap(), 0, pin) })
		b.Run("stdio64/"+v, func(b *testing.B) { benchmarkCalls(b, cheap(), 32, pin) })
		b.Run("json/"+v, func(b *testing.B) { benchmarkCalls(b, HTTP(cheapServer(b, false)), 0, pin) })
		b.Run("json64/"+v, func(b *testing.B) { benchmarkCalls(b, HTTP(cheapServer(b, false)), 32, pin) })
		b.Run("sse/"+v, func(b *testing.B) { benchmarkCalls(b, HTTP(cheapServer(b, true)), 0, pin) })
	}
}

// BenchmarkFloor is the same work without a client: prepared bytes and a response that is read.
func BenchmarkFloor(b *testing.B) {
	url := cheapServer(b, false)
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			body := bytes.NewReader([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sum","arguments":{"a":1,"b":2}}}`))
			req, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, url, body)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", acceptBoth)
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				b.Fatal(err)
			}
			text, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			var result CallToolResult
			_ = jsonwire.Unmarshal(text[30:len(text)-1], &result)
		}
	})
}
