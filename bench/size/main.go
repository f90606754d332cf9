// Command size measures what a generated client of many tools costs: generated text, processor time to
// compile it, bytes in the binary of a program that calls every tool. Run it in bench/:
//
//	go run ./size [number of tools]…
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	counts := []int{100, 1000, 2000}
	if len(os.Args) > 1 {
		counts = nil
		for _, arg := range os.Args[1:] {
			n, err := strconv.Atoi(arg)
			if err != nil || n < 1 {
				fmt.Fprintf(os.Stderr, "size: %q is no number of tools\n", arg)
				os.Exit(2)
			}
			counts = append(counts, n)
		}
	}
	if err := run(context.Background(), counts); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// run builds one program for each number of tools, and one without any, in a folder of this module that
// it removes again.
func run(ctx context.Context, counts []int) error {
	dir, err := os.MkdirTemp(".", "size-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &builder{ctx: ctx, dir: dir}
	if _, err := b.command("go", "-C", "..", "build", "-o", b.absolute("mcpgen"), "./cmd/mcpgen"); err != nil {
		return err
	}
	none, err := b.program(0)
	if err != nil {
		return err
	}
	fmt.Print("| tools | generated | compile | binary | of it for each tool |\n|---|---|---|---|---|\n")
	fmt.Printf("| 0 | – | – | %.1f MiB | – |\n", mib(none.binary))
	for _, n := range counts {
		p, err := b.program(n)
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %.1f MiB | %.1f s | %.1f MiB | %.1f KiB |\n", n, mib(p.text), p.compile.Seconds(), mib(p.binary), float64(p.binary-none.binary)/float64(n)/1024)
	}
	return nil
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

type builder struct {
	ctx context.Context
	dir string
}

func (b *builder) absolute(name string) string {
	path, err := filepath.Abs(filepath.Join(b.dir, name))
	if err != nil {
		panic(err) // the working directory is gone
	}
	return path
}

// command returns the processor time that the command and its children took.
func (b *builder) command(name string, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(b.ctx, name, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

type program struct {
	text, binary int64
	compile      time.Duration
}

// program generates, compiles and links a client of n tools. Everything else is compiled beforehand:
// the program without tools comes first.
func (b *builder) program(n int) (program, error) {
	name := fmt.Sprintf("tools%d", n)
	list, file, binary := b.absolute(name+".json"), b.absolute(name+"/tools/tools_gen.go"), b.absolute(name+".bin")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return program{}, err
	}
	if err := os.WriteFile(list, manyTools(n), 0o644); err != nil {
		return program{}, err
	}
	if _, err := b.command(b.absolute("mcpgen"), "generate", "--tools", list, "--out", file, "--package", "tools", "--lock="); err != nil {
		return program{}, err
	}
	if err := os.WriteFile(b.absolute(name+"/main.go"), callEvery(filepath.Base(b.dir)+"/"+name, n), 0o644); err != nil {
		return program{}, err
	}
	p := program{}
	var err error
	if p.compile, err = b.command("go", "build", "./"+filepath.Join(b.dir, name, "tools")); err != nil {
		return program{}, err
	}
	if _, err := b.command("go", "build", "-o", binary, "./"+filepath.Join(b.dir, name)); err != nil {
		return program{}, err
	}
	if p.text, err = size(file); err != nil {
		return program{}, err
	}
	p.binary, err = size(binary)
	return p, err
}

func size(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// manyTools is a list of n tools of the usual kind: a handful of arguments, one of them nested, and a
// typed output.
func manyTools(n int) []byte {
	type object = map[string]any
	list := make([]object, n)
	for i := range list {
		list[i] = object{
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
	data, err := json.Marshal(object{"tools": list})
	if err != nil {
		panic(err)
	}
	return data
}

// callEvery is a program from which every tool can be reached, so that the linker keeps all of them.
func callEvery(path string, n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\t\"github.com/mcpgen/mcpgen/bench/%s/tools\"\n\t\"github.com/mcpgen/mcpgen/mcp\"\n)\n\n", path)
	b.WriteString("func main() {\n\tc, err := tools.Connect(context.Background(), mcp.HTTP(\"http://127.0.0.1/mcp\"))\n\tfmt.Println(err)\n")
	for i := range n {
		fmt.Fprintf(&b, "\tfmt.Println(c.Tool%05d(context.Background(), tools.Tool%05dArgs{}))\n", i, i)
	}
	b.WriteString("\tfmt.Println(c.Close())\n}\n")
	return []byte(b.String())
}
