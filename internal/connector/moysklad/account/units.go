package account

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// QuantityByUnit adds up quantities by unit of measure, because pieces and kilograms have no common sum. Goods without
// a unit have the empty unit.
type QuantityByUnit map[string]decimal.Decimal

// Add adds a quantity.
func (q QuantityByUnit) Add(unit string, n decimal.Decimal) { q[unit] = q[unit].Add(n) }

// Total returns the sum if there is one unit, and an empty value if there are several.
func (q QuantityByUnit) Total() tool.Value {
	if len(q) > 1 {
		return tool.Empty
	}
	var sum decimal.Decimal
	for _, n := range q {
		sum = n
	}
	return tool.Number(sum)
}

// Text lists the sum of each unit, largest first: "9 800 шт, 12,5 кг".
func (q QuantityByUnit) Text(l stockhand.Language) string {
	units := slices.SortedFunc(maps.Keys(q), func(x, y string) int {
		return cmp.Or(q[y].Abs().Cmp(q[x].Abs()), strings.Compare(x, y))
	})
	var parts []string
	for _, unit := range units {
		if unit == "" && len(units) == 1 {
			unit = l.Pick("ед.", "units")
		} else if unit == "" {
			unit = l.Pick("без единицы измерения", "without a unit of measure")
		}
		parts = append(parts, tool.FormatQuantity(q[units[len(parts)]], l)+" "+unit)
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, ", ")
}

// NoticeUnits adds a notice if there are several units.
func (c *Call) NoticeUnits(q QuantityByUnit) {
	if len(q) > 1 {
		units := strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(q)), func(s string) bool { return s == "" }),
			", ")
		c.Notice(tool.NoticeUnits,
			"Единицы измерения разные ("+units+"): количества не складывались.",
			"Units of measure differ ("+units+"): quantities were not added up.")
	}
}
