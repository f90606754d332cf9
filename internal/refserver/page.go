package refserver

// Lists come in pages when the options say so. Cursors are opaque and hold odd characters on purpose.

import (
	"encoding/base64"
	"strconv"
	"strings"
)

const cursorMark = "=/+ü "

// page cuts the page that the request's cursor names out of a list.
func (ex *exchange) page(member string, all []any) (obj, error) {
	size := ex.srv.opts.PageSize
	from, err := ex.offset(member, len(all))
	if err != nil {
		return nil, err
	}
	if all == nil {
		all = []any{}
	}
	if size <= 0 || from+size >= len(all) {
		return obj{member: all[from:]}, nil
	}
	next := from + size
	cursor := cursorMark + base64.StdEncoding.EncodeToString([]byte(member+":"+strconv.Itoa(next)))
	if ex.srv.opts.EmptyCursor && from == 0 {
		cursor = ""
	}
	return obj{member: all[from:next], "nextCursor": cursor}, nil
}

// offset reads a cursor back.
func (ex *exchange) offset(member string, length int) (int, error) {
	raw, ok := ex.params["cursor"]
	if !ok {
		return 0, nil
	}
	cursor := stringAt(ex.params, "cursor")
	if cursor == "" && ex.srv.opts.EmptyCursor && string(raw) == `""` {
		return min(ex.srv.opts.PageSize, length), nil
	}
	inner, marked := strings.CutPrefix(cursor, cursorMark)
	text, err := base64.StdEncoding.DecodeString(inner)
	list, count, _ := strings.Cut(string(text), ":")
	n, notNumber := strconv.Atoi(count)
	if !marked || err != nil || list != member || notNumber != nil || n < 0 || n > length {
		return 0, invalidParams("invalid cursor %s", raw)
	}
	return n, nil
}
