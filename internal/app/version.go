package app

import "runtime/debug"

// Version is the version that Go recorded when it built the program: a release, or a pseudo-version that names the
// commit. A program built without version control, such as a test, is "dev".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
