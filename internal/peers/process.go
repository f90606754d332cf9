package peers

// Running peers: what to start, waiting until it listens, and ending it with the test.

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Command is a server that speaks MCP on its standard input and output.
type Command struct {
	Path string
	Args []string
}

const (
	startTimeout = 60 * time.Second
	stopTimeout  = 5 * time.Second
)

// process is a running child.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{}

	mu     sync.Mutex
	stderr []byte
	more   chan struct{} // closed when stderr has grown
}

// launch starts a child in a process group of its own and ends that group with the test.
func launch(t testing.TB, c Command, env []string, stdin io.Reader, stdout io.Writer) *process {
	t.Helper()
	p := &process{cmd: exec.Command(c.Path, c.Args...), exited: make(chan struct{}), more: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, p
	p.cmd.WaitDelay = stopTimeout
	isolate(p.cmd)
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("starting %s: %v", c.Path, err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		_ = killTree(p.cmd.Process)
		<-p.exited
		if t.Failed() {
			t.Logf("stderr of %s:\n%s", strings.Join(p.cmd.Args, " "), p.errors())
		}
	})
	return p
}

// Write keeps the end of what the child writes to stderr.
func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stderr = append(p.stderr, b...)
	if most := 64 << 10; len(p.stderr) > most {
		p.stderr = append([]byte(nil), p.stderr[len(p.stderr)-most:]...)
	}
	close(p.more)
	p.more = make(chan struct{})
	return len(b), nil
}

func (p *process) errors() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return tail(p.stderr)
}

// listens matches the line by which a child says where it listens.
var listens = regexp.MustCompile(`peer listens on (127\.0\.0\.1:\d+)`)

// serve starts a child that listens on the loopback interface and returns its address.
func serve(t testing.TB, c Command, env ...string) string {
	t.Helper()
	p := launch(t, c, env, nil, nil)
	timer := time.NewTimer(startTimeout)
	defer timer.Stop()
	for {
		p.mu.Lock()
		m, more := listens.FindSubmatch(p.stderr), p.more
		p.mu.Unlock()
		if m != nil {
			return string(m[1])
		}
		select {
		case <-more:
		case <-p.exited:
			t.Fatalf("%s ended before it listened:\n%s", strings.Join(p.cmd.Args, " "), p.errors())
		case <-timer.C:
			t.Fatalf("%s did not listen within %v:\n%s", strings.Join(p.cmd.Args, " "), startTimeout, p.errors())
		}
	}
}
