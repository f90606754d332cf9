package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func progress(token string, value any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%v}}`, token, value)
}

// token is the progress token that m carries.
func (m message) token() string { return string(m.meta()["progressToken"]) }

// C-140 C-150 B069
func TestProgressResetsTheTimeoutUpToAMaximum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, rec := pipe(t, legacy(Version20251125, func(m message) []string {
			reports := 6
			if strings.Contains(m.raw, "forever") {
				reports = 1000
			}
			for i := range reports {
				time.Sleep(700 * time.Millisecond) // of the fake clock
				if !m.push(progress(m.token(), i)) {
					return nil
				}
			}
			return []string{m.result(okResult)}
		}))
		c, err := Connect(t.Context(), transport)
		if err != nil {
			t.Fatal(err)
		}
		defer time.Sleep(time.Second) // of the fake clock, for the server to notice
		defer func() { _ = c.Close() }()
		opts := []CallOption{WithTimeout(time.Second), WithProgressResetsTimeout(20 * time.Second)}
		if _, err := c.CallTool(t.Context(), "x", nil, opts...); err != nil {
			t.Fatal(err)
		}
		if rec.await(t, methodCallTool).token() == "" {
			t.Fatal("no progress token")
		}
		started := time.Now()
		_, err = c.CallTool(t.Context(), "forever", nil, opts...)
		var te *TimeoutError
		if !errors.As(err, &te) || te.Limit != "maximum total time" || time.Since(started) != 20*time.Second {
			t.Fatalf("after %v: %v", time.Since(started), err)
		}
	})
}

// C-139 B071
func TestWhicheverLimitComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, _ := pipe(t, legacy(Version20251125, func(message) []string { return nil }))
		c, err := Connect(t.Context(), transport, WithDefaultTimeout(200*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		for _, test := range []struct {
			ctx   context.Context
			opts  []CallOption
			limit string
			after time.Duration
		}{
			{short, nil, "context deadline", 100 * time.Millisecond},
			{t.Context(), nil, "timeout", 200 * time.Millisecond},
			{t.Context(), []CallOption{WithTimeout(600 * time.Millisecond)}, "timeout", 600 * time.Millisecond},
			{t.Context(), []CallOption{WithTimeout(time.Second), WithProgressResetsTimeout(0)}, "timeout without progress", time.Second},
		} {
			started := time.Now()
			_, err := c.CallTool(test.ctx, "x", nil, test.opts...)
			var te *TimeoutError
			if !errors.As(err, &te) || te.Limit != test.limit || time.Since(started) != test.after || te.After != test.after {
				t.Errorf("%s: after %v: %v", test.limit, time.Since(started), err)
			}
		}
	})
}

// C-142
func TestB074LateAndStrayAnswersAreIgnored(t *testing.T) {
	var late message
	c, _ := answering(t, Version20251125, func(m message) []string {
		if strings.Contains(m.raw, "slow") {
			late = m
			return nil
		}
		if m.Method == methodCancelled {
			stray := m
			stray.ID = []byte("999")
			return []string{late.result(okResult), stray.result(okResult), late.result(okResult)}
		}
		return []string{m.result(okResult)}
	})
	if _, err := c.CallTool(t.Context(), "slow", nil, WithTimeout(10*time.Millisecond)); err == nil {
		t.Fatal("no error")
	}
	checkOK(t, c)
	c.mu.Lock()
	l := c.current
	c.mu.Unlock()
	deadline := time.After(5 * time.Second)
	for l.unmatched.Load() < 3 {
		select {
		case <-deadline:
			t.Fatalf("counted %d", l.unmatched.Load())
		case <-time.After(time.Millisecond):
		}
	}
	checkOK(t, c)
}

// C-150 C-151 C-152
func TestB076ProgressReachesItsCallOnly(t *testing.T) {
	c, _ := answering(t, Version20251125, func(m message) []string {
		token := m.token()
		if token == "" {
			return []string{m.result(okResult)}
		}
		return []string{
			progress(token, 1), progress(token, 0.5), progress(token+".0", 2.5), progress(`"`+token+`"`, 99), progress(`"abc"`, 99),
			progress("424242", 99), progress("null", 99), progress("1e400", 99), progress("{}", 99),
			progress(token, `"x"`), progress(token, `3,"total":10,"message":"half"`),
			m.result(okResult), progress(token, 99),
		}
	})
	for range 2 {
		var got []Progress
		if _, err := c.CallTool(t.Context(), "x", nil, WithProgress(func(p Progress) { got = append(got, p) })); err != nil {
			t.Fatal(err)
		}
		if want := `[{1 0 } {0.5 0 } {2.5 0 } {3 10 half}]`; fmt.Sprint(got) != want {
			t.Fatalf("got %v", got)
		}
	}
	checkOK(t, c) // B075
}

func TestB077SlowHandlersLoseNothing(t *testing.T) {
	var notes []string
	var mu sync.Mutex
	transport, _ := pipe(t, legacy(Version20251125, func(m message) []string {
		var out []string
		for i := range 200 {
			out = append(out, progress(m.token(), i), fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, i))
		}
		return append(out, m.result(okResult))
	}))
	all := make(chan struct{})
	c := connect(t, transport, WithNotificationHandler(func(n Notification) {
		mu.Lock()
		defer mu.Unlock()
		if notes = append(notes, string(n.Params)); len(notes) == 200 {
			close(all)
		}
	}))
	last := -1.0
	if _, err := c.CallTool(t.Context(), "x", nil, WithProgress(func(p Progress) {
		time.Sleep(time.Millisecond) // a slow handler
		if p.Progress != last+1 {
			t.Errorf("%v after %v", p.Progress, last)
		}
		last = p.Progress
	})); err != nil || last != 199 {
		t.Fatalf("last %v, %v", last, err)
	}
	<-all
	if !strings.Contains(notes[199], `"data":199`) {
		t.Errorf("got %s", notes[199])
	}
}

// C-152 B105
func TestB023HandlersMayUseTheClient(t *testing.T) {
	for _, over := range []string{"pipe", "http"} {
		s := legacy(Version20251125, func(m message) []string {
			if m.Method == methodListTools {
				return []string{m.result(`{"tools":[]}`)}
			}
			if m.token() == "" {
				return []string{m.result(okResult)}
			}
			return []string{`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, progress(m.token(), 1), m.result(okResult)}
		})
		transport, _ := pipe(t, s)
		if over == "http" {
			transport = HTTP(newHTTPServer(t, sseScript(s)).URL)
		}
		relisted := make(chan error, 10)
		var c *Client
		c = connect(t, transport, WithNotificationHandler(func(Notification) {
			_, err := c.ListTools(context.Background())
			relisted <- err
		}))
		called := false
		_, err := c.CallTool(t.Context(), "x", nil, WithProgress(func(Progress) {
			called = true
			checkOK(t, c)
		}))
		if err != nil || !called {
			t.Fatalf("%s: progress %v, %v", over, called, err)
		}
		if err := <-relisted; err != nil {
			t.Fatal(err)
		}
		_, _ = c.CallTool(t.Context(), "x", nil, WithProgress(func(Progress) { _ = c.Close() }))
	}
}

// C-143 C-145
func TestServerCancelsItsOwnRequests(t *testing.T) {
	stopped := make(chan struct{})
	entered := make(chan struct{})
	c, rec := answering(t, Version20251125, func(m message) []string {
		if strings.Contains(m.raw, "ask") {
			return []string{`{"jsonrpc":"2.0","id":"q","method":"test/wait"}`, m.result(okResult)}
		}
		return []string{
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"other"}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`, m.result(okResult),
		}
	}, optionFunc(func(o *options) {
		o.serves["test/wait"] = func(ctx context.Context, _ *link, _ []byte) (appenderOf, error) {
			close(entered)
			<-ctx.Done()
			close(stopped)
			return emptyObject{}, nil
		}
	}))
	if _, err := c.CallTool(t.Context(), "ask", nil); err != nil {
		t.Fatal(err)
	}
	<-entered
	checkOK(t, c)
	<-stopped
	checkOK(t, c)
	for _, m := range rec.all() {
		if m.Method == "" {
			t.Fatalf("answered %s", m.raw)
		}
	}
}

// C-080
func TestCloseFailsPendingCalls(t *testing.T) {
	c, rec := answering(t, Version20251125, func(message) []string { return nil })
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(context.Background(), "x", nil)
		failed <- err
	}()
	rec.await(t, methodCallTool)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; !errors.Is(err, ErrClosed) {
		t.Fatalf("got %v", err)
	}
	if _, err := c.CallTool(t.Context(), "x", nil); !errors.Is(err, ErrClosed) {
		t.Fatalf("got %v", err)
	}
}
