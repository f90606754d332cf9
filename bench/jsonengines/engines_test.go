package jsonengines

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/go-faster/jx"

	"github.com/mcpgen/mcpgen/mcp/jsonwire"
)

type value interface {
	jsonwire.Appender
	jsonwire.Decoder
	encodeJX(*jx.Encoder)
	decodeJX(*jx.Decoder) error
}

type workload struct {
	name  string
	value value
	fresh func() value
	text  []byte
}

func workloads(tb testing.TB) []workload {
	all := []workload{
		{name: "small", value: SmallResult(), fresh: func() value { return new(Result) }},
		{name: "tools1000", value: ManyTools(1000), fresh: func() value { return new(Tools) }},
		{name: "rows10000", value: ManyRows(10_000), fresh: func() value { return new(Rows) }},
	}
	for i := range all {
		text, err := json.Marshal(all[i].value)
		if err != nil {
			tb.Fatal(err)
		}
		all[i].text = text
	}
	return all
}

func (w *workload) decodeWire(r *jsonwire.Reader) (value, error) {
	v := w.fresh()
	r.Reset(w.text)
	v.ReadJSON(r)
	return v, r.End()
}

func (w *workload) decodeJX(d *jx.Decoder) (value, error) {
	v := w.fresh()
	d.ResetBytes(w.text)
	return v, v.decodeJX(d)
}

func (w *workload) decodeStd() (value, error) {
	v := w.fresh()
	return v, json.Unmarshal(w.text, v)
}

func TestEnginesAgree(t *testing.T) {
	for _, w := range workloads(t) {
		for name, decode := range map[string]func() (value, error){
			"jsonwire": func() (value, error) { return w.decodeWire(new(jsonwire.Reader)) },
			"jx":       func() (value, error) { return w.decodeJX(jx.DecodeBytes(nil)) },
			"std":      w.decodeStd,
		} {
			if got, err := decode(); err != nil || !reflect.DeepEqual(got, w.value) {
				t.Errorf("%s: %s reads another value, %v", w.name, name, err)
			}
		}
		var e jx.Encoder
		w.value.encodeJX(&e)
		text, err := jsonwire.Marshal(w.value)
		if err != nil || !jsonwire.EqualJSON(text, w.text) || !jsonwire.EqualJSON(e.Bytes(), w.text) {
			t.Errorf("%s: the engines write different values, %v", w.name, err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, w := range workloads(b) {
		b.Run(w.name+"/std", func(b *testing.B) {
			run(b, &w, func() error { _, err := w.decodeStd(); return err })
		})
		b.Run(w.name+"/jx", func(b *testing.B) {
			d := jx.DecodeBytes(nil)
			run(b, &w, func() error { _, err := w.decodeJX(d); return err })
		})
		b.Run(w.name+"/jsonwire", func(b *testing.B) {
			r := new(jsonwire.Reader)
			run(b, &w, func() error { _, err := w.decodeWire(r); return err })
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, w := range workloads(b) {
		b.Run(w.name+"/std", func(b *testing.B) {
			run(b, &w, func() error { _, err := json.Marshal(w.value); return err })
		})
		b.Run(w.name+"/jx", func(b *testing.B) {
			var e jx.Encoder
			run(b, &w, func() error { e.Reset(); w.value.encodeJX(&e); return nil })
		})
		b.Run(w.name+"/jsonwire", func(b *testing.B) {
			var out jsonwire.Writer
			run(b, &w, func() error { out.Reset(out.Bytes()[:0]); w.value.WriteJSON(&out); return out.Err() })
		})
	}
}

func run(b *testing.B, w *workload, once func() error) {
	b.SetBytes(int64(len(w.text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := once(); err != nil {
			b.Fatal(err)
		}
	}
}
