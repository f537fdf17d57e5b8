//go:build unix && !linux

package postgres

import "syscall"

// endsWithUs does nothing: only Linux can promise it.
func endsWithUs(*syscall.SysProcAttr) {}
