package mcp

// Options of a client. Each is a sealed small value, so that options can grow without breaking
// callers; what they set is fixed once Connect returns.

import (
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// An Option changes a client.
type Option interface{ applyClient(*options) }

type optionFunc func(*options)

func (f optionFunc) applyClient(o *options) { f(o) }

const (
	defaultTimeout      = 30 * time.Second
	defaultProbeTimeout = 10 * time.Second
	defaultMaxPages     = 1000
)

type options struct {
	info           Implementation
	anonymous      bool
	allowed        []string
	versions       versionSet
	probeTimeout   time.Duration
	timeout        time.Duration
	maxMessage     int
	logger         *slog.Logger
	interceptors   []Interceptor
	restart        bool
	keepAlive      time.Duration
	unchecked      bool // capabilities of the server are not checked
	argumentChecks bool
	verify         bool
	withoutTasks   bool
	taskTimeout    time.Duration
	notified       func(Notification)
	cache          *cacheOptions // nil: none
	// capabilities write one member each of the client's capabilities object; see capability.go.
	capabilities map[string]capability
	// extensions are members of capabilities.extensions.
	extensions map[string]jsonwire.Appender
	// serves answers requests of session-era servers, by method; see serve.go.
	serves map[string]serverHandler
	// observers see every notification on the reading goroutine and must not block; see notify.go.
	observers []observer
	// inputs answer what servers ask; see asking.go.
	inputs inputHandlers
	err    error
}

func newOptions(opts []Option) (*options, error) {
	o := &options{
		info:         Implementation{Name: "mcpgen", Version: runtimeVersion},
		probeTimeout: defaultProbeTimeout,
		timeout:      defaultTimeout,
		taskTimeout:  DefaultTaskTimeout,
		maxMessage:   maxMessageBytes,
		logger:       slog.New(slog.DiscardHandler),
		capabilities: map[string]capability{},
		extensions:   map[string]jsonwire.Appender{},
		serves:       map[string]serverHandler{methodPing: servePing},
	}
	for _, opt := range opts {
		opt.applyClient(o)
	}
	if o.err != nil {
		return nil, o.err
	}
	o.declareTasks()
	var err error
	o.versions, err = newVersionSet(o.allowed)
	return o, err
}

// WithClientInfo says which application this is. Name and version are required by the protocol.
func WithClientInfo(info Implementation) Option {
	return optionFunc(func(o *options) {
		if info.Name == "" || info.Version == "" {
			o.err = fmt.Errorf("client info: name and version must not be empty")
		}
		o.info = info
	})
}

// WithoutClientInfo leaves the client's name out of 2026-07-28 requests (C-027). Older versions require it.
func WithoutClientInfo() Option { return optionFunc(func(o *options) { o.anonymous = true }) }

// WithVersions narrows the protocol versions the client speaks; one version pins it. With versions of
// one era only, no probe is made.
func WithVersions(versions ...string) Option {
	return optionFunc(func(o *options) { o.allowed = versions })
}

// WithProbeTimeout bounds the wait for an answer to server/discover before the server is taken for
// one of the session era; default 10 s, but never more than half of what the context leaves (B055).
func WithProbeTimeout(limit time.Duration) Option {
	return optionFunc(func(o *options) { o.probeTimeout = limit })
}

// WithDefaultTimeout sets the wait for each answer where a call does not say WithTimeout; default
// 30 s, zero or less for none beyond the context's.
func WithDefaultTimeout(limit time.Duration) Option {
	return optionFunc(func(o *options) { o.timeout = limit })
}

// WithMaxMessageSize limits messages from the server, in bytes, on every transport; default 16 MiB.
// A larger one fails only the call it answers, with ErrTooLarge.
func WithMaxMessageSize(bytes int) Option {
	return optionFunc(func(o *options) {
		if bytes <= 0 {
			o.err = fmt.Errorf("maximum message size %d: must be positive", bytes)
		}
		o.maxMessage = bytes
	})
}

// WithLogger tells logger what the client notices and survives: bad messages, dropped list entries,
// fallbacks. Nothing secret is logged.
func WithLogger(logger *slog.Logger) Option {
	return optionFunc(func(o *options) { o.logger = logger })
}

// WithInterceptor puts interceptors around every request; the first is the outermost.
func WithInterceptor(interceptors ...Interceptor) Option {
	return optionFunc(func(o *options) { o.interceptors = append(o.interceptors, interceptors...) })
}

// WithRestart opens a new connection on the next call when the last one has ended, for instance
// because the child process died. Calls in flight at that moment fail.
func WithRestart() Option { return optionFunc(func(o *options) { o.restart = true }) }

// WithoutCapabilityChecks sends requests that need a capability which the server did not declare.
func WithoutCapabilityChecks() Option { return optionFunc(func(o *options) { o.unchecked = true }) }

// WithArgumentValidation checks the arguments of typed tool calls against the tool's schema before
// they are sent.
func WithArgumentValidation() Option {
	return optionFunc(func(o *options) { o.argumentChecks = true })
}

// WithNotificationHandler hands every notification that no call waits for to handle, in order and one
// at a time, on a goroutine of its own. handle may use the client. At most 1,000 wait; then the oldest go.
func WithNotificationHandler(handle func(Notification)) Option {
	return optionFunc(func(o *options) { o.notified = handle })
}

// WithExtension advertises an extension and its settings (C-066, C-067). Extensions are off unless asked for.
func WithExtension(id string, settings jsonwire.Appender) Option {
	return optionFunc(func(o *options) {
		if _, _, prefixed := cutPrefix(id); !prefixed || !validMetaKey(id) {
			o.err = fmt.Errorf("extension id %q is malformed: use label.label/name", id)
			return
		}
		o.extensions = maps.Clone(o.extensions)
		o.extensions[id] = settings
	})
}
