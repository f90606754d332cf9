package generated

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/corpus"
	"github.com/mcpgen/mcpgen/mcp/generated/internal/registry"
	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

// TestOfficialExamplesRoundTrip reads each official 2026-07-28 example into its
// type, finds it valid, and writes the same JSON value again.
func TestOfficialExamplesRoundTrip(t *testing.T) {
	dir := corpus.Path(t, "examples", "2026-07-28")
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	good := 0
	for _, f := range files {
		name := filepath.Base(filepath.Dir(f))
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := roundTrip("v20260728", name, data); err != nil {
			t.Errorf("%s/%s: %v", name, filepath.Base(f), err)
			continue
		}
		good++
	}
	t.Logf("%d of %d official examples round-trip", good, len(files))
	if len(files) < 129 {
		t.Errorf("only %d examples found, want 129", len(files))
	}
}

// TestRoundTripProbes holds the hard values: extra members, _meta, big
// integers, zero values, and what must be refused.
func TestRoundTripProbes(t *testing.T) {
	var probes []struct {
		Set, Name, Type string
		Value           json.RawMessage
		Reject          bool
	}
	if err := json.Unmarshal(corpus.Read(t, "cases", "roundtrip_probes.json"), &probes); err != nil {
		t.Fatal(err)
	}
	good := 0
	for _, p := range probes {
		err := roundTrip("v20260728", p.Type, p.Value)
		switch {
		case p.Reject && err == nil:
			t.Errorf("%s: %s was accepted", p.Name, p.Value)
		case !p.Reject && err != nil:
			t.Errorf("%s: %v", p.Name, err)
		default:
			good++
		}
	}
	t.Logf("%d of %d probes hold", good, len(probes))
}

func roundTrip(pkg, name string, data []byte) error {
	read := registry.Read[pkg][name]
	if read == nil {
		return fmt.Errorf("no type %s", name)
	}
	x, err := read(data)
	if err != nil {
		return err
	}
	if strings.Contains(fmt.Sprintf("%T", x), "Unknown") {
		return fmt.Errorf("read as %T", x)
	}
	if v, ok := x.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return err
		}
	}
	out, err := json.Marshal(x)
	if err != nil {
		return err
	}
	want, err := jsonwire.AppendCanonical(nil, data)
	if err != nil {
		return err
	}
	got, err := jsonwire.AppendCanonical(nil, out)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(want, got) && !sameAsFloats(data, out) {
		return fmt.Errorf("wrote %s, read %s", got, want)
	}
	return nil
}

// sameAsFloats compares two JSON texts with the precision of a float64, which
// is what a number of the schema is in Go.
func sameAsFloats(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
