//go:build !windows

package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func init() {
	say := func(s string) { _, _ = io.WriteString(os.Stdout, s) }
	children["noisy"] = func() { // C-070
		say("Starting server v1.2\n\n[info] ready {not json\n")
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(m message) []string {
			return []string{"DEBUG x", m.result(okResult)}
		}), nil)
	}
	children["crlf"] = func() { // C-069
		serveLines(os.Stdin, os.Stdout, func(m message) []string {
			var out []string
			for _, line := range legacy(Version20251125, alwaysOK)(m) {
				out = append(out, line+"\r", "\r")
			}
			return out
		}, nil)
	}
	children["bom"] = func() {
		say("\xef\xbb\xbf")
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(m message) []string {
			return []string{"\xff\xfe", m.result(`{"content":[{"type":"text","text":"你好 é 😀"},{"type":"text","text":"\u4f60\u597d \u00e9 \ud83d\ude00"}]}`)}
		}), nil)
	}
	children["dies"] = func() {
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(m message) []string {
			say(`{"jsonrpc":"2.0","id`)
			fmt.Fprint(os.Stderr, "panic: boom")
			os.Exit(3)
			return nil
		}), nil)
	}
	children["dies on demand"] = func() {
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(m message) []string {
			if strings.Contains(m.raw, "die") {
				os.Exit(3)
			}
			return []string{m.result(okResult)}
		}), nil)
	}
	children["no token"] = func() {
		fmt.Fprintln(os.Stderr, "error: missing API_TOKEN")
		os.Exit(42)
	}
	children["initialize only"] = func() {
		first := true
		serveLines(os.Stdin, os.Stdout, func(m message) []string {
			if first && m.Method != methodInitialize {
				fmt.Fprintln(os.Stderr, "ExpectedInitializeRequest")
				os.Exit(1)
			}
			first = false
			return legacy(Version20250618, alwaysOK)(m)
		}, nil)
	}
	children["large"] = func() {
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(m message) []string {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.Split(m.raw, `"size":`)[1], "}}}"))
			if err != nil {
				panic(m.raw)
			}
			return []string{m.result(`{"content":[{"type":"text","text":"` + strings.Repeat("x", n) + `"}]}`)}
		}), nil)
	}
	children["slow flush"] = func() {
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, alwaysOK), nil)
		time.Sleep(time.Second) // the server's own work, not synchronisation
		_ = os.WriteFile(os.Getenv("FLUSH_FILE"), []byte("flushed"), 0o600)
	}
	children["chatty"] = func() {
		fmt.Fprintln(os.Stderr, "hello")
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, alwaysOK), nil)
	}
	children["mute"] = func() {
		signal.Ignore(syscall.SIGTERM)
		_ = os.WriteFile(os.Getenv("PID_FILE"), []byte(strconv.Itoa(os.Getpid())), 0o600)
		select {}
	}
	children["stubborn"] = func() {
		signal.Ignore(syscall.SIGTERM)
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, alwaysOK), nil)
		select {}
	}
	children["deaf"] = func() {
		lines := bufio.NewReader(os.Stdin)
		for range 3 {
			line, _ := lines.ReadString('\n')
			for _, answer := range legacy(Version20251125, alwaysOK)(parseMessage([]byte(line))) {
				say(answer + "\n")
			}
		}
		signal.Ignore(syscall.SIGTERM)
		select {}
	}
	children["closes stdout"] = func() {
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(message) []string {
			_ = os.Stdout.Close()
			return nil
		}), nil)
	}
	children["chatty stderr"] = func() {
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(m message) []string {
			fmt.Fprint(os.Stderr, strings.Repeat("e", 1<<20))
			return []string{m.result(okResult)}
		}), nil)
	}
	children["env"] = func() {
		serveLines(os.Stdin, os.Stdout, legacy(Version20251125, func(m message) []string {
			_, home := os.LookupEnv("HOME")
			return []string{m.result(fmt.Sprintf(`{"content":[{"type":"text","text":"A=%s PATH=%t HOME=%t"}]}`, os.Getenv("A"), os.Getenv("PATH") != "", home))}
		}), nil)
	}
	children["slow reader"] = func() {
		var mu sync.Mutex
		lines := bufio.NewReaderSize(os.Stdin, 4<<10)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			m := parseMessage([]byte(line))
			if m.raw == "" || m.Method == "" {
				say("bad line\n")
				os.Exit(7)
			}
			mu.Lock()
			for _, answer := range legacy(Version20251125, func(m message) []string {
				return []string{m.result(`{"content":[{"type":"text","text":"` + strconv.Itoa(len(m.raw)) + `"}]}`)}
			})(m) {
				say(answer + "\n")
			}
			mu.Unlock()
		}
	}
}

// C-070
func TestB004NoiseOnStdoutIsSkipped(t *testing.T) { checkOK(t, connect(t, child(t, "noisy"))) }

// C-069
func TestB007CarriageReturnsAndBlankLinesAreIgnored(t *testing.T) {
	checkOK(t, connect(t, child(t, "crlf")))
}

func TestB011ByteOrderMarkAndBothSpellingsOfText(t *testing.T) {
	c := connect(t, child(t, "bom"))
	result, err := c.CallTool(t.Context(), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := resultText(result), "你好 é 😀\n你好 é 😀"; got != want {
		t.Fatalf("got %q", got)
	}
}

// C-074, C-080
func TestB005DeathDuringCallFailsItWithExitAndStderr(t *testing.T) {
	c := connect(t, child(t, "dies"))
	for range 2 {
		_, err := c.CallTool(t.Context(), "x", nil)
		var te *TransportError
		if !errors.As(err, &te) || te.Exit == nil || te.Exit.Code != 3 || te.Exit.Stderr != "panic: boom" {
			t.Fatalf("got %v", err)
		}
	}
}

func TestB090ExitDuringHandshakeIsReportedAtOnce(t *testing.T) {
	_, err := Connect(t.Context(), child(t, "no token"))
	var exit *ExitError
	if !errors.As(err, &exit) || exit.Code != 42 || exit.PID == 0 || !strings.Contains(exit.Stderr, "missing API_TOKEN") {
		t.Fatalf("got %v", err)
	}
}

// C-056
func TestB010ServerThatExitsOnProbeIsStartedAgain(t *testing.T) {
	transport := child(t, "initialize only")
	for range 2 { // the second time the outcome is remembered (C-062)
		c := connect(t, transport)
		if v := c.Session().Version; v != Version20250618 {
			t.Fatalf("got version %s", v)
		}
		checkOK(t, c)
	}
}

// C-069 C-352
func TestB012LargeLines(t *testing.T) {
	c := connect(t, child(t, "large"), WithMaxMessageSize(2<<20))
	for _, size := range []int{1, 65_537, 1 << 20} {
		result, err := c.CallTool(t.Context(), "x", map[string]int{"size": size})
		if err != nil || len(resultText(result)) != size {
			t.Fatalf("size %d: %v", size, err)
		}
	}
	if _, err := c.CallTool(t.Context(), "x", map[string]int{"size": 3 << 20}); !errors.Is(err, ErrTooLarge) {
		t.Fatalf("got %v", err)
	}
	if _, err := c.CallTool(t.Context(), "x", map[string]int{"size": 5}); err != nil {
		t.Fatal(err)
	}
}

// C-072, C-073
func TestB009ServerMayTakeItsTimeToEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flushed")
	transport := child(t, "slow flush")
	transport.Env["FLUSH_FILE"] = &file
	c, err := Connect(t.Context(), transport)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "flushed" {
		t.Fatal("the server was ended too early")
	}
}

// blockingWriter takes nothing until it is released.
type blockingWriter struct{ begun, release chan struct{} }

func (w blockingWriter) Write(p []byte) (int, error) {
	close(w.begun)
	<-w.release
	return len(p), nil
}

// A writer for stderr that blocks delays Close to its bound, and no further.
func TestCloseDoesNotWaitForTheWriterOfStderr(t *testing.T) {
	w := blockingWriter{make(chan struct{}), make(chan struct{})}
	transport := child(t, "chatty")
	transport.Stderr = w
	c, err := Connect(t.Context(), transport)
	if err != nil {
		t.Fatal(err)
	}
	<-w.begun
	started := time.Now()
	_ = c.Close()
	if took := time.Since(started); took > closeLimit+time.Second {
		t.Errorf("Close took %v", took)
	}
	close(w.release)
}

// Whoever gives up while a server is silent may be about to exit, so the child is ended before Connect
// returns, even one that minds neither the end of its input nor SIGTERM.
func TestConnectLeavesNoSilentChildBehind(t *testing.T) {
	transport := child(t, "mute")
	file := filepath.Join(t.TempDir(), "pid")
	transport.Env["PID_FILE"] = &file
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if text, _ := os.ReadFile(file); len(text) > 0 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := Connect(ctx, transport)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the child is there: %v", err)
	}
}

// C-072
func TestServerThatIgnoresEverythingIsKilled(t *testing.T) {
	transport := child(t, "stubborn")
	transport.Grace, transport.TermGrace = 50*time.Millisecond, 50*time.Millisecond
	c, err := Connect(t.Context(), transport)
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took > 2*time.Second {
		t.Fatalf("close took %v", took)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// C-074
func TestB003GrandchildrenEndToo(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs sh")
	}
	self, _ := os.Executable()
	var stderr lockedBuilder
	transport := Command("sh", "-c", `"$0" -test.run='^$' <&3 & echo "pid $!" >&2; wait`, self)
	// The shell gives background jobs an empty stdin, so the real one goes through descriptor 3.
	transport.Args[1] = `exec 3<&0; "$0" -test.run='^$' <&3 & echo "pid $!" >&2; wait`
	transport.Env = map[string]*string{childVariable: new("legacy")}
	transport.Stderr = &stderr
	c, err := Connect(t.Context(), transport)
	if err != nil {
		t.Fatal(err)
	}
	checkOK(t, c)
	var pid int
	if _, err := fmt.Sscanf(stderr.String(), "pid %d", &pid); err != nil {
		t.Fatalf("no pid in %q", stderr.String())
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err == nil {
		if state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); !strings.Contains(string(state), ") Z ") {
			t.Fatalf("grandchild %d is still there", pid)
		}
	}
}

// C-079: credentials of a child travel in its environment; all that authorizes is an HTTPOption.
func TestB006OneVariableDoesNotReplaceTheEnvironment(t *testing.T) {
	t.Setenv("HOME", "/tmp")
	for _, test := range []struct {
		env  map[string]*string
		want string
	}{
		{map[string]*string{"A": new("1")}, "A=1 PATH=true HOME=true"},
		{map[string]*string{"HOME": nil}, "A= PATH=true HOME=false"},
	} {
		transport := child(t, "env")
		for name, value := range test.env {
			transport.Env[name] = value
		}
		result, err := connect(t, transport).CallTool(t.Context(), "x", nil)
		if err != nil || resultText(result) != test.want {
			t.Fatalf("got %q, %v", resultText(result), err)
		}
	}
	bad := child(t, "env")
	bad.Env["PATH=x"] = new("")
	if _, err := Connect(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "PATH=x") {
		t.Fatalf("got %v", err)
	}
}

// C-080
func TestClosedStdoutEndsTheConnection(t *testing.T) {
	c := connect(t, child(t, "closes stdout"))
	_, err := c.CallTool(t.Context(), "x", nil)
	if !errors.As(err, new(*TransportError)) {
		t.Fatalf("got %v", err)
	}
}

// C-071
func TestStderrIsDrained(t *testing.T) { checkOK(t, connect(t, child(t, "chatty stderr"))) }

// C-068
func TestB146ConcurrentLargeCallsDoNotInterleave(t *testing.T) {
	c := connect(t, child(t, "slow reader"))
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			_, err := c.CallTool(t.Context(), "x", map[string]string{"a\n": strings.Repeat(strconv.Itoa(i%10), 200<<10)})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestB147ServerThatStopsReadingBlocksNobody(t *testing.T) {
	transport := child(t, "deaf")
	run := t.TempDir()
	transport.Env["RUN"] = &run // another server than that of an earlier run, which is remembered
	transport.Grace, transport.TermGrace = 100*time.Millisecond, 100*time.Millisecond
	c, err := Connect(t.Context(), transport)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	started := time.Now()
	_, err = c.CallTool(ctx, "x", map[string]string{"a": strings.Repeat("a", 1<<20)})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Fatalf("the call took %v", took)
	}
	started = time.Now()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took > 2*time.Second {
		t.Fatalf("close took %v", took)
	}
}

func TestB145TransportCanBeOpenedAgain(t *testing.T) {
	transport := child(t, "legacy")
	checkOK(t, connect(t, transport))
	checkOK(t, connect(t, transport))
}

// C-075 C-076
func TestDeadChildIsRestartedOnTheNextCall(t *testing.T) {
	c := connect(t, child(t, "dies on demand"), WithRestart())
	for range 3 {
		var exit *ExitError
		if _, err := c.CallTool(t.Context(), "die", nil); !errors.As(err, &exit) || exit.Code != 3 {
			t.Fatalf("got %v", err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { checkOK(t, c) })
		}
		all.Wait()
	}
}
