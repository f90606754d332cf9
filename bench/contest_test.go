package main

import (
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
