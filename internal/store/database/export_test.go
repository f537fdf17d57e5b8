package database

import "time"

// SetBusyTimeout changes how long a locked file is waited for, and returns the way back.
func SetBusyTimeout(d time.Duration) (restore func()) {
	before := busyTimeout
	busyTimeout = d
	return func() { busyTimeout = before }
}
