package mcp

// The grammar of _meta keys: an optional prefix of dot-separated labels and a slash, then a name.

import (
	"fmt"
	"strings"
)

// ownedKeys are written by the client for every request; a caller cannot set them.
var ownedKeys = map[string]bool{
	metaVersion:       true,
	metaCapabilities:  true,
	metaProgressToken: true,
}

const (
	metaVersion        = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities   = "io.modelcontextprotocol/clientCapabilities"
	metaClientInfo     = "io.modelcontextprotocol/clientInfo"
	metaServerInfo     = "io.modelcontextprotocol/serverInfo"
	metaLogLevel       = "io.modelcontextprotocol/logLevel"
	metaSubscriptionID = "io.modelcontextprotocol/subscriptionId"
	metaRelatedTask    = "io.modelcontextprotocol/related-task"
	metaProgressToken  = "progressToken"
)

// settableKeys are reserved keys with a meaning that a caller may choose.
var settableKeys = map[string]bool{metaClientInfo: true, metaLogLevel: true, metaRelatedTask: true}

// checkMetaKey says whether an application may use key in _meta (C-032, C-033).
func checkMetaKey(key string) error {
	if ownedKeys[key] {
		return fmt.Errorf("_meta key %q is set by the client itself", key)
	}
	if !validMetaKey(key) {
		return fmt.Errorf("_meta key %q is malformed: use [label.label/]name of letters, digits, '-', '_' and '.'", key)
	}
	if reservedMetaKey(key) && !settableKeys[key] {
		return fmt.Errorf("_meta key %q has a prefix reserved for the protocol", key)
	}
	return nil
}

func validMetaKey(key string) bool {
	prefix, name, found := strings.Cut(key, "/")
	if !found {
		prefix, name = "", key
	} else if prefix == "" {
		return false
	}
	if found {
		for label := range strings.SplitSeq(prefix, ".") {
			if !validLabel(label) {
				return false
			}
		}
	}
	return validMetaName(name)
}

func validLabel(label string) bool {
	if label == "" || !isLetter(label[0]) || !isAlphanumeric(label[len(label)-1]) {
		return false
	}
	for i := range len(label) {
		if !isAlphanumeric(label[i]) && label[i] != '-' {
			return false
		}
	}
	return true
}

func validMetaName(name string) bool {
	if name == "" {
		return true
	}
	if !isAlphanumeric(name[0]) || !isAlphanumeric(name[len(name)-1]) {
		return false
	}
	for i := range len(name) {
		if !isAlphanumeric(name[i]) && !strings.ContainsRune("-_.", rune(name[i])) {
			return false
		}
	}
	return true
}

// reservedMetaKey reports whether the second label of the prefix is the protocol's (rule of 2025-11-25 and later).
func reservedMetaKey(key string) bool {
	prefix, _, found := strings.Cut(key, "/")
	if !found {
		return false
	}
	labels := strings.Split(prefix, ".")
	return len(labels) > 1 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp")
}

func isLetter(c byte) bool       { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlphanumeric(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
