package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
)

// Prepared bytes over the pipes of a child. The reading goroutine has to know
// whose answer a line is before it decodes it, so it picks the id out of the
// bytes, whose place it knows.

type pipe struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	writing sync.Mutex
	mu      sync.Mutex
	waiting map[int64]*waiter
}

type waiter struct {
	v    reply
	note func([]byte) error
	done chan error
}

func startPipe(command []string) (*pipe, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &pipe{cmd: cmd, in: in, waiting: map[int64]*waiter{}}
	go p.read(bufio.NewReaderSize(out, 64<<10))
	return p, nil
}

func (p *pipe) exchange(_ context.Context, id int64, request []byte, v reply, note func([]byte) error) error {
	w := &waiter{v: v, note: note, done: make(chan error, 1)}
	if v != nil {
		p.mu.Lock()
		p.waiting[id] = w
		p.mu.Unlock()
	}
	p.writing.Lock()
	_, err := p.in.Write(append(request, '\n'))
	p.writing.Unlock()
	if err != nil || v == nil {
		return err
	}
	return <-w.done
}

func (p *pipe) read(r *bufio.Reader) {
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			p.fail(err)
			return
		}
		p.mu.Lock()
		w := p.waiting[idOf(line)]
		delete(p.waiting, idOf(line))
		p.mu.Unlock()
		if w != nil {
			w.done <- json.Unmarshal(line, w.v)
		}
	}
}

// idOf reads the digits behind {"jsonrpc":"2.0","id": .
func idOf(line []byte) int64 {
	const before = len(`{"jsonrpc":"2.0","id":`)
	end := before
	for end < len(line) && line[end]-'0' <= 9 {
		end++
	}
	id, _ := strconv.ParseInt(string(line[before:end]), 10, 64)
	return id
}

func (p *pipe) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, w := range p.waiting {
		w.done <- errors.Join(errors.New("the server has left"), err)
		delete(p.waiting, id)
	}
}

func (p *pipe) close() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	return p.cmd.Wait()
}
