package app

import "runtime/debug"

// version is set when a release is built; otherwise the revision of the source says it.
var version = ""

// Version names the release, or the revision of the source that the program was built from.
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
