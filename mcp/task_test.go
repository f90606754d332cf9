package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// flat is a task in the form of the extension.
func flat(status, more string) string {
	return `{"resultType":"complete","taskId":"t 1","status":"` + status + `","createdAt":"2026-07-28T10:00:00Z","lastUpdatedAt":"2026-07-28T10:00:01Z","ttlMs":null` + more + `}`
}

// created is a flat CreateTaskResult.
func created(more string) string {
	return strings.Replace(flat("working", more), `"complete"`, `"task"`, 1)
}

const cake = `,"result":{"content":[{"type":"text","text":"cake"}],"structuredContent":{"layers":2}}`

// taskServer answers tools/call with create, each tasks/get with the next of states, the last one for
// ever, and everything else with an empty result.
func taskServer(create string, states ...string) script {
	n := 0
	return withTasks(func(m message) []string {
		switch m.Method {
		case methodCallTool:
			return []string{m.result(create)}
		case methodGetTask:
			n++
			return []string{m.result(states[min(n, len(states))-1])}
		case methodCancelled:
			return nil
		}
		return []string{m.result(`{"resultType":"complete"}`)}
	})
}

// withTasks is modern for a server that declares the extension.
func withTasks(next script) script {
	declaring := strings.Replace(mod, `"tools":{}`, `"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}`, 1)
	return func(m message) []string {
		if m.Method == methodDiscover {
			return []string{m.result(declaring)}
		}
		return next(m)
	}
}

// inBubble runs test in a bubble of fake time over an in-memory stream.
func inBubble(t *testing.T, s script, opts []Option, test func(t *testing.T, c *Client, rec *recorder)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		transport, rec := pipe(t, s)
		c, err := Connect(t.Context(), transport, opts...)
		if err != nil {
			t.Fatal(err)
		}
		defer synctest.Wait()
		defer func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}()
		test(t, c, rec)
	})
}

type cakeArgs struct {
	Layers int64
	Burn   string
}

type cakeOutput struct{ Layers int64 }

// cakeTool is what a generator makes of a tool with an output schema.
var cakeTool = ToolSpec[cakeArgs, cakeOutput]{
	ToolInfo: ToolInfo{Name: "bake_cake"},
	Args: func(a *cakeArgs) jsonwire.Codec {
		return jsonwire.CodecOf(a, func(a *cakeArgs, w *jsonwire.Writer) {
			w.BeginObject()
			w.Member(`"layers":`)
			w.Int64(a.Layers)
			w.Member(`"burn":`)
			w.String(cmp.Or(a.Burn, "never"))
			w.EndObject()
		}, nil, nil)
	},
	Output: func(o *cakeOutput) jsonwire.Codec {
		return jsonwire.CodecOf(o, nil, func(o *cakeOutput, r *jsonwire.Reader) {
			for r.BeginObject(); r.NextMember(); {
				if string(r.Key()) == "layers" {
					o.Layers = r.Int64()
				} else {
					r.Skip()
				}
			}
		}, nil)
	},
}

func since(start time.Time) time.Duration { return time.Since(start).Round(time.Millisecond) }

// B130 C-286 C-287 C-289: the whole way, at the changing pace of the server.
func TestPlainCallFollowsItsTask(t *testing.T) {
	s := taskServer(created(`,"pollIntervalMs":200`), flat("working", `,"pollIntervalMs":200`), flat("working", `,"pollIntervalMs":700`), flat("completed", cake))
	inBubble(t, s, nil, func(t *testing.T, c *Client, rec *recorder) {
		started := time.Now()
		result, err := cakeTool.Call(t.Context(), c, cakeArgs{Layers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if result.Output.Layers != 2 || resultText(result.CallToolResult) != "cake" {
			t.Errorf("got %+v", result)
		}
		if took := since(started); took != 1100*time.Millisecond {
			t.Errorf("took %v", took)
		}
		for _, m := range rec.all() {
			if capabilities := string(m.meta()[metaCapabilities]); capabilities != `{"extensions":{"io.modelcontextprotocol/tasks":{}}}` {
				t.Errorf("%s: capabilities %s", m.Method, capabilities)
			}
		}
		if got := rec.methods(); !slices.Equal(got, []string{methodDiscover, methodCallTool, methodGetTask, methodGetTask, methodGetTask}) {
			t.Errorf("sent %v", got)
		}
	})
}

// B130 C-290 C-291: each way to end is its own outcome.
func TestTaskEndsAsItsStatusSays(t *testing.T) {
	for _, test := range []struct {
		name, end string
		check     func(error) bool
	}{
		{"failed", flat("failed", `,"error":{"code":-32050,"message":"oven","data":1}`), func(err error) bool {
			var rpc *RPCError
			return errors.As(err, &rpc) && rpc.Code == -32050 && string(rpc.Data) == "1" && rpc.Method == methodCallTool
		}},
		{"cancelled", flat("cancelled", `,"statusMessage":"no flour"`), func(err error) bool {
			var te *TaskError
			return errors.As(err, &te) && te.State.Status == TaskCancelled && strings.Contains(err.Error(), "no flour") && !strings.Contains(err.Error(), "t 1") // C-302
		}},
		{"tool error", flat("completed", `,"result":{"content":[{"type":"text","text":"burnt"}],"isError":true}`), func(err error) bool {
			var te *ToolError
			return errors.As(err, &te) && strings.Contains(err.Error(), "burnt")
		}},
		{"task as resultType", strings.Replace(flat("completed", cake), `"complete"`, `"task"`, 1), func(err error) bool { return err == nil }},
		{"without result", flat("completed", ""), func(err error) bool { return errors.As(err, new(*InvalidResultError)) }},
		{"unknown status", flat("sleeping", ""), func(err error) bool { return errors.As(err, new(*InvalidResultError)) }},
		{"another task", strings.Replace(flat("completed", cake), "t 1", "t 2", 1), func(err error) bool { return errors.As(err, new(*InvalidResultError)) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, taskServer(created(""), test.end), nil, func(t *testing.T, c *Client, _ *recorder) {
				if _, err := cakeTool.Call(t.Context(), c, cakeArgs{Layers: 2}); !test.check(err) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// C-066: a server that has told that it does not know the extension is not asked about a task.
func TestTaskRequestsNeedTheExtension(t *testing.T) {
	inBubble(t, modern(alwaysOK), nil, func(t *testing.T, c *Client, rec *recorder) {
		_, e1 := c.Tasks().Get(t.Context(), "1")
		_, e2 := c.Tasks().Await(t.Context(), "1")
		e3 := c.Tasks().Update(t.Context(), "1", nil)
		e4 := c.Tasks().Cancel(t.Context(), "1")
		for _, err := range []error{e1, e2, e3, e4} {
			var u *UnsupportedError
			if !errors.As(err, &u) || u.Capability != "extensions.io.modelcontextprotocol/tasks" {
				t.Errorf("got %v", err)
			}
		}
		if got := fmt.Sprint(rec.methods()); got != "[server/discover]" {
			t.Errorf("sent %s", got)
		}
	})
}

// B130: an unknown task is the server's error.
func TestUnknownTaskIsTheServersError(t *testing.T) {
	s := withTasks(func(m message) []string {
		if m.Method == methodGetTask {
			return []string{m.failure(CodeInvalidParams, "unknown task", "")}
		}
		return []string{m.result(created(""))}
	})
	inBubble(t, s, nil, func(t *testing.T, c *Client, rec *recorder) {
		if _, err := c.CallTool(t.Context(), "x", nil); !errors.Is(err, ErrInvalidParams) {
			t.Errorf("got %v", err)
		}
		if _, err := c.Tasks().Get(t.Context(), "gone"); !errors.Is(err, ErrInvalidParams) {
			t.Errorf("got %v", err)
		}
	})
}

// C-147 C-296 B130: leaving cancels the task, and the message is tasks/cancel.
func TestLeavingAPlainCallCancelsItsTask(t *testing.T) {
	inBubble(t, taskServer(created(""), flat("working", "")), nil, func(t *testing.T, c *Client, rec *recorder) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		started := time.Now()
		_, err := c.CallTool(ctx, "x", nil)
		var te *TimeoutError
		if !errors.As(err, &te) || te.Method != methodCallTool || since(started) != 3*time.Second {
			t.Errorf("after %v: %v", since(started), err)
		}
		if m := rec.await(t, methodCancelTask); !strings.Contains(string(m.Params), `"taskId":"t 1"`) {
			t.Errorf("sent %s", m.Params)
		}
		if slices.Contains(rec.methods(), methodCancelled) {
			t.Error("sent notifications/cancelled for a task")
		}
	})
}

func TestTaskTimeoutCancelsTheTask(t *testing.T) {
	inBubble(t, taskServer(created(""), flat("working", "")), nil, func(t *testing.T, c *Client, rec *recorder) {
		started := time.Now()
		_, err := c.CallTool(t.Context(), "x", nil)
		var te *TimeoutError
		if !errors.As(err, &te) || te.Limit != "task timeout" || te.After != DefaultTaskTimeout || since(started) != DefaultTaskTimeout {
			t.Errorf("after %v: %v", since(started), err)
		}
		rec.await(t, methodCancelTask)
		started = time.Now()
		if _, err = c.CallTool(t.Context(), "x", nil, WithTaskTimeout(time.Minute)); !errors.As(err, &te) || since(started) != time.Minute {
			t.Errorf("after %v: %v", since(started), err)
		}
	})
}

// B131: each line is what the server says and how long the client waits for the third poll.
func TestPollingKeepsToBothSidesLimits(t *testing.T) {
	for _, test := range []struct {
		interval string
		minimum  time.Duration
		low      time.Duration
		high     time.Duration
	}{
		{"30000", 500 * time.Millisecond, 60 * time.Second, 60 * time.Second},
		{"500", 0, time.Second, time.Second},
		{"200", 2 * time.Second, 4 * time.Second, 4 * time.Second},
		{"2", 0, 200 * time.Millisecond, 300 * time.Millisecond},
		{"0", 0, time.Second, 2 * time.Second},
		{"-1", 0, time.Second, 2 * time.Second},
		{`"soon"`, 0, time.Second, 2 * time.Second},
		{"1e12", 0, 2 * pollCeiling, 2 * pollCeiling},
		{"1e300", 0, 2 * pollCeiling, 2 * pollCeiling},
	} {
		t.Run(test.interval, func(t *testing.T) {
			interval := `,"pollIntervalMs":` + test.interval
			s := taskServer(created(interval), flat("working", interval), flat("completed", cake))
			inBubble(t, s, nil, func(t *testing.T, c *Client, _ *recorder) {
				task, err := c.Tasks().Start(t.Context(), "x", nil)
				if err != nil {
					t.Fatal(err)
				}
				started := time.Now()
				if _, err := task.Await(t.Context(), WithPollInterval(test.minimum)); err != nil {
					t.Fatal(err)
				}
				if took := since(started); took < test.low || took > test.high {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}

// C-289: a task is known by its ID alone, also to a client that did not start it.
func TestTaskIsResumedByID(t *testing.T) {
	inBubble(t, taskServer("", flat("working", ""), flat("completed", cake)), nil, func(t *testing.T, c *Client, rec *recorder) {
		task := cakeTool.Resume(c, "t 1")
		if _, err := task.Result(); !errors.As(err, new(*TaskError)) {
			t.Errorf("a result before the end: %v", err)
		}
		end, err := task.Await(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		result, err := end.Result()
		if err != nil || result.Output.Layers != 2 || end.CreatedAt.IsZero() || end.TTL != 0 {
			t.Errorf("got %+v, %v", result, err)
		}
		if slices.Contains(rec.methods(), methodCallTool) {
			t.Error("the tool was called")
		}
		again, err := end.Await(t.Context())
		if err != nil || !again.Ended() {
			t.Errorf("got %v", err)
		}
	})
}

// C-287: a server that need not make a task of it, and one whose task is over at once.
func TestStartTakesWhatTheServerGives(t *testing.T) {
	inBubble(t, taskServer(okResult), nil, func(t *testing.T, c *Client, _ *recorder) {
		task, err := c.Tasks().Start(t.Context(), "x", nil)
		if err != nil || task.ID != "" || !task.Ended() {
			t.Fatalf("got %+v, %v", task, err)
		}
		end, err := task.Await(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if result, err := end.Result(); err != nil || resultText(result.CallToolResult) != "ok" {
			t.Errorf("got %+v, %v", result, err)
		}
	})
	over := strings.Replace(created(""), "working", "completed", 1)
	inBubble(t, taskServer(over, flat("completed", cake)), nil, func(t *testing.T, c *Client, _ *recorder) {
		started := time.Now()
		if result, err := cakeTool.Call(t.Context(), c, cakeArgs{Layers: 2}); err != nil || result.Output.Layers != 2 || since(started) != 0 {
			t.Errorf("after %v: %+v, %v", since(started), result, err)
		}
	})
}

// C-288 B133: a task only where it was offered, and only in the form of the version.
func TestTaskInTheWrongPlaceIsInvalid(t *testing.T) {
	session := `{"task":{"taskId":"t 1","status":"working","createdAt":"2026-07-28T10:00:00Z","lastUpdatedAt":"2026-07-28T10:00:00Z","ttl":null}}`
	for name, test := range map[string]struct {
		version, answer string
		opts            []Option
	}{
		"not advertised":      {Version20260728, created(""), []Option{WithoutTasks()}},
		"form of 2025-11-25":  {Version20260728, session, nil},
		"not asked for":       {Version20251125, session, nil},
		"form of 2026-07-28":  {Version20251125, created(""), nil},
		"without an identity": {Version20260728, `{"resultType":"task","status":"working"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := answering(t, test.version, func(m message) []string { return []string{m.result(test.answer)} }, test.opts...)
			if _, err := c.CallTool(t.Context(), "x", nil); !errors.As(err, new(*InvalidResultError)) {
				t.Errorf("got %v", err)
			}
		})
	}
	c, _ := answering(t, Version20260728, func(m message) []string { return []string{m.result(created(""))} })
	if _, err := c.GetPrompt(t.Context(), "p", nil); !errors.As(err, new(*InvalidResultError)) {
		t.Errorf("got %v", err)
	}
}

// C-297
func TestTaskOutlivesItsTTL(t *testing.T) {
	kept := strings.Replace(flat("working", ""), `"ttlMs":null`, `"ttlMs":4000`, 1)
	s := taskServer(strings.Replace(kept, `"complete"`, `"task"`, 1), kept)
	inBubble(t, s, nil, func(t *testing.T, c *Client, _ *recorder) {
		started := time.Now()
		_, err := c.CallTool(t.Context(), "x", nil)
		var te *TaskError
		if !errors.As(err, &te) || !te.Expired || te.State.TTL != 4*time.Second || since(started) != 4*time.Second {
			t.Errorf("after %v: %v", since(started), err)
		}
	})
}

// C-298: what a notification tells ends the wait, and a subscription can ask for it.
func TestNotificationEndsTheWait(t *testing.T) {
	var stream io.Writer
	s := modern(func(m message) []string {
		switch m.Method {
		case methodListen:
			stream = m.conn
			note := strings.Replace(flat("completed", cake), `"resultType":"complete",`, "", 1)
			return []string{
				`{"jsonrpc":"2.0","method":"notifications/tasks","params":` + strings.Replace(note, "t 1", "other", 1) + `}`,
				`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":` + note + `}`,
				`{"jsonrpc":"2.0","method":"notifications/tasks","params":` + note + `}`,
			}
		case methodCallTool:
			return []string{m.result(created(`,"pollIntervalMs":60000`))}
		case methodGetTask:
			return []string{m.result(flat("working", ""))}
		}
		return nil
	})
	inBubble(t, s, nil, func(t *testing.T, c *Client, rec *recorder) {
		task, err := cakeTool.Start(t.Context(), c, cakeArgs{Layers: 2})
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		end, err := task.Await(t.Context(), WithTaskNotifications())
		if err != nil {
			t.Fatal(err)
		}
		if result, err := end.Result(); err != nil || result.Output.Layers != 2 || since(started) != 0 {
			t.Errorf("after %v: %+v, %v", since(started), result, err)
		}
		if m := rec.await(t, methodListen); !strings.Contains(string(m.Params), `{"notifications":{"taskIds":["t 1"]}`) || stream == nil {
			t.Errorf("sent %s", m.Params)
		}
		synctest.Wait()
		if !slices.Contains(rec.methods(), methodCancelled) {
			t.Error("the subscription was not ended")
		}
	})
}

// C-300 B130 B131: routing headers, and errors of HTTP that pass.
func TestPollsOverHTTPAreRoutedAndRepeated(t *testing.T) {
	polls := 0
	s := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		answer := func(m message) []string { return []string{m.result(created(`,"pollIntervalMs":100`))} }
		if m.Method == methodGetTask {
			switch polls++; polls {
			case 1:
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			case 2:
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			answer = func(m message) []string { return []string{m.result(flat("completed", cake))} }
		}
		jsonScript(modern(answer))(w, r, m)
	})
	c := connect(t, HTTP(s.URL))
	started := time.Now()
	result, err := cakeTool.Call(t.Context(), c, cakeArgs{Layers: 2})
	if err != nil || result.Output.Layers != 2 || polls != 3 {
		t.Fatalf("after %d polls: %+v, %v", polls, result, err)
	}
	if took := time.Since(started); took < time.Second {
		t.Errorf("came back after %v", took)
	}
	for _, x := range s.exchanges() {
		if x.Method == methodGetTask && (x.header.Get("Mcp-Name") != "t 1" || x.header.Get("Mcp-Method") != methodGetTask) {
			t.Errorf("headers %v", x.header)
		}
	}
}

func TestPollingGivesUpOnAServerThatIsGone(t *testing.T) {
	s := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if m.Method == methodGetTask {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		jsonScript(modern(func(m message) []string { return []string{m.result(created(`,"pollIntervalMs":100`))} }))(w, r, m)
	})
	c := connect(t, HTTP(s.URL))
	var te *TransportError
	if _, err := c.CallTool(t.Context(), "x", nil); !errors.As(err, &te) || te.Status != http.StatusForbidden {
		t.Errorf("got %v", err)
	}
	lost := net.ErrClosed
	inBubble(t, taskServer(created(""), flat("working", "")), nil, func(t *testing.T, c *Client, _ *recorder) {
		work := make(chan error)
		go func() {
			_, err := c.CallTool(t.Context(), "x", nil)
			work <- err
		}()
		synctest.Wait()
		_ = c.Close()
		if err := <-work; !errors.Is(err, ErrClosed) && !errors.Is(err, lost) {
			t.Errorf("got %v", err)
		}
	})
}

func TestInterceptorsSeeThePollsOfAwaitOnly(t *testing.T) {
	var seen []string
	count := func(next Invoker) Invoker {
		return func(ctx context.Context, req *Request) error {
			seen = append(seen, req.Method)
			return next(ctx, req)
		}
	}
	inBubble(t, taskServer(created(""), flat("completed", cake)), []Option{WithInterceptor(count)}, func(t *testing.T, c *Client, _ *recorder) {
		if _, err := c.CallTool(t.Context(), "x", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Tasks().Await(t.Context(), "t 1"); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(seen) != "[tools/call tasks/get]" {
			t.Errorf("saw %v", seen)
		}
	})
}

func TestWithoutTasksNothingIsSentAboutThem(t *testing.T) {
	c, rec := answering(t, Version20260728, alwaysOK, WithoutTasks())
	ctx := t.Context()
	_, e1 := c.Tasks().Start(ctx, "x", nil)
	_, e2 := c.Tasks().Get(ctx, "x")
	_, e3 := c.Tasks().Await(ctx, "x")
	e4, e5 := c.Tasks().Update(ctx, "x", nil), c.Tasks().Cancel(ctx, "x")
	for _, err := range []error{e1, e2, e3, e4, e5} {
		if !errors.Is(err, errTasksOff) {
			t.Errorf("got %v", err)
		}
	}
	if ok, err := c.Tasks().ServerSupports(ctx); ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	if got := rec.methods(); len(got) > 1 {
		t.Errorf("sent %v", got)
	}
}
