package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// The table: one line a row, one cell a contestant, eras side by side.

type row struct {
	name   string
	unit   string    // "" for ratios to the floor
	eras   []outcome // one for each era
	limits []float64 // one for all, or one for each era
	note   string
}

func (r *row) limit(i int) float64 { return r.limits[min(i, len(r.limits)-1)] }

// holds reports whether this runtime keeps every limit, as it is printed.
func (r *row) holds() bool {
	for i, era := range r.eras {
		if r.rounded(era["mcpgen"]) > r.limit(i) {
			return false
		}
	}
	return true
}

func (r *row) rounded(v float64) float64 {
	f, _ := strconv.ParseFloat(r.format(v), 64)
	return f
}

func (r *row) format(v float64) string {
	if r.unit == "" {
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

func (r *row) cell(name string) string {
	var parts []string
	for _, era := range r.eras {
		parts = append(parts, r.format(era[name]))
	}
	return strings.Join(parts, " / ") + r.unit
}

func (r *row) required() string {
	var parts []string
	for _, l := range r.limits {
		parts = append(parts, r.format(l))
	}
	return "≤ " + strings.Join(parts, " / ") + r.unit
}

const tableHead = `| work | floor | go-sdk | mcp-go | mcpgen | required | |
|---|---|---|---|---|---|---|
`

func (r *row) line() string {
	verdict := "holds"
	if !r.holds() {
		verdict = "**misses**"
	}
	first := r.note
	if r.unit != "" {
		first = r.cell("floor")
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |\n", r.name, first, r.cell("go-sdk"), r.cell("mcp-go"), r.cell("mcpgen"), r.required(), verdict)
}

// machine describes where the table was made.
func machine() string {
	cpu := "unknown processor"
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			cpu = strings.TrimSpace(strings.TrimLeft(name, "\t :"))
			break
		}
	}
	return fmt.Sprintf("%s/%s, %d × %s, %s, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu, load(), runtime.Version())
}

// load says how busy the machine was before the first row: a reader should know
// how far to trust the second decimal.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); len(fields) > 0 {
		return "load " + fields[0]
	}
	return "load unknown"
}

const (
	tableStart = "<!-- table: written by make bench -->\n"
	tableEnd   = "<!-- end of table -->\n"
)

// keep puts the table between the marks of a document.
func keep(path, table string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), tableStart)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		return fmt.Errorf("%s: the marks %q and %q are missing", path, strings.TrimSpace(tableStart), strings.TrimSpace(tableEnd))
	}
	return os.WriteFile(path, []byte(before+tableStart+"\n"+table+"\n"+tableEnd+after), 0o644)
}

// peers names the versions that were measured.
func peers() string {
	out, err := exec.Command("go", "list", "-m", "github.com/modelcontextprotocol/go-sdk", "github.com/mark3labs/mcp-go").Output()
	if err != nil {
		return "unknown"
	}
	return strings.Join(slices.DeleteFunc(strings.Split(string(out), "\n"), func(s string) bool { return s == "" }), ", ")
}
