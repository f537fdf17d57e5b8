//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package limit

// OneMachine returns l: this system has no locks that are released when a process ends, so each process applies the
// limits on its own.
func OneMachine(l Limiter, _ Config, _, _ string) (Limiter, error) { return l, nil }
