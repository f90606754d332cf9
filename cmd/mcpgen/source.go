// Where a server comes from: a command, a URL, an entry of an editor's
// configuration, or a saved list. The same flags choose it in every subcommand,
// and exactly one of them must.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// defaultTimeout bounds the start of a server and its lists: npx may have to
// download the server first.
const defaultTimeout = 2 * time.Minute

// sourceFlags are the flags of a source as given.
type sourceFlags struct {
	http     string
	headers  []string
	auth     bool
	config   string
	server   string
	tools    string
	command  []string // what follows "--"
	hasDash  bool
	protocol string
	timeout  time.Duration
}

func (f *sourceFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.http, "http", "", "`URL` of a server that speaks Streamable HTTP or HTTP+SSE")
	flags.StringArrayVar(&f.headers, "header", nil, "`'Name: value'` sent with --http; $VAR is expanded (repeatable)")
	flags.BoolVar(&f.auth, "auth", false, "sign in to the --http server in the browser")
	flags.StringVar(&f.config, "config", "", "`FILE` that an editor uses (.mcp.json, .vscode/mcp.json, Codex TOML), with --server")
	flags.StringVar(&f.server, "server", "", "`NAME` of the entry in the --config file")
	flags.StringVar(&f.tools, "tools", "", "`FILE` with a saved tools/list result, or - for standard input")
	flags.StringVar(&f.protocol, "protocol", "", "protocol `VERSION` to talk (default: the newest that the server has)")
	flags.DurationVar(&f.timeout, "timeout", defaultTimeout, "how long a server may take to start and list its tools")
}

// commandOnly makes the first stray word end the flags: in `generate npx -y x`
// the word to complain about is npx, not -y.
func commandOnly(flags *pflag.FlagSet) { flags.SetInterspersed(false) }

// capture takes the words after "--" and refuses words before it.
func (f *sourceFlags) capture(cmd *cobra.Command, args []string) error {
	if err := noArguments(cmd, args); err != nil {
		return err
	}
	f.setCommand(cmd, args)
	return nil
}

func (f *sourceFlags) setCommand(cmd *cobra.Command, args []string) {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		f.hasDash, f.command = true, args[dash:]
	}
}

// given lists the sources that the flags name.
func (f *sourceFlags) given() []string {
	var list []string
	for _, s := range []struct {
		name string
		set  bool
	}{
		{"-- COMMAND", f.hasDash},
		{"--http", f.http != ""},
		{"--config", f.config != ""},
		{"--tools", f.tools != ""},
	} {
		if s.set {
			list = append(list, s.name)
		}
	}
	return list
}

const sourceHint = "say where the server comes from with one of: -- COMMAND ARG…, --http URL, --config FILE --server NAME, --tools FILE"

// source checks the flags against each other and returns what they name.
func (a *app) source(f *sourceFlags) (source, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	switch {
	case f.tools != "":
		return &fileSource{app: a, path: f.tools, protocol: f.protocol}, nil
	case f.config != "":
		t, err := a.configEntry(f.config, f.server)
		if err != nil {
			return nil, err
		}
		t.auth = f.auth
		return a.live(t, f)
	case f.http != "":
		header, err := parseHeaders(f.headers, a.getenv)
		if err != nil {
			return nil, err
		}
		t := &target{name: f.http, url: f.http, header: header, auth: f.auth}
		if err := t.checkURL(); err != nil {
			return nil, usagef("--http: %s", err)
		}
		return a.live(t, f)
	default:
		return a.live(&target{name: commandLine(f.command), command: f.command}, f)
	}
}

func (f *sourceFlags) check() error {
	switch given := f.given(); {
	case len(given) == 0 && f.server != "":
		return usagef("--server needs --config FILE")
	case len(given) == 0:
		return usagef("no server; %s", sourceHint)
	case len(given) > 1:
		return usagef("%s exclude each other; %s", strings.Join(given, " and "), sourceHint)
	case f.hasDash && len(f.command) == 0:
		return usagef(`no command after "--"`)
	case f.server != "" && f.config == "":
		return usagef("--server needs --config FILE")
	case f.config != "" && f.server == "":
		return usagef("--config needs --server NAME")
	case len(f.headers) > 0 && f.http == "":
		return usagef("--header goes with --http")
	case f.auth && f.http == "" && f.config == "":
		return usagef("--auth goes with --http")
	case f.timeout <= 0:
		return usagef("--timeout %s: must be longer than nothing", f.timeout)
	case f.protocol != "" && !slices.Contains(protocolVersions, f.protocol):
		return usagef("--protocol %q: unknown; mcpgen speaks %s", f.protocol, strings.Join(protocolVersions, ", "))
	}
	return nil
}

// commandLine shows a command as a shell would take it, cut where it gets too
// long to read.
func commandLine(words []string) string {
	const limit = 100
	shown := make([]string, len(words))
	for i, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n\"'`$&|;<>()*?[]{}\\!#~") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		shown[i] = word
	}
	line := []rune(strings.Join(shown, " "))
	if len(line) > limit {
		return string(line[:limit-1]) + "…"
	}
	return string(line)
}

func (a *app) live(t *target, f *sourceFlags) (source, error) {
	if t.auth && t.url == "" {
		return nil, usagef("--auth: %s runs over stdio, where there is nothing to sign in to", t.name)
	}
	if t.auth {
		return nil, errors.New("--auth: this build cannot sign in; send a token with --header 'Authorization: Bearer $TOKEN'")
	}
	return &liveSource{app: a, target: t, protocol: f.protocol, timeout: f.timeout}, nil
}

// target says how to reach one server.
type target struct {
	name    string // for messages
	command []string
	env     map[string]string // added to the environment of the process
	dir     string
	url     string
	header  http.Header
	auth    bool
}

// String names the target as messages do.
func (t *target) String() string { return t.name }

func (t *target) checkURL() error {
	u, err := url.Parse(t.url)
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a URL", t.url)
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%q must start with http:// or https://", t.url)
	case u.Host == "":
		return fmt.Errorf("%q names no host", t.url)
	}
	return nil
}

// listing is everything one server told about itself.
type listing struct {
	source        string // for messages
	serverName    string
	serverVersion string
	protocol      string
	// Whole lists as JSON objects: {"tools":[…]}, {"prompts":[…]},
	// {"resourceTemplates":[…]}; the last two may be nil.
	tools, prompts, templates []byte
}

// source is a place that a listing comes from.
type source interface {
	String() string
	list(ctx context.Context) (*listing, error)
}

// liveSource asks a running server.
type liveSource struct {
	app      *app
	target   *target
	protocol string
	timeout  time.Duration
}

func (s *liveSource) String() string { return s.target.String() }

func (s *liveSource) list(ctx context.Context) (*listing, error) {
	var found *listing
	err := s.with(ctx, func(ctx context.Context, session session) (err error) {
		found, err = listAll(ctx, session, s.String())
		return err
	})
	return found, err
}

// with opens the server, runs do, and closes the server again, all within the
// timeout.
func (s *liveSource) with(ctx context.Context, do func(context.Context, session) error) error {
	what := "starting " + s.String()
	if s.target.url != "" {
		what = "asking " + s.String()
	}
	done := s.app.progress(what)
	defer done()
	limit, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	heard := &hearsay{}
	err := s.run(limit, heard, do)
	if err != nil && limit.Err() != nil && ctx.Err() == nil {
		return s.timedOut(heard)
	}
	return err
}

func (s *liveSource) run(ctx context.Context, heard *hearsay, do func(context.Context, session) error) error {
	session, err := s.app.dial(ctx, s.target, dialOptions{
		protocol: s.protocol, timeout: s.timeout, stderr: s.app.childStderr(), heard: heard,
	})
	if err != nil {
		return err
	}
	defer session.close()
	return do(ctx, session)
}
