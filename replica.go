package stockhand

import "time"

// Replica is a process that serves. Those that share a database are one service.
type Replica struct {
	ID      string
	Name    string // of its machine
	Version string
	Started time.Time
	Seen    time.Time // its last sign of life
	Memory  int64     // bytes that it holds
	Working int       // runs that it works on
	Queue   bool      // it reaches the work engine
}
