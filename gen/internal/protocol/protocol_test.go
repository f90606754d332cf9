package protocol

import (
	"testing"

	"github.com/mcpgen/mcpgen/gen/internal/model"
	"github.com/mcpgen/mcpgen/schema"
)

func inputs(t *testing.T) []Input {
	t.Helper()
	var out []Input
	for _, v := range schema.Versions() {
		text, err := schema.Protocol(v)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, Input{Source: v, Schema: text, Docs: schema.Docs(), Version: v})
	}
	return append(out, Input{Source: "tasks", Schema: schema.Tasks(), Docs: schema.Docs(), Version: "tasks"})
}

// TestEveryTypeAndFieldHasAComment wants a line of our own on every type, field
// and enum value of every version.
func TestEveryTypeAndFieldHasAComment(t *testing.T) {
	for _, in := range inputs(t) {
		r, err := Build(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Package.Decls {
			if !d.Doc.Own {
				t.Errorf("%s: %s has no comment", in.Version, d.Key)
			}
			switch typ := d.Type.(type) {
			case *model.Struct:
				for _, f := range typ.Fields {
					if _, con := f.Type.(*model.Const); !con && f.Doc.Text == "" {
						t.Errorf("%s: %s: field %q has no comment", in.Version, d.Key, f.Raw)
					}
				}
			case *model.Enum:
				for _, v := range typ.Values {
					if v.Doc == "" && len(typ.Values) > 1 {
						t.Errorf("%s: %s: value %s has no comment", in.Version, d.Key, v.Literal)
					}
				}
			}
		}
		for _, op := range r.Package.Ops {
			if op.Doc.Text == "" {
				t.Errorf("%s: %s has no comment", in.Version, op.Raw)
			}
		}
	}
}

// TestEveryCorrectionIsUsed fails for a row that no schema needs, so that the
// table does not grow stale.
func TestEveryCorrectionIsUsed(t *testing.T) {
	used := map[string]bool{}
	for _, in := range inputs(t) {
		r, err := Build(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range r.Applied {
			used[name] = true
		}
		if len(r.Notes) > 0 {
			t.Errorf("%s: types say less than the schema: %v", in.Version, r.Notes)
		}
	}
	for _, c := range corrections {
		if !used[c.name] {
			t.Errorf("no schema needs the correction %q: remove it", c.name)
		}
	}
}

// TestRequestsHaveTheirResults holds the table of VERSION_MATRIX §2.
func TestRequestsHaveTheirResults(t *testing.T) {
	want := map[string]map[string]string{
		"2024-11-05": {"tools/call": "CallToolResult", "ping": "EmptyResult", "initialize": "InitializeResult", "resources/subscribe": "EmptyResult"},
		"2025-11-25": {"tasks/get": "GetTaskResult", "tools/call": "CallToolResult", "logging/setLevel": "EmptyResult", "elicitation/create": "ElicitResult"},
		"2026-07-28": {"server/discover": "DiscoverResult", "tools/call": "CallToolResult", "subscriptions/listen": "SubscriptionsListenResult", "prompts/get": "GetPromptResult"},
		"tasks":      {"tasks/get": "GetTaskResult", "tasks/update": "UpdateTaskResult", "tasks/cancel": "CancelTaskResult"},
	}
	for _, in := range inputs(t) {
		r, err := Build(in)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]*model.Operation{}
		for _, op := range r.Package.Ops {
			if op.Kind == model.Request {
				got[op.Raw] = op
			}
		}
		for method, result := range want[in.Version] {
			op := got[method]
			if op == nil || op.Result == nil || op.Result.Name[0] != result {
				t.Errorf("%s: %s: result %v, want %s", in.Version, method, op, result)
			}
		}
	}
}
