//go:build !linux

package app

import "runtime/debug"

// releaseMemory returns free heap to the system.
func releaseMemory() { debug.FreeOSMemory() }
