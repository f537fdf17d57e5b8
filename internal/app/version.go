package app

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set when a release is built; otherwise the revision of the source says it.
var version = ""

type versionCmd struct{}

func (versionCmd) Run(e *env) error {
	fmt.Fprintf(e.streams.Out, "stockhand %s %s %s/%s\n", Version(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return nil
}

func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "dev-" + s.Value[:12]
		}
	}
	return "dev"
}
