package grounding

import (
	"slices"

	"github.com/stockhand/stockhand/internal/tool"
)

// unsaid looks again at figures beside which no words say a measure. An answer that says elsewhere which measures it is
// about means one of these: in "goods worth 100 ₽ at cost: soap for 20 ₽, salt for 30 ₽" all are at cost.
func (c *checker) unsaid() {
	stated := c.stated()
	if len(stated) == 0 {
		return
	}
	for _, f := range c.doc.figures {
		if f.found == nil || f.verbatim || len(f.only) > 0 {
			continue
		}
		at, ok := c.columnAt(f.found)
		if !ok || slices.Contains(stated, at) {
			continue
		}
		columns := c.sources[at.table].columns
		unit := columns[at.column].Unit
		if unit != tool.UnitMoney && unit != tool.UnitQuantity { // percentages have many words besides those of columns
			continue
		}
		main := slices.IndexFunc(columns, func(col tool.Column) bool { return col.Unit == unit && !col.Hidden })
		if at.column == main { // what the table is about may have any words
			continue
		}
		if slices.ContainsFunc(stated, func(o columnRef) bool {
			return o.table == at.table && c.sources[o.table].columns[o.column].Unit == unit
		}) {
			f.found = c.match(f, append(slices.Clip(stated), columnRef{at.table, main}))
		}
	}
}

// stated returns the columns whose figures stand beside words for them. A figure that is in no column may be computed
// of any that its words mean.
func (c *checker) stated() (all []columnRef) {
	for _, f := range c.doc.figures {
		if f.verbatim || len(f.only) == 0 {
			continue
		}
		of := f.only
		if f.found != nil {
			at, ok := c.columnAt(f.found)
			if !ok {
				continue
			}
			of = []columnRef{at}
		}
		for _, at := range of {
			if !slices.Contains(all, at) {
				all = append(all, at)
			}
		}
	}
	return all
}

// columnAt returns the column of a place; false for a place that is in none.
func (c *checker) columnAt(p *location) (columnRef, bool) {
	if p.table < 0 || p.column == "" {
		return columnRef{}, false
	}
	for i, col := range c.sources[p.table].columns {
		if col.Name == p.column {
			return columnRef{p.table, i}, true
		}
	}
	return columnRef{}, false
}
