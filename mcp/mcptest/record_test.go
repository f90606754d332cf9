package mcptest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen"
	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/mcptest"
)

// session is what the tests record and play again.
func session(ctx context.Context, transport mcp.Transport, password string, opts ...mcp.Option) (log []string, err error) {
	client, err := mcpgen.Connect(ctx, transport, opts...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	log = append(log, client.Conn().Session().Version)
	for _, a := range []float64{1, 2} {
		sum, err := client.Add(ctx, mcpgen.AddArgs{A: a, B: 10})
		if err != nil {
			return log, err
		}
		log = append(log, string(sum.StructuredContent))
	}
	_, err = client.CountDown(ctx, mcpgen.CountDownArgs{Steps: 2, PauseMs: new(int64(0))}, mcp.WithProgress(func(p mcp.Progress) {
		log = append(log, p.Message)
	}))
	if err != nil {
		return log, err
	}
	_, err = client.Fail(ctx, mcpgen.FailArgs{Message: new("out of tea")})
	log = append(log, err.Error())
	echo, err := client.Conn().CallTool(ctx, "echo", map[string]any{"password": password, "again": "my " + password})
	if err != nil {
		return log, err
	}
	_, err = client.Conn().CallTool(ctx, "nothing_of_the_sort", nil)
	if err == nil {
		return log, errors.New("an unknown tool was called")
	}
	return append(log, err.Error(), strings.ReplaceAll(echo.Content[0].(*mcp.TextContent).Text, strings.Trim(strconv.Quote(password), `"`), "REDACTED")), nil
}

// reference opens the reference server in different ways.
func reference(t *testing.T) map[string]mcp.Transport {
	server := refserver.New(refserver.Options{})
	web := httptest.NewServer(server.HTTPHandler())
	t.Cleanup(func() {
		_ = server.Close()
		web.Close()
	})
	return map[string]mcp.Transport{
		"http": mcp.HTTP(web.URL),
		"stream": mcp.DialStream(func(context.Context) (io.ReadWriteCloser, error) {
			ours, theirs := net.Pipe()
			go func() {
				_ = server.ServeStdio(context.Background(), theirs, theirs)
				_ = theirs.Close()
			}()
			return ours, nil
		}),
	}
}

func TestReplayAnswersAsTheServerDid(t *testing.T) {
	for _, version := range []string{"", mcp.Version20251125} {
		for name, transport := range reference(t) {
			t.Run(name+version, func(t *testing.T) {
				var opts []mcp.Option
				if version != "" {
					opts = append(opts, mcp.WithVersions(version))
				}
				const password = `hunter"2`
				var record bytes.Buffer
				recorder := mcptest.NewRecorder(transport, &record, mcptest.Secrets(password))
				want, err := session(t.Context(), recorder, password, opts...)
				if err != nil || recorder.Err() != nil {
					t.Fatal(want, err, recorder.Err())
				}
				if text := record.String(); strings.Contains(text, "hunter") {
					t.Errorf("the record holds the secret:\n%s", text)
				}
				replay, err := mcptest.NewReplay(&record, mcptest.Secrets(password))
				if err != nil {
					t.Fatal(err)
				}
				got, err := session(t.Context(), replay, password, opts...)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Join(got, "\n") != strings.Join(want, "\n") {
					t.Errorf("replayed\n%q\nrecorded\n%q", got, want)
				}
				if err := replay.Done(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// What the transport does by itself it does under a Recorder, too: here the server's own stream, and the
// way to a server of 2024-11-05.
func TestRecorderTakesNothingAway(t *testing.T) {
	var record bytes.Buffer
	for _, old := range []bool{false, true} {
		answers := make(chan string, 8)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			version, answer := "2025-11-25", ""
			if old {
				version = "2024-11-05"
			}
			switch {
			case strings.Contains(string(body), `"initialize"`):
				var m struct{ ID json.RawMessage }
				if err := json.Unmarshal(body, &m); err != nil {
					t.Error(err)
				}
				answer = `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"x","version":"1"}}}`
			case strings.Contains(string(body), "initialized"):
				answer = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
			}
			switch {
			case r.Method == http.MethodGet:
				w.Header().Set("Content-Type", "text/event-stream")
				if old {
					_, _ = io.WriteString(w, "event: endpoint\ndata: /message\n\n")
				}
				for w.(http.Flusher).Flush(); ; w.(http.Flusher).Flush() {
					select {
					case text := <-answers:
						_, _ = io.WriteString(w, "data: "+text+"\n\n")
					case <-r.Context().Done():
						return
					}
				}
			case old && r.URL.Path != "/message":
				w.WriteHeader(http.StatusMethodNotAllowed)
			case !old && strings.Contains(answer, "result"):
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Mcp-Session-Id", "s")
				_, _ = io.WriteString(w, answer)
			default:
				if answer != "" {
					answers <- answer
				}
				w.WriteHeader(http.StatusAccepted)
			}
		}))
		told := make(chan string, 8)
		c, err := mcp.Connect(t.Context(), mcptest.NewRecorder(mcp.HTTP(server.URL), &record), mcp.WithVersions("2025-11-25", "2024-11-05"),
			mcp.WithNotificationHandler(func(n mcp.Notification) { told <- n.Method }))
		if err != nil {
			server.Close()
			t.Fatal(err)
		}
		select {
		case got := <-told:
			if got != "notifications/tools/list_changed" {
				t.Errorf("told %s", got)
			}
		case <-time.After(10 * time.Second):
			t.Error("nothing came on the server's stream")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
	}
	if n := strings.Count(record.String(), "notifications/tools/list_changed"); n != 2 {
		t.Errorf("the record is %s", record.String())
	}
}

func TestReplayTellsWhatItDoesNotHave(t *testing.T) {
	var record bytes.Buffer
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125), mcptest.Always("tools/call", mcptest.Result(okResult)))
	conn := dial(t, mcptest.NewRecorder(script, &record))
	for _, word := range []string{"a", "b"} {
		if _, err := conn.CallTool(t.Context(), "x", map[string]any{"word": word}); err != nil {
			t.Fatal(err)
		}
	}
	replay, err := mcptest.NewReplay(&record)
	if err != nil {
		t.Fatal(err)
	}
	conn = dial(t, replay)
	for word, known := range map[string]bool{"a": true, "c": false} {
		if _, err := conn.CallTool(t.Context(), "x", map[string]any{"word": word}); (err == nil) != known {
			t.Errorf("%s: %v", word, err)
		}
	}
	err = replay.Done()
	if err == nil || !strings.Contains(err.Error(), `not recorded: tools/call {"arguments":{"word":"c"},"name":"x"}; never asked: tools/call {"arguments":{"word":"b"},"name":"x"}`) {
		t.Errorf("done: %v", err)
	}
}

func TestReplayWaitsForTheClientsAnswer(t *testing.T) {
	var record bytes.Buffer
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125),
		mcptest.Expect("tools/call", mcptest.Ask("q1", "ping", "")),
		mcptest.Expect("", mcptest.ResultFor("3", okResult)))
	conn := dial(t, mcptest.NewRecorder(script, &record))
	if _, err := conn.CallTool(t.Context(), "x", nil); err != nil {
		t.Fatal(err)
	}
	replay, err := mcptest.NewReplay(bytes.NewReader(record.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	conn = dial(t, mcptest.NewRecorder(replay, &again))
	if _, err := conn.CallTool(t.Context(), "x", nil); err != nil {
		t.Error(err)
	}
	if again.String() != record.String() {
		t.Errorf("played again\n%s\nrecorded\n%s", again.String(), record.String())
	}
}

func TestReplayHangsUpWhereTheServerDid(t *testing.T) {
	var record bytes.Buffer
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125), mcptest.Expect("tools/call", mcptest.HangUp(errors.New("power cut"))))
	conn := dial(t, mcptest.NewRecorder(script, &record))
	if _, err := conn.CallTool(t.Context(), "x", nil); err == nil {
		t.Fatal("answered")
	}
	replay, err := mcptest.NewReplay(&record)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dial(t, replay).CallTool(t.Context(), "x", nil); err == nil || !strings.Contains(err.Error(), "power cut") {
		t.Errorf("replayed: %v", err)
	}
}

func TestRecordsHoldNoSecrets(t *testing.T) {
	var record bytes.Buffer
	script := mcptest.NewScript(mcptest.Handshake(mcp.Version20251125), mcptest.Always("tools/call", mcptest.Text("starting with key abc123"),
		mcptest.Result(`{"content":[],"structuredContent":{"properties":{"token":{"type":"string"}},"accessToken":"abc123","deep":[{"API-Key":5}]}}`)))
	conn := dial(t, mcptest.NewRecorder(script, &record, mcptest.SecretMembers("pin"), mcptest.Secrets("abc123")))
	_, err := conn.CallTool(t.Context(), "x", map[string]any{"Pin": 1234, "progressToken": "kept", "authorization": "Bearer q"})
	if err != nil {
		t.Fatal(err)
	}
	text := record.String()
	for _, secret := range []string{"abc123", "1234", "Bearer", `"API-Key":5`} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the record", secret)
		}
	}
	for _, kept := range []string{`"token":{"type":"string"}`, `"progressToken":"kept"`, `starting with key REDACTED`} {
		if !strings.Contains(text, kept) {
			t.Errorf("%q is missing in the record", kept)
		}
	}
	for line := range strings.Lines(text) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}
