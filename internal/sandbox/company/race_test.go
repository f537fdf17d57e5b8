//go:build race

package company

// underRace says that the race detector is on, with which a big company takes many seconds.
const underRace = true
