package mcp

// The state of a task on the wire, in both forms: flat with …Ms members in the extension, without them
// in 2025-11-25. Only what the protocol cannot do without is demanded; clocks and intervals that make
// no sense are left out.

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const (
	extensionTasks        = "io.modelcontextprotocol/tasks"
	methodTaskChanged     = "notifications/tasks"
	methodTaskStatus      = "notifications/tasks/status" // 2025-11-25
	metaImmediateResponse = "io.modelcontextprotocol/model-immediate-response"
)

// taskWire reads a TaskState.
type taskWire struct {
	TaskState
	extension bool // the form of the extension, not of 2025-11-25
}

// ReadJSON reads tasks/get, the flat CreateTaskResult, and notifications about tasks. resultType has
// been judged before (C-290).
func (x *taskWire) ReadJSON(r *jsonwire.Reader) {
	start := r.Mark()
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "taskId":
			x.ID = r.String()
			seen |= 1
		case "status":
			x.Status = TaskStatus(r.String())
			seen |= 2
		default:
			x.readMember(r)
		}
	}
	r.Missing(seen, "taskId", "status")
	if r.Err() == nil {
		x.raw = r.RawSince(start)
		x.check(r)
	}
}

func (x *taskWire) readMember(r *jsonwire.Reader) {
	switch key := string(r.Key()); key {
	case "statusMessage":
		lenient(r, func() { x.StatusMessage = r.String() })
	case "createdAt":
		lenient(r, func() { x.CreatedAt = readTime(r) })
	case "lastUpdatedAt":
		lenient(r, func() { x.LastUpdatedAt = readTime(r) })
	case "_meta":
		lenient(r, func() { readImmediateResponse(r, &x.TaskState) })
	case "ttl", "ttlMs":
		x.readDuration(r, key == "ttlMs", &x.TTL)
	case "pollInterval", "pollIntervalMs":
		x.readDuration(r, key == "pollIntervalMs", &x.PollInterval)
	default:
		if x.extension {
			x.readOutcome(r)
		} else {
			r.Skip()
		}
	}
}

// readOutcome reads what the extension adds for some statuses.
func (x *taskWire) readOutcome(r *jsonwire.Reader) {
	switch string(r.Key()) {
	case "inputRequests":
		if r.Null() {
			return
		}
		x.InputRequests = map[string]json.RawMessage{}
		for r.BeginObject(); r.NextMember(); {
			key := r.KeyString()
			x.InputRequests[key] = r.Raw()
		}
	case "result":
		x.result = r.Raw()
	case "error":
		if !r.Null() {
			failed := readRPCError(r)
			failed.Method = methodCallTool
			x.failure = failed
		}
	default:
		r.Skip()
	}
}

// readDuration takes a number of milliseconds if its member is that of the right form.
func (x *taskWire) readDuration(r *jsonwire.Reader, extension bool, d *time.Duration) {
	if extension != x.extension {
		r.Skip()
		return
	}
	lenient(r, func() {
		if ms := r.Float64(); ms > 0 {
			*d = time.Duration(min(ms, float64(math.MaxInt64/time.Millisecond)/2) * float64(time.Millisecond))
		}
	})
}

// check demands what a status implies, and takes nothing that it does not (C-291).
func (x *taskWire) check(r *jsonwire.Reader) {
	switch x.Status {
	case TaskWorking, TaskCancelled, TaskInputRequired:
		x.result, x.failure = nil, nil
	case TaskCompleted:
		x.failure = nil
		if len(x.result) > 0 && x.result[0] != '{' {
			r.Fail("type", "the result of a task is an object")
		}
	case TaskFailed:
		x.result = nil
		if x.extension && x.failure == nil {
			x.failure = &RPCError{Method: methodCallTool, Code: CodeInternal, Message: x.StatusMessage}
		}
	default:
		r.Fail("enum", fmt.Sprintf("the status of a task %q is not known", printable(string(x.Status))))
	}
	if x.Status != TaskInputRequired {
		x.InputRequests = nil
	}
}

func readTime(r *jsonwire.Reader) time.Time {
	at, err := time.Parse(time.RFC3339, r.String())
	if err != nil {
		return time.Time{}
	}
	return at
}

func readImmediateResponse(r *jsonwire.Reader, s *TaskState) {
	for r.BeginObject(); r.NextMember(); {
		if string(r.Key()) == metaImmediateResponse {
			lenient(r, func() { s.ImmediateResponse = r.String() })
		} else {
			r.Skip()
		}
	}
}

// createdTask reads the task that a call was answered with: flat, or in a member of its own.
func createdTask(raw json.RawMessage, extension bool) (TaskState, error) {
	x := &createTaskResult{task: taskWire{extension: extension}}
	var err error
	if extension {
		err = jsonwire.Unmarshal(raw, &x.task)
	} else {
		err = jsonwire.Unmarshal(raw, x)
	}
	x.task.raw = raw
	return x.task.TaskState, err
}

// createTaskResult is the form of 2025-11-25.
type createTaskResult struct{ task taskWire }

func (x *createTaskResult) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	var outer TaskState
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "task":
			x.task.ReadJSON(r)
			seen |= 1
		case "_meta":
			lenient(r, func() { readImmediateResponse(r, &outer) })
		default:
			r.Skip()
		}
	}
	r.Missing(seen, "task")
	x.task.ImmediateResponse = outer.ImmediateResponse
}

// misshapen reports a task where a result should be: one in the other version's form, or one that was
// not asked for (B133, C-288).
func misshapen(result *CallToolResult) bool {
	if result.Content != nil {
		return false
	}
	if result.ResultType == "task" {
		return true
	}
	r := jsonwire.NewReader(result.Extra["task"])
	return len(result.Extra["task"]) > 0 && r.Has("taskId")
}
