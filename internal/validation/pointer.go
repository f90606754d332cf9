package validation

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsonpointer"
)

// JSON pointers as lists of tokens. The schema that is compiled may differ from
// the text in one way that moves subschemas: an items array, which 2020-12 does
// not have, became prefixItems. Pointers and references still name the old place.

func splitPointer(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, t := range tokens {
		tokens[i] = jsonpointer.Unescape(t)
	}
	return tokens
}

func joinPointer(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(jsonpointer.Escape(t))
	}
	return b.String()
}

// escapePointer writes a pointer as a URI fragment, as the library does.
func escapePointer(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(jsonpointer.Escape(t)))
	}
	return b.String()
}

// translate replaces the tokens of what has moved.
func translate(moved map[string]bool, tokens []string) []string {
	if len(moved) == 0 {
		return tokens
	}
	out := append([]string(nil), tokens...)
	for i, t := range tokens {
		if !moved[joinPointer(tokens[:i])] {
			continue
		}
		switch {
		case t == "additionalItems":
			out[i] = "items"
		case t == "items" && i+1 < len(tokens) && isIndex(tokens[i+1]):
			out[i] = "prefixItems"
		}
	}
	return out
}

func isIndex(t string) bool {
	_, err := strconv.ParseUint(t, 10, 31)
	return err == nil
}

// fragmentTokens decodes the JSON pointer of a reference against the document:
// tokens that somebody forgot to percent-encode are understood too. It returns
// the tokens of the old place and what stands there.
func (p *preparer) fragmentTokens(fragment string) (tokens []string, target any, ok bool) {
	target = p.root
	for _, raw := range strings.Split(strings.TrimPrefix(fragment, "/"), "/") {
		names := []string{jsonpointer.Unescape(raw)}
		if plain, err := url.PathUnescape(raw); err == nil && plain != raw {
			names = []string{jsonpointer.Unescape(plain), names[0]}
		}
		next, found := any(nil), false
		for _, name := range names {
			if next, found = p.step(target, tokens, name); found {
				tokens = append(tokens, name)
				break
			}
		}
		if !found {
			return nil, nil, false
		}
		target = next
	}
	return tokens, target, true
}

// step goes one token down from the place that tokens name.
func (p *preparer) step(v any, tokens []string, name string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if p.moved[joinPointer(tokens)] {
			switch name {
			case "items":
				name = "prefixItems"
			case "additionalItems":
				name = "items"
			}
		}
		next, ok := v[name]
		return next, ok
	case []any:
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(v) {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}
