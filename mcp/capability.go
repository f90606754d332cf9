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
	if len(o.extensions) > 0 {
		w.Member(`"extensions":`)
		w.BeginObject()
		for _, id := range jsonwire.SortedKeys(o.extensions) {
			w.Key(id)
			if settings := o.extensions[id]; settings != nil {
				settings.WriteJSON(w)
			} else {
				w.Literal("{}")
			}
		}
		w.EndObject()
	}
	w.EndObject()
	return w.Err()
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
