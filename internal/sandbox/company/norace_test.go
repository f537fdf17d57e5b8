//go:build !race

package company

const underRace = false
