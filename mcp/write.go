package mcp

// Requests as bytes: the envelope, the caller's params appended straight into the request's buffer,
// and the members that the era adds to params.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

var errParamsKind = errors.New("params must be a JSON object")

// writeRequest appends the whole request to buf and returns the part that is its params object.
func writeRequest(buf *buffer, id int64, req *Request, d dialect) (params []byte, err error) {
	w := &buf.w
	w.Reset(buf.b)
	w.Literal(`{"jsonrpc":"2.0","id":`)
	w.Int64(id)
	w.Literal(`,"method":`)
	w.String(req.Method)
	m := metaFacts{id: id, progress: req.options.wantsProgress(), level: req.options.level}
	if req.Params == nil && len(req.rounds) == 0 && len(req.Meta) == 0 && len(req.options.meta) == 0 && d.bareMeta(m) {
		w.Literal(`}`)
		buf.b = w.Bytes()
		return nil, w.Err()
	}
	w.Literal(`,"params":`)
	start := len(w.Bytes())
	theirs, err := writeParams(w, req)
	if err != nil {
		return nil, err
	}
	if len(req.rounds) > 0 {
		addMembers(w, req.rounds)
	}
	if err := writeMeta(w, req, d, m, theirs); err != nil {
		return nil, err
	}
	w.EndObject()
	end := len(w.Bytes())
	w.Literal(`}`)
	buf.b = w.Bytes()
	return buf.b[start:end:end], w.Err()
}

// writeParams writes the caller's params without the closing brace and returns the _meta they contain, if any.
func writeParams(w *jsonwire.Writer, req *Request) (meta map[string]json.RawMessage, err error) {
	if req.Params == nil {
		w.BeginObject()
		return nil, nil
	}
	start := len(w.Bytes())
	req.Params.WriteJSON(w)
	if err := w.Err(); err != nil {
		return nil, err
	}
	text := w.Bytes()[start:]
	if len(text) < 2 || text[0] != '{' {
		return nil, errParamsKind
	}
	if _, ok := req.Params.(metaFree); !ok && bytes.Contains(text, []byte(`"_meta"`)) {
		if text, meta, err = splitMeta(text); err != nil {
			return nil, err
		}
	}
	w.Reset(append(w.Bytes()[:start], text[:len(text)-1]...))
	return meta, nil
}

// splitMeta takes the member _meta out of an object.
func splitMeta(text []byte) (rest []byte, meta map[string]json.RawMessage, err error) {
	w := jsonwire.NewWriter(nil)
	w.BeginObject()
	r := jsonwire.NewReader(text)
	for r.BeginObject(); r.NextMember(); {
		key := r.KeyString()
		if key != "_meta" {
			w.Key(key)
			w.Literal(string(r.RawNoCopy()))
			continue
		}
		if r.Null() {
			continue
		}
		meta = map[string]json.RawMessage{}
		for r.BeginObject(); r.NextMember(); {
			key := r.KeyString()
			meta[key] = r.Raw()
		}
	}
	w.EndObject()
	if err := r.End(); err != nil {
		return nil, nil, fmt.Errorf("params: %w", err)
	}
	return w.Bytes(), meta, nil
}

// addMembers appends members to the object that w is in.
func addMembers(w *jsonwire.Writer, members []byte) {
	text := w.Bytes()
	if text[len(text)-1] != '{' {
		w.Literal(",")
	}
	w.Literal(string(members))
}

// writeMeta writes params._meta: the protocol's own members, then the caller's (C-036). A session-era
// request without any has no _meta.
func writeMeta(w *jsonwire.Writer, req *Request, d dialect, m metaFacts, theirs map[string]json.RawMessage) error {
	extra := theirs
	for _, more := range []map[string]json.RawMessage{req.Meta, req.options.meta} {
		if len(more) > 0 {
			extra = maps.Clone(extra)
			if extra == nil {
				extra = map[string]json.RawMessage{}
			}
			maps.Copy(extra, more)
		}
	}
	if len(extra) == 0 {
		if !d.bareMeta(m) {
			w.Member(`"_meta":`)
			w.BeginObject()
			d.writeMeta(w, m)
			w.EndObject()
		}
		return w.Err()
	}
	return writeMergedMeta(w, d, m, extra)
}

func writeMergedMeta(w *jsonwire.Writer, d dialect, m metaFacts, extra map[string]json.RawMessage) error {
	own := jsonwire.NewWriter(nil)
	own.BeginObject()
	d.writeMeta(own, m)
	own.EndObject()
	merged := map[string]json.RawMessage{}
	r := jsonwire.NewReader(own.Bytes())
	for r.BeginObject(); r.NextMember(); {
		key := r.KeyString()
		merged[key] = r.Raw()
	}
	if err := r.End(); err != nil {
		return err
	}
	for key, value := range extra {
		if !ownedKeys[key] {
			merged[key] = value
		}
	}
	if len(merged) == 0 {
		return nil
	}
	w.Member(`"_meta":`)
	w.BeginObject()
	for _, key := range jsonwire.SortedKeys(merged) {
		w.Key(key)
		w.Raw(merged[key])
	}
	w.EndObject()
	return w.Err()
}
