package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/refserver"
)

func TestVersionsAreNamedOrListed(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "legacy": refserver.LegacyVersions(), "modern": {"2026-07-28"}, "2025-11-25,2024-11-05": {"2025-11-25", "2024-11-05"},
	} {
		if got, err := parseVersions(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q means %v, %v; want %v", text, got, err, want)
		}
	}
	if _, err := parseVersions("2025"); err == nil {
		t.Error(`"2025" is taken for a version`)
	}
}

func TestOnlyTheLoopbackInterfaceIsServed(t *testing.T) {
	server := refserver.New(refserver.Options{})
	defer server.Close()
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "localhost:0"} {
		if err := serveHTTP(context.Background(), server, address); err == nil || !strings.Contains(err.Error(), "loopback") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
