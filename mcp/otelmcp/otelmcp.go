// Package otelmcp traces the requests of an MCP client with OpenTelemetry.
//
//	client, err := mcp.Connect(ctx, transport, mcp.WithInterceptor(otelmcp.Interceptor()))
//
// Each request is one client span, from the moment it is made until its caller has the answer: retries,
// rounds of input and the polls of a task are part of it. Names and attributes are those of the
// OpenTelemetry semantic conventions for MCP (status: development). Arguments and results are not
// recorded. The trace context travels to the server in the request's _meta, in every protocol version.
package otelmcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcpgen/mcpgen/mcp"
)

// ScopeName is the instrumentation scope of the spans.
const ScopeName = "github.com/mcpgen/mcpgen/mcp/otelmcp"

// An Option changes an Interceptor.
type Option interface{ apply(*tracing) }

type optionFunc func(*tracing)

func (f optionFunc) apply(t *tracing) { f(t) }

// WithTracerProvider makes the spans with p instead of the global provider.
func WithTracerProvider(p trace.TracerProvider) Option {
	return optionFunc(func(t *tracing) { t.tracer = p.Tracer(ScopeName) })
}

// WithPropagator writes the trace context with p; default W3C Trace Context and Baggage.
func WithPropagator(p propagation.TextMapPropagator) Option {
	return optionFunc(func(t *tracing) { t.propagator = p })
}

// WithAttributes adds attributes to every span: what the application knows of the server, for instance
// server.address, or network.transport ("pipe" for a child process, "tcp" for HTTP).
func WithAttributes(attributes ...attribute.KeyValue) Option {
	return optionFunc(func(t *tracing) { t.fixed = append(t.fixed, attributes...) })
}

// Interceptor traces every request. Give it first, so that the other interceptors are within the span.
func Interceptor(opts ...Option) mcp.Interceptor {
	t := &tracing{propagator: propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})}
	for _, o := range opts {
		o.apply(t)
	}
	return func(next mcp.Invoker) mcp.Invoker {
		return func(ctx context.Context, req *mcp.Request) error { return t.invoke(ctx, req, next) }
	}
}

type tracing struct {
	tracer     trace.Tracer // nil: the global provider's, whenever it is set
	propagator propagation.TextMapPropagator
	fixed      []attribute.KeyValue
}

// The attributes of the conventions.
const (
	methodName    = attribute.Key("mcp.method.name")
	version       = attribute.Key("mcp.protocol.version")
	resourceURI   = attribute.Key("mcp.resource.uri")
	toolName      = attribute.Key("gen_ai.tool.name")
	promptName    = attribute.Key("gen_ai.prompt.name")
	operationName = attribute.Key("gen_ai.operation.name")
	requestID     = attribute.Key("jsonrpc.request.id")
	statusCode    = attribute.Key("rpc.response.status_code")
	errorType     = attribute.Key("error.type")
)

func (t *tracing) invoke(ctx context.Context, req *mcp.Request, next mcp.Invoker) error {
	tracer := t.tracer
	if tracer == nil {
		tracer = otel.GetTracerProvider().Tracer(ScopeName)
	}
	name, about := describe(req)
	ctx, span := tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(about...), trace.WithAttributes(t.fixed...))
	defer span.End()
	before := req.Meta
	t.inject(ctx, req)
	err := next(ctx, req)
	req.Meta = before // an outer interceptor may try again, in a span of its own
	if !span.IsRecording() {
		return err
	}
	if req.Version != "" {
		span.SetAttributes(version.String(req.Version))
	}
	if req.ID != 0 {
		span.SetAttributes(requestID.String(strconv.FormatInt(req.ID, 10)))
	}
	switch {
	case err != nil:
		fail(ctx, span, err)
	case req.ToolFailed():
		span.SetAttributes(errorType.String("tool_error"))
		span.SetStatus(codes.Error, "the tool reports an error")
	}
	return err
}

// describe returns the span's name, which names no resource since those are many, and what is known of
// the request before it is made.
func describe(req *mcp.Request) (name string, about []attribute.KeyValue) {
	name, about = req.Method, []attribute.KeyValue{methodName.String(req.Method)}
	if req.Name == "" {
		return name, about
	}
	switch req.Method {
	case "tools/call":
		return name + " " + req.Name, append(about, operationName.String("execute_tool"), toolName.String(req.Name))
	case "prompts/get":
		return name + " " + req.Name, append(about, promptName.String(req.Name))
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return name, append(about, resourceURI.String(req.Name))
	}
	return name, about
}

// inject writes the trace context into _meta. What the caller has set there wins.
func (t *tracing) inject(ctx context.Context, req *mcp.Request) {
	carrier := propagation.MapCarrier{}
	t.propagator.Inject(ctx, carrier)
	if len(carrier) == 0 {
		return
	}
	meta := maps.Clone(req.Meta)
	if meta == nil {
		meta = make(map[string]json.RawMessage, len(carrier))
	}
	for key, value := range carrier {
		text, err := json.Marshal(value)
		if _, taken := meta[key]; err == nil && !taken {
			meta[key] = text
		}
	}
	req.Meta = meta
}

// fail records an error. Its text may be the server's, so it is cut.
func fail(ctx context.Context, span trace.Span, err error) {
	kind := strings.TrimLeft(fmt.Sprintf("%T", err), "*")
	var rpc *mcp.RPCError
	var timeout *mcp.TimeoutError
	var input *mcp.InputRequiredError
	var te *mcp.TransportError
	switch {
	case errors.As(err, &rpc):
		kind = strconv.FormatInt(rpc.Code, 10)
		span.SetAttributes(statusCode.String(kind))
	case errors.As(err, &timeout):
		kind = "timeout"
	case ctx.Err() != nil:
		kind = "cancelled"
	case errors.As(err, &input):
		kind = "input_required"
	case errors.As(err, &te) && te.Status != 0:
		kind = strconv.Itoa(te.Status)
	}
	span.SetAttributes(errorType.String(kind))
	span.SetStatus(codes.Error, shorten(err.Error()))
}

func shorten(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
