// A line that says what is being waited for. Starting a server through npx can
// take a minute; a silent terminal looks broken, and a log full of ticks is
// noise, so the line exists on a terminal only and wipes itself.
package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress shows what with the elapsed time on w until the returned function is
// called; that function waits until the line is gone.
func (a *app) progress(what string) (done func()) {
	if a.quiet || a.verbose || !isTerminal(a.stderr) {
		return func() {}
	}
	if v, _ := a.getenv("TERM"); v == "dumb" {
		return func() {}
	}
	return showProgress(a.stderr, oneLine(what), terminalWidth(a.stderr))
}

func showProgress(w io.Writer, what string, width int) (done func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		start := time.Now()
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				_, _ = io.WriteString(w, "\r\x1b[K")
				return
			case <-tick.C:
				_, _ = io.WriteString(w, progressLine(what, time.Since(start), width))
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
}

// progressLine fits one line: a wrapped one could not be wiped.
func progressLine(what string, elapsed time.Duration, width int) string {
	suffix := fmt.Sprintf(" … %.1fs", elapsed.Seconds())
	room := max(width-len([]rune(suffix))-1, 0)
	if runes := []rune(what); len(runes) > room {
		what = string(runes[:room])
	}
	return "\r" + what + suffix + "\x1b[K"
}
