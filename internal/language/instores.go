package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
)

// InStores reports whether the reading selects goods by what several warehouses have of them (rule R1072).
func (r Reading) InStores() bool {
	return r.Query != nil && slices.ContainsFunc(r.Query.Where, func(w analysis.Condition) bool { return w.At != "" })
}
