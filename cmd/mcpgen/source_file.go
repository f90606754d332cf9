// A saved list. People save it from an inspector, from a log, or with
// `mcpgen inspect --json`; what they hand in may be a bare array, the result
// object, the whole JSON-RPC reply, or some other file altogether.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

const (
	maxListSize = 256 << 20
	saveHint    = "save one with: mcpgen inspect --json -- COMMAND > FILE"
)

// fileSource reads a listing from a file.
type fileSource struct {
	app      *app
	path     string
	protocol string
}

func (s *fileSource) String() string {
	if s.path == "-" {
		return "standard input"
	}
	return s.path
}

func (s *fileSource) list(context.Context) (*listing, error) {
	data, err := s.read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, cause(err))
	}
	found, err := parseSaved(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	if found.more {
		s.app.warn(s.String() + ": nextCursor says that this is one page of several; the client will lack the tools of the others")
	}
	found.source = s.String()
	if s.protocol != "" {
		found.protocol = s.protocol
	}
	return &found.listing, nil
}

func (s *fileSource) read() ([]byte, error) {
	in := s.app.stdin
	if s.path != "-" {
		f, err := os.Open(s.path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxListSize+1))
	if err == nil && len(data) > maxListSize {
		err = fmt.Errorf("larger than %d MiB", maxListSize>>20)
	}
	return data, err
}

// savedList is a listing and whether it is only a page of one.
type savedList struct {
	listing
	more bool
}

func parseSaved(data []byte) (*savedList, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%w; %s", errEmpty, saveHint)
	}
	if err := checkJSON(data); err != nil {
		return nil, err
	}
	if bytes.TrimSpace(data)[0] == '[' {
		return arrayOfTools(data)
	}
	reply := membersOf(data)
	if raw := reply["error"]; raw != nil {
		var failure struct {
			Code    json.Number
			Message string
		}
		if json.Unmarshal(raw, &failure) == nil && string(raw) != "null" {
			return nil, fmt.Errorf("holds a server's error, not its tools: %s (code %s)", failure.Message, failure.Code)
		}
	}
	result := reply
	if raw := reply["result"]; raw != nil {
		result = membersOf(raw)
	}
	found, err := resultObject(result)
	if err == nil {
		found.tools = data // whole, so that problems are located in the file
	}
	return found, err
}

// membersOf are the members of an object, nil for another value. Data is JSON.
func membersOf(data []byte) map[string]json.RawMessage {
	r := jsonwire.NewReader(data)
	if r.Kind() != jsonwire.KindObject {
		return nil
	}
	found := map[string]json.RawMessage{}
	for r.BeginObject(); r.NextMember(); {
		name := string(r.Key())
		found[name] = r.RawNoCopy()
	}
	if r.End() != nil {
		return nil
	}
	return found
}

func arrayOfTools(data []byte) (*savedList, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(data, &items); err != nil {
		return nil, errNoList
	}
	named := 0
	for _, item := range items {
		if _, ok := membersOf(item)["name"]; ok {
			named++
		}
	}
	if len(items) > 0 && named == 0 {
		return nil, errNoList
	}
	return &savedList{listing: listing{tools: data}}, nil
}

var errNoList = errors.New(`holds no tool list: neither an array of tools, nor an object with "tools", nor a JSON-RPC reply with them; ` + saveHint)

func resultObject(result map[string]json.RawMessage) (*savedList, error) {
	if !bytes.HasPrefix(result["tools"], []byte("[")) {
		return nil, errNoList
	}
	found := &savedList{}
	_, found.more = result["nextCursor"]
	found.more = found.more && string(result["nextCursor"]) != "null"
	// `mcpgen inspect --json` saves all lists of a server in one object.
	if prompts := result["prompts"]; bytes.HasPrefix(prompts, []byte("[")) {
		found.prompts = joinMember("prompts", prompts)
	}
	if templates := result["resourceTemplates"]; bytes.HasPrefix(templates, []byte("[")) {
		found.templates = joinMember("resourceTemplates", templates)
	}
	var info struct{ Name, Version string }
	if json.Unmarshal(result["serverInfo"], &info) == nil {
		found.serverName, found.serverVersion = info.Name, info.Version
	}
	if json.Unmarshal(result["protocolVersion"], &found.protocol) != nil {
		found.protocol = ""
	}
	return found, nil
}

func joinMember(member string, value json.RawMessage) []byte {
	return fmt.Appendf(nil, `{"%s":%s}`, member, value)
}

var errEmpty = errors.New("is empty")

// checkJSON says where data stops being JSON.
func checkJSON(data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return errEmpty
	}
	if json.Valid(data) {
		return nil
	}
	var value json.RawMessage
	err := json.Unmarshal(data, &value)
	if bytes.TrimSpace(data)[0] == '<' {
		return errors.New("is not JSON but a page of HTML or XML")
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		line, column := position(data, int(syntax.Offset))
		return fmt.Errorf("line %d, column %d: is not JSON: %s", line, column, syntax)
	}
	return fmt.Errorf("is not JSON: %w", err)
}

// position is the line and column, from 1, of the byte before offset.
func position(data []byte, offset int) (line, column int) {
	before := data[:max(min(offset, len(data))-1, 0)]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
