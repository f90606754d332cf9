package mcp

// Server-sent events, as far as MCP uses them: an incremental parser after the WHATWG rules.

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"
)

// event is one dispatched event. Data is valid until the next call of next.
type event struct {
	name string
	data []byte
}

// eventReader splits a stream into events. Line ends are LF, CR or CRLF, also split across reads (C-102).
type eventReader struct {
	src   io.Reader
	limit int

	buf        []byte
	start, end int // unread part of buf
	scanned    int // part of it known to hold no line end
	eof        error
	begun      bool
	afterCR    bool

	bareText string // the first line, if it is JSON text

	data    []byte
	hasData bool
	name    string
	tooLong bool

	// lastID is the id of the last event that had one, dispatched or not (C-095, C-105).
	lastID string
	// retry is what the server asks to wait before reconnecting; negative if it did not.
	retry time.Duration
}

func newEventReader(src io.Reader, limit int) *eventReader {
	return &eventReader{src: src, limit: limit, retry: -1}
}

var eventReaders = sync.Pool{New: func() any { return new(eventReader) }}

// takeEventReader is newEventReader with buffers that have served before; release gives them back.
func takeEventReader(src io.Reader, limit int) *eventReader {
	r := eventReaders.Get().(*eventReader)
	*r = eventReader{src: src, limit: limit, retry: -1, buf: r.buf, data: r.data[:0]}
	return r
}

func (r *eventReader) release() {
	if cap(r.buf) <= largestPooled && cap(r.data) <= largestPooled {
		r.src = nil
		eventReaders.Put(r)
	}
}

// next returns the next event with data. An event that is too large comes as ErrTooLarge with the
// beginning of its data. An event cut off by the end of the stream is dropped (C-105).
func (r *eventReader) next() (event, error) {
	r.data, r.hasData, r.name, r.tooLong = r.data[:0], false, "", false
	if cap(r.data) > largestPooled {
		r.data = nil
	}
	for {
		line, err := r.line()
		if err != nil {
			return event{}, err
		}
		if len(line) > 0 {
			r.field(line)
			continue
		}
		if !r.hasData || len(r.data) == 0 && !r.tooLong {
			r.data, r.hasData, r.name = r.data[:0], false, ""
			continue
		}
		e := event{name: r.name, data: r.data}
		if r.tooLong {
			return e, ErrTooLarge
		}
		return e, nil
	}
}

// field takes one line of an event.
func (r *eventReader) field(line []byte) {
	name, value, found := bytes.Cut(line, []byte(":"))
	if found && len(name) == 0 {
		return // a comment
	}
	value = bytes.TrimPrefix(value, []byte(" "))
	if line[0] == '{' && r.bareText == "" {
		r.bareText = clip(line)
	}
	switch string(name) {
	case "data":
		r.addData(value)
	case "event":
		r.name = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			r.lastID = string(value)
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil && value[0] >= '0' {
			r.retry = time.Duration(ms) * time.Millisecond
		}
	}
}

func (r *eventReader) addData(value []byte) {
	if r.tooLong || len(r.data)+len(value) > r.limit {
		r.tooLong, r.hasData = true, true
		if len(r.data) < smallBuffer {
			r.data = append(r.data, value[:min(len(value), smallBuffer)]...)
		}
		return
	}
	if r.hasData {
		r.data = append(r.data, '\n')
	}
	r.data, r.hasData = append(r.data, value...), true
}

// line returns the next line without its end; valid until the next call.
func (r *eventReader) line() ([]byte, error) {
	for {
		from := r.start + r.scanned
		if i := lineEnd(r.buf[from:r.end]); i >= 0 {
			r.scanned = 0
			return r.cut(from + i), nil
		}
		r.scanned = r.end - r.start
		if r.eof != nil {
			return nil, r.eof
		}
		if r.scanned > r.limit+smallBuffer {
			// Keep the field's name and drop the bulk: the event is too large whatever follows.
			r.end, r.scanned = r.start+smallBuffer, smallBuffer
			r.tooLong, r.hasData = true, true
		}
		r.fill()
	}
}

func lineEnd(text []byte) int {
	lf := bytes.IndexByte(text, '\n')
	if lf >= 0 {
		text = text[:lf]
	}
	if cr := bytes.IndexByte(text, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// cut takes the line that ends at i, and the second half of a CRLF with it.
func (r *eventReader) cut(i int) []byte {
	line := r.buf[r.start:i]
	if r.buf[i] == '\r' {
		r.afterCR = true
	}
	r.start = i + 1
	r.skipLF()
	return line
}

func (r *eventReader) skipLF() {
	if r.afterCR && r.start < r.end {
		if r.buf[r.start] == '\n' {
			r.start++
		}
		r.afterCR = false
	}
}

// fill reads more, behind what is unread.
func (r *eventReader) fill() {
	if r.buf == nil {
		r.buf = make([]byte, smallBuffer)
	}
	if r.start > 0 && (r.start == r.end || r.end == len(r.buf)) {
		copy(r.buf, r.buf[r.start:r.end])
		r.start, r.end = 0, r.end-r.start
	}
	if r.end == len(r.buf) {
		r.buf = append(r.buf, make([]byte, len(r.buf))...)
	}
	n, err := r.src.Read(r.buf[r.end:])
	r.end += n
	r.eof = err
	if !r.begun && (r.end >= len(byteOrderMark) || err != nil) {
		r.begun = true
		if bytes.HasPrefix(r.buf[r.start:r.end], byteOrderMark) {
			r.start += len(byteOrderMark)
			r.scanned = 0
		}
	}
	r.skipLF()
}

// ended reports whether the stream is known to have ended behind what has been read, so that its
// connection can serve again.
func (r *eventReader) ended() bool { return errors.Is(r.eof, io.EOF) }

// bare reports whether the stream began with JSON text instead of fields (B018).
func (r *eventReader) bare() bool { return r.bareText != "" }
