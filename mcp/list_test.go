package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// pages answers tools/list by cursor.
func pages(byCursor map[string]string) script {
	return func(m message) []string {
		var p struct {
			Cursor *string `json:"cursor"`
		}
		_ = json.Unmarshal(m.Params, &p)
		key := "first"
		if p.Cursor != nil {
			key = "cursor " + *p.Cursor
		}
		result, ok := byCursor[key]
		if !ok {
			return []string{m.failure(-32602, "invalid cursor", "")}
		}
		return []string{m.result(result)}
	}
}

func tools(names ...string) string {
	list := []string{}
	for _, n := range names {
		list = append(list, `{"name":"`+n+`","inputSchema":{"type":"object"}}`)
	}
	return `"tools":[` + strings.Join(list, ",") + `]`
}

func names(list []Tool) string {
	var all []string
	for _, t := range list {
		all = append(all, t.Name)
	}
	return strings.Join(all, " ")
}

// C-156 C-157 C-158 C-161
func TestListsWalkAllPages(t *testing.T) {
	c, rec := answering(t, Version20251125, pages(map[string]string{
		"first":          `{` + tools("a") + `,"nextCursor":""}`,
		"cursor ":        `{` + tools() + `,"nextCursor":"ö\"\\ x"}`,
		"cursor ö\"\\ x": `{` + tools("b", "c") + `,"nextCursor":null}`,
	}))
	list, err := c.ListTools(t.Context())
	if err != nil || names(list) != "a b c" {
		t.Fatalf("got %s, %v", names(list), err)
	}
	first := rec.await(t, methodListTools)
	if strings.Contains(first.raw, "cursor") {
		t.Fatalf("first page asked with %s", first.raw)
	}
	page, err := c.ListToolsPage(t.Context(), nil)
	if err != nil || page.NextCursor == nil || *page.NextCursor != "" {
		t.Fatalf("got %v, %v", page, err)
	}
}

// C-159 C-352
func TestB078EndlessListsEnd(t *testing.T) {
	n := 0
	for name, s := range map[string]script{
		"same":  pages(map[string]string{"first": `{` + tools("a") + `,"nextCursor":"c1"}`, "cursor c1": `{` + tools("a") + `,"nextCursor":"c1"}`}),
		"cycle": pages(map[string]string{"first": `{` + tools("a") + `,"nextCursor":"A"}`, "cursor A": `{` + tools("b") + `,"nextCursor":"B"}`, "cursor B": `{` + tools("c") + `,"nextCursor":"A"}`}),
		"always": func(m message) []string {
			n++
			return []string{m.result(fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, n))}
		},
	} {
		c, _ := answering(t, Version20251125, s)
		_, err := c.ListTools(t.Context(), WithMaxPages(50))
		var pe *PageError
		if !errors.As(err, &pe) || pe.Repeated != (name != "always") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if n != 50 {
		t.Errorf("%d pages", n)
	}
}

// C-160
func TestExpiredCursorIsReportedWithWhatCameBefore(t *testing.T) {
	c, _ := answering(t, Version20251125, pages(map[string]string{"first": `{` + tools("a") + `,"nextCursor":"gone"}`}))
	list, err := c.ListTools(t.Context())
	if !errors.Is(err, ErrInvalidParams) || names(list) != "a" {
		t.Fatalf("got %s, %v", names(list), err)
	}
}

func TestIteratorStopsAsking(t *testing.T) {
	c, rec := answering(t, Version20251125, pages(map[string]string{"first": `{` + tools("a", "b") + `,"nextCursor":"x"}`}))
	for tool, err := range c.Tools(t.Context()) {
		if err != nil || tool.Name != "a" {
			t.Fatalf("got %v, %v", tool, err)
		}
		break
	}
	if got := strings.Count(fmt.Sprint(rec.methods()), methodListTools); got != 1 {
		t.Fatalf("asked %d times", got)
	}
}

// C-259
func TestB081BadEntriesCostOnlyThemselves(t *testing.T) {
	var log lockedBuilder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	good := `{"name":"good","inputSchema":{"type":"object"}}`
	for _, bad := range []string{`null`, `{"inputSchema":{"type":"object"}}`, `{"name":12,"inputSchema":{"type":"object"}}`, `{"name":"x","inputSchema":"x"}`, `[]`, `7`, `"tool"`} {
		c, _ := answering(t, Version20251125, pages(map[string]string{"first": `{"tools":[` + bad + `,` + good + `,` + bad + `]}`}), WithLogger(logger))
		list, err := c.ListTools(t.Context())
		if err != nil || names(list) != "good" {
			t.Errorf("%s: got %s, %v", bad, names(list), err)
		}
	}
	if !strings.Contains(log.String(), "entry of a list dropped") {
		t.Errorf("not reported: %s", log.String())
	}
	for _, result := range []string{`{"tools":null}`, `{}`, `{"tools":{}}`, `{"tools":"x"}`} {
		c, _ := answering(t, Version20251125, pages(map[string]string{"first": result}))
		if _, err := c.ListTools(t.Context()); !errors.As(err, new(*InvalidResultError)) {
			t.Errorf("%s: got %v", result, err)
		}
	}
}

func TestB089BadCacheHintsAreStale(t *testing.T) {
	for hints, want := range map[string]int64{
		``: 0, `,"ttlMs":-5,"cacheScope":"shared"`: 0, `,"ttlMs":"100"`: 0, `,"ttlMs":0.5,"cacheScope":7`: 0, `,"ttlMs":3e5,"cacheScope":"public"`: 300000,
	} {
		c, _ := answering(t, Version20260728, pages(map[string]string{"first": `{` + tools("a") + hints + `}`}))
		page, err := c.ListToolsPage(t.Context(), nil)
		if err != nil || page.TTLMs == nil && want != 0 || page.TTLMs != nil && *page.TTLMs != want || (page.CacheScope == "public") != strings.Contains(hints, "public") {
			t.Errorf("%s: got %v, %v", hints, page, err)
		}
	}
}

// C-252
func TestSchemasKeepAllKeywords(t *testing.T) {
	schema := `{"$defs":{"a":{"$anchor":"x"}},"$schema":"https://json-schema.org/draft/2020-12/schema","additionalProperties":false,"allOf":[{}],"if":{},"properties":{"n":{"default":1.0}},"type":"object","x-y":1}`
	c, _ := answering(t, Version20251125, pages(map[string]string{"first": `{"tools":[{"name":"a","inputSchema":` + schema + `}]}`}))
	list, err := c.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	text, _ := json.Marshal(list[0].InputSchema)
	_, _ = json.Unmarshal([]byte(schema), &want), json.Unmarshal(text, &got)
	if fmt.Sprint(want) != fmt.Sprint(got) {
		t.Fatalf("got %s", text)
	}
	raw, err := c.RawCall(t.Context(), methodListTools, nil)
	if err != nil || string(raw) != `{"tools":[{"name":"a","inputSchema":`+schema+`}]}` {
		t.Fatalf("got %s, %v", raw, err)
	}
}

// C-122 C-123 C-124
func TestB124ToolsWithBadHeaderAnnotationsAreLeftOut(t *testing.T) {
	property := func(schema string) string {
		return `{"name":"bad","inputSchema":{"type":"object","properties":{"p":` + schema + `}}}`
	}
	annotated := func(name, kind string) string { return `{"type":` + kind + `,"x-mcp-header":` + name + `}` }
	bad := []string{
		property(annotated(`""`, `"string"`)), property(annotated(`"a b"`, `"string"`)), property(annotated(`"X\r\nEvil: 1"`, `"string"`)),
		property(annotated(`"Région"`, `"string"`)), property(annotated(`"Region:Primary"`, `"string"`)), property(annotated(`7`, `"string"`)),
		property(annotated(`"R"`, `"number"`)), property(annotated(`"R"`, `"array"`)), property(annotated(`"R"`, `"object"`)), property(annotated(`"R"`, `"null"`)), property(annotated(`"R"`, `["string","null"]`)),
		property(`{"x-mcp-header":"R"}`),
		`{"name":"bad","inputSchema":{"type":"object","properties":{"a":` + annotated(`"Region"`, `"string"`) + `,"b":{"type":"object","properties":{"c":` + annotated(`"REGION"`, `"string"`) + `}}}}}`,
	}
	for _, keyword := range []string{`"items":%s`, `"prefixItems":[%s]`, `"additionalProperties":%s`, `"patternProperties":{"x":%s}`, `"oneOf":[%s]`, `"anyOf":[%s]`, `"allOf":[%s]`, `"not":%s`, `"if":%s`, `"then":%s`, `"$defs":{"d":%s}`} {
		bad = append(bad, `{"name":"bad","inputSchema":{"type":"object",`+fmt.Sprintf(keyword, annotated(`"R"`, `"string"`))+`}}`)
	}
	good := `{"name":"good","inputSchema":{"type":"object","properties":{"x-mcp-header":{"type":"string","default":{"x-mcp-header":7}},"r":{"type":"string","x-mcp-header":"Region"}}}}`
	for _, tool := range bad {
		s := pages(map[string]string{"first": `{"tools":[` + tool + `,` + good + `]}`})
		c := connect(t, HTTP(newHTTPServer(t, jsonScript(modern(s))).URL))
		list, err := c.ListTools(t.Context())
		if err != nil || names(list) != "good" {
			t.Errorf("%s: got %s, %v", tool, names(list), err)
		}
	}
	s := pages(map[string]string{"first": `{"tools":[` + strings.Join(bad, ",") + `]}`})
	for _, version := range []string{Version20251125, Version20260728} {
		c, _ := answering(t, version, s)
		if list, err := c.ListTools(t.Context()); err != nil || len(list) != len(bad) {
			t.Errorf("%s: %d of %d, %v", version, len(list), len(bad), err)
		}
	}
}

// C-118 C-119 C-120 C-121 C-125 C-126 C-115 C-116 C-117
func TestArgumentsAreMirroredInHeaders(t *testing.T) {
	schema := `{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"Method"},"b":{"type":"boolean","x-mcp-header":"B"},"o":{"type":"object","properties":{"deep":{"type":"string","x-mcp-header":"Deep"}}}}}`
	server := newHTTPServer(t, jsonScript(modern(func(m message) []string {
		if m.Method == methodListTools {
			return []string{m.result(`{"tools":[{"name":"t","inputSchema":` + schema + `}]}`)}
		}
		return alwaysOK(m)
	})))
	c := connect(t, HTTP(server.URL))
	call := func(arguments string) map[string][]string {
		t.Helper()
		if _, err := c.CallTool(t.Context(), "t", json.RawMessage(arguments)); err != nil {
			t.Fatal(err)
		}
		all := server.exchanges()
		return all[len(all)-1].header
	}
	if h := call(`{"r":"eu"}`); h["Mcp-Param-Region"] != nil {
		t.Errorf("headers before a list: %v", h)
	}
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{"r":"eu-west 1","n":42,"b":true,"o":{"deep":"x"}}`: "eu-west 1|42|true|x",
		`{"r":"","n":1e3,"b":false,"o":{}}`:                  "|1000|false|-",
		`{"r":"Hello, 世界","n":-7.0,"o":{"deep":null}}`:       "=?base64?SGVsbG8sIOS4lueVjA==?=|-7|-|-",
		`{"r":"=?base64?literal?=","o":7}`:                   "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=|-|-|-",
		`{"r":null}`:                                         "-|-|-|-",
		`{"r":"a\tb"}`:                                       "=?base64?YQli?=|-|-|-",
	} {
		h := call(arguments)
		var got []string
		for _, name := range []string{"Mcp-Param-Region", "Mcp-Param-Method", "Mcp-Param-B", "Mcp-Param-Deep"} {
			if v, ok := h[name]; ok {
				got = append(got, v[0])
			} else {
				got = append(got, "-")
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: got %v", arguments, got)
		}
	}
	before := len(server.exchanges())
	for _, arguments := range []string{`{"n":9007199254740992}`, `{"r":{}}`, `{"n":1.5}`} {
		if _, err := c.CallTool(t.Context(), "t", json.RawMessage(arguments)); err == nil {
			t.Errorf("%s was sent", arguments)
		}
	}
	if len(server.exchanges()) != before {
		t.Error("something was sent")
	}
}

// C-127
func TestB123HeaderMismatchIsRepairedOnce(t *testing.T) {
	for _, permanent := range []bool{false, true} {
		server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
			if m.Method == methodCallTool && (permanent || r.Header.Get("Mcp-Param-Region") == "") {
				w.WriteHeader(400)
				_, _ = w.Write([]byte(m.failure(-32020, "header mismatch", "")))
				return
			}
			jsonScript(modern(func(m message) []string {
				if m.Method == methodListTools {
					return []string{m.result(`{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"Region"}}}}]}`)}
				}
				return alwaysOK(m)
			}))(w, r, m)
		})
		c := connect(t, HTTP(server.URL))
		_, err := c.CallTool(context.Background(), "t", map[string]string{"r": "eu"})
		if (err == nil) == permanent || permanent && !errors.Is(err, ErrHeaderMismatch) {
			t.Errorf("permanent %v: %v", permanent, err)
		}
		if got := fmt.Sprint(server.rec.methods()); got != "[server/discover tools/call tools/list tools/call]" {
			t.Errorf("sent %s", got)
		}
	}
}

// C-259
func TestB102ToolsWithoutAProperSchemaAreListed(t *testing.T) {
	for name, schemas := range map[string]string{
		"null": `"inputSchema":null`, "missing": `"title":"x"`, "true": `"inputSchema":true`, "empty": `"inputSchema":{ }`, "no type": `"inputSchema":{"properties":{"a":{}}}`,
		"no properties": `"inputSchema":{"type":"object"}`, "array without items": `"inputSchema":{"type":"object","properties":{"a":{"type":"array"}}}`,
		"output without type": `"inputSchema":{"type":"object"},"outputSchema":{"properties":{}}`, "output null": `"inputSchema":{},"outputSchema":null`,
		"output true": `"inputSchema":{},"outputSchema":true`, "all": `"inputSchema":null,"outputSchema":true,"x":[1]`,
	} {
		for _, version := range []string{Version20251125, Version20260728} {
			c, _ := answering(t, version, func(m message) []string {
				if m.Method == methodListTools {
					return []string{m.result(`{"tools":[{"name":"good","inputSchema":{"type":"object"}},{"name":"odd","description":"kept",` + schemas + `}]}`)}
				}
				return []string{m.result(`{"content":[{"type":"text","text":"ok"}],"structuredContent":{}}`)}
			})
			list, err := c.ListTools(t.Context())
			if err != nil || names(list) != "good odd" || list[1].Description == nil || *list[1].Description != "kept" {
				t.Fatalf("%s: got %s, %v", name, names(list), err)
			}
			if _, err := c.CallTool(t.Context(), "odd", map[string]any{"a": 1}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
