package mcp

// Header values: what is unsafe in a header travels as base64 behind a sentinel.

import (
	"encoding/base64"
	"strings"
)

const (
	sentinelStart = "=?base64?"
	sentinelEnd   = "?="
)

// encodeHeader returns value as a header can carry it (C-115, C-116).
func encodeHeader(value string) string {
	if plainHeader(value) {
		return value
	}
	return sentinelStart + base64.StdEncoding.EncodeToString([]byte(value)) + sentinelEnd
}

func plainHeader(value string) bool {
	for i := range len(value) {
		if value[i] < ' ' || value[i] > '~' {
			return false
		}
	}
	if strings.HasPrefix(value, sentinelStart) && strings.HasSuffix(value, sentinelEnd) {
		return false
	}
	return value == strings.Trim(value, " ")
}
