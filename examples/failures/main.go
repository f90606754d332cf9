// Failures makes calls go wrong and tells by the error's type who says so: the tool, the server, or
// this client. The server runs in this process, behind its http.Handler.
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
	client, err := mcpgen.Connect(ctx, mcp.Handler(server.HTTPHandler()), mcp.WithArgumentValidation())
	if err != nil {
		return err
	}
	defer client.Close()

	_, err = client.Fail(ctx, mcpgen.FailArgs{Message: new("out of tea")})
	explain(err)
	_, err = client.RegisterUser(ctx, mcpgen.RegisterUserArgs{User: "ada", Age: 7})
	explain(err)
	_, err = client.CountDown(ctx, mcpgen.CountDownArgs{Steps: 1000, PauseMs: new(int64(50))}, mcp.WithTimeout(20*time.Millisecond))
	explain(err)
	_, err = client.Conn().CallTool(ctx, "brew_coffee", nil)
	explain(err)
	_, err = client.Conn().RawCall(ctx, "resources/subscribe", nil)
	explain(err)
	return nil
}

// explain shows what is known of an error. The order does not matter: an error is one of these.
func explain(err error) {
	if failed, ok := errors.AsType[*mcp.ToolError](err); ok {
		fmt.Printf("tool %s failed and said why in %d content block\n", failed.Tool, len(failed.Result.Content))
	}
	if invalid, ok := errors.AsType[*mcp.ValidationError](err); ok {
		fmt.Printf("not sent: %s breaks the rule %q\n", invalid.Pointer, invalid.Rule)
	}
	if late, ok := errors.AsType[*mcp.TimeoutError](err); ok {
		fmt.Printf("no answer to %s within %v\n", late.Method, late.After)
	}
	if refused, ok := errors.AsType[*mcp.RPCError](err); ok {
		fmt.Printf("refused by the server: code %d, invalid params: %t\n", refused.Code, errors.Is(err, mcp.ErrInvalidParams))
	}
	if unsupported, ok := errors.AsType[*mcp.UnsupportedError](err); ok {
		fmt.Printf("not sent: version %s has no %s\n", unsupported.Version, unsupported.Method)
	}
}
