package main

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// One message a line; an answer is one write.

func serveStdio(era string) error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var out []byte
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		q, err := parse(line)
		if err != nil {
			return err
		}
		if q.id == "" {
			continue
		}
		out = out[:0]
		for n := range q.reports() {
			out = append(q.notify(out, n+1), '\n')
		}
		out = append(q.answer(out, era == "2026"), '\n')
		if _, err := os.Stdout.Write(out); err != nil {
			return err
		}
	}
}
