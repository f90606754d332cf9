package jsonwire_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

func within(s string, data []byte) bool {
	p, q := uintptr(unsafe.Pointer(unsafe.StringData(s))), uintptr(unsafe.Pointer(unsafe.SliceData(data)))
	return p >= q && p < q+uintptr(len(data))
}

func TestOnlyLargeStringsOfHandedOverBuffersAlias(t *testing.T) {
	for _, tt := range []struct {
		name       string
		size, rest int
		optIn      bool
		want       bool
	}{
		{"large and most of the text", 100 << 10, 10, true, true},
		{"not opted in", 100 << 10, 10, false, false},
		{"small text", 60 << 10, 10, true, false},
		{"less than half", 100 << 10, 101 << 10, true, false},
	} {
		data := []byte(`["` + strings.Repeat("x", tt.size) + `","` + strings.Repeat("y", tt.rest) + `"]`)
		r := jsonwire.NewReader(data)
		r.SetAlias(tt.optIn)
		r.BeginArray()
		r.NextElement()
		s := r.String()
		r.NextElement()
		short := r.String()
		if within(s, data) != tt.want || len(s) != tt.size {
			t.Errorf("%s: aliases %v", tt.name, within(s, data))
		}
		if tt.rest < tt.size && within(short, data) {
			t.Errorf("%s: the short string aliases", tt.name)
		}
		r.Reset(data)
		r.BeginArray()
		r.NextElement()
		if within(r.String(), data) {
			t.Errorf("%s: Reset kept the promise of another buffer", tt.name)
		}
	}
}

func TestLargeStringCostsOneCopyAtMost(t *testing.T) {
	data := []byte(`"` + strings.Repeat(`abc\n`, 1<<20) + `"`)
	r := jsonwire.NewReader(data)
	if n := testing.AllocsPerRun(5, func() {
		r.Reset(data)
		if s := r.String(); len(s) != 4<<20 {
			t.Error(len(s))
		}
	}); n != 1 {
		t.Errorf("%v allocations", n)
	}
}
