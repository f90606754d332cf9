package generated

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/generated/tasks"
	"github.com/mcpgen/mcpgen/mcp/generated/v20251125"
	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonrpc"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// caller answers every request with the same result and keeps what was sent.
type caller struct {
	result string
	method string
	params string
}

func (c *caller) CallRPC(_ context.Context, method string, params jsonwire.Appender, result jsonwire.Decoder) error {
	c.method, c.params = method, ""
	if params != nil {
		text, err := jsonwire.Marshal(params)
		if err != nil {
			return err
		}
		c.params = string(text)
	}
	return jsonwire.Unmarshal([]byte(c.result), result)
}

func TestRequestFunctionsSendAndRead(t *testing.T) {
	c := &caller{result: `{"content":[{"type":"text","text":"hi"}],"isError":false}`}
	got, err := v20251125.CallTool(t.Context(), c, &v20251125.CallToolRequestParams{
		Name: "greet", Arguments: map[string]json.RawMessage{"n": json.RawMessage("12345678901234567890")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.method != "tools/call" || c.params != `{"name":"greet","arguments":{"n":12345678901234567890}}` &&
		c.params != `{"arguments":{"n":12345678901234567890},"name":"greet"}` {
		t.Errorf("sent %s %s", c.method, c.params)
	}
	if text, ok := got.Content[0].(*v20251125.TextContent); !ok || text.Text != "hi" {
		t.Errorf("read %#v", got.Content[0])
	}

	c.result = `{"taskId":"t","status":"completed","createdAt":"c","lastUpdatedAt":"l","ttlMs":null,"result":{"x":1},"resultType":"complete"}`
	task, err := tasks.GetTask(t.Context(), c, &tasks.GetTaskRequestParams{TaskID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	if done, ok := task.(*tasks.GetTaskResultCompletedTask); !ok || done.TTLMs != nil {
		t.Errorf("read %#v", task)
	}
}

func TestAbsentParamsAreNotSent(t *testing.T) {
	c := &caller{result: `{"tools":[]}`}
	if _, err := v20251125.ListTools(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	if c.params != "" {
		t.Errorf("sent %s", c.params)
	}
}

func TestDescriptorsSayWhatTheVersionHas(t *testing.T) {
	if m := v20260728.MethodCallTool; m.Name != "tools/call" || m.Direction != jsonrpc.ClientToServer || !m.InputRequired || m.Cacheable {
		t.Errorf("%+v", m)
	}
	if m := v20260728.MethodListTools; !m.Paginated || !m.Cacheable {
		t.Errorf("%+v", m)
	}
	if m := v20251125.MethodPing; m.Direction != jsonrpc.Both {
		t.Errorf("%+v", m)
	}
}

type handler struct{ v20251125.Handler }

func (handler) ListRoots(context.Context, *v20251125.RequestParams) (*v20251125.ListRootsResult, error) {
	return &v20251125.ListRootsResult{Roots: []v20251125.Root{{URI: "file:///a"}}}, nil
}

func (handler) Elicit(_ context.Context, p v20251125.ElicitRequestParams) (*v20251125.ElicitResult, error) {
	if _, form := p.(*v20251125.ElicitRequestFormParams); !form {
		return nil, errors.New("not a form")
	}
	return &v20251125.ElicitResult{Action: v20251125.ElicitResultActionDecline}, nil
}

func TestServerRequestsReachTheHandler(t *testing.T) {
	for _, c := range []struct{ method, params, want string }{
		{"roots/list", "", `{"roots":[{"uri":"file:///a"}]}`},
		{"elicitation/create", `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`, `{"action":"decline"}`},
	} {
		result, err := v20251125.HandleRequest(t.Context(), handler{}, c.method, []byte(c.params))
		if err != nil {
			t.Errorf("%s: %v", c.method, err)
			continue
		}
		if text, err := jsonwire.Marshal(result); err != nil || string(text) != c.want {
			t.Errorf("%s: %s %v, want %s", c.method, text, err, c.want)
		}
	}
	for method, code := range map[string]int64{"no/such": jsonrpc.CodeMethodNotFound, "sampling/createMessage": jsonrpc.CodeInvalidParams} {
		_, err := v20251125.HandleRequest(t.Context(), handler{}, method, []byte(`{"messages":7}`))
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != code {
			t.Errorf("%s: %v, want code %d", method, err, code)
		}
	}
}

func TestNotificationsAreReadByMethod(t *testing.T) {
	got, err := v20260728.UnmarshalNotification("notifications/progress", []byte(`{"progressToken":"t","progress":0.5}`))
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := got.(*v20260728.ProgressNotificationParams); !ok || p.Progress != 0.5 || p.ProgressToken != jsonrpc.StringID("t") {
		t.Errorf("read %#v", got)
	}
	if _, err := v20260728.UnmarshalNotification("notifications/no_such", nil); err == nil {
		t.Error("an unknown notification was read")
	}
}
