//go:build !linux

package app

import "runtime/debug"

// releaseMemory returns what only the start needed to the system: the free heap.
func releaseMemory() { debug.FreeOSMemory() }
