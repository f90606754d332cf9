package mcp

// Progress of a running request, brought to the call that asked for it and to nobody else.

import (
	"context"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// Progress is one report of a running request.
type Progress struct {
	// Progress should grow from report to report; servers do not always keep to that.
	Progress float64
	// Total is what Progress will reach; 0 if the server did not say.
	Total float64
	// Message is for people; servers of 2024-11-05 send none.
	Message string
}

// progressQueueBound is how many reports of one call may wait for its handler.
const progressQueueBound = 65536

type progressSink struct{ queue serialQueue[Progress] }

func newProgressSink(handle func(Progress)) *progressSink {
	if handle == nil {
		handle = func(Progress) {}
	}
	return &progressSink{serialQueue[Progress]{handle: handle, bound: progressQueueBound}}
}

func (s *progressSink) finish(ctx context.Context) { s.queue.drain(ctx) }

// progressWhole takes a whole message, of which there may be many, in one pass. It reports false, with
// nothing done, unless the message is plainly a progress notification.
func (l *link) progressWhole(in *Incoming) bool {
	r := readers.Get().(*jsonwire.Reader)
	defer readers.Put(r)
	r.Reset(in.Data)
	var token int64
	var report Progress
	var seen uint8
	for r.BeginObject(); r.NextMember(); {
		bit := uint8(0)
		switch string(r.Key()) {
		case "jsonrpc":
			r.Const(`"2.0"`)
			bit = 1
		case "method":
			r.Skip()
			bit = 2
		case "params":
			token, report = readProgress(r)
			bit = 4
		default:
			return false
		}
		if seen&bit != 0 {
			return false
		}
		seen |= bit
	}
	if seen != 7 || r.End() != nil {
		return false
	}
	l.progressed(token, report)
	return true
}

// progress takes the params of a notification. Malformed ones are dropped.
func (l *link) progress(params []byte) {
	r := jsonwire.NewReader(params)
	token, report := readProgress(r)
	if err := r.End(); err != nil {
		l.complain("bad progress notification", params, err)
		return
	}
	l.progressed(token, report)
}

// progressed routes one report by its token. Unknown and finished ones are dropped (C-151, B075).
func (l *link) progressed(token int64, report Progress) {
	sink := l.pending.progressed(token)
	if sink == nil {
		l.unmatched.Add(1)
		return
	}
	sink.queue.deliver(report)
}

// readProgress returns token 0, which no call has, for a token that this client cannot have issued.
func readProgress(r *jsonwire.Reader) (token int64, p Progress) {
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "progressToken":
			if r.Kind() == jsonwire.KindNumber {
				token, _ = r.Number().Int64()
			} else {
				r.Skip()
			}
		case "progress":
			p.Progress = r.Float64()
		case "total":
			if !r.Null() {
				p.Total = r.Float64()
			}
		case "message":
			if !r.Null() {
				p.Message = r.String()
			}
		default:
			r.Skip()
		}
	}
	return token, p
}
