// mcpgen version, and the version that generated files name.
package main

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// release is the version of this source tree. A binary built by `go install
// module@version` knows its own; one built from a checkout would name a commit,
// and two checkouts must generate the same files.
const release = "v0.1.0"

var releaseVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)[.\d]*)?$`)

// version is what generated files name as their generator.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && releaseVersion.MatchString(info.Main.Version) {
		return info.Main.Version
	}
	return release
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the Go version and the protocol versions",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			build := ""
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != version() {
				build = " " + info.Main.Version
			}
			_, err := fmt.Fprintf(a.stdout, "mcpgen %s%s\n%s %s/%s\nprotocol versions: %s\n",
				version(), build, runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.Join(protocolVersions, ", "))
			return err
		},
	}
}
