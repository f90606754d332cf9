// Gosdk is a server on the official Go SDK, for interoperation tests.
//
// It serves stdio, or with -http Streamable HTTP on a free port of the loopback interface.
// Arguments restrict the protocol versions.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	overHTTP := flag.Bool("http", false, "serve Streamable HTTP")
	flag.Parse()
	server := build(flag.Args())
	if !*overHTTP {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(os.Stderr, "peer listens on %s\n", listener.Addr())
	// Stateless requests need no session; a server restricted to older versions keeps sessions.
	older := len(flag.Args()) > 0 && !slices.Contains(flag.Args(), "2026-07-28")
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: !older})
	log.Fatal(http.Serve(listener, handler))
}

func build(versions []string) *mcp.Server {
	accept := func(context.Context, *mcp.SubscribeRequest) error { return nil }
	server := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "v1.8.0"}, &mcp.ServerOptions{
		SupportedProtocolVersions: versions,
		CompletionHandler:         complete,
		SubscribeHandler:          accept,
		UnsubscribeHandler:        func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	mcp.AddTool(server, &mcp.Tool{Name: "multiply", Title: "Multiply", Description: "Multiplies two numbers."}, multiply)
	mcp.AddTool(server, &mcp.Tool{Name: "split_text", Description: "Splits a text into words and counts them."}, splitText)
	mcp.AddTool(server, &mcp.Tool{Name: "plan_route", Description: "Plans a route over several stops."}, planRoute)
	mcp.AddTool(server, &mcp.Tool{Name: "tally", Description: "Adds up named counts."}, tally)
	mcp.AddTool(server, &mcp.Tool{Name: "describe_time", Description: "Adds a number of hours to a moment."}, describeTime)
	mcp.AddTool(server, &mcp.Tool{Name: "refuse", Description: "Always reports an error."}, refuse)
	mcp.AddTool(server, &mcp.Tool{Name: "count_slowly", Description: "Counts, reporting progress on the way."}, countSlowly)
	addFeatures(server)
	return server
}

type factors struct {
	A float64 `json:"a" jsonschema:"the first factor"`
	B float64 `json:"b" jsonschema:"the second factor"`
}

type product struct {
	Product float64 `json:"product"`
}

func multiply(_ context.Context, _ *mcp.CallToolRequest, in factors) (*mcp.CallToolResult, product, error) {
	return nil, product{in.A * in.B}, nil
}

type textIn struct {
	Text      string  `json:"text"`
	Separator *string `json:"separator,omitempty" jsonschema:"a space when left out"`
	Upper     bool    `json:"upper,omitempty"`
}

type words struct {
	Words []string `json:"words"`
	Count int      `json:"count"`
}

func splitText(_ context.Context, _ *mcp.CallToolRequest, in textIn) (*mcp.CallToolResult, words, error) {
	separator := " "
	if in.Separator != nil {
		separator = *in.Separator
	}
	if in.Upper {
		in.Text = strings.ToUpper(in.Text)
	}
	parts := strings.Split(in.Text, separator)
	return nil, words{parts, len(parts)}, nil
}

type stop struct {
	Name string  `json:"name"`
	Lat  float64 `json:"lat"`
	Lon  float64 `json:"lon"`
}

type trip struct {
	Stops []stop `json:"stops"`
	Round bool   `json:"round,omitempty" jsonschema:"return to the first stop"`
}

type route struct {
	Legs  []leg          `json:"legs"`
	Notes map[string]int `json:"notes"`
}

type leg struct {
	From stop `json:"from"`
	To   stop `json:"to"`
}

func planRoute(_ context.Context, _ *mcp.CallToolRequest, in trip) (*mcp.CallToolResult, route, error) {
	if len(in.Stops) < 2 {
		return nil, route{}, fmt.Errorf("a route needs two stops, not %d", len(in.Stops))
	}
	out := route{Notes: map[string]int{"stops": len(in.Stops)}}
	if in.Round {
		in.Stops = append(in.Stops, in.Stops[0])
	}
	for i := range in.Stops[1:] {
		out.Legs = append(out.Legs, leg{in.Stops[i], in.Stops[i+1]})
	}
	return nil, out, nil
}

type counts struct {
	Counts map[string]int64 `json:"counts"`
	Extra  *int64           `json:"extra,omitempty"`
}

type total struct {
	Total int64 `json:"total"`
}

func tally(_ context.Context, _ *mcp.CallToolRequest, in counts) (*mcp.CallToolResult, total, error) {
	var out total
	for _, n := range in.Counts {
		out.Total += n
	}
	if in.Extra != nil {
		out.Total += *in.Extra
	}
	return nil, out, nil
}

type moment struct {
	At    time.Time `json:"at"`
	Hours int       `json:"hours"`
}

func describeTime(_ context.Context, _ *mcp.CallToolRequest, in moment) (*mcp.CallToolResult, any, error) {
	at := in.At.Add(time.Duration(in.Hours) * time.Hour)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: at.Format(time.RFC3339)}}}, nil, nil
}

func refuse(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
	return nil, nil, fmt.Errorf("refused")
}

type steps struct {
	Steps int `json:"steps"`
}

func countSlowly(ctx context.Context, req *mcp.CallToolRequest, in steps) (*mcp.CallToolResult, total, error) {
	for i := range in.Steps {
		if token := req.Params.GetProgressToken(); token != nil {
			err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(i + 1), Total: float64(in.Steps)})
			if err != nil {
				return nil, total{}, err
			}
		}
	}
	return nil, total{int64(in.Steps)}, nil
}
