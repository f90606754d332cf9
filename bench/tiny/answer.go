package main

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/mcpgen/mcpgen/bench/jsonengines"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// What the server knows. In the stateless era results carry a resultType, and
// those that may be cached say for how long.

// progressCount is how many notifications the tool "progress" sends.
const progressCount = 10_000

const (
	complete  = `"resultType":"complete",`
	cacheable = complete + `"ttlMs":0,"cacheScope":"private",`
)

var results = map[string][]byte{
	"initialize": []byte(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"tiny","version":"1.0.0"}}`),
	"server/discover": []byte(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"tiny","version":"1.0.0"}}}`),
	"tools/list": list(),
	"sum":        []byte(`{}`),
	"text1":      text(1 << 20),
	"text16":     text(16 << 20),
	"rows":       rows(),
	"progress":   []byte(`{"content":[{"type":"text","text":"done"}]}`),
}

func list() []byte {
	tools, err := jsonwire.Marshal(jsonengines.ManyTools(1000))
	if err != nil {
		panic(err)
	}
	return tools
}

func rows() []byte {
	many, err := json.Marshal(jsonengines.ManyRows(10_000))
	if err != nil {
		panic(err)
	}
	return append(append([]byte(`{"content":[{"type":"text","text":"10000 rows"}],"structuredContent":`), many...), '}')
}

func text(n int) []byte {
	quoted, err := json.Marshal(jsonengines.LongText(n))
	if err != nil {
		panic(err)
	}
	return append(append([]byte(`{"content":[{"type":"text","text":`), quoted...), `}]}`...)
}

// request is what the server reads of a message.
type request struct {
	id     string // JSON text, "" for a notification
	method string
	tool   string
	a, b   int64
	token  string // progress token, JSON text
}

func parse(message []byte) (request, error) {
	e, err := jsonrpc.Scan(message)
	if err != nil {
		return request{}, err
	}
	q := request{id: e.ID.Text(), method: e.Method}
	if q.method != "tools/call" {
		return q, nil
	}
	r := jsonwire.NewReader(e.Params.Of(message))
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "name":
			q.tool = r.String()
		case "arguments":
			q.arguments(r)
		case "_meta":
			for r.BeginObject(); r.NextMember(); {
				if string(r.Key()) == "progressToken" {
					q.token = string(r.RawNoCopy())
				} else {
					r.Skip()
				}
			}
		default:
			r.Skip()
		}
	}
	return q, r.End()
}

func (q *request) arguments(r *jsonwire.Reader) {
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "a":
			q.a = r.Int64()
		case "b":
			q.b = r.Int64()
		default:
			r.Skip()
		}
	}
}

// answer appends the response to a request.
func (q *request) answer(dst []byte, stateless bool) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, q.id...)
	result := q.result(stateless)
	if result == nil {
		return append(dst, `,"error":{"code":-32601,"message":"method not found"}}`...)
	}
	dst = append(dst, `,"result":{`...)
	if stateless {
		dst = append(dst, q.prefix()...)
	}
	if q.tool == "sum" {
		dst = append(dst, `"content":[{"type":"text","text":"the sum"}],"structuredContent":{"sum":`...)
		dst = strconv.AppendInt(dst, q.a+q.b, 10)
		return append(dst, `,"unit":"m"}}}`...)
	}
	dst = append(dst, result[1:]...)
	return append(dst, '}')
}

func (q *request) prefix() string {
	switch q.method {
	case "tools/list", "server/discover":
		return cacheable
	}
	return complete
}

// result returns the prepared result, or nil for what the era does not know.
func (q *request) result(stateless bool) []byte {
	switch q.method {
	case "tools/call":
		return results[q.tool]
	case "server/discover":
		if !stateless {
			return nil
		}
	case "initialize":
		if stateless {
			return nil
		}
	}
	return results[q.method]
}

// notify appends one progress notification.
func (q *request) notify(dst []byte, n int) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`...)
	dst = append(dst, q.token...)
	dst = append(dst, `,"progress":`...)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, `,"total":10000,"message":"working"}}`...)
}

func (q *request) reports() int {
	if q.tool == "progress" && q.token != "" && !bytes.Equal([]byte(q.token), []byte("null")) {
		return progressCount
	}
	return 0
}
