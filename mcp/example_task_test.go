package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/mcpgen/mcpgen/mcp"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// A generator writes such types and specifications; see tools_gen.go of a generated client.
type (
	bakeCakeArgs   struct{ Layers int64 }
	bakeCakeOutput struct{ Smell string }
)

var bakeCakeTool = mcp.ToolSpec[bakeCakeArgs, bakeCakeOutput]{
	ToolInfo: mcp.ToolInfo{Name: "bake_cake"},
	Args: func(a *bakeCakeArgs) jsonwire.Codec {
		return jsonwire.CodecOf(a, func(a *bakeCakeArgs, w *jsonwire.Writer) {
			w.BeginObject()
			w.Member(`"layers":`)
			w.Int64(a.Layers)
			w.EndObject()
		}, nil, nil)
	},
	Output: func(o *bakeCakeOutput) jsonwire.Codec {
		return jsonwire.CodecOf(o, nil, func(o *bakeCakeOutput, r *jsonwire.Reader) {
			for r.BeginObject(); r.NextMember(); {
				if string(r.Key()) == "smell" {
					o.Smell = r.String()
				} else {
					r.Skip()
				}
			}
		}, nil)
	},
}

// A long call is started and followed later. A plain call of the same tool needs nothing of this: it
// returns when the task has ended.
func ExampleToolSpec_Start() {
	ctx := context.Background()
	transport, stop := exampleServer()
	defer stop()
	client, err := mcp.Connect(ctx, transport)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	task, err := bakeCakeTool.Start(ctx, client, bakeCakeArgs{Layers: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(task.Status)
	task, err = task.Await(ctx, mcp.WithPollInterval(50*time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	result, err := task.Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(task.Status, result.Output.Smell)
	// Output:
	// working
	// completed sweet
}

// A task may ask for input on its way; a function can answer in place of the client's handlers, for
// instance to answer from a queue of its own.
func ExampleWithTaskInput() {
	ctx := context.Background()
	transport, stop := exampleServer()
	defer stop()
	decline := func(context.Context, *mcp.FormRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	client, err := mcp.Connect(ctx, transport, mcp.WithElicitation(decline))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	task, err := client.Tasks().Start(ctx, "conduct_survey", map[string]any{"topic": "tea"})
	if err != nil {
		log.Fatal(err)
	}
	answer := func(_ context.Context, requests map[string]json.RawMessage) (map[string]any, error) {
		answers := map[string]any{}
		for key := range requests {
			answers[key] = map[string]any{"action": "accept", "content": map[string]any{"opinion": "good"}}
		}
		return answers, nil
	}
	if task, err = task.Await(ctx, mcp.WithTaskInput(answer)); err != nil {
		log.Fatal(err)
	}
	result, err := task.Result()
	if err != nil {
		log.Fatal(err)
	}
	print(result.CallToolResult)
	// Output: opinion about tea: good
}
