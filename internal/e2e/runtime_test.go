package e2e

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

// each runs a test for every way to reach the reference server, in every version that it carries.
func each(t *testing.T, run func(t *testing.T, version string, client *mcp.Client)) {
	t.Helper()
	for _, ref := range references {
		for _, version := range refserver.AllVersions() {
			if version < ref.first || version > ref.last {
				continue
			}
			t.Run(ref.name+"/"+version, func(t *testing.T) {
				client := connect(t, ref.open(t, refserver.Options{Versions: versions(version)}))
				if got := client.Session().Version; got != version {
					t.Fatalf("settled on %s", got)
				}
				run(t, version, client)
			})
		}
	}
}

func text(t *testing.T, result *mcp.CallToolResult) string {
	t.Helper()
	if len(result.Content) == 0 {
		t.Fatal("no content")
	}
	block, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("the content is %T", result.Content[0])
	}
	return block.Text
}

func TestEveryVersionOverEveryTransport(t *testing.T) {
	each(t, func(t *testing.T, version string, client *mcp.Client) {
		ctx := limited(t)
		tools, err := client.ListTools(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if len(tools) != 40 || tools[0].Name != "echo" {
			t.Errorf("%d tools, the first is %q", len(tools), tools[0].Name)
		}
		const odd = `{"big":9007199254740993,"text":"<&> ü \u2028","list":[1.50,null,{}]}`
		result, err := client.CallTool(ctx, "echo", json.RawMessage(odd))
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, result); !strings.Contains(got, "9007199254740993") || !strings.Contains(got, "1.50") {
			t.Errorf("echo gave %s", got)
		}
		if structured := result.StructuredContent != nil; structured != (version >= refserver.V20250618) {
			t.Errorf("structured content: %s", result.StructuredContent)
		}
		testProgress(t, client)
		testErrors(t, client)
		testResources(t, client)
	})
}

func testProgress(t *testing.T, client *mcp.Client) {
	t.Helper()
	var seen []float64
	result, err := client.CallTool(limited(t), "count_down", map[string]any{"steps": 3, "pause_ms": 0},
		mcp.WithProgress(func(p mcp.Progress) { seen = append(seen, p.Progress) }))
	if err != nil {
		t.Fatal(err)
	}
	if text(t, result) != "counted 3 steps" || !slices.Equal(seen, []float64{1, 2, 3}) {
		t.Errorf("%q after progress %v", text(t, result), seen)
	}
}

func testErrors(t *testing.T, client *mcp.Client) {
	t.Helper()
	result, err := client.CallTool(limited(t), "fail", map[string]any{"message": "on purpose"})
	if err != nil || text(t, result) != "on purpose" {
		t.Errorf("fail gave %v, %v", result, err)
	}
	var refused *mcp.RPCError
	_, err = client.CallTool(limited(t), "fail", map[string]any{"how": "protocol", "message": "by rule"})
	if !errors.As(err, &refused) || refused.Code != -32050 || refused.Message != "by rule" {
		t.Errorf("fail by protocol gave %v", err)
	}
	if _, err = client.CallTool(limited(t), "nobody", nil); !errors.Is(err, mcp.ErrInvalidParams) {
		t.Errorf("an unknown tool gave %v", err)
	}
}

func testResources(t *testing.T, client *mcp.Client) {
	t.Helper()
	ctx := limited(t)
	read, err := client.ReadResource(ctx, "ref://notes/welcome")
	if err != nil {
		t.Fatal(err)
	}
	note, ok := read.Contents[0].(*mcp.TextResourceContents)
	if !ok || note.Text != "Welcome to the reference server." {
		t.Errorf("the note is %+v", read.Contents[0])
	}
	if _, err := client.ReadResource(ctx, "ref://nowhere"); !errors.Is(err, mcp.ErrResourceNotFound) {
		t.Errorf("a missing resource gave %v", err)
	}
	prompt, err := client.GetPrompt(ctx, "review_text", map[string]string{"text": "abc", "tone": "cold"})
	if err != nil || len(prompt.Messages) != 2 {
		t.Errorf("the prompt is %+v, %v", prompt, err)
	}
	templates, err := client.ListResourceTemplates(ctx)
	if err != nil || len(templates) != 3 {
		t.Errorf("%d templates, %v", len(templates), err)
	}
}

func TestTheNewestCommonVersionIsChosen(t *testing.T) {
	for _, ref := range references {
		t.Run(ref.name, func(t *testing.T) {
			client := connect(t, ref.open(t, refserver.Options{}))
			if got := client.Session().Version; got != ref.last {
				t.Errorf("settled on %s, want %s", got, ref.last)
			}
			if ref.name == "command" {
				return
			}
			older := connect(t, ref.open(t, refserver.Options{Versions: []string{refserver.V20250326, refserver.V20241105}}))
			if got := older.Session().Version; got != refserver.V20250326 {
				t.Errorf("settled on %s, want %s", got, refserver.V20250326)
			}
		})
	}
}

func TestPagesAreJoined(t *testing.T) {
	for _, ref := range references[1:] {
		for _, empty := range []bool{false, true} {
			client := connect(t, ref.open(t, refserver.Options{PageSize: 3, EmptyCursor: empty}))
			tools, err := client.ListTools(limited(t))
			if err != nil || len(tools) != 40 {
				t.Errorf("%s: %d tools, %v", ref.name, len(tools), err)
			}
		}
	}
}

func TestAnswersComeInEveryForm(t *testing.T) {
	for _, answer := range []refserver.AnswerMode{refserver.AnswerAuto, refserver.AnswerSSE, refserver.AnswerJSON} {
		for _, version := range []string{refserver.V20250326, refserver.V20251125, refserver.V20260728} {
			client := connect(t, openHTTP(t, refserver.Options{Answer: answer, Versions: versions(version)}))
			result, err := client.CallTool(limited(t), "greet", map[string]any{"name": "Ada"})
			if err != nil || text(t, result) != "Hello, Ada!" {
				t.Errorf("answer mode %d, %s: %v, %v", answer, version, result, err)
			}
		}
	}
}

func TestALostStreamIsResumed(t *testing.T) {
	for _, version := range []string{refserver.V20250326, refserver.V20250618, refserver.V20251125} {
		client := connect(t, openHTTP(t, refserver.Options{Versions: versions(version)}))
		result, err := client.CallTool(limited(t), "drop_stream", map[string]any{"message": "here again"})
		if err != nil {
			t.Errorf("%s: %v", version, err)
		} else if text(t, result) != "here again" {
			t.Errorf("%s: %q", version, text(t, result))
		}
	}
}

func TestALostSessionIsReplacedOnce(t *testing.T) {
	server := refserver.New(refserver.Options{Versions: refserver.LegacyVersions()})
	t.Cleanup(func() { _ = server.Close() })
	client := connect(t, mcp.Handler(server.HTTPHandler()))
	server.ForgetSessions()
	tools, err := client.ListTools(limited(t))
	if err != nil || len(tools) != 40 {
		t.Errorf("%d tools, %v", len(tools), err)
	}
}

func TestSessionlessServersAreServed(t *testing.T) {
	client := connect(t, openHTTP(t, refserver.Options{Versions: refserver.LegacyVersions(), Sessionless: true}))
	result, err := client.CallTool(limited(t), "add", map[string]any{"a": 1, "b": 2})
	if err != nil || string(result.StructuredContent) != `{"sum":3}` {
		t.Errorf("%v, %v", result, err)
	}
}
