package mcptest

// Blacking out secrets. A record is meant to be committed, so that anything that looks like a secret
// goes by default: the values, not the members, of well-known names, wherever they stand.

import (
	"encoding/json"
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// redacted stands where a secret was.
const redacted = "REDACTED"

// A RecordOption says what is secret. A Replay wants the same options as the Recorder had.
type RecordOption func(*redaction)

// SecretMembers adds names of members whose texts and numbers are blacked out. Case, "-" and "_" do not
// count: "api_key" also means "apiKey".
func SecretMembers(names ...string) RecordOption {
	return func(r *redaction) {
		for _, name := range names {
			r.members[folded(name)] = true
		}
	}
}

// Secrets adds texts that are blacked out wherever they occur, inside other texts too.
func Secrets(texts ...string) RecordOption {
	return func(r *redaction) {
		for _, text := range texts {
			if text == "" {
				continue
			}
			forms := []string{text}
			for range 2 { // in JSON, and in JSON that is a text in JSON
				w := jsonwire.NewWriter(nil)
				w.String(forms[0])
				forms = append([]string{string(w.Bytes()[1 : len(w.Bytes())-1])}, forms...)
			}
			r.texts = append(r.texts, forms...)
		}
	}
}

type redaction struct {
	members map[string]bool
	texts   []string // the most escaped form of each first
}

func newRedaction(opts []RecordOption) redaction {
	r := redaction{members: map[string]bool{}}
	SecretMembers("authorization", "proxy-authorization", "token", "access_token", "refresh_token", "id_token", "auth_token",
		"bearer", "password", "passwd", "passphrase", "secret", "client_secret", "api_key", "x-api-key", "private_key",
		"credential", "credentials", "cookie", "set-cookie")(&r)
	for _, opt := range opts {
		opt(&r)
	}
	return r
}

func folded(name string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
}

// apply returns a JSON text without its secrets, on one line; an error if it is no JSON.
func (r *redaction) apply(data []byte) (json.RawMessage, error) {
	reader := jsonwire.NewReader(data)
	value := reader.Any()
	if err := reader.End(); err != nil {
		return nil, err
	}
	w := jsonwire.NewWriter(nil)
	if r.blacken(value) {
		w.Any(value)
	} else {
		w.Raw(data)
	}
	return json.RawMessage(r.plain(string(w.Bytes()))), w.Err()
}

// blacken replaces secret members and reports whether there are any.
func (r *redaction) blacken(value any) (found bool) {
	switch v := value.(type) {
	case []any:
		for i, element := range v {
			if text, ok := element.(string); ok {
				v[i] = r.inner(text)
				found = found || v[i] != text
			} else {
				found = r.blacken(element) || found
			}
		}
	case map[string]any:
		for name, element := range v {
			switch element := element.(type) {
			case string:
				v[name] = r.inner(element)
				if r.members[folded(name)] {
					v[name] = redacted
				}
				found = found || v[name] != element
			case json.Number:
				if r.members[folded(name)] {
					v[name] = redacted
					found = true
				}
			default:
				found = r.blacken(element) || found
			}
		}
	}
	return found
}

// inner blackens a text that is JSON itself: tools repeat their structured output so.
func (r *redaction) inner(text string) string {
	if start := strings.TrimSpace(text); !strings.HasPrefix(start, "{") && !strings.HasPrefix(start, "[") {
		return text
	}
	reader := jsonwire.NewReader([]byte(text))
	value := reader.Any()
	if reader.End() != nil || !r.blacken(value) {
		return text
	}
	w := jsonwire.NewWriter(nil)
	w.Any(value)
	return string(w.Bytes())
}

// plain replaces secret texts.
func (r *redaction) plain(text string) string {
	for _, secret := range r.texts {
		text = strings.ReplaceAll(text, secret, redacted)
	}
	return text
}
