package main

import (
	"testing"
)

// The same steps as benchmarks, for profiles of one contestant:
//
//	go test -run xxx -bench Sum/mcpgen/stdio -memprofile mem.out -memprofilerate 1

func BenchmarkSum(b *testing.B) {
	srv, err := startServer(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(srv.close)
	for _, c := range contestants {
		for _, shape := range []struct{ name, path string }{{"stdio", ""}, {"json", "json"}, {"sse", "sse"}} {
			b.Run(c.name+"/"+shape.name, func(b *testing.B) {
				s, err := c.open(b.Context(), srv.target(shape.path, "2025"))
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				b.ReportAllocs()
				for n := int64(0); b.Loop(); n++ {
					if err := sum(b.Context(), s, n); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkWork(b *testing.B) {
	srv, err := startServer(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(srv.close)
	for i := range works {
		w := works[i]
		for _, c := range contestants {
			b.Run(w.name+"/"+c.name, func(b *testing.B) {
				s, err := c.open(b.Context(), srv.target(w.path, w.eras[len(w.eras)-1]))
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				b.ReportAllocs()
				for b.Loop() {
					if err := w.run(b.Context(), s); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
