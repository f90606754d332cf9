package mcp

// A server as a child process that speaks over its stdin and stdout. The child gets a process group
// of its own, and ends with all that it has started.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// CommandTransport starts a server as a child process. Set its fields before Connect.
type CommandTransport struct {
	// Path and Args are the program and its arguments; no shell is involved.
	Path string
	Args []string
	// Env changes the inherited environment: a nil value removes the variable.
	Env map[string]*string
	// NoInherit starts from an empty environment.
	NoInherit bool
	// Dir is the working directory; default the caller's.
	Dir string
	// Stderr gets what the child writes to stderr; its last 8 KiB are kept and quoted in errors in any case.
	Stderr io.Writer
	// Grace is how long the child may take to end after its stdin was closed, default 4 s, before it gets
	// SIGTERM, and after another TermGrace, default 500 ms, SIGKILL.
	Grace, TermGrace time.Duration
}

const (
	defaultGrace     = 4 * time.Second
	defaultTermGrace = 500 * time.Millisecond
	// settleTime is how long output that is already in the pipes may take to be read after the child has
	// ended; a grandchild may hold the pipes open for ever.
	settleTime = 250 * time.Millisecond
)

// Command returns a transport that runs name with args and speaks over its stdin and stdout.
func Command(name string, args ...string) *CommandTransport {
	return &CommandTransport{Path: name, Args: args}
}

// Open starts the process.
func (t *CommandTransport) Open(ctx context.Context, in Receiver) (Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	env, err := t.environment()
	if err != nil {
		return nil, err
	}
	p := &process{
		tail: tail{copy: t.Stderr}, exited: make(chan struct{}),
		grace: orDefault(t.Grace, defaultGrace), termGrace: orDefault(t.TermGrace, defaultTermGrace),
	}
	p.cmd = exec.Command(t.Path, t.Args...)
	p.cmd.Env, p.cmd.Dir = env, t.Dir
	stdin, stdout, err := p.start()
	if err != nil {
		return nil, &TransportError{Err: fmt.Errorf("start %q: %w", t.Path, err)}
	}
	c := newLineConn(stdout, stdin, in)
	c.ended = p.reason
	c.start()
	return &commandConn{lineConn: c, process: p}, nil
}

// memoryKey tells commands apart by all that they are started with.
func (t *CommandTransport) memoryKey() string {
	var b strings.Builder
	fmt.Fprintf(&b, "command\x00%s\x00%q\x00%s\x00%t", t.Path, t.Args, t.Dir, t.NoInherit)
	names := make([]string, 0, len(t.Env))
	for name := range t.Env {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		value := "unset"
		if v := t.Env[name]; v != nil {
			value = "=" + *v
		}
		fmt.Fprintf(&b, "\x00%s\x00%s", name, value)
	}
	return b.String()
}

func (t *CommandTransport) lasting() bool   { return true }
func (t *CommandTransport) own() *ownMemory { return nil }

// environment applies Env to what is inherited (B006).
func (t *CommandTransport) environment() ([]string, error) {
	var base []string
	if !t.NoInherit {
		base = os.Environ()
	}
	env := base[:0:0]
	for _, entry := range base {
		name, _, _ := strings.Cut(entry, "=")
		if _, changed := lookupEnv(t.Env, name); !changed {
			env = append(env, entry)
		}
	}
	names := make([]string, 0, len(t.Env))
	for name := range t.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return nil, fmt.Errorf("environment variable %q: a name must not be empty or contain '='", name)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if value := t.Env[name]; value != nil {
			env = append(env, name+"="+*value)
		}
	}
	if env == nil {
		env = []string{}
	}
	return env, nil
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// commandConn is a lineConn whose other end is a process.
type commandConn struct {
	*lineConn
	process *process
}

// Close closes stdin and ends the process tree, then the pipes. A writer that is stuck in a full pipe
// ends with its pipe.
func (c *commandConn) Close(ctx context.Context) error {
	c.fail(&TransportError{Err: ErrClosed})
	c.once.Do(func() { close(c.done) })
	c.process.stop(ctx)
	waitFor(ctx, &c.work)
	return nil
}

// process is the child and the pipes to it.
type process struct {
	cmd                   *exec.Cmd
	stdin, stdout, stderr *os.File
	tail                  tail
	grace, termGrace      time.Duration
	tree                  processTree

	exited   chan struct{} // closed when the child has been reaped
	stopOnce sync.Once
	work     sync.WaitGroup
}

// start makes the pipes and starts the child.
func (p *process) start() (stdin, stdout *os.File, err error) {
	var theirs []*os.File
	pipe := func(mine **os.File, childWrites bool) *os.File {
		r, w, failed := os.Pipe()
		if failed != nil {
			err = failed
			return nil
		}
		if childWrites {
			*mine, theirs = r, append(theirs, w)
			return w
		}
		*mine, theirs = w, append(theirs, r)
		return r
	}
	p.cmd.Stdin = pipe(&p.stdin, false)
	p.cmd.Stdout = pipe(&p.stdout, true)
	p.cmd.Stderr = pipe(&p.stderr, true)
	if err == nil {
		p.tree.prepare(p.cmd)
		err = p.cmd.Start()
	}
	for _, f := range theirs {
		_ = f.Close()
	}
	if err != nil {
		p.closePipes()
		return nil, nil, err
	}
	p.tree.started(p.cmd)
	drained := make(chan struct{})
	p.work.Go(func() {
		p.tail.drain(p.stderr)
		close(drained)
	})
	p.work.Go(func() { p.reap(drained) })
	return p.stdin, p.stdout, nil
}

// reap waits for the child, ends what it left behind and lets the readers finish.
func (p *process) reap(drained chan struct{}) {
	_ = p.cmd.Wait()
	settled := time.NewTimer(settleTime)
	defer settled.Stop()
	select {
	case <-drained:
	case <-settled.C:
	}
	close(p.exited)
	p.tree.kill()
	_ = p.stderr.Close()
	// What is left in the stdout pipe can still be read; only a grandchild could hold it open longer.
	_ = p.stdout.SetReadDeadline(time.Now().Add(settleTime))
}

// reason says why the stream from the child ended.
func (p *process) reason(err error) error {
	// A child that closes its stdout without leaving has ended the connection all the same (C-080).
	wait := time.NewTimer(settleTime * 2)
	defer wait.Stop()
	select {
	case <-p.exited:
		return &TransportError{Err: errStreamEnded, Exit: p.exit()}
	case <-wait.C:
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = errStreamEnded
	}
	return &TransportError{Err: err}
}

func (p *process) exit() *ExitError {
	state := p.cmd.ProcessState
	if state == nil {
		return nil
	}
	return &ExitError{PID: state.Pid(), Code: state.ExitCode(), State: state.String(), Stderr: strings.TrimSpace(p.tail.String())}
}

// stop ends the child: end of stdin, SIGTERM, SIGKILL, each after a while (C-072, C-073). The end of
// ctx hurries it.
func (p *process) stop(ctx context.Context) {
	p.stopOnce.Do(func() {
		grace, termGrace := p.grace, p.termGrace
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < grace+termGrace {
			grace = time.Until(deadline) / 2 // leave as much to the signal
			termGrace = grace
		}
		_ = p.stdin.Close()
		if !p.exitsWithin(ctx, grace) {
			p.tree.terminate()
			if !p.exitsWithin(ctx, termGrace) {
				p.tree.kill()
			}
		}
		<-p.exited
		p.closePipes()
	})
	waitFor(ctx, &p.work) // the writer that gets a copy of stderr may block
}

func (p *process) exitsWithin(ctx context.Context, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-ctx.Done():
	case <-timer.C:
	}
	return false
}

func (p *process) closePipes() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			_ = f.Close()
		}
	}
}
