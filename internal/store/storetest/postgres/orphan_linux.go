package postgres

import (
	"runtime"
	"syscall"
)

func init() { runtime.LockOSThread() } // the signal below is sent when the starting thread ends, not the process

// endsWithUs makes the kernel stop the server when this process is killed.
func endsWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGINT }
