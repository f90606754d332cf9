// What only shows on a terminal is tested on one: a pseudo terminal, as Linux
// makes them.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// openTerminal returns both ends of a pseudo terminal.
func openTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	var number, locked int32
	for request, argument := range map[uintptr]*int32{syscall.TIOCSPTLCK: &locked, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(unsafe.Pointer(argument))); errno != 0 {
			t.Fatal(errno)
		}
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return screen, terminal
}

// onTerminal runs mcpgen with stdout and stderr on a terminal and returns what the screen got.
func onTerminal(t *testing.T, environment []string, args ...string) string {
	t.Helper()
	screen, terminal := openTerminal(t)
	cmd := exec.Command("mcpgen", args...)
	cmd.Dir = t.TempDir()
	cmd.Stdout, cmd.Stderr = terminal, terminal
	cmd.Env = append(append(os.Environ(), "TERM=xterm", "NO_COLOR="), environment...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := terminal.Close(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	chunk := make([]byte, 4096)
	for {
		n, err := screen.Read(chunk) // an error once the last process has left the terminal
		text.Write(chunk[:n])
		if err != nil {
			break
		}
	}
	_ = cmd.Wait() // some of the runs are meant to fail
	return text.String()
}

func TestATerminalShowsProgressAndWipesIt(t *testing.T) {
	screen := onTerminal(t, nil, "inspect", "--timeout", "700ms", "--", "fakeserver", "silent")
	progress := strings.Index(screen, "\rstarting fakeserver silent … 0.")
	wiped := strings.LastIndex(screen, "\r\x1b[K")
	message := strings.Index(screen, "\x1b[31mmcpgen:\x1b[0m fakeserver silent: no answer within 700ms")
	if progress < 0 || wiped < progress || message < wiped {
		t.Errorf("progress at %d, wiped at %d, message at %d: %q", progress, wiped, message, screen)
	}
	if quiet := onTerminal(t, nil, "inspect", "-q", "--timeout", "500ms", "--", "fakeserver", "silent"); strings.Contains(quiet, "starting") {
		t.Errorf("-q shows %q", quiet)
	}
}

func TestNoColorIsHonoured(t *testing.T) {
	if plain := onTerminal(t, []string{"NO_COLOR=1"}, "inspect", "--", "fakeserver"); strings.Contains(plain, "\x1b[1m") {
		t.Errorf("coloured: %q", plain)
	}
	if coloured := onTerminal(t, nil, "inspect", "--", "fakeserver"); !strings.Contains(coloured, "\x1b[1mget-sum\x1b[0m") {
		t.Errorf("not coloured: %q", coloured)
	}
}

// progressLines are mcpgen's own: they end in the sequence that wipes what stood there before.
var progressLines = regexp.MustCompile(`\r[^\r\n\x1b]*\x1b\[K`)

func TestAHostileServerDoesNotActOnATerminal(t *testing.T) {
	for _, args := range [][]string{
		{"inspect", "--", "fakeserver", "hostile"},
		{"inspect", "--json", "--", "fakeserver", "hostile"},
		{"call", "get-sum", `label=` + "\x1b[2J\u202e", "a=1", "b=1", "--", "fakeserver"},
		{"call", "--raw", "get-sum", `label=` + "\u009b2J\u202e", "a=1", "b=1", "--", "fakeserver"},
		{"generate", "-v", "--", "fakeserver", "noisy"},
	} {
		screen := onTerminal(t, []string{"NO_COLOR=1"}, args...)
		screen = progressLines.ReplaceAllString(screen, "")
		if strings.ContainsAny(screen, "\x1b\u009b\u202e\a") {
			t.Errorf("%q prints %q", args, screen)
		}
	}
}
