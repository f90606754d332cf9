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

// progress routes one notification by its token. Unknown, finished and malformed ones are dropped (C-151, B075).
func (l *link) progress(params []byte, in *Incoming) {
	token, report, err := readProgress(params)
	if err != nil {
		l.complain("bad progress notification", params, err)
		return
	}
	sink, out := l.pending.progressed(token)
	if sink == nil {
		l.unmatched.Add(1)
		return
	}
	sink.queue.deliver(report, in.Answering == out)
}

// readProgress returns token 0, which no call has, for a token that this client cannot have issued.
func readProgress(params []byte) (token int64, p Progress, err error) {
	r := readers.Get().(*jsonwire.Reader)
	defer readers.Put(r)
	r.Reset(params)
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
	return token, p, r.End()
}
