package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/mcp/generated/v20260728"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

type weather struct {
	City string
	Temp float64
}

// weatherTool is what a generator makes of {"type":"object","required":["city"],"additionalProperties":false}.
var weatherTool = ToolSpec[sumArgs, weather]{
	ToolInfo: ToolInfo{Name: "weather"},
	Args: func(a *sumArgs) jsonwire.Codec {
		return jsonwire.CodecOf(a, writeSum, nil, func(a *sumArgs, v *jsonwire.Validator) {
			v.Enter("a")
			v.MinInt(a.A, 0)
			v.Leave()
		})
	},
}

func (x *weather) WriteJSON(w *jsonwire.Writer) { w.Fail(errors.New("a client writes no output")) }

func (x *weather) ReadJSON(r *jsonwire.Reader) {
	var seen uint64
	for r.BeginObject(); r.NextMember(); {
		switch string(r.Key()) {
		case "city":
			x.City = r.String()
			seen |= 1
		case "temp":
			x.Temp = r.Float64()
		default:
			r.Unknown()
		}
	}
	r.Missing(seen, "city")
}

func (x *weather) ValidateJSON(v *jsonwire.Validator) {
	v.Enter("temp")
	v.MinFloat(x.Temp, -273)
	v.Leave()
}

// Every method of a generic type is compiled again for every tool.
func TestToolResultHasOneMethod(t *testing.T) {
	if typ := reflect.TypeFor[ToolResult[int]](); typ.NumMethod() != 1 || typ.Method(0).Name != "MarshalJSON" {
		t.Errorf("ToolResult has %d methods", typ.NumMethod())
	}
	text, err := json.Marshal(&ToolResult[int]{CallToolResult: &CallToolResult{StructuredContent: json.RawMessage("7"), ResultType: "complete"}, Output: 7})
	if err != nil || !strings.Contains(string(text), `"structuredContent":7`) {
		t.Errorf("it is %s, %v", text, err)
	}
	if text, err := json.Marshal(ToolResult[int]{}); err != nil || string(text) != "null" {
		t.Errorf("an empty one is %s, %v", text, err)
	}
}

func TestASpecWithoutACodecFailsWithAReason(t *testing.T) {
	c, _ := answering(t, Version20260728, func(m message) []string {
		return []string{m.result(`{"structuredContent":{"city":"Rome"},"content":[]}`)}
	})
	want := "does not write and read itself; the ToolSpec needs an Args or Output for it"
	args := ToolSpec[map[string]int, NoOutput]{ToolInfo: ToolInfo{Name: "t"}}
	if _, err := args.CallResult(t.Context(), c, nil); err == nil || !strings.Contains(err.Error(), "*map[string]int "+want) {
		t.Errorf("arguments: %v", err)
	}
	output := ToolSpec[NoArgs, map[string]string]{ToolInfo: ToolInfo{Name: "t"}}
	if _, err := output.Call(t.Context(), c, NoArgs{}); err == nil || !strings.Contains(err.Error(), "*map[string]string "+want) {
		t.Errorf("output: %v", err)
	}
}

// C-029: nothing in _meta makes a result useless.
func TestMalformedMetaDoesNotFailACall(t *testing.T) {
	for meta, want := range map[string]string{
		`{"io.modelcontextprotocol/serverInfo":"me","a":1}`:                 `true map[a:1 io.modelcontextprotocol/serverInfo:"me"]`,
		`{"io.modelcontextprotocol/serverInfo":{"name":7}}`:                 `true map[io.modelcontextprotocol/serverInfo:{"name":7}]`,
		`{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}`: `false map[]`,
		`[]`: `none`, `7`: `none`, `null`: `none`,
	} {
		c, _ := answering(t, Version20260728, func(m message) []string {
			return []string{m.result(`{"_meta":` + meta + `,"content":[],"resultType":"complete"}`)}
		})
		result, err := c.CallTool(t.Context(), "t", nil)
		if err != nil {
			t.Errorf("%s: %v", meta, err)
			continue
		}
		got := "none"
		if m := result.Meta; m != nil {
			got = fmt.Sprintf("%t %s", m.IoModelcontextprotocolServerInfo == nil, m.Extra)
		}
		if got != want {
			t.Errorf("%s: read as %s", meta, got)
		}
	}
}

// C-243 C-245 C-247
func TestTypedOutput(t *testing.T) {
	for result, want := range map[string]string{
		`{"content":[],"structuredContent":{"city":"Rome","temp":20.5}}`:                                   "{Rome 20.5}",
		`{"structuredContent":{"city":"Rome","temp":-300},"content":[]}`:                                   "minimum",
		`{"structuredContent":{"temp":1},"content":[]}`:                                                    "required",
		`{"structuredContent":{"city":"x","odd":1},"content":[]}`:                                          "additionalProperties",
		`{"structuredContent":[],"content":[]}`:                                                            "type",
		`{"content":[]}`:                                                                                   "missing",
		`{"structuredContent":{"odd":1},"isError":true,"content":[{"type":"text","text":"no such city"}]}`: `tool "weather": no such city`,
		`{"isError":true,"content":[]}`:                                                                    `tool "weather": no text given`,
	} {
		c, _ := answering(t, Version20260728, func(m message) []string { return []string{m.result(result)} })
		got, err := weatherTool.Call(t.Context(), c, sumArgs{})
		if err == nil {
			if fmt.Sprint(got.Output) != want {
				t.Errorf("%s: got %v", result, got.Output)
			}
			if string(got.StructuredContent) != `{"city":"Rome","temp":20.5}` {
				t.Errorf("raw is %s", got.StructuredContent)
			}
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", result, err)
		}
		var te *ToolError
		var oe *OutputError
		if !errors.As(err, &te) && !errors.As(err, &oe) {
			t.Errorf("%s: %T", result, err)
		}
		if want == "minimum" && !errors.As(err, new(*ValidationError)) {
			t.Errorf("%T", err)
		}
		if errors.As(err, &oe) && oe.Result == nil {
			t.Error("the result is lost")
		}
		if _, err = weatherTool.Call(t.Context(), c, sumArgs{}, WithoutOutputValidation()); (want == "minimum" || want == "additionalProperties") && err != nil {
			t.Errorf("%s: %v", result, err)
		}
	}
}

// C-243
func TestUntypedCallReturnsToolErrorsAsResults(t *testing.T) {
	c, _ := answering(t, Version20251125, func(m message) []string {
		return []string{m.result(`{"isError":true,"content":[{"type":"text","text":"bad"}]}`)}
	})
	result, err := c.CallTool(t.Context(), "x", nil)
	if err != nil || !isError(result) {
		t.Fatalf("got %v, %v", result, err)
	}
	_, err = sumTool.CallResult(t.Context(), c, sumArgs{})
	var te *ToolError
	if !errors.As(err, &te) || te.Tool != "sum" || resultText(te.Result) != "bad" {
		t.Fatalf("got %v", err)
	}
}

func TestArgumentsAreCheckedWhenAskedFor(t *testing.T) {
	c, rec := answering(t, Version20251125, func(m message) []string {
		return []string{m.result(`{"structuredContent":{"city":"x"}}`)}
	}, WithArgumentValidation())
	_, err := weatherTool.Call(t.Context(), c, sumArgs{A: -1})
	var ve *ValidationError
	if !errors.As(err, &ve) || ve.Pointer != "/a" {
		t.Fatalf("got %v", err)
	}
	if strings.Contains(fmt.Sprint(rec.methods()), methodCallTool) {
		t.Fatal("it was sent")
	}
	if _, err := weatherTool.Call(t.Context(), c, sumArgs{A: 1}); err != nil {
		t.Fatal(err)
	}
}

// C-242
func TestArgumentsAreAnObjectOrAbsent(t *testing.T) {
	c, rec := answering(t, Version20251125, alwaysOK)
	for _, test := range []struct {
		arguments any
		want      string
	}{
		{nil, `{"name":"x"}`}, {map[string]any{}, `{"name":"x","arguments":{}}`}, {map[string]any(nil), `{"name":"x"}`}, {struct{ A int }{1}, `{"name":"x","arguments":{"A":1}}`},
		{json.RawMessage("{\"a\" :\n\"<b>\"}"), `{"name":"x","arguments":{"a":"<b>"}}`},
	} {
		if _, err := c.CallTool(t.Context(), "x", test.arguments); err != nil {
			t.Fatal(err)
		}
		all := rec.all()
		if got := string(all[len(all)-1].Params); got != test.want {
			t.Errorf("sent %s", got)
		}
	}
	sent := len(rec.all())
	for _, arguments := range []any{[]int{1}, "x", 7, json.RawMessage("null"), make(chan int), json.RawMessage("{")} {
		if _, err := c.CallTool(t.Context(), "x", arguments); err == nil {
			t.Errorf("%v was sent", arguments)
		}
	}
	if len(rec.all()) != sent {
		t.Error("something was sent")
	}
}

// C-245 C-246 C-249 C-250
func TestListedSchemasCheckUntypedOutput(t *testing.T) {
	schemas := map[string]string{
		"good":    `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`,
		"missing": `{"properties":{"s":{"$ref":"#/$defs/Missing"}}}`, // B100
		"draft07": `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["n"]}`,
		"unknown": `{"$schema":"https://example.invalid/x","type":"object","required":["n"]}`, // B101
	}
	var list []string
	for name, schema := range schemas {
		list = append(list, `{"name":"`+name+`","inputSchema":{"type":"object"},"outputSchema":`+schema+`}`)
	}
	output := `{}`
	c, _ := answering(t, Version20260728, func(m message) []string {
		if m.Method == methodListTools {
			return []string{m.result(`{"tools":[` + strings.Join(list, ",") + `]}`)}
		}
		return []string{m.result(`{"content":[],"structuredContent":` + output + `}`)}
	})
	if _, err := c.CallTool(t.Context(), "good", nil); err != nil {
		t.Fatalf("before the list: %v", err)
	}
	if got, err := c.ListTools(t.Context()); err != nil || len(got) != len(schemas) {
		t.Fatalf("%d tools, %v", len(got), err)
	}
	for name := range schemas {
		_, err := c.CallTool(t.Context(), name, nil)
		if (err == nil) != (name == "missing") {
			t.Errorf("%s: %v", name, err)
		}
	}
	output = `{"n":7}`
	for name := range schemas {
		if _, err := c.CallTool(t.Context(), name, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// C-036 C-032 C-033
func TestMetaIsMerged(t *testing.T) {
	for _, version := range []string{Version20251125, Version20260728} {
		c, rec := answering(t, version, alwaysOK)
		_, err := c.CallTool(t.Context(), "x", nil, WithMeta(map[string]any{"com.example/k": 1, "traceparent": "00-x"}))
		if err != nil {
			t.Fatal(err)
		}
		meta := rec.await(t, methodCallTool).meta()
		if string(meta["com.example/k"]) != "1" || string(meta["traceparent"]) != `"00-x"` || (meta[metaVersion] != nil) != (version == Version20260728) {
			t.Errorf("%s: %v", version, meta)
		}
		for _, key := range []string{metaVersion, metaProgressToken, "io.modelcontextprotocol/x", "a..b/x", "-a/x", "/x", "dev.mcp/x", "x-/y", "_x"} {
			if _, err := c.CallTool(t.Context(), "x", nil, WithMeta(map[string]any{key: 1})); err == nil {
				t.Errorf("%q was taken", key)
			}
		}
	}
	// Generated params bring a _meta of their own.
	for _, version := range []string{Version20251125, Version20260728} {
		c, rec := answering(t, version, alwaysOK)
		params := &v20260728.CallToolRequestParams{Name: "x"}
		params.Meta.Extra = map[string]json.RawMessage{"com.example/k": json.RawMessage("1")}
		if _, err := v20260728.CallTool(context.Background(), c, params); err != nil {
			t.Fatal(err)
		}
		meta := rec.await(t, methodCallTool).meta()
		if string(meta["com.example/k"]) != "1" || version == Version20260728 && string(meta[metaVersion]) != `"2026-07-28"` || version == Version20251125 && len(meta) != 1 {
			t.Errorf("%s: %v", version, meta)
		}
	}
}

func TestMetaKeys(t *testing.T) {
	for key, good := range map[string]bool{
		"a": true, "a.b_c-d": true, "com.example/x": true, "com.example.mcp/x": true, "com.example/": true, "x/": true,
		"a..b/x": false, "-a/x": false, "/x": false, "1a/x": false, "a-/x": false, "a b": false, "a/b/c": false, ".a": false,
		"com.mcp.tools/x": false, "dev.mcp/x": false, "io.modelcontextprotocol/x": false,
	} {
		if err := checkMetaKey(key); (err == nil) != good {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestInterceptorsWrapEveryRequest(t *testing.T) {
	var log []string
	wrap := func(name string) Interceptor {
		return func(next Invoker) Invoker {
			return func(ctx context.Context, req *Request) error {
				req.Meta = map[string]json.RawMessage{"com.example/by": json.RawMessage(`"` + name + `"`)}
				err := next(ctx, req)
				log = append(log, fmt.Sprintf("%s %s %s %d", name, req.Method, req.Name, req.Attempts))
				return err
			}
		}
	}
	c, rec := answering(t, Version20260728, alwaysOK, WithInterceptor(wrap("outer"), wrap("inner")))
	checkOK(t, c)
	if got := fmt.Sprint(log); got != "[inner tools/call echo 1 outer tools/call echo 1]" {
		t.Fatalf("got %s", got)
	}
	if got := string(rec.await(t, methodCallTool).meta()["com.example/by"]); got != `"inner"` {
		t.Fatalf("got %s", got)
	}
}

func TestCallOfAnyMethod(t *testing.T) {
	c, rec := answering(t, Version20251125, func(m message) []string {
		return []string{m.result(`{"tools":[],"answer":42,"content":[{"type":"text","text":"ok"}]}`)}
	})
	typed, err := Call[ListToolsResult](t.Context(), c, methodListTools, nil)
	if err != nil || typed.Tools == nil {
		t.Fatalf("got %v, %v", typed, err)
	}
	own, err := Call[struct{ Answer int }](t.Context(), c, "x.example/ask", map[string]int{"q": 1})
	if err != nil || own.Answer != 42 {
		t.Fatalf("got %v, %v", own, err)
	}
	if got := string(rec.await(t, "x.example/ask").Params); got != `{"q":1}` {
		t.Fatalf("sent %s", got)
	}
	if _, err := Call[struct{}](t.Context(), c, methodDiscover, nil); !errors.As(err, new(*UnsupportedError)) {
		t.Fatalf("got %v", err)
	}
}
