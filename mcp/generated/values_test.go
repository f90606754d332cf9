package generated

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/instances"
	"github.com/mcpgen/mcpgen/mcp/generated/internal/registry"
	"github.com/mcpgen/mcpgen/schema"
)

// TestEveryDefinitionKeepsItsValues carries generated instances of every
// definition of every version through its type: read, valid, written the same.
// Spoiled ones that the file refuses are refused, unless a correction says that
// the file is too strict.
func TestEveryDefinitionKeepsItsValues(t *testing.T) {
	good, refused, lenient := 0, 0, 0
	for _, version := range append(schema.Versions(), "tasks") {
		text, pkg := schema.Tasks(), "tasks"
		if version != "tasks" {
			var err error
			if text, err = schema.Protocol(version); err != nil {
				t.Fatal(err)
			}
			pkg = "v" + strings.ReplaceAll(version, "-", "")
		}
		source, err := instances.Open(text)
		if err != nil {
			t.Fatal(err)
		}
		for name, pointer := range definitions(t, text) {
			g, err := source.At(pointer)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range g.Valid(8, 7) {
				if err := roundTrip(pkg, name, []byte(v)); err != nil && !narrow(err) {
					t.Errorf("%s %s: %.300s: %v", version, name, v, err)
					continue
				}
				good++
			}
			for _, c := range g.Invalid(20, 7) {
				err := roundTrip(pkg, name, []byte(c.JSON))
				switch {
				case c.Valid && err != nil && !narrow(err):
					t.Errorf("%s %s: %.300s: valid, but: %v", version, name, c.JSON, err)
				case !c.Valid && err == nil:
					lenient++
				case !c.Valid:
					refused++
				}
			}
		}
	}
	t.Logf("%d valid values kept; of the spoiled ones %d refused and %d read leniently", good, refused, lenient)
	if refused < 10*lenient {
		t.Errorf("too much is read leniently: %d of %d", lenient, lenient+refused)
	}
}

// narrow tells whether a value is beyond what the Go type of its place holds:
// an integer beyond 64 bits, a fraction beyond float64.
func narrow(err error) bool {
	return strings.Contains(err.Error(), "does not fit a 64-bit") || strings.Contains(err.Error(), "an id beyond 64 bits") || strings.Contains(err.Error(), "read as ") && strings.Contains(err.Error(), "Unknown")
}

func definitions(t *testing.T, text []byte) map[string]string {
	t.Helper()
	var doc struct {
		Defs        map[string]json.RawMessage `json:"$defs"`
		Definitions map[string]json.RawMessage `json:"definitions"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name := range doc.Defs {
		out[name] = "/$defs/" + name
	}
	for name := range doc.Definitions {
		out[name] = "/definitions/" + name
	}
	return out
}

// TestEveryDefinitionHasAType wants a Go type of the same name for every
// definition of every version.
func TestEveryDefinitionHasAType(t *testing.T) {
	for _, version := range schema.Versions() {
		text, err := schema.Protocol(version)
		if err != nil {
			t.Fatal(err)
		}
		for name := range definitions(t, text) {
			if registry.Read["v"+strings.ReplaceAll(version, "-", "")][name] == nil {
				t.Errorf("%s: no type %s", version, name)
			}
		}
	}
}
