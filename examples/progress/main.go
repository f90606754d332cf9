// Progress watches a slow call, and then cancels one: the server is told, and the call returns at once.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/mcpgen/mcpgen"
	"github.com/mcpgen/mcpgen/internal/refserver"
	"github.com/mcpgen/mcpgen/mcp"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	server := refserver.New(refserver.Options{})
	defer server.Close()
	client, err := mcpgen.Connect(ctx, mcp.Handler(server.HTTPHandler()))
	if err != nil {
		return err
	}
	defer client.Close()

	// The timeout starts again with every report, and ends the call after a minute in any case.
	_, err = client.CountDown(ctx, mcpgen.CountDownArgs{Steps: 3},
		mcp.WithTimeout(5*time.Second),
		mcp.WithProgressResetsTimeout(time.Minute),
		mcp.WithProgress(func(p mcp.Progress) { fmt.Printf("%v of %v\n", p.Progress, p.Total) }))
	if err != nil {
		return err
	}
	fmt.Println("done")

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err = client.CountDown(ctx, mcpgen.CountDownArgs{Steps: 100_000}, mcp.WithProgress(func(p mcp.Progress) {
		if p.Progress == 2 {
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the call was not cancelled: %w", err)
	}
	fmt.Println("cancelled")
	return nil
}
