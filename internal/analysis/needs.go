package analysis

import (
	"slices"

	"github.com/stockhand/stockhand/internal/tool"
)

// NeededRight is a right in the external system that a measure needs. What a query answers without it is decided when
// it reads.
type NeededRight struct {
	Section  tool.Text // as the role settings name it
	Employee Extent    // of the connection
}

// Extent is how far an employee has a right.
type Extent string

// The extents.
const (
	HasRight    Extent = "has"
	SeesPart    Extent = "part"
	LacksRight  Extent = "lacks"
	RightHidden Extent = "" // the external system does not tell, or no employee is meant
)

// needsOf returns the rights that any of the measures needs.
func needsOf(used []*Measure) (all []NeededRight) {
	for _, m := range used {
		for _, n := range m.Needs {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all
}
