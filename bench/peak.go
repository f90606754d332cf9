package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// Peak memory belongs to a process, so each contestant gets one of its own: this
// program again, which makes a single call and prints its high-water mark.

func measurePeak(ctx context.Context, srv *server) (outcome, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	out := outcome{}
	for _, c := range contestants {
		cmd := exec.CommandContext(ctx, self, "-peak", c.name, "-url", srv.target("json", "2025").url)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: measuring peak memory: %w", c.name, err)
		}
		if out[c.name], err = strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// printPeak is what the process of one contestant does.
func printPeak(ctx context.Context, name, url string) error {
	c, err := contestantNamed(name)
	if err != nil {
		return err
	}
	s, err := c.open(ctx, target{url: url, era: "2025"})
	if err != nil {
		return err
	}
	if err := text("text16", 16<<20)(ctx, s, 0); err != nil {
		return err
	}
	fmt.Printf("%.1f\n", peakMiB())
	return s.Close()
}

// peakMiB is the resident high-water mark on Linux, elsewhere what the Go
// runtime has taken from the system.
func peakMiB() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib / 1024
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys) / (1 << 20)
}
