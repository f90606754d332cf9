package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/refserver"
)

// references are the ways to reach the reference server in one version.
var references = map[string]func(t *testing.T, s *refserver.Server) Transport{
	"stream": func(_ *testing.T, s *refserver.Server) Transport {
		return DialStream(func(context.Context) (io.ReadWriteCloser, error) {
			ours, theirs := net.Pipe()
			go func() {
				_ = s.ServeStdio(context.Background(), theirs, theirs)
				_ = theirs.Close()
			}()
			return ours, nil
		})
	},
	"http": func(t *testing.T, s *refserver.Server) Transport {
		web := httptest.NewServer(s.HTTPHandler())
		t.Cleanup(web.Close)
		return HTTP(web.URL)
	},
	"handler": func(_ *testing.T, s *refserver.Server) Transport { return Handler(s.HTTPHandler()) },
}

// onReference runs test over every transport in both eras that have tasks.
func onReference(t *testing.T, test func(t *testing.T, c *Client), opts ...Option) {
	for _, version := range []string{Version20251125, Version20260728} {
		for name, open := range references {
			t.Run(version+"/"+name, func(t *testing.T) {
				s := refserver.New(refserver.Options{Versions: []string{version}, Tick: time.Millisecond})
				t.Cleanup(func() { _ = s.Close() })
				test(t, connect(t, open(t, s), opts...))
			})
		}
	}
}

func TestTaskOfAChildProcessIsFollowed(t *testing.T) {
	c := connect(t, child(t, "task"))
	if result, err := cakeTool.Call(t.Context(), c, cakeArgs{Layers: 2}); err != nil || result.Output.Layers != 2 {
		t.Errorf("got %+v, %v", result, err)
	}
}

func TestReferenceTaskIsFollowed(t *testing.T) {
	onReference(t, func(t *testing.T, c *Client) {
		if ok, err := c.Tasks().ServerSupports(t.Context()); !ok || err != nil {
			t.Fatalf("supports tasks: %v, %v", ok, err)
		}
		task, err := cakeTool.Start(t.Context(), c, cakeArgs{Layers: 3}, WithTaskTTL(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		if task.ID == "" || task.TTL != time.Minute || task.CreatedAt.IsZero() {
			t.Fatalf("started %+v", task)
		}
		if _, err := task.Get(t.Context()); err != nil {
			t.Fatal(err)
		}
		end, err := task.Await(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		result, err := end.Result()
		if err != nil || end.Status != TaskCompleted || result.Output.Layers != 3 {
			t.Fatalf("got %+v, %v", result, err)
		}
		if plain, err := cakeTool.Call(t.Context(), c, cakeArgs{Layers: 1}); err != nil || plain.Output.Layers != 1 {
			t.Errorf("got %+v, %v", plain, err)
		}
	})
}

// C-291 and its opposite in 2025-11-25.
func TestReferenceTaskFails(t *testing.T) {
	onReference(t, func(t *testing.T, c *Client) {
		task, err := cakeTool.Start(t.Context(), c, cakeArgs{Layers: 1, Burn: "tool"})
		if err != nil {
			t.Fatal(err)
		}
		if task, err = task.Await(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := TaskFailed
		if stateless(c.Session().Version) {
			want = TaskCompleted
		}
		if _, err := task.Result(); task.Status != want || !errors.As(err, new(*ToolError)) {
			t.Errorf("%s, %v", task.Status, err)
		}
		if task, err = cakeTool.Start(t.Context(), c, cakeArgs{Layers: 1, Burn: "protocol"}); err != nil {
			t.Fatal(err)
		}
		if task, err = task.Await(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := task.Result(); task.Status != TaskFailed || !errors.Is(err, ErrInternal) {
			t.Errorf("%s, %v", task.Status, err)
		}
	})
}

// C-281 C-296
func TestReferenceTaskIsCancelled(t *testing.T) {
	onReference(t, func(t *testing.T, c *Client) {
		task, err := cakeTool.Start(t.Context(), c, cakeArgs{Layers: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		if task, err = task.Await(t.Context()); err != nil || task.Status != TaskCancelled {
			t.Fatalf("got %+v, %v", task, err)
		}
		if _, err := task.Result(); !errors.As(err, new(*TaskError)) {
			t.Errorf("got %v", err)
		}
		err = task.Cancel(t.Context())
		if session := !stateless(c.Session().Version); session != errors.Is(err, ErrInvalidParams) {
			t.Errorf("cancelled again: %v", err)
		}
		if _, err := c.Tasks().Get(t.Context(), "unknown"); !errors.Is(err, ErrInvalidParams) {
			t.Errorf("got %v", err)
		}
	})
}

// C-278 C-292 C-294: a tool that only runs as a task and asks on the way, called plainly.
func TestReferenceTaskAsksItsHandlers(t *testing.T) {
	asked := 0
	handler := func(_ context.Context, req *FormRequest) (*ElicitResult, error) {
		asked++
		if req.Key != "" && req.Name != "conduct_survey" {
			return nil, fmt.Errorf("asked on behalf of %q", req.Name)
		}
		return &ElicitResult{Action: "decline"}, nil
	}
	onReference(t, func(t *testing.T, c *Client) {
		asked = 0
		result, err := c.CallTool(t.Context(), "conduct_survey", map[string]any{"topic": "tea"})
		if err != nil || !strings.Contains(resultText(result), "no opinion about tea") || asked != 1 {
			t.Errorf("asked %d times: %q, %v", asked, resultText(result), err)
		}
	}, WithElicitation(handler))
}

// C-298
func TestReferenceTaskReportsItsEnd(t *testing.T) {
	s := refserver.New(refserver.Options{Versions: []string{Version20260728}, Tick: time.Millisecond, PollInterval: time.Hour})
	t.Cleanup(func() { _ = s.Close() })
	c := connect(t, references["http"](t, s))
	task, err := cakeTool.Start(t.Context(), c, cakeArgs{Layers: 200})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if task, err = task.Await(ctx, WithTaskNotifications()); err != nil || task.Status != TaskCompleted {
		t.Fatalf("got %+v, %v", task, err)
	}
}
