package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const wideCapabilities = `{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}}`

// wideModern and wideLegacy announce every kind of change.
func wideModern(next script) script {
	return func(m message) []string {
		if m.Method == methodDiscover {
			return []string{m.result(`{"supportedVersions":["2026-07-28"],"capabilities":` + wideCapabilities + `,"ttlMs":0,"cacheScope":"private"}`)}
		}
		return next(m)
	}
}

func wideLegacy(next script) script {
	return func(m message) []string {
		if m.Method == methodInitialize {
			return []string{m.result(`{"protocolVersion":"2025-11-25","capabilities":` + wideCapabilities + `,"serverInfo":{"name":"fake","version":"0"}}`)}
		}
		return legacy(Version20251125, next)(m)
	}
}

func told(method, subscription, members string) string {
	meta := ""
	if subscription != "" {
		meta = `"_meta":{"io.modelcontextprotocol/subscriptionId":` + subscription + `}`
		if members != "" {
			members += ","
		}
	}
	return `{"jsonrpc":"2.0","method":"` + method + `","params":{` + members + meta + `}}`
}

func ackOf(m message, filter string) string {
	return told(methodAcknowledged, string(m.ID), `"notifications":`+filter)
}

// asked is the filter as m has it, which most tests acknowledge as it is.
func (m message) asked() string {
	_, rest, _ := strings.Cut(string(m.Params), `"notifications":`)
	filter, _, _ := strings.Cut(rest, "}")
	return filter + "}"
}

// listenScript hands every subscriptions/listen to heard and answers other requests.
func listenScript(heard chan message) script {
	return wideModern(func(m message) []string {
		switch m.Method {
		case methodListen:
			heard <- m
			return nil
		case methodCancelled:
			return nil
		}
		return alwaysOK(m)
	})
}

func nextEvent(t *testing.T, s *Subscription) Event {
	t.Helper()
	select {
	case e, ok := <-s.Events():
		if !ok {
			t.Fatalf("the subscription has ended: %s %v", s.Reason(), s.Err())
		}
		return e
	case <-time.After(10 * time.Second):
		t.Fatal("no event")
	}
	return nil
}

func waitDone(t *testing.T, s *Subscription) {
	t.Helper()
	select {
	case <-s.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the subscription does not end")
	}
}

// listenAcked opens a subscription and acknowledges it.
func listenAcked(t *testing.T, c *Client, heard chan message, filter ListenFilter, opts ...ListenOption) (*Subscription, message) {
	t.Helper()
	asked := make(chan message, 1)
	go func() {
		m := <-heard
		m.push(ackOf(m, m.asked()))
		asked <- m
	}()
	s, err := c.Listen(t.Context(), filter, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s, <-asked
}

// C-228
func TestListenSendsWhatTheServerOffers(t *testing.T) {
	heard := make(chan message, 1)
	transport, rec := pipe(t, func(m message) []string {
		if m.Method == methodDiscover {
			return []string{m.result(`{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":false}}}`)}
		}
		return listenScript(heard)(m)
	})
	c := connect(t, transport)
	if _, err := c.Listen(t.Context(), ListenFilter{}); err == nil || !strings.Contains(err.Error(), "asks for nothing") {
		t.Errorf("an empty filter: %v", err)
	}
	var missing *UnsupportedError
	if _, err := c.Listen(t.Context(), ListenFilter{URIs: []string{"a:b"}, Resources: true}); !errors.As(err, &missing) || missing.Capability != "resources.listChanged, resources.subscribe" {
		t.Errorf("nothing offered: %v", err)
	}
	if got := fmt.Sprint(rec.methods()); got != "[server/discover]" {
		t.Fatalf("sent %s", got)
	}
	s, m := listenAcked(t, c, heard, ListenFilter{Tools: true, Prompts: true, URIs: []string{"a:b"}})
	if !strings.HasPrefix(string(m.Params), `{"notifications":{"toolsListChanged":true},"_meta":`) {
		t.Errorf("params %s", m.Params)
	}
	if refused := s.Refused(); !refused.Prompts || refused.Tools || len(refused.URIs) != 1 || !s.Accepted().Tools {
		t.Errorf("refused %+v", refused)
	}
}

// C-229 C-230 C-231 C-078
func TestB117SubscriptionsOnOneStreamAreKeptApart(t *testing.T) {
	heard := make(chan message, 2)
	transport, _ := pipe(t, listenScript(heard))
	c := connect(t, transport)
	type opened struct {
		s   *Subscription
		err error
	}
	open := func(filter ListenFilter) (chan opened, message) {
		done := make(chan opened, 1)
		go func() {
			s, err := c.Listen(t.Context(), filter)
			done <- opened{s, err}
		}()
		return done, <-heard
	}
	first, four := open(ListenFilter{Prompts: true, URIs: []string{"a:1", "a:2"}})
	second, five := open(ListenFilter{Tools: true})
	id := string(four.ID)
	for _, line := range []string{
		ackOf(five, five.asked()), told(methodToolsChanged, string(five.ID), ""), ackOf(four, `{"resourceSubscriptions":["a:1"],"more":1}`),
		told(methodResourceUpdated, id, `"uri":"a:1"`), told(methodResourceUpdated, `"`+id+`"`, `"uri":"a:string"`),
		told(methodResourceUpdated, "99", `"uri":"a:99"`), told(methodResourceUpdated, "", `"uri":"a:none"`),
		told(methodMessage, id, `"level":"info","data":1`), told(methodToolsChanged, id, ""), // C-236
		told(methodResourceUpdated, id, `"uri":"a:2"`),
	} {
		four.push(line)
	}
	one, two := <-first, <-second
	if one.err != nil || two.err != nil {
		t.Fatal(one.err, two.err)
	}
	if e := nextEvent(t, two.s); e != (ToolsChanged{}) {
		t.Errorf("the second got %v", e)
	}
	if a, b := nextEvent(t, one.s), nextEvent(t, one.s); a != (ResourceUpdated{"a:1"}) || b != (ResourceUpdated{"a:2"}) {
		t.Errorf("the first got %v %v", a, b)
	}
	if got := one.s.Refused(); !got.Prompts || !slices.Equal(got.URIs, []string{"a:2"}) {
		t.Errorf("refused %+v", got)
	}
	if len(one.s.Events())+len(two.s.Events()) != 0 {
		t.Error("more events")
	}
}

// C-234
func TestEndsOfAListenRequestAreToldApart(t *testing.T) {
	for _, ending := range []struct {
		reason EndReason
		text   string
		end    func(m message)
	}{
		{EndCompleted, "", func(m message) { m.push(m.result(`{}`)) }},
		{EndCancelled, "called off by the server: enough", func(m message) {
			m.push(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + string(m.ID) + `,"reason":"enough"}}`)
		}},
		{EndLost, "closed by the server", func(m message) { _ = m.conn.(io.Closer).Close() }},
		{EndRefused, "server error -32603: no", func(m message) { m.push(m.failure(-32603, "no", "")) }},
	} {
		heard := make(chan message, 1)
		transport, rec := pipe(t, listenScript(heard))
		c := connect(t, transport)
		s, m := listenAcked(t, c, heard, ListenFilter{Tools: true})
		m.push(told(methodToolsChanged, string(m.ID), ""))
		ending.end(m)
		waitDone(t, s)
		var events []Event
		var last error
		for e, err := range s.All() {
			if err != nil {
				last = err
			} else {
				events = append(events, e)
			}
		}
		if s.Reason() != ending.reason || len(events) != 1 || last != s.Err() || (last == nil) != (ending.text == "") || last != nil && !strings.Contains(last.Error(), ending.text) {
			t.Errorf("%s: ended as %q with %v after %v", ending.reason, s.Reason(), s.Err(), events)
		}
		if slices.Contains(rec.methods(), methodCancelled) {
			t.Errorf("%s: the client called it off too", ending.reason)
		}
	}
}

// C-229 C-232
func TestListenWaitsForTheAcknowledgementOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := make(chan message, 1)
		transport, rec := pipe(t, listenScript(heard))
		c, err := Connect(t.Context(), transport, WithDefaultTimeout(5*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		defer time.Sleep(time.Second) // of the fake clock, for the server to notice
		defer func() { _ = c.Close() }()
		began := time.Now()
		_, err = c.Listen(t.Context(), ListenFilter{Tools: true})
		var te *TimeoutError
		if !errors.As(err, &te) || te.Limit != "acknowledgement" || time.Since(began) != 5*time.Second {
			t.Fatalf("after %v: %v", time.Since(began), err)
		}
		silent := <-heard
		if !strings.Contains(rec.await(t, methodCancelled).raw, `"requestId":`+string(silent.ID)) {
			t.Error("not called off")
		}
		go func() {
			m := <-heard
			time.Sleep(4 * time.Second) // of the fake clock
			m.push(told(methodToolsChanged, string(m.ID), ""))
			m.push(ackOf(m, m.asked()))
			time.Sleep(24 * time.Hour)
			m.push(told(methodPromptsChanged, string(m.ID), ""))
		}()
		var log lockedBuilder
		c.opts.logger = slog.New(slog.NewTextHandler(&log, nil))
		s, err := c.Listen(t.Context(), ListenFilter{Tools: true, Prompts: true})
		if err != nil {
			t.Fatal(err)
		}
		if e := <-s.Events(); e != (ToolsChanged{}) || !strings.Contains(log.String(), "before its acknowledgement") {
			t.Errorf("got %v, logged %s", e, log.String())
		}
		if e := <-s.Events(); e != (PromptsChanged{}) {
			t.Errorf("got %v", e)
		}
	})
}

// C-233
func TestClosingTellsTheServer(t *testing.T) {
	heard := make(chan message, 3)
	transport, rec := pipe(t, listenScript(heard))
	c := connect(t, transport)
	closed, one := listenAcked(t, c, heard, ListenFilter{Tools: true})
	if err := closed.Close(); err != nil || closed.Err() != nil || closed.Reason() != EndClosed {
		t.Fatal(err, closed.Err(), closed.Reason())
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		m := <-heard
		m.push(ackOf(m, m.asked()))
	}()
	ended, err := c.Listen(ctx, ListenFilter{Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	waitDone(t, ended)
	if !errors.Is(ended.Err(), context.Canceled) || ended.Reason() != EndClosed {
		t.Errorf("ended with %v", ended.Err())
	}
	// B116
	left, three := listenAcked(t, c, heard, ListenFilter{Tools: true})
	began := time.Now()
	if err := c.Close(); err != nil || time.Since(began) > time.Second {
		t.Fatalf("closing took %v: %v", time.Since(began), err)
	}
	if !errors.Is(left.Err(), ErrClosed) {
		t.Errorf("left with %v", left.Err())
	}
	if _, err := c.Listen(t.Context(), ListenFilter{Tools: true}); !errors.Is(err, ErrClosed) {
		t.Errorf("listening on a closed client: %v", err)
	}
	var calledOff []string
	for _, m := range rec.all() {
		if m.Method == methodCancelled {
			calledOff = append(calledOff, m.raw)
		}
	}
	if len(calledOff) != 3 || !strings.Contains(calledOff[0], string(one.ID)) || !strings.Contains(calledOff[2], string(three.ID)) {
		t.Errorf("called off %v", calledOff)
	}
}

// C-231 C-233 B116
func TestListenOverHTTP(t *testing.T) {
	ended := make(chan struct{}, 2)
	server := newHTTPServer(t, func(w http.ResponseWriter, r *http.Request, m message) {
		if m.Method != methodListen {
			jsonScript(wideModern(alwaysOK))(w, r, m)
			return
		}
		sse(w, "id: 1\n"+data(ackOf(m, m.asked()))+
			data(told(methodResourceUpdated, "", `"uri":"a:without"`))+data(told(methodResourceUpdated, "77", `"uri":"a:wrong"`))+
			data(told(methodResourceUpdated, string(m.ID), `"uri":"a:right"`)))
		<-r.Context().Done()
		ended <- struct{}{}
	})
	c := connect(t, HTTP(server.URL))
	var all []*Subscription
	for range 2 {
		s, err := c.Listen(t.Context(), ListenFilter{URIs: []string{"a:b"}})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := nextEvent(t, s), nextEvent(t, s); a != (ResourceUpdated{"a:without"}) || b != (ResourceUpdated{"a:right"}) {
			t.Errorf("got %v %v", a, b)
		}
		all = append(all, s)
	}
	checkOK(t, c)
	if err := all[0].Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
	for _, x := range server.exchanges() {
		if x.method != http.MethodPost || x.Method == methodCancelled {
			t.Errorf("sent %s %s", x.method, x.Method)
		}
	}
}

// C-237 C-352
func TestUnreadEventsAreBounded(t *testing.T) {
	heard := make(chan message, 1)
	transport, _ := pipe(t, listenScript(heard))
	c := connect(t, transport)
	burst := func(filter ListenFilter, opts ...ListenOption) (got []Event, dropped int64) {
		s, m := listenAcked(t, c, heard, filter, opts...)
		for i := range 100 {
			m.push(told(methodToolsChanged, string(m.ID), ""))
			m.push(told(methodResourceUpdated, string(m.ID), fmt.Sprintf(`"uri":"a:%d"`, i)))
		}
		m.push(m.result(`{}`))
		waitDone(t, s)
		for e := range s.Events() {
			got = append(got, e)
		}
		return got, s.Dropped()
	}
	got, dropped := burst(ListenFilter{Tools: true})
	if len(got) != 1 || dropped != 0 {
		t.Errorf("a burst of one kind gives %v, %d dropped", got, dropped)
	}
	filter := ListenFilter{URIs: []string{"a:0"}}
	got, dropped = burst(filter, WithEventBuffer(3))
	if dropped != 97 || len(got) != 3 || got[0] != (ResourceUpdated{"a:97"}) || got[2] != (ResourceUpdated{"a:99"}) {
		t.Errorf("kept %v, dropped %d", got, dropped)
	}
	got, dropped = burst(filter, WithEventBuffer(3), WithDropNewest())
	if dropped != 97 || len(got) != 3 || got[0] != (ResourceUpdated{"a:0"}) || got[2] != (ResourceUpdated{"a:2"}) {
		t.Errorf("kept %v, dropped %d", got, dropped)
	}
}

// C-235
func TestB042ListeningAgainBacksOff(t *testing.T) {
	for _, test := range []struct {
		life      time.Duration
		low, high time.Duration // between the last two requests, less life
	}{{2 * time.Second, 30 * time.Second, time.Minute}, {125 * time.Second, 500 * time.Millisecond, time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			var times []time.Time
			enough := make(chan struct{})
			c := handlerClient(t, func(w http.ResponseWriter, r *http.Request, m message) {
				if m.Method != methodListen {
					jsonScript(wideModern(alwaysOK))(w, r, m)
					return
				}
				times = append(times, time.Now())
				sse(w, data(ackOf(m, m.asked())))
				if len(times) == 50 {
					close(enough)
					<-r.Context().Done()
					return
				}
				time.Sleep(test.life) // of the fake clock
			})
			s, err := c.Listen(t.Context(), ListenFilter{Tools: true}, WithRelisten())
			if err != nil {
				t.Fatal(err)
			}
			<-enough
			checkOK(t, c)
			synctest.Wait()
			if gap := times[49].Sub(times[48]) - test.life; gap < test.low || gap > test.high {
				t.Errorf("the last pause was %v", gap)
			}
			if e := <-s.Events(); e != (EventsMissed{}) || len(s.Events()) != 0 {
				t.Errorf("got %v and %d more", e, len(s.Events()))
			}
			_ = s.Close()
		})
	}
}

// handlerClient connects to respond inside a bubble.
func handlerClient(t *testing.T, respond func(w http.ResponseWriter, r *http.Request, m message), opts ...Option) *Client {
	t.Helper()
	c, err := Connect(t.Context(), Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		respond(w, r, parseMessage(body))
	})), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return c
}

func TestWhatTheServerMeansIsNotTriedAgain(t *testing.T) {
	for status, want := range map[int]EndReason{401: EndRefused, 403: EndRefused, 400: EndRefused, 404: EndRefused, 429: EndNone, 503: EndNone} {
		synctest.Test(t, func(t *testing.T) {
			var rounds atomic.Int64
			c := handlerClient(t, func(w http.ResponseWriter, r *http.Request, m message) {
				switch {
				case m.Method != methodListen:
					jsonScript(wideModern(alwaysOK))(w, r, m)
				case rounds.Add(1) == 1:
					sse(w, data(ackOf(m, m.asked())))
				default:
					w.WriteHeader(status)
				}
			})
			s, err := c.Listen(t.Context(), ListenFilter{Tools: true}, WithRelisten())
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Minute) // of the fake clock
			if n := rounds.Load(); s.Reason() != want || want != EndNone && n != 2 || want == EndNone && (n < 10 || n > 30) {
				t.Errorf("%d: %q after %d requests", status, s.Reason(), n)
			}
			_ = s.Close()
		})
	}
}

// C-234
func TestListenIsSentAgainToARestartedServer(t *testing.T) {
	heard := make(chan message, 1)
	transport, _ := pipe(t, listenScript(heard))
	c := connect(t, transport, WithRestart())
	s, m := listenAcked(t, c, heard, ListenFilter{Tools: true}, WithRelisten())
	_ = m.conn.(io.Closer).Close()
	again := <-heard
	if string(again.ID) == string(m.ID) {
		t.Error("the id was used before")
	}
	again.push(ackOf(again, again.asked()))
	again.push(told(methodToolsChanged, string(again.ID), ""))
	if a, b := nextEvent(t, s), nextEvent(t, s); a != (EventsMissed{}) || b != (ToolsChanged{}) {
		t.Errorf("got %v %v", a, b)
	}
}

// A pinned version is believed until the server says otherwise.
func TestListenFollowsTheEra(t *testing.T) {
	transport, rec := pipe(t, wideLegacy(alwaysOK))
	c := connect(t, transport, WithVersions(Version20260728, Version20251125))
	s, err := c.Listen(t.Context(), ListenFilter{Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Accepted().Tools || slices.Contains(rec.methods(), methodListen) {
		t.Errorf("accepted %+v, sent %v", s.Accepted(), rec.methods())
	}
}

func FuzzNoticed(f *testing.F) {
	f.Add(`{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"resourceSubscriptions":["a:b"]}}`, "file:///a/b?c#d")
	f.Add(`{"requestId":"1","uri":7,"taskId":null,"reason":[]}`, "//")
	f.Fuzz(func(t *testing.T, params, uri string) {
		for _, method := range []string{methodAcknowledged, methodCancelled, methodToolsChanged, methodResourceUpdated, methodTaskChanged} {
			told := readNoticed(&Notification{Method: method, Params: []byte(params)})
			if e := told.event(); e != nil {
				_ = eventKey(e)
				ListenFilter{URIs: []string{uri}}.wants(e)
			}
			_ = belongs(&told, 0, 1)
		}
		list := ancestors(uri)
		if len(list) > 33 || list[0] != uri {
			t.Errorf("%d ancestors of %q", len(list), uri)
		}
		for _, ancestor := range list {
			if !strings.HasPrefix(uri, ancestor) {
				t.Errorf("%q is no ancestor of %q", ancestor, uri)
			}
		}
	})
}
