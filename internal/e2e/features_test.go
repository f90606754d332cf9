package e2e

// Every feature that other people's servers offer, in every version that they speak.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/peers"
	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// deed is a call and what its answer says. In arguments "{dir}" is the folder that is the
// client's root, "{version}" the protocol version.
type deed struct {
	tool string
	args map[string]any
	says string
}

// wares is what a server has, as far as its capabilities say so.
type wares struct {
	deeds      []deed // tools that give text
	structured deed   // gives structured content
	fails      deed   // reports an error

	template, variable, expanded, absent string // of resources
	touch                                deed   // makes the server announce a change of expanded
	untouch                              deed   // stops that

	prompt         string
	promptArgs     map[string]string
	promptSays     string
	refs           []mcp.Completion
	suggestions    []string // for each of refs
	contextual     mcp.Completion
	contextualSays string

	log       deed
	progress  deed
	slow      deed // runs until it is cancelled
	cancelled deed // says something else once slow was cancelled

	deaf string // a version in which the server does not notice cancellation

	form, page, required, sample, roots deed
	task                                deed
}

const (
	modelSays = "the model says tea"
	pageURL   = "https://example.com/consent"
)

var everything = wares{
	deeds:      []deed{{"echo", map[string]any{"message": "ü<&>"}, "ü<&>"}, {"get-sum", map[string]any{"a": 6, "b": 7}, "13"}},
	structured: deed{"get-structured-content", map[string]any{"location": "Chicago"}, "36"},
	fails:      deed{"get-sum", map[string]any{"a": "x"}, "nvalid"},
	template:   "demo://resource/dynamic/text/{resourceId}", variable: "resourceId", expanded: "demo://resource/dynamic/text/1", absent: "demo://resource/dynamic/text/none",
	touch: deed{tool: "toggle-subscriber-updates"}, untouch: deed{tool: "toggle-subscriber-updates"},
	prompt:     "args-prompt",
	promptArgs: map[string]string{"city": "Rome", "state": "Lazio"},
	promptSays: "Rome, Lazio",
	refs: []mcp.Completion{
		{Ref: mcp.PromptRef("completable-prompt"), Argument: "department", Value: "S"},
		{Ref: mcp.TemplateRef("demo://resource/dynamic/text/{resourceId}"), Argument: "resourceId", Value: "7"},
	},
	suggestions:    []string{"Sales Support", "7"},
	contextual:     mcp.Completion{Ref: mcp.PromptRef("completable-prompt"), Argument: "name", Value: "E", Context: map[string]string{"department": "Sales"}},
	contextualSays: "Eve",
	log:            deed{tool: "toggle-simulated-logging"},
	progress:       deed{"trigger-long-running-operation", map[string]any{"duration": 0.2, "steps": 4}, "Steps: 4"},
	slow:           deed{tool: "trigger-long-running-operation", args: map[string]any{"duration": 20, "steps": 200}},
	form:           deed{"trigger-elicitation-request", nil, "Ada"},
	page:           deed{"trigger-url-elicitation", map[string]any{"url": pageURL, "message": "Go"}, pageURL},
	required:       deed{"trigger-url-elicitation", map[string]any{"url": pageURL, "message": "Go", "errorPath": true}, pageURL},
	sample:         deed{"trigger-sampling-request", map[string]any{"prompt": "tea?", "maxTokens": 10}, modelSays},
	roots:          deed{"get-roots-list", nil, "shelf"},
	task:           deed{"simulate-research-query", map[string]any{"topic": "tea", "ambiguous": true}, "historical"},
}

var filesystem = wares{
	roots: deed{"list_allowed_directories", nil, "shelf"},
	deeds: []deed{
		{"read_text_file", map[string]any{"path": "{dir}/a.txt", "head": 1}, "first line"},
		{"list_directory", map[string]any{"path": "{dir}"}, "[FILE] b.md"},
		{"write_file", map[string]any{"path": "{dir}/c.txt", "content": "ü"}, "c.txt"},
		{"read_text_file", map[string]any{"path": "{dir}/c.txt"}, "ü"},
	},
	structured: deed{"search_files", map[string]any{"path": "{dir}", "pattern": "*.md"}, "b.md"},
	fails:      deed{"read_text_file", map[string]any{"path": "/etc/passwd"}, "denied"},
}

var product = map[string]any{"a": 6, "b": 7}

var typeScriptV1 = wares{
	deeds:      []deed{{"join-words", map[string]any{"words": []string{"ü", "<&>"}}, "ü <&>"}},
	structured: deed{"multiply", product, "42"},
	fails:      deed{"refuse", nil, "refused"},
	log:        deed{tool: "log-message"},
	form:       deed{"ask-name", nil, "hello Ada"},
}

// memos are what the two newer servers of internal/peers have; name spells a tool in the server's way.
func memos(w wares, name func(string) string) wares {
	w.structured, w.fails = deed{"multiply", product, "42"}, deed{"refuse", nil, "refused"}
	w.template, w.variable, w.expanded, w.absent = "memo://{name}", "name", "memo://1", "memo://none"
	w.touch = deed{name("touch memo"), map[string]any{"name": "1"}, "touched"}
	w.prompt, w.promptArgs, w.promptSays = "greet", map[string]string{"name": "Grace"}, "Greet Grace"
	w.refs = []mcp.Completion{
		{Ref: mcp.PromptRef("greet"), Argument: "name", Value: "A"},
		{Ref: mcp.TemplateRef("memo://{name}"), Argument: "name", Value: "G"},
	}
	w.suggestions = []string{"Ada Alan", "Grace"}
	w.contextual = mcp.Completion{Ref: mcp.PromptRef("greet"), Argument: "name", Value: "Ad", Context: map[string]string{"title": "Lady "}}
	w.contextualSays = "Lady Ada"
	w.log = deed{name("log message"), nil, "logged"}
	w.progress = deed{name("count slowly"), map[string]any{"steps": 4}, "4"}
	w.slow, w.cancelled = deed{tool: name("wait long"), args: map[string]any{"name": "{version}"}}, deed{name("count cancelled"), map[string]any{"name": "{version}"}, "cancelled 0"}
	w.form, w.page = deed{name("ask name"), nil, "Ada"}, deed{name("ask page"), nil, "accept"}
	w.sample, w.roots = deed{name("ask model"), nil, modelSays}, deed{name("ask roots"), nil, "shelf"}
	return w
}

var typeScriptV2 = memos(wares{
	deeds: []deed{{"join-words", map[string]any{"words": []string{"ü", "<&>"}}, "ü <&>"}},
}, func(s string) string { return strings.ReplaceAll(s, " ", "-") })

var goSDK = memos(wares{
	deeds: []deed{{"describe_time", map[string]any{"at": "2026-02-28T23:30:00Z", "hours": 1}, "2026-03-01T00:30:00Z"}},
}, func(s string) string { return strings.ReplaceAll(s, " ", "_") })

// goSDKHTTP: v1.8.0 lets a call of 2026-07-28 run on when its response stream is closed, as curl shows too.
var goSDKHTTP = func() wares {
	w := goSDK
	w.deaf = mcp.Version20260728
	return w
}()

var (
	sessionVersions = []string{mcp.Version20241105, mcp.Version20250326, mcp.Version20250618, mcp.Version20251125}
	allVersions     = append(slices.Clone(sessionVersions), mcp.Version20260728)
)

// opener starts a peer once and reaches it any number of times.
type opener func(t *testing.T) func(t *testing.T, version string) mcp.Transport

func started(command func(t testing.TB) peers.Command) opener {
	return func(*testing.T) func(*testing.T, string) mcp.Transport {
		return func(t *testing.T, _ string) mcp.Transport {
			c := command(t)
			return mcp.Command(c.Path, c.Args...)
		}
	}
}

func served(url func(t testing.TB) string) opener {
	return func(t *testing.T) func(*testing.T, string) mcp.Transport {
		address := url(t)
		return func(*testing.T, string) mcp.Transport { return mcp.HTTP(address) }
	}
}

// servedPerVersion is for the Go SDK, whose HTTP handler has sessions or has not, for all versions.
func servedPerVersion(t *testing.T) func(*testing.T, string) mcp.Transport {
	older, newer := peers.GoSDKHTTP(t, sessionVersions...), peers.GoSDKHTTP(t)
	return func(_ *testing.T, version string) mcp.Transport {
		if version == mcp.Version20260728 {
			return mcp.HTTP(newer)
		}
		return mcp.HTTP(older)
	}
}

func TestEveryFeatureOfEveryPeer(t *testing.T) {
	for _, p := range []struct {
		name     string
		versions []string
		open     opener
		wares    wares
	}{
		{"everything/stdio", sessionVersions, started(peers.Everything), everything},
		{"everything/HTTP", sessionVersions, served(peers.EverythingHTTP), everything},
		{"everything/HTTP+SSE", sessionVersions, served(peers.EverythingSSE), everything},
		{"filesystem", sessionVersions, started(func(t testing.TB) peers.Command { return peers.Filesystem(t, t.TempDir()) }), filesystem},
		{"TypeScript SDK v1/stdio", sessionVersions, started(peers.TypeScriptV1), typeScriptV1},
		{"TypeScript SDK v1/HTTP", sessionVersions, served(peers.TypeScriptV1HTTP), typeScriptV1},
		{"TypeScript SDK v2/stdio", allVersions, started(peers.TypeScriptV2), typeScriptV2},
		{"TypeScript SDK v2/HTTP", allVersions, served(peers.TypeScriptV2HTTP), typeScriptV2},
		{"Go SDK/stdio", allVersions, started(func(t testing.TB) peers.Command { return peers.GoSDK(t) }), goSDK},
		{"Go SDK/HTTP", allVersions, servedPerVersion, goSDKHTTP},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			open := p.open(t)
			for _, version := range p.versions {
				t.Run(version, func(t *testing.T) {
					t.Parallel()
					newVisit(t, open(t, version), version, p.wares).all(t)
				})
			}
		})
	}
}

// visit is one client at one peer.
type visit struct {
	wares
	*mcp.Client
	version string
	caps    mcp.ServerCapabilities
	tools   []mcp.Tool
	dir     string
	notes   chan mcp.Notification

	mu    sync.Mutex
	pages []string // that the user was asked to open
}

func newVisit(t *testing.T, transport mcp.Transport, version string, w wares) *visit {
	t.Helper()
	v := &visit{wares: w, version: version, dir: shelf(t), notes: make(chan mcp.Notification, 1000)}
	root, err := mcp.RootDir(v.dir)
	if err != nil {
		t.Fatal(err)
	}
	v.Client = connect(t, transport, mcp.WithVersions(version),
		mcp.WithRoots(func(context.Context, *mcp.RootsRequest) ([]mcp.Root, error) { return []mcp.Root{root}, nil }),
		mcp.WithNotificationHandler(func(n mcp.Notification) {
			n.Params = slices.Clone(n.Params)
			v.notes <- n
		}),
		mcp.WithElicitation(func(_ context.Context, req *mcp.FormRequest) (*mcp.ElicitResult, error) {
			answer := map[string]any{}
			for field := range req.Params.RequestedSchema.Properties {
				switch field {
				case "name":
					answer[field] = "Ada"
				case "interpretation":
					answer[field] = "historical"
				}
			}
			return mcp.ElicitAccept(answer), nil
		}),
		mcp.WithURLElicitation(func(_ context.Context, req *mcp.URLRequest) (*mcp.ElicitResult, error) {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.pages = append(v.pages, req.Params.URL)
			return mcp.ElicitAccept(nil), nil
		}),
		mcp.WithSampling(func(_ context.Context, req *mcp.SamplingRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Model: "m", Role: "assistant", Content: &mcp.TextContent{Text: modelSays}}, nil
		}))
	if got := v.Session().Version; got != version {
		t.Fatalf("settled on %s", got)
	}
	v.caps = v.Session().Capabilities
	if v.Session().Stateless { // nothing has been asked yet
		found, err := v.Discover(limited(t))
		if err != nil {
			t.Fatal(err)
		}
		v.caps = found.Capabilities
	}
	return v
}

// all tries every feature that is offered and logs those that are not.
func (v *visit) all(t *testing.T) {
	if v.caps.Tools == nil {
		t.Fatal("every peer has tools")
	}
	var err error
	if v.tools, err = v.ListTools(limited(t)); err != nil || len(v.tools) == 0 {
		t.Fatalf("%d tools, %v", len(v.tools), err)
	}
	resources := v.caps.Resources != nil
	for _, f := range []struct {
		name    string
		offered bool
		try     func(t *testing.T)
	}{
		{"roots", v.has(v.wares.roots), v.tryRoots},
		{"tools", true, v.tryTools},
		{"tool errors", true, v.tryErrors},
		{"resources", resources, v.tryResources},
		{"subscription", resources && v.caps.Resources.Subscribe != nil && *v.caps.Resources.Subscribe, v.trySubscription},
		{"prompts", v.caps.Prompts != nil, v.tryPrompts},
		{"completion", v.caps.Completions != nil, v.tryCompletion},
		//lint:ignore SA1019 servers of older versions have logging, and this asks whether they do
		{"logging", v.caps.Logging != nil, v.tryLogging},
		{"progress", v.has(v.wares.progress), v.tryProgress},
		{"cancellation", v.has(v.slow), v.tryCancellation},
		{"form elicitation", v.has(v.form) && v.version >= mcp.Version20250618, v.says(v.form)},
		{"URL elicitation", v.has(v.page) && v.version >= mcp.Version20251125, v.tryPage},
		{"URL elicitation by error", v.has(v.required) && v.version == mcp.Version20251125, v.tryRequiredPage},
		{"sampling", v.has(v.sample), v.says(v.sample)},
		{"tasks", v.caps.Extra["tasks"] != nil && v.has(v.task) && v.version == mcp.Version20251125, v.tryTask},
	} {
		if !f.offered {
			t.Logf("%s: not offered", f.name)
			continue
		}
		t.Run(f.name, f.try)
	}
}

// has reports whether the server lists the tool, which some do only for clients that can answer it.
func (v *visit) has(d deed) bool {
	return slices.ContainsFunc(v.tools, func(tool mcp.Tool) bool { return tool.Name == d.tool })
}

func (v *visit) call(t *testing.T, d deed, opts ...mcp.CallOption) *mcp.CallToolResult {
	t.Helper()
	if d.tool == "" {
		t.Fatal("the server offers this, and the test has nothing for it")
	}
	result, err := v.CallTool(limited(t), d.tool, v.fill(d.args), opts...)
	if err != nil {
		t.Fatalf("%s: %v", d.tool, err)
	}
	return result
}

func (v *visit) fill(args map[string]any) map[string]any {
	filled := map[string]any{}
	for name, value := range args {
		if s, ok := value.(string); ok {
			value = strings.NewReplacer("{dir}", filepath.ToSlash(v.dir), "{version}", v.version).Replace(s)
		}
		filled[name] = value
	}
	return filled
}

// texts joins all text of a result.
func texts(result *mcp.CallToolResult) string {
	var all strings.Builder
	for _, block := range result.Content {
		if block, ok := block.(*mcp.TextContent); ok {
			all.WriteString(block.Text)
		}
	}
	return all.String()
}

func (v *visit) says(d deed) func(t *testing.T) {
	return func(t *testing.T) {
		result := v.call(t, d)
		if got := texts(result); !strings.Contains(got, d.says) || result.IsError != nil && *result.IsError {
			t.Errorf("%s gave %q, want %q in it", d.tool, got, d.says)
		}
	}
}

// eventually calls until the answer says what it should: the server asks for roots in its own time.
func (v *visit) eventually(t *testing.T, d deed) {
	t.Helper()
	var got string
	for deadline := time.Now().Add(callLimit); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if got = texts(v.call(t, d)); strings.Contains(got, d.says) {
			return
		}
	}
	t.Errorf("%s gave %q, want %q in it", d.tool, got, d.says)
}

func (v *visit) tryRoots(t *testing.T) {
	v.eventually(t, v.wares.roots)
	if !v.Session().Stateless {
		if err := v.RootsChanged(limited(t)); err != nil {
			t.Error(err)
		}
	}
}

func (v *visit) tryTools(t *testing.T) {
	for _, d := range v.deeds {
		v.says(d)(t)
	}
	result := v.call(t, v.structured)
	if !strings.Contains(string(result.StructuredContent), v.structured.says) {
		t.Errorf("%s gave %s", v.structured.tool, result.StructuredContent)
	}
}

func (v *visit) tryErrors(t *testing.T) {
	spec := &mcp.ToolSpec[map[string]any, mcp.NoOutput]{
		ToolInfo: mcp.ToolInfo{Name: v.fails.tool},
		Args: func(args *map[string]any) jsonwire.Codec {
			return jsonwire.CodecOf(args, func(args *map[string]any, w *jsonwire.Writer) { w.Any(*args) }, nil, nil)
		},
	}
	// A library may answer wrong arguments with a result or with an error.
	var reported *mcp.ToolError
	var refused *mcp.RPCError
	_, err := spec.Call(limited(t), v.Client, v.fill(v.fails.args))
	switch {
	case errors.As(err, &reported):
		if got := texts(reported.Result); !strings.Contains(got, v.fails.says) || reported.Tool != v.fails.tool {
			t.Errorf("%s reports %q", reported.Tool, got)
		}
	case !errors.As(err, &refused) || refused.Code != mcp.CodeInvalidParams:
		t.Errorf("%s gave %v", v.fails.tool, err)
	}
	result, err := v.CallTool(limited(t), "nobody", nil)
	if err == nil && (result.IsError == nil || !*result.IsError) || err != nil && !errors.As(err, &refused) {
		t.Errorf("an unknown tool gave %v, %v", result, err)
	}
	// The Go SDK refuses these over HTTP without an answer in JSON.
	if _, err := mcp.Call[json.RawMessage](limited(t), v.Client, "x/nothing", nil); !errors.Is(err, mcp.ErrMethodNotFound) && !errors.As(err, new(*mcp.TransportError)) {
		t.Errorf("an unknown method gave %v", err)
	}
}

func (v *visit) tryResources(t *testing.T) {
	ctx := limited(t)
	resources, err := v.ListResources(ctx)
	if err != nil || len(resources) == 0 {
		t.Fatalf("%d resources, %v", len(resources), err)
	}
	templates, err := v.ListResourceTemplates(ctx)
	if err != nil || !slices.ContainsFunc(templates, func(r mcp.ResourceTemplate) bool { return r.URITemplate == v.template }) {
		t.Errorf("templates are %v, %v", templates, err)
	}
	var values mcp.URIValues
	values.Set(v.variable, "1")
	expanded, err := mcp.ExpandURITemplate(v.template, &values)
	if err != nil || expanded != v.expanded {
		t.Errorf("expanded to %q, %v", expanded, err)
	}
	for _, uri := range []string{resources[0].URI, expanded} {
		read, err := v.ReadResource(ctx, uri)
		if err != nil || len(read.Contents) == 0 {
			t.Errorf("%s is %v, %v", uri, read, err)
			continue
		}
		if content, ok := read.Contents[0].(*mcp.TextResourceContents); !ok || content.Text == "" || content.URI != uri {
			t.Errorf("%s is %v", uri, read.Contents[0])
		}
	}
	var refused *mcp.RPCError
	if _, err := v.ReadResource(ctx, v.absent); !errors.As(err, &refused) {
		t.Errorf("%s gave %v", v.absent, err)
	}
}

func (v *visit) trySubscription(t *testing.T) {
	sub, err := v.Listen(limited(t), mcp.ListenFilter{URIs: []string{v.expanded}})
	if err != nil {
		t.Fatal(err)
	}
	if refused := sub.Refused(); !refused.IsZero() {
		t.Fatalf("refused %+v", refused)
	}
	v.call(t, v.touch)
	if e := event(t, sub); e != (mcp.ResourceUpdated{URI: v.expanded}) {
		t.Errorf("got %#v", e)
	}
	if v.untouch.tool != "" {
		v.call(t, v.untouch)
	}
	if err := sub.Close(); err != nil || sub.Err() != nil {
		t.Error(err, sub.Err())
	}
}

func (v *visit) tryPrompts(t *testing.T) {
	ctx := limited(t)
	prompts, err := v.ListPrompts(ctx)
	if err != nil || !slices.ContainsFunc(prompts, func(p mcp.Prompt) bool { return p.Name == v.prompt }) {
		t.Errorf("prompts are %v, %v", prompts, err)
	}
	got, err := v.GetPrompt(ctx, v.prompt, v.promptArgs)
	if err != nil || len(got.Messages) == 0 {
		t.Fatalf("%s is %v, %v", v.prompt, got, err)
	}
	if content, ok := got.Messages[0].Content.(*mcp.TextContent); !ok || !strings.Contains(content.Text, v.promptSays) {
		t.Errorf("%s is %v", v.prompt, got.Messages[0].Content)
	}
	var refused *mcp.RPCError
	if _, err := v.GetPrompt(ctx, "nobody", nil); !errors.As(err, &refused) {
		t.Errorf("an unknown prompt gave %v", err)
	}
}

func (v *visit) tryCompletion(t *testing.T) {
	asks, want := v.refs, v.suggestions
	if len(asks) == 0 {
		t.Fatal("the server offers this, and the test has nothing for it")
	}
	if v.contextual.Ref != nil && v.version >= mcp.Version20250618 {
		asks, want = append(slices.Clone(asks), v.contextual), append(slices.Clone(want), v.contextualSays)
	}
	for i, ask := range asks {
		got, err := v.Complete(limited(t), ask)
		if err != nil {
			t.Errorf("%v: %v", ask, err)
		} else if said := strings.Join(got.Completion.Values, " "); said != want[i] {
			t.Errorf("%v: %q, want %q", ask, said, want[i])
		}
	}
}

func (v *visit) tryLogging(t *testing.T) {
	var opts []mcp.CallOption
	if v.Session().Stateless {
		opts = append(opts, mcp.WithLogLevel("debug"))
	} else if err := v.SetLogLevel(limited(t), "debug"); err != nil {
		t.Fatal(err)
	}
	v.call(t, v.log, opts...)
	timer := time.NewTimer(callLimit)
	defer timer.Stop()
	for {
		select {
		case n := <-v.notes:
			if n.Method != "notifications/message" {
				continue
			}
			var message struct{ Level, Data any }
			if err := json.Unmarshal(n.Params, &message); err != nil || message.Level == nil || message.Data == nil {
				t.Errorf("a log message is %s: %v", n.Params, err)
			}
			return
		case <-timer.C:
			t.Fatal("no log message")
		}
	}
}

func (v *visit) tryProgress(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	result := v.call(t, v.wares.progress, mcp.WithProgress(func(p mcp.Progress) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, fmt.Sprintf("%v/%v", p.Progress, p.Total))
	}))
	if got := texts(result); !strings.Contains(got, v.wares.progress.says) {
		t.Errorf("gave %q", got)
	}
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(seen, " "); got != "1/4 2/4 3/4 4/4" {
		t.Errorf("progress was %s", got)
	}
}

func (v *visit) tryCancellation(t *testing.T) {
	var late *mcp.TimeoutError
	if _, err := v.CallTool(limited(t), v.slow.tool, v.fill(v.slow.args), mcp.WithTimeout(100*time.Millisecond)); !errors.As(err, &late) {
		t.Errorf("a call with a limit gave %v", err)
	}
	for wait := 200 * time.Millisecond; ; wait *= 2 { // on a busy machine the call may not have arrived
		v.cancelAfter(t, wait)
		if v.deaf == v.version {
			t.Log("the server does not notice that nobody waits")
			break
		}
		if v.cancelled.tool == "" || v.noticed(t) {
			break
		}
		if wait > 5*time.Second {
			t.Fatal("the server does not notice the cancellation")
		}
	}
	v.says(v.deeds[0])(t)
}

func (v *visit) cancelAfter(t *testing.T, wait time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(limited(t))
	timer := time.AfterFunc(wait, cancel)
	defer timer.Stop()
	began := time.Now()
	_, err := v.CallTool(ctx, v.slow.tool, v.fill(v.slow.args))
	if !errors.Is(err, context.Canceled) || time.Since(began) > wait+5*time.Second {
		t.Errorf("ended after %v: %v", time.Since(began), err)
	}
}

// noticed waits a second for the server to have noticed a cancellation.
func (v *visit) noticed(t *testing.T) bool {
	t.Helper()
	for range 20 {
		if got := texts(v.call(t, v.cancelled)); got != v.cancelled.says {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

func (v *visit) opened() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.pages)
}

func (v *visit) tryPage(t *testing.T) {
	v.says(v.page)(t)
	if got := v.opened(); !slices.Equal(got, []string{pageURL}) {
		t.Errorf("asked to open %v", got)
	}
}

func (v *visit) tryRequiredPage(t *testing.T) {
	before := len(v.opened())
	v.says(v.required)(t)
	if got := v.opened()[before:]; len(got) != 2 || got[1] != pageURL {
		t.Errorf("asked to open %v", got)
	}
}

func (v *visit) tryTask(t *testing.T) {
	ctx := limited(t)
	start := func() *mcp.Task[mcp.NoOutput] {
		task, err := v.Tasks().Start(ctx, v.task.tool, v.task.args)
		if err != nil {
			t.Fatal(err)
		}
		if task.ID == "" || task.Ended() {
			t.Errorf("started as %+v", task.TaskState)
		}
		return task
	}
	unwanted, task := start(), start()
	list, err := v.Tasks().List(ctx)
	if err != nil || !slices.ContainsFunc(list, func(s mcp.TaskState) bool { return s.ID == task.ID }) {
		t.Errorf("%d tasks, %v", len(list), err)
	}
	if err := unwanted.Cancel(ctx); err != nil {
		t.Error(err)
	}
	if unwanted, err = unwanted.Get(ctx); err != nil || unwanted.Status != mcp.TaskCancelled {
		t.Errorf("cancelled and then %v, %v", unwanted, err)
	}
	if task, err = task.Await(ctx); err != nil {
		t.Fatal(err)
	}
	result, err := task.Result()
	if err != nil || task.Status != mcp.TaskCompleted {
		t.Fatalf("ended as %+v: %v", task.TaskState, err)
	}
	if got := texts(result.CallToolResult); !strings.Contains(got, v.task.says) {
		t.Errorf("the task gave %q", got)
	}
}
