package mcp

// The protocol versions and which of them a client may speak. Dates compare as text.

import (
	"fmt"
	"slices"
)

// The protocol versions that this package speaks, oldest first. Those up to Version20251125 open a
// session with initialize; Version20260728 has no session.
const (
	Version20241105 = "2024-11-05"
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	Version20251125 = "2025-11-25"
	Version20260728 = "2026-07-28"
)

// Newest first, as a client prefers them.
var (
	statelessVersions = []string{Version20260728}
	sessionVersions   = []string{Version20251125, Version20250618, Version20250326, Version20241105}
	allVersions       = append(slices.Clone(statelessVersions), sessionVersions...)
)

// versionSet is what a client may speak, newest first, by era.
type versionSet struct{ stateless, session []string }

func newVersionSet(allowed []string) (versionSet, error) {
	if len(allowed) == 0 {
		return versionSet{statelessVersions, sessionVersions}, nil
	}
	for _, v := range allowed {
		if !slices.Contains(allVersions, v) {
			return versionSet{}, fmt.Errorf("protocol version %q is not known; use %s", v, listed(allVersions))
		}
	}
	within := func(era []string) (picked []string) {
		for _, v := range era {
			if slices.Contains(allowed, v) {
				picked = append(picked, v)
			}
		}
		return picked
	}
	return versionSet{within(statelessVersions), within(sessionVersions)}, nil
}

func (s versionSet) all() []string { return append(slices.Clone(s.stateless), s.session...) }

// newestCommon returns the first of ours, which is ordered, that theirs contains in any order (C-054).
func newestCommon(ours, theirs []string) string {
	for _, v := range ours {
		if slices.Contains(theirs, v) {
			return v
		}
	}
	return ""
}
