// The lists of a running server, whole and as it sent them: every page is
// fetched and the entries are joined without being decoded, so that nothing a
// later protocol version adds is lost.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// session is an open connection to a server, as far as this command needs it.
type session interface {
	server() serverInfo
	// request sends one request and returns its result as it came. Its errors name
	// the server and the method.
	// errMethodNotFound: the server does not know the method.
	request(ctx context.Context, method string, params map[string]any) (json.RawMessage, error)
	// call calls a tool and returns its result as it came.
	call(ctx context.Context, tool string, args json.RawMessage) (json.RawMessage, error)
	close()
}

type serverInfo struct {
	name, version, protocol   string
	tools, prompts, resources bool // capabilities
}

var errMethodNotFound = errors.New("method not found")

// maxPages ends a list that never ends.
const maxPages = 1000

// listAll asks for everything that a client is generated from.
func listAll(ctx context.Context, s session, source string) (*listing, error) {
	info := s.server()
	l := &listing{source: source, serverName: info.name, serverVersion: info.version, protocol: info.protocol}
	var err error
	if l.tools, err = listPages(ctx, s, source, "tools/list", "tools"); err != nil {
		if !errors.Is(err, errMethodNotFound) || info.tools {
			return nil, err
		}
		l.tools = []byte(`{"tools":[]}`)
	}
	if info.prompts {
		l.prompts, err = listPages(ctx, s, source, "prompts/list", "prompts")
		if err != nil && !errors.Is(err, errMethodNotFound) {
			return nil, err
		}
	}
	if info.resources {
		l.templates, err = listPages(ctx, s, source, "resources/templates/list", "resourceTemplates")
		if err != nil && !errors.Is(err, errMethodNotFound) {
			return nil, err
		}
	}
	return l, nil
}

// listPages joins the pages of one list of source into {"<member>":[…]}.
func listPages(ctx context.Context, s session, source, method, member string) ([]byte, error) {
	var items []json.RawMessage
	var params map[string]any
	seen := map[string]bool{}
	for range maxPages {
		raw, err := s.request(ctx, method, params)
		if err != nil {
			return nil, err
		}
		page, next, err := parsePage(raw, member)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", source, method, err)
		}
		items = append(items, page...)
		if next == nil {
			return joinList(member, items), nil
		}
		if seen[*next] {
			return nil, fmt.Errorf("%s: %s: the server repeats the cursor %q, so the list would never end", source, method, *next)
		}
		seen[*next] = true
		params = map[string]any{"cursor": *next}
	}
	return nil, fmt.Errorf("%s: %s: more than %d pages", source, method, maxPages)
}

// parsePage reads one page; an empty cursor is a cursor, only an absent one ends the list.
func parsePage(raw json.RawMessage, member string) (items []json.RawMessage, next *string, err error) {
	var page map[string]json.RawMessage
	if err := json.Unmarshal(raw, &page); err != nil || page == nil {
		return nil, nil, errors.New("the result is no JSON object")
	}
	list, ok := page[member]
	if !ok {
		return nil, nil, fmt.Errorf("the result has no %q", member)
	}
	if err := json.Unmarshal(list, &items); err != nil || items == nil {
		return nil, nil, fmt.Errorf("%q of the result is no array", member)
	}
	if cursor, ok := page["nextCursor"]; ok {
		if err := json.Unmarshal(cursor, &next); err != nil {
			return nil, nil, errors.New(`"nextCursor" of the result is no string`)
		}
	}
	return items, next, nil
}

func joinList(member string, items []json.RawMessage) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"%s":[`, member)
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(item)
	}
	b.WriteString("]}")
	return b.Bytes()
}

// entries takes one list apart again, in any of the forms of a saved list.
func entries(list []byte, member string) []json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(list, &items) == nil {
		return items
	}
	var reply struct{ Result json.RawMessage }
	if json.Unmarshal(list, &reply) == nil && reply.Result != nil {
		list = reply.Result
	}
	items, _, err := parsePage(list, member)
	if err != nil {
		return []json.RawMessage{}
	}
	return items
}
