package ground

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// groupKey is a set of rows: those that some names have in common in a table.
type groupKey struct {
	table int
	names string
}

// overRows looks for what follows from several rows of a name: their number, and the sums of their columns.
func (c *checker) overRows(f *figure, t int, rows []int, names string, only []spot) *place {
	if len(rows) < 2 && f.kind != percent {
		return nil
	}
	key := groupKey{t, names}
	facts, known := c.groups[key]
	if !known {
		facts = c.sums(t, rows)
		c.groups[key] = facts
	}
	if len(rows) > 1 {
		if p := c.first(f, facts, only); p != nil {
			return p
		}
	}
	if f.kind != percent || len(only) > 0 || !c.beside(f, shareWords) || len(f.readings) == 0 || f.readings[0].value.IsZero() {
		return nil
	}
	for _, sum := range facts { // what part of the column's total the rows are
		if sum.kind == count || sum.column == "" {
			continue
		}
		for _, total := range c.global {
			if total.table == t && total.column == sum.column && total.currency == sum.currency && total.value.Sign() > 0 {
				share := fact{value: sum.value.Mul(decimal.Hundred).Div(total.value), kind: percent, place: place{FromGroup, t, sum.column, -1}}
				if c.same(f, share, nil) {
					return &share.place
				}
			}
		}
	}
	return nil
}

// sums are the number of the rows and the sum of each column that can be added up.
func (c *checker) sums(t int, rows []int) []fact {
	s := &c.sources[t]
	out := []fact{{value: decimal.FromInt(int64(len(rows))), kind: count, place: place{FromGroup, t, "", -1}}}
	for i, column := range s.columns {
		if k := unitKind(column.Unit); k != money && k != quantity && k != count {
			continue
		}
		byCurrency := map[string]decimal.Decimal{}
		for _, row := range rows {
			if of, ok := cellFact(column, s.rows[row][i]); ok {
				byCurrency[of.currency] = byCurrency[of.currency].Add(of.value)
			}
		}
		for currency, sum := range byCurrency {
			out = append(out, fact{value: sum, kind: unitKind(column.Unit), currency: currency, measures: []spot{{t, i}}, place: place{FromGroup, t, column.Name, -1}})
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

// counted accepts how many items or rows the text itself lists, and how many rows of a result are left then.
func (c *checker) counted(f *figure) *place {
	if f.kind != bare && f.kind != count && f.kind != top && f.kind != quantity || len(f.readings) == 0 {
		return nil
	}
	n := f.readings[0].value
	for listed := range c.doc.lists {
		if listed < 2 {
			continue
		}
		if n.Cmp(decimal.FromInt(int64(listed))) == 0 {
			return &place{FromFigures, -1, "", -1}
		}
		if !c.beside(f, moreWords) {
			continue
		}
		for t := range c.sources {
			if n.Cmp(decimal.FromInt(int64(len(c.sources[t].rows)-listed))) == 0 {
				return &place{FromCount, t, "", -1}
			}
		}
	}
	if f.kind == top {
		for t := range c.sources {
			if n.Cmp(decimal.FromInt(int64(len(c.sources[t].rows)))) == 0 {
				return &place{FromCount, t, "", -1}
			}
		}
	}
	return nil
}

var (
	totalWords      = stemsOf("всего итог общ вместе суммарн совокуп total overall altogether combined")
	shareWords      = stemsOf("доля доли долю долей часть части приходит составля вклад share part account of процент")
	moreWords       = stemsOf("ещё еще остал друг more other remain rest")
	sumWords        = stemsOf("всего итог общ вместе суммарн совокуп сумм total overall altogether combined together sum")
	differenceWords = stemsOf("разниц разрыв меньш больш выше ниже рост вырос снизил снижен упал изменен прибав прирост дефицит нехват излиш осталось differ gap more less higher lower up down grew growth rose fell drop increase decrease change short surplus п.п")
	ratioWords      = stemsOf("доля доли долю долей част составля процент приходит вклад share percent part account рост вырос снизил снижен упал измен прирост больш меньш ratio grew growth rose fell drop increase decrease change more less раз times")
	lossWords       = stemsOf("убыт минус ниже долг должн отрицат сниз сниж упал паден меньш сократ недост нехват loss minus below negative debt owe decline decrease drop fell fall down less short lower")
)

func stemsOf(list string) []string { return strings.Fields(list) }

// beside tells whether one of the words stands in the figure's sentence or above its column. Words of two letters and
// "of" have to be whole.
func (c *checker) beside(f *figure, words []string) bool {
	cl := c.doc.clauses[f.clause]
	text := c.doc.text[cl.sentence.start:cl.sentence.end]
	if f.cell != nil {
		text = f.cell.label() + " " + f.cell.grid.first[f.cell.row]
	}
	return hasWord(text, words)
}

func hasWord(text string, words []string) bool {
	for _, t := range tokens(text) {
		for _, w := range words {
			if t.folded == w || len(w) > 4 && strings.HasPrefix(t.folded, w) {
				return true
			}
		}
	}
	return false
}

// totalBeside tells whether a figure beside a name is said to be of all: a word between them, or the last row of a table.
func (c *checker) totalBeside(f *figure) bool {
	if f.cell != nil {
		return totalWord(f.cell.grid.first[f.cell.row])
	}
	cl := c.doc.clauses[f.clause]
	from := cl.start
	for _, m := range c.doc.mentionsIn(cl.span) {
		if m.end <= f.start {
			from = max(from, m.end)
		}
	}
	before := c.doc.text[from:max(from, f.start)]
	if last := lastWords(before, 1); len(last) > 0 && (last[0] == "из" || last[0] == "of") {
		return true
	}
	return hasWord(before, totalWords)
}

// derive accepts what a reader can check at a glance: figures printed in the same sentence or row, which were found
// themselves, added, subtracted, divided, with a word that says so; and a printed column summed up in its last row.
func (c *checker) derive(f *figure) *place {
	found := &place{FromFigures, -1, "", -1}
	if f.cell != nil && totalWord(f.cell.grid.first[f.cell.row]) && c.columnSum(f) {
		return found
	}
	cl := c.doc.clauses[f.clause]
	sum, difference, ratio := c.beside(f, sumWords), c.beside(f, differenceWords), c.beside(f, ratioWords)
	if !sum && !difference && !ratio {
		return nil
	}
	operands := slices.DeleteFunc(slices.Clone(c.doc.figuresIn(cl.sentence)), func(o *figure) bool {
		return o == f || o.found == nil || o.found.origin == FromFigures || len(o.readings) == 0
	})
	if len(operands) > 8 {
		return nil
	}
	for i, a := range operands {
		for j, b := range operands {
			if i == j || a.kind != b.kind || a.currency != b.currency {
				continue
			}
			x, y := a.readings[0].value, b.readings[0].value
			same := f.kind == a.kind || f.kind == bare
			switch {
			case same && sum && i < j && f.is(fact{value: x.Add(y)}),
				same && difference && f.is(fact{value: x.Sub(y)}),
				f.kind == percent && ratio && y.Sign() > 0 && a.kind != percent && (f.is(fact{value: x.Mul(decimal.Hundred).Div(y)}) || f.is(fact{value: x.Sub(y).Abs().Mul(decimal.Hundred).Div(y)})),
				f.kind == times && ratio && y.Sign() > 0 && f.is(fact{value: x.Div(y)}):
				return found
			}
		}
	}
	return nil
}

// columnSum tells whether a figure is the sum of the column above it, all of which was found.
func (c *checker) columnSum(f *figure) bool {
	total := decimal.Zero
	for i, row := range f.cell.grid.rows[:f.cell.row] {
		if f.cell.column >= len(row) || row[f.cell.column] == nil || totalWord(f.cell.grid.first[i]) {
			continue
		}
		o := row[f.cell.column]
		if o.found == nil || o.kind != f.kind || o.currency != f.currency || len(o.readings) == 0 {
			return false
		}
		total = total.Add(o.readings[0].value)
	}
	return f.cell.row > 1 && f.is(fact{value: total, exact: true})
}
