package tools

// Definitions that several tools repeat become one type. Two are the same when
// they have the same name and, with all that they refer to, the same text.

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strings"

	"github.com/mcpgen/mcpgen/gen/internal/jsonschema"
	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// sharing decides the key of every definition.
type sharing struct {
	hashes map[string]map[string]bool    // name -> variants
	locked func(key string) bool         // the last run gave this variant a name
	seen   map[*jsonschema.Value]closure // by schema root and name
}

// closure is one definition of one schema with all that it reaches.
type closure map[string]string // name -> hash

func newSharing(locked func(string) bool) *sharing {
	return &sharing{hashes: map[string]map[string]bool{}, locked: locked, seen: map[*jsonschema.Value]closure{}}
}

// closures finds the definitions of one schema; nil for no schema.
func closures(schema *jsonschema.Value) closure {
	if schema == nil {
		return nil
	}
	own := closure{}
	defs := definitions(schema)
	refs := map[string]map[string]bool{}
	for name, def := range defs {
		refs[name] = map[string]bool{}
		collectRefs(def, refs[name])
	}
	for name := range defs {
		own[name] = hashClosure(name, defs, refs)
	}
	return own
}

// add notes the definitions of one schema.
func (s *sharing) add(schema *jsonschema.Value, own closure) {
	for name, hash := range own {
		if s.hashes[name] == nil {
			s.hashes[name] = map[string]bool{}
		}
		s.hashes[name][hash] = true
	}
	s.seen[schema] = own
}

// shared returns the key of a definition that is one type for all tools; ok is
// false for one of several that differ.
func (s *sharing) shared(schema *jsonschema.Value, name string) (key string, ok bool) {
	hash := s.seen[schema][name]
	if hash == "" {
		return "", false
	}
	key = "$defs/" + jsonpointer.Escape(name) + "@" + hash
	if s.locked != nil && s.locked(key) {
		return key, true
	}
	if s.locked != nil {
		for other := range s.hashes[name] {
			if other != hash && s.locked("$defs/"+jsonpointer.Escape(name)+"@"+other) {
				return "", false
			}
		}
	}
	return key, len(s.hashes[name]) == 1
}

func definitions(schema *jsonschema.Value) map[string]*jsonschema.Value {
	out := map[string]*jsonschema.Value{}
	for _, keyword := range []string{"definitions", "$defs"} {
		if defs := schema.Get(keyword); defs != nil {
			for _, m := range defs.Members {
				out[m.Name] = m.Value
			}
		}
	}
	return out
}

// collectRefs gathers the targets of all references in v.
func collectRefs(v *jsonschema.Value, into map[string]bool) {
	for _, m := range v.Members {
		if strings.HasSuffix(m.Name, "Ref") || m.Name == "$ref" {
			if m.Value.Kind == jsonschema.StringValue {
				into[m.Value.Text] = true
			}
		}
		collectRefs(m.Value, into)
	}
	for _, i := range v.Items {
		collectRefs(i, into)
	}
}

// hashClosure is a digest of a definition and of all definitions that it
// reaches. One that reaches beyond definitions has no digest.
func hashClosure(name string, defs map[string]*jsonschema.Value, refs map[string]map[string]bool) string {
	reached := map[string]bool{}
	todo := []string{name}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		if reached[n] {
			continue
		}
		if defs[n] == nil {
			return ""
		}
		reached[n] = true
		for ref := range refs[n] {
			target, ok := strings.CutPrefix(ref, "#/$defs/")
			if !ok {
				target, ok = strings.CutPrefix(ref, "#/definitions/")
			}
			if !ok || strings.ContainsAny(target, "/~%") {
				return ""
			}
			todo = append(todo, target)
		}
	}
	names := make([]string, 0, len(reached))
	for n := range reached {
		names = append(names, n)
	}
	sort.Strings(names)
	h := sha256.New()
	for _, n := range names {
		h.Write([]byte(n))
		h.Write([]byte{0})
		h.Write([]byte(defs[n].Canonical()))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}
