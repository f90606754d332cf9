package gen_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/schema"
)

// manyTools is a list of n tools of the usual kind: a handful of arguments, one
// of them nested, and a typed output.
func manyTools(n int) gen.ToolsInput {
	type object = map[string]any
	tools := make([]object, n)
	for i := range tools {
		tools[i] = object{
			"name":        fmt.Sprintf("tool_%05d", i),
			"description": "Does one of the many things that this server can do.",
			"inputSchema": object{
				"type": "object", "required": []string{"id"},
				"properties": object{
					"id": object{"type": "string"}, "limit": object{"type": "integer", "minimum": 1}, "verbose": object{"type": "boolean"},
					"order":  object{"type": "string", "enum": []string{"up", "down"}},
					"filter": object{"type": "object", "properties": object{"field": object{"type": "string"}, "value": object{"type": "number"}}},
				},
			},
			"outputSchema": object{"type": "object", "properties": object{"rows": object{"type": "array", "items": object{"type": "object", "properties": object{"id": object{"type": "string"}}}}}},
		}
	}
	data, err := json.Marshal(object{"tools": tools})
	if err != nil {
		panic(err)
	}
	return gen.ToolsInput{Tools: data}
}

// BenchmarkTools shows that time and output grow with the number of tools.
func BenchmarkTools(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := manyTools(n)
			size := 0
			for b.Loop() {
				result, err := gen.Tools(in, gen.Options{})
				if err != nil {
					b.Fatal(err)
				}
				size = len(result.Files[0].Content)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/tool")
			b.ReportMetric(float64(size)/float64(n), "bytes/tool")
		})
	}
}

// BenchmarkProtocols generates the packages of all five versions.
func BenchmarkProtocols(b *testing.B) {
	for b.Loop() {
		for _, v := range schema.Versions() {
			text, err := schema.Protocol(v)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := gen.Protocol(gen.ProtocolInput{Schema: text, Docs: schema.Docs(), Version: v}, gen.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
