package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestOneLineShowsWhatWouldActOnATerminal(t *testing.T) {
	for in, want := range map[string]string{
		"plain, größer, 日本語, 👩\u200d💻": "plain, größer, 日本語, 👩\u200d💻",
		"\x1b[2J":            `\x1b[2J`,
		"\u009b2J":           `\u009b2J`,
		"a\nb\r\tc":          `a\nb\r\tc`,
		"user\u202etxt":      `user\u202etxt`,
		"zero\u200bwidth":    `zero\u200bwidth`,
		"\ufeffbom":          `\ufeffbom`,
		"line\u2028break":    `line\u2028break`,
		"tag\U000e0041":      `tag\U000e0041`,
		"bad\xffutf8":        `bad\xffutf8`,
		"bell\a and del\x7f": `bell\x07 and del\x7f`,
	} {
		if got := oneLine(in); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestManyLinesKeepsLinesAndTabs(t *testing.T) {
	if got, want := manyLines("a\r\nb\tc\x1b\rd"), `a`+"\nb\tc"+`\x1b\rd`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestVisibleJSONIsTheSameValue(t *testing.T) {
	const value = "\u009b2J\u202e\U000e0041\x7f ok"
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	shown := visibleJSON(text)
	if strings.ContainsAny(shown, "\u009b\u202e\U000e0041\x7f") {
		t.Errorf("%q still acts", shown)
	}
	var back string
	if err := json.Unmarshal([]byte(shown), &back); err != nil || back != value {
		t.Errorf("%q means %q (%v), want %q", shown, back, err, value)
	}
}

func TestProgressShowsElapsedTimeAndWipesItself(t *testing.T) {
	defer goleak.VerifyNone(t)
	synctest.Test(t, func(t *testing.T) {
		var screen strings.Builder
		done := showProgress(&screen, "starting npx", 80)
		time.Sleep(1250 * time.Millisecond)
		done()
		done()
		if !strings.Contains(screen.String(), "\rstarting npx … 1.2s") {
			t.Errorf("screen: %q", screen.String())
		}
		if !strings.HasSuffix(screen.String(), "\r\x1b[K") {
			t.Errorf("the line is not wiped: %q", screen.String())
		}
	})
}

func TestProgressLineFitsTheTerminal(t *testing.T) {
	line := progressLine(strings.Repeat("x", 500), time.Second, 40)
	if n := len([]rune(strings.Trim(line, "\r\x1b[K"))); n >= 40 {
		t.Errorf("%d columns", n)
	}
}

func TestNothingButATerminalGetsColourOrProgress(t *testing.T) {
	a := &app{stderr: io.Discard, getenv: func(string) (string, bool) { return "", false }}
	if got := a.paint(io.Discard, red, "x"); got != "x" {
		t.Errorf("got %q", got)
	}
	a.progress("x")()
}
