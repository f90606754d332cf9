package main

import (
	"os/exec"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Every contestant can do all that is measured, so a table without a row means
// that the run was cut, never that a contestant was spared.
func TestEveryContestantGivesTheRightAnswers(t *testing.T) {
	srv, err := startServer(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer srv.close()
	for _, c := range contestants {
		for i := range works {
			w := &works[i]
			for _, era := range w.eras {
				t.Run(c.name+"/"+w.name+"/"+era, func(t *testing.T) {
					s, err := c.open(t.Context(), srv.target(w.path, era))
					if err != nil {
						t.Fatal(err)
					}
					if err := w.verify(t.Context(), s); err != nil {
						t.Error(err)
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// The table is about what users get, so the client must be what the generator writes today.
func TestClientIsWhatTheGeneratorWrites(t *testing.T) {
	args := append([]string{"-C", "..", "run", "./cmd/mcpgen", "generate", "--check"}, generated...)
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v; run go generate ./tinytools\n%s", err, out)
	}
}

var generated = []string{"--tools", "bench/tinytools/tools.json", "--out", "bench/tinytools/tools_gen.go", "--package", "tinytools", "--lock="}
