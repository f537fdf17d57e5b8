//go:build unix && !linux

package postgres

// memoryFolder returns "": there is no folder in memory that every system has.
func memoryFolder() string { return "" }
