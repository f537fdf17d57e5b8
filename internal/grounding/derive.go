package grounding

import (
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/tool"
)

// groupKey identifies the rows of a table shared by some names.
type groupKey struct {
	table int
	names string
}

// overRows compares a figure with the number of a name's rows and the sums of their columns.
func (c *checker) overRows(f *figure, t int, rows []int, names string, only []columnRef) *location {
	key := groupKey{t, names}
	facts, known := c.groups[key]
	if !known {
		facts = c.sums(t, rows)
		c.groups[key] = facts
	}
	if len(rows) == 1 && f.Kind == count && f.is(facts[0]) && sameNoun(f.Noun, facts[0].noun) {
		return &facts[0].location
	}
	if len(rows) > 1 {
		if p := c.first(f, facts, only); p != nil {
			return p
		}
	}
	if f.Kind != percent || len(only) > 0 || !c.beside(f, shareCue) || len(f.Readings) == 0 ||
		f.Readings[0].Value.IsZero() {
		return nil
	}
	for _, sum := range facts { // their share of the column's total
		if sum.kind == count || sum.column == "" {
			continue
		}
		for _, total := range c.global {
			if total.table == t && total.column == sum.column && total.currency == sum.currency &&
				total.value.Sign() > 0 {
				share := fact{value: sum.value.Mul(decimal.Hundred).Div(total.value), kind: percent,
					location: location{FromGroup, t, sum.column, -1}}
				if c.same(f, share, nil) {
					return &share.location
				}
			}
		}
	}
	return nil
}

// sums returns the number of rows and the sum of each column that can be added.
func (c *checker) sums(t int, rows []int) []fact {
	s := &c.sources[t]
	out := []fact{{value: decimal.FromInt(int64(len(rows))), kind: count, noun: s.noun,
		location: location{FromGroup, t, "", -1}}}
	byCurrency := make([]map[string]decimal.Decimal, len(s.columns)) // nil for a column that is not added up
	for i, column := range s.columns {
		if k := unitKind(column.Unit); k == money || k == quantity || k == count {
			byCurrency[i] = map[string]decimal.Decimal{}
		}
	}
	for _, row := range rows {
		for i, cell := range s.rows.at(row) {
			if i >= len(s.columns) || byCurrency[i] == nil {
				continue
			}
			if of, ok := cellFact(s.columns[i], cell); ok {
				byCurrency[i][of.currency] = byCurrency[i][of.currency].Add(of.value)
			}
		}
	}
	for i, column := range s.columns {
		for currency, sum := range byCurrency[i] {
			out = append(out, fact{value: sum, kind: unitKind(column.Unit), currency: currency,
				measures: []columnRef{{t, i}}, location: location{FromGroup, t, column.Name, -1}})
		}
	}
	return out
}

func unitKind(u tool.Unit) kind {
	switch u {
	case tool.UnitMoney:
		return money
	case tool.UnitPercent:
		return percent
	case tool.UnitQuantity:
		return quantity
	case tool.UnitCount:
		return count
	case tool.UnitDays:
		return days
	case tool.UnitText, tool.UnitDate, tool.UnitMoment:
	}
	return bare
}

// counted accepts the number of items or rows listed in the text, and the number of remaining rows.
func (c *checker) counted(f *figure) *location {
	if f.Kind != bare && f.Kind != count && f.Kind != top && f.Kind != quantity || len(f.Readings) == 0 {
		return nil
	}
	n := f.Readings[0].Value
	for listed := range c.doc.lists {
		if listed < 2 {
			continue
		}
		if n.Cmp(decimal.FromInt(int64(listed))) == 0 {
			return &location{FromFigures, -1, "", -1}
		}
		if !c.beside(f, moreCue) {
			continue
		}
		for t := range c.sources {
			if n.Cmp(decimal.FromInt(int64(c.sources[t].rows.count()-listed))) == 0 {
				return &location{FromCount, t, "", -1}
			}
		}
	}
	if f.Kind == top {
		for t := range c.sources {
			if n.Cmp(decimal.FromInt(int64(c.sources[t].rows.count()))) == 0 {
				return &location{FromCount, t, "", -1}
			}
		}
	}
	return nil
}

// farthest is the maximum distance in bytes of a word before the figure to which it belongs.
const farthest = 300

// totalBeside reports whether a word between a figure and a name, or the heading of its row, says that the figure
// covers everything.
func (c *checker) totalBeside(f *figure) bool {
	if f.cell != nil {
		return totalWord(f.cell.grid.first[f.cell.row])
	}
	cl := c.doc.clauses[f.clause]
	from := cl.Start
	if before, _ := c.doc.around(cl.Span, f.Start); len(before) > 0 {
		from = max(from, before[len(before)-1].End)
	}
	from = max(from, f.Start-farthest)
	before := strings.ToValidUTF8(c.doc.text[from:max(from, f.Start)], "")
	if last := prose.LastWords(before, 1); len(last) > 0 && (last[0] == "из" || last[0] == "of") {
		return true
	}
	return cuesIn(before)&totalCue != 0
}

// columnSum reports whether a figure is the sum of the column above it, all of whose figures were accepted.
func (c *checker) columnSum(f *figure) bool {
	total := decimal.Zero
	for i := f.cell.row - 1; i >= 0 && !totalWord(f.cell.grid.first[i]); i-- {
		row := f.cell.grid.rows[i]
		if f.cell.column >= len(row) || row[f.cell.column] == nil {
			continue
		}
		o := row[f.cell.column]
		if o.found == nil || o.Kind != f.Kind || o.Currency != f.Currency || len(o.Readings) == 0 {
			return false
		}
		total = total.Add(o.Readings[0].Value)
	}
	return f.cell.row > 1 && f.is(fact{value: total, exact: true})
}
