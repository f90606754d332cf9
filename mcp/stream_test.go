package mcp

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// discardReceiver takes no notice.
type discardReceiver struct{}

func (discardReceiver) Receive(*Incoming) {}
func (discardReceiver) Closed(error)      {}

// What a peer leaves unread is bounded: further senders wait, until their own limits strike or there
// is room again.
func TestB147SendersWaitForAPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		theirs, ours := io.Pipe()
		idle, stop := io.Pipe()
		c := newLineConn(idle, ours, discardReceiver{})
		c.closers = []io.Closer{ours, stop}
		c.start()
		big := &Outgoing{Data: make([]byte, maxQueued-1)}
		for range 2 { // one is in the writer's hands, one in the queue
			if err := c.Send(t.Context(), big); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		started := time.Now()
		if err := c.Send(ctx, big); !errors.Is(err, context.DeadlineExceeded) || time.Since(started) != time.Second {
			t.Fatalf("after %v: %v", time.Since(started), err)
		}
		late := &Outgoing{Data: big.Data, Deadline: time.Now().Add(2 * time.Second)}
		started = time.Now()
		if err := c.Send(t.Context(), late); !errors.Is(err, errExpired) || time.Since(started) != 2*time.Second {
			t.Fatalf("after %v: %v", time.Since(started), err)
		}
		sent := make(chan error)
		go func() { sent <- c.Send(t.Context(), big) }()
		synctest.Wait()
		go func() { _, _ = io.Copy(io.Discard, theirs) }()
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		if err := c.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.Send(t.Context(), big); !errors.Is(err, ErrClosed) {
			t.Fatalf("got %v", err)
		}
	})
}
