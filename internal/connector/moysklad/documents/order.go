package documents

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// order is the order of a list (rule R1139).
type order string

// The orders; the newest documents come first by default.
const (
	oldestFirst   order = "oldest"
	largestFirst  order = "largest"
	smallestFirst order = "smallest"
	plannedFirst  order = "planned"
)

// Schema lists the orders.
func (order) Schema() *jsonschema.Schema {
	return tool.Enum(oldestFirst, largestFirst, smallestFirst, plannedFirst)
}

// bySum reports whether the order is by the sum of the documents.
func (o order) bySum() bool { return o == largestFirst || o == smallestFirst }

// about says the order in the line of what was applied.
func (o order) about() tool.Text {
	switch o {
	case oldestFirst:
		return text("сначала старые", "oldest first")
	case largestFirst:
		return text("сначала большие по сумме", "largest sum first")
	case smallestFirst:
		return text("сначала маленькие по сумме", "smallest sum first")
	case plannedFirst:
		return text("сначала ближайшие по плановой дате", "earliest planned first")
	}
	return tool.Text{}
}

// shownText says which rows are shown if not all are.
func (c *call) shownText(q *conditions, rows []row) string {
	n := int(q.Limit)
	if n == 0 || n >= len(rows) {
		return ""
	}
	said := map[order][2]tool.Text{
		"": {text("показан последний", "shown is the latest"),
			text("показаны последние %d", "shown are the latest %d")},
		oldestFirst: {text("показан самый старый", "shown is the oldest"),
			text("показаны %d самых старых", "shown are the oldest %d")},
		largestFirst: {text("показан самый большой", "shown is the largest"),
			text("показаны %d самых больших", "shown are the largest %d")},
		smallestFirst: {text("показан самый маленький", "shown is the smallest"),
			text("показаны %d самых маленьких", "shown are the smallest %d")},
		plannedFirst: {text("показан ближайший", "shown is the next one"),
			text("показаны %d ближайших", "shown are the next %d")},
	}[q.Order]
	if n == 1 {
		return "; " + said[0].In(c.Lang)
	}
	return "; " + c.Pickf(said[1].RU, said[1].EN, n)
}

// arrange puts the documents, which come newest first, into the order that was asked for. Sums in other currencies
// are compared by the rates of their documents; those that are hidden come last, and a notice says so.
func (c *call) arrange(q *conditions, rows []row) {
	hidden := 0
	worth := func(r *row) decimal.Maybe { return r.Rate.Base(r.sum) }
	last := func(x, y bool) int { // what has nothing to compare comes last
		switch {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	}
	switch q.Order {
	case oldestFirst:
		slices.Reverse(rows)
	case plannedFirst:
		slices.SortStableFunc(rows, func(x, y row) int {
			return cmp.Or(last(!x.Planned.IsZero(), !y.Planned.IsZero()), x.Planned.Compare(y.Planned.Time),
				strings.Compare(x.Name, y.Name))
		})
	case largestFirst, smallestFirst:
		sign := 1
		if q.Order == largestFirst {
			sign = -1
		}
		slices.SortStableFunc(rows, func(x, y row) int {
			a, b := worth(&x), worth(&y)
			return cmp.Or(last(a.Known, b.Known), sign*a.Cmp(b.Decimal))
		})
		for i := range rows {
			if !worth(&rows[i]).Known {
				hidden++
			}
		}
	}
	if hidden > 0 {
		c.Missing(account.SectionCost, "документы со скрытыми суммами стоят в конце",
			"documents whose sums are hidden come last")
	}
}
