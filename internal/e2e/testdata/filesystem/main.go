// Filesystem calls @modelcontextprotocol/server-filesystem through its generated client.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/mcp"

	"example.test/caller/filesystem"
)

func main() {
	ctx, cancel := limited()
	defer cancel()
	transport, opts := opened()
	client := must(filesystem.Connect(ctx, transport, opts...))
	defer client.Close()

	// The folder that is served is the server's last argument.
	dir := os.Args[len(os.Args)-2]
	at := func(name string) string { return filepath.Join(dir, name) }
	say := func(s string) { fmt.Println(strings.ReplaceAll(s, dir, "DIR")) }

	allowed := must(client.ListAllowedDirectories(ctx))
	say(allowed.Output.Content)
	listed := must(client.ListDirectory(ctx, filesystem.ListDirectoryArgs{Path: dir}))
	say(listed.Output.Content)
	head := must(client.ReadTextFile(ctx, filesystem.ReadTextFileArgs{Path: at("a.txt"), Head: new(1.0)}))
	say(head.Output.Content)

	written := must(client.WriteFile(ctx, filesystem.WriteFileArgs{Path: at("c.txt"), Content: "ü one\ntwo\n"}))
	say(written.Output.Content)
	edited := must(client.EditFile(ctx, filesystem.EditFileArgs{
		Path: at("c.txt"), Edits: []filesystem.EditFileArgsEditsItem{{OldText: "two", NewText: "three"}}, DryRun: new(false),
	}))
	say(fmt.Sprint(strings.Contains(edited.Output.Content, "+three")))
	say(string(must(os.ReadFile(at("c.txt")))))

	several := must(client.ReadMultipleFiles(ctx, filesystem.ReadMultipleFilesArgs{Paths: []string{at("b.md"), at("missing")}}))
	say(several.Output.Content[:strings.Index(several.Output.Content, "missing")])
	sorted := must(client.ListDirectoryWithSizes(ctx, filesystem.ListDirectoryWithSizesArgs{
		Path: dir, SortBy: new(filesystem.ListDirectoryWithSizesArgsSortBySize),
	}))
	say(sorted.Output.Content[strings.Index(sorted.Output.Content, "Total"):])
	found := must(client.SearchFiles(ctx, filesystem.SearchFilesArgs{Path: dir, Pattern: "*.txt", ExcludePatterns: []string{"c*"}}))
	say(found.Output.Content)

	_, err := client.ReadTextFile(ctx, filesystem.ReadTextFileArgs{Path: filepath.Dir(dir)})
	var refused *mcp.ToolError
	say(fmt.Sprint(errors.As(err, &refused)))
}
