//go:build unix && !linux

package postgres

import "syscall"

// endsWithUs does nothing: only Linux supports it.
func endsWithUs(*syscall.SysProcAttr) {}
