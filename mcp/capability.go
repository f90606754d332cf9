package mcp

// What the client tells servers that it can do. A capability is declared only by the option that
// installs its handler, so nothing is promised that nobody keeps (C-050).

import (
	"strings"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// capability writes one member's value of the capabilities object for a protocol version, or
// reports false to leave it out there.
type capability func(w *jsonwire.Writer, version string) bool

// writeCapabilities writes the client's capabilities object for version.
func (o *options) writeCapabilities(w *jsonwire.Writer, version string) error {
	w.BeginObject()
	for _, name := range jsonwire.SortedKeys(o.capabilities) {
		value := jsonwire.NewWriter(nil)
		if !o.capabilities[name](value, version) {
			continue
		}
		if err := value.Err(); err != nil {
			return err
		}
		w.Key(name)
		w.Literal(string(value.Bytes()))
	}
	o.writeExtensions(w, version)
	w.EndObject()
	return w.Err()
}

func (o *options) writeExtensions(w *jsonwire.Writer, version string) {
	begun := false
	for _, id := range jsonwire.SortedKeys(o.extensions) {
		if version < extensionSince[id] {
			continue
		}
		if !begun {
			w.Member(`"extensions":`)
			w.BeginObject()
			begun = true
		}
		w.Key(id)
		if settings := o.extensions[id]; settings != nil {
			settings.WriteJSON(w)
		} else {
			w.Literal("{}")
		}
	}
	if begun {
		w.EndObject()
	}
}

// advertises reports whether the client declares an extension.
func (o *options) advertises(extension string) bool {
	_, ok := o.extensions[extension]
	return ok
}

func cutPrefix(id string) (prefix, name string, found bool) {
	prefix, name, found = strings.Cut(id, "/")
	return prefix, name, found && prefix != "" && name != ""
}
