package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// pagedServer answers each list with its pages by cursor.
type pagedServer struct {
	info  serverInfo
	pages map[string]string // method and cursor -> result
}

func (p pagedServer) server() serverInfo { return p.info }
func (p pagedServer) close()             {}

func (p pagedServer) call(context.Context, string, json.RawMessage) (json.RawMessage, error) {
	return nil, errors.New("not called")
}

func (p pagedServer) request(_ context.Context, method string, params map[string]any) (json.RawMessage, error) {
	key := method
	if cursor, ok := params["cursor"]; ok {
		key += " " + cursor.(string)
	}
	if page, ok := p.pages[key]; ok {
		return json.RawMessage(page), nil
	}
	return nil, errMethodNotFound
}

func TestPagesAreJoinedByteForByte(t *testing.T) {
	got, err := listAll(context.Background(), pagedServer{pages: map[string]string{
		"tools/list":   `{"tools":[{"name":"a", "n":1.50}],"nextCursor":""}`,
		"tools/list ":  `{"tools":[],"nextCursor":"x"}`,
		"tools/list x": `{"tools":[{"name":"b"}]}`,
	}}, "server")
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"tools":[{"name":"a", "n":1.50},{"name":"b"}]}`; string(got.tools) != want {
		t.Errorf("got %s, want %s", got.tools, want)
	}
	if got.prompts != nil || got.templates != nil {
		t.Errorf("asked for what the server does not declare: %s %s", got.prompts, got.templates)
	}
}

func TestListsThatCannotBeAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ page, fault string }{
		"repeated cursor": {`{"tools":[],"nextCursor":"x"}`, `repeats the cursor "x"`},
		"null":            {`{"tools":null}`, `"tools" of the result is no array`},
		"absent":          {`{}`, `has no "tools"`},
		"array":           {`[]`, "no JSON object"},
		"number cursor":   {`{"tools":[],"nextCursor":7}`, `"nextCursor" of the result is no string`},
	} {
		server := pagedServer{pages: map[string]string{"tools/list": test.page, "tools/list x": test.page}}
		_, err := listAll(context.Background(), server, "server")
		if err == nil || !strings.Contains(err.Error(), test.fault) || !strings.HasPrefix(err.Error(), "server: tools/list: ") {
			t.Errorf("%s: error %v, want %q", name, err, test.fault)
		}
	}
}

func TestAServerWithoutToolsHasNone(t *testing.T) {
	got, err := listAll(context.Background(), pagedServer{info: serverInfo{prompts: true}, pages: map[string]string{"prompts/list": `{"prompts":[]}`}}, "server")
	if err != nil || string(got.tools) != `{"tools":[]}` || string(got.prompts) != `{"prompts":[]}` {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := listAll(context.Background(), pagedServer{info: serverInfo{tools: true}}, "server"); !errors.Is(err, errMethodNotFound) {
		t.Errorf("error %v: a server that declares tools must list them", err)
	}
}
