package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func pageError(m message, pages ...string) string {
	return m.failure(CodeURLElicitationRequired, "visit first", `{"elicitations":[`+strings.Join(pages, ",")+`]}`)
}

func pageFor(id string) string {
	return fmt.Sprintf(`{"mode":"url","elicitationId":%q,"url":"https://example.com/%s","message":"Go"}`, id, id)
}

func completed(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":%q}}`, id)
}

// visiting plays s in a bubble of its own and gives test a client that consents to every page.
func visiting(t *testing.T, s script, test func(t *testing.T, c *Client, asked *[]string, rec *recorder)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		transport, rec := pipe(t, s)
		var asked []string
		c, err := Connect(t.Context(), transport, WithURLElicitation(func(_ context.Context, req *URLRequest) (*ElicitResult, error) {
			asked = append(asked, req.ElicitationID)
			return ElicitAccept(nil), nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer time.Sleep(time.Minute) // of the fake clock, for the server to notice
		defer func() { _ = c.Close() }()
		test(t, c, &asked, rec)
	})
}

// C-191 C-193 B108
func TestACallIsMadeAgainWithoutAReportOfTheVisit(t *testing.T) {
	var n atomic.Int32
	visiting(t, legacy(Version20251125, func(m message) []string {
		if n.Add(1) <= 2 {
			return []string{pageError(m, pageFor("e1"), pageFor("e2"))}
		}
		return []string{m.result(okResult)}
	}), func(t *testing.T, c *Client, asked *[]string, rec *recorder) {
		started := time.Now()
		if _, err := c.CallTool(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(started); d != 3*firstVisitWait {
			t.Errorf("two retries came after %v", d)
		}
		if strings.Join(*asked, " ") != "e1 e2" {
			t.Errorf("asked for %v", *asked)
		}
		if calls := rec.calls(); len(calls) != 3 || string(calls[0].ID) == string(calls[1].ID) {
			t.Errorf("calls are %v", calls)
		}
	})
}

// C-192 B108: the report ends the wait; those about other visits do not.
func TestAReportOfTheVisitEndsTheWait(t *testing.T) {
	var n atomic.Int32
	visiting(t, legacy(Version20251125, func(m message) []string {
		if m.Method == methodPing {
			return []string{m.result("{}")}
		}
		if n.Add(1) == 1 {
			conn := m.conn
			go func() {
				for _, id := range []string{"unknown", "e1", "e1"} {
					time.Sleep(100 * time.Millisecond) // of the fake clock
					_, _ = fmt.Fprintln(conn, completed(id))
				}
			}()
			return []string{pageError(m, pageFor("e1"))}
		}
		return []string{m.result(okResult)}
	}), func(t *testing.T, c *Client, _ *[]string, _ *recorder) {
		started := time.Now()
		if _, err := c.CallTool(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(started); d != 200*time.Millisecond {
			t.Errorf("the retry came after %v", d)
		}
		time.Sleep(time.Second) // of the fake clock: the second report has no effect
		if err := c.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

// C-170 C-193: the rounds are bounded.
func TestAVisitThatHelpsNothingEnds(t *testing.T) {
	visiting(t, legacy(Version20251125, func(m message) []string {
		return []string{pageError(m, pageFor("e1"))}
	}), func(t *testing.T, c *Client, asked *[]string, rec *recorder) {
		_, err := c.CallTool(t.Context(), "t", nil, WithMaxInputRounds(3))
		var open *InputRequiredError
		if !errors.As(err, &open) || !errors.Is(err, ErrURLElicitationRequired) || len(rec.calls()) != 4 || len(*asked) != 1 {
			t.Errorf("%v after %d calls, asked for %v", err, len(rec.calls()), *asked)
		}
		ctx, cancel := context.WithTimeout(t.Context(), firstVisitWait/2)
		defer cancel()
		if _, err := c.CallTool(ctx, "t", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error is %v", err)
		}
	})
}

// C-193 C-194
func TestPagesAreVisitedOnlyWithConsent(t *testing.T) {
	decline := func(context.Context, *URLRequest) (*ElicitResult, error) { return ElicitDecline(), nil }
	never := func(context.Context, *URLRequest) (*ElicitResult, error) {
		t.Error("asked")
		return ElicitAccept(nil), nil
	}
	for name, test := range map[string]struct {
		version string
		handler URLHandler
		pages   []string
		call    []CallOption
		open    bool // an InputRequiredError
		cause   error
	}{
		"declined":       {Version20251125, decline, []string{pageFor("e1")}, nil, true, ErrUserDeclined},
		"no handler":     {Version20251125, nil, []string{pageFor("e1")}, nil, false, nil},
		"older":          {Version20250618, never, []string{pageFor("e1")}, nil, false, nil},
		"by hand":        {Version20251125, never, []string{pageFor("e1")}, []CallOption{WithoutInputHandlers()}, true, nil},
		"no pages":       {Version20251125, never, nil, nil, true, nil},
		"one unsafe":     {Version20251125, never, []string{pageFor("e1"), strings.Replace(pageFor("e2"), "https:", "javascript:", 1)}, nil, true, nil},
		"one without id": {Version20251125, never, []string{pageFor("e1"), `{"mode":"url","url":"https://a.b/","message":"x"}`}, nil, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			transport, rec := pipe(t, legacy(test.version, func(m message) []string { return []string{pageError(m, test.pages...)} }))
			var opts []Option
			if test.handler != nil {
				opts = append(opts, WithURLElicitation(test.handler))
			}
			_, err := connect(t, transport, opts...).CallTool(t.Context(), "t", nil, test.call...)
			if !errors.Is(err, ErrURLElicitationRequired) || errors.As(err, new(*InputRequiredError)) != test.open || len(rec.calls()) != 1 {
				t.Errorf("%v after %d calls", err, len(rec.calls()))
			}
			if test.cause != nil && !errors.Is(err, test.cause) {
				t.Errorf("error is %v", err)
			}
		})
	}
	t.Run("stateless", func(t *testing.T) {
		transport, rec := pipe(t, modern(func(m message) []string { return []string{pageError(m, pageFor("e1"))} }))
		_, err := connect(t, transport, WithURLElicitation(never)).CallTool(t.Context(), "t", nil)
		if !errors.Is(err, ErrURLElicitationRequired) || len(rec.calls()) != 1 {
			t.Errorf("error is %v", err)
		}
	})
}

func TestOnlySoManyReportsOfVisitsAreKept(t *testing.T) {
	v := newVisits()
	for i := range 2 * maxVisits {
		v.observe(nil, &Notification{Method: methodElicitComplete, Params: []byte(fmt.Sprintf(`{"elicitationId":"%d"}`, i))})
	}
	v.observe(nil, &Notification{Method: methodElicitComplete, Params: []byte(`{"elicitationId":7}`)})
	v.observe(nil, &Notification{Method: methodElicitComplete})
	if len(v.done) != maxVisits || v.pending([]string{fmt.Sprint(2*maxVisits - 1)}) != nil || v.pending([]string{"0"}) == nil {
		t.Errorf("kept %d reports", len(v.done))
	}
}
