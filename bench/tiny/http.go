package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Streamable HTTP in its two shapes, one path for each shape and era. The server
// ends with its standard input, so that it never outlives the benchmark.

// trips counts the requests that were not tool calls, for the row on connecting.
var trips atomic.Int64

func serveHTTP() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(l, http.HandlerFunc(serve))
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

func serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/trips" {
		fmt.Fprint(w, trips.Swap(0))
		return
	}
	if r.Method != http.MethodPost {
		trips.Add(1)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	q, err := parse(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if q.method != "tools/call" {
		trips.Add(1)
	}
	if q.id == "" {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	stateless := strings.HasPrefix(r.URL.Path, "/2026/")
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	if strings.HasSuffix(r.URL.Path, "/sse") {
		q.stream(w, buf, stateless)
		return
	}
	*buf = q.answer((*buf)[:0], stateless)
	w.Header()["Content-Type"] = []string{"application/json"}
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(*buf))}
	_, _ = w.Write(*buf)
}

// stream answers with events, and flushes once as a server with nothing to wait
// for would.
func (q *request) stream(w http.ResponseWriter, buf *[]byte, stateless bool) {
	w.Header()["Content-Type"] = []string{"text/event-stream"}
	for n := range q.reports() {
		*buf = append(q.notify(append((*buf)[:0], "event: message\ndata: "...), n+1), "\n\n"...)
		_, _ = w.Write(*buf)
	}
	*buf = append(q.answer(append((*buf)[:0], "event: message\ndata: "...), stateless), "\n\n"...)
	_, _ = w.Write(*buf)
}
