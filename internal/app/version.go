package app

import "runtime/debug"

// Version returns the version that Go recorded at build time: a release, or a pseudo-version with the commit. A build
// without version control, such as a test, is "dev".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
