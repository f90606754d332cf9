package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The tiny server is built once; over HTTP one process serves everybody, over
// stdio each session has its own.

type server struct {
	binary string
	base   string
	cmd    *exec.Cmd
	stdin  io.Closer
}

func startServer(ctx context.Context, dir string) (*server, error) {
	s := &server{binary: filepath.Join(dir, "tiny")}
	build := exec.CommandContext(ctx, "go", "build", "-o", s.binary, "./tiny")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("building the tiny server (run this in bench/): %w", err)
	}
	s.cmd = exec.Command(s.binary, "http")
	s.cmd.Stderr = os.Stderr
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	s.base = strings.TrimSpace(line)
	return s, err
}

func (s *server) close() {
	_ = s.stdin.Close()
	_ = s.cmd.Wait()
}

// target returns where a work of the era is served.
func (s *server) target(path, era string) target {
	if path == "" {
		return target{command: []string{s.binary, "stdio", era}, era: era}
	}
	return target{url: s.base + "/" + era + "/" + path, era: era}
}

// trips returns how many requests other than tool calls came since the last
// time it was asked.
func (s *server) trips() (int, error) {
	resp, err := http.Get(s.base + "/trips")
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(text))
}
