package grounding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/grounding/prose"
)

// ofNames looks in the rows that all the names have in common.
func (c *checker) ofNames(f *figure, names []*name, only []columnRef) *location {
	if len(names) == 0 {
		return nil
	}
	for t := range c.sources {
		rows, all := c.common(names, t)
		if len(rows) == 0 {
			continue
		}
		if len(rows) <= fewRows {
			for _, row := range rows {
				if p := c.inRow(f, t, row, only); p != nil {
					return p
				}
			}
		}
		if p := c.overRows(f, t, rows, all, only); p != nil {
			return p
		}
	}
	for _, n := range names {
		if p := c.first(f, n.about, only); p != nil {
			return p
		}
		for t := range n.scopes {
			for _, of := range c.global {
				if of.table == t && c.same(f, of, only) {
					return &of.location
				}
			}
		}
	}
	return nil
}

// common returns the rows of a table that its names share, and a key of those names. Names without rows there do not
// count.
func (c *checker) common(names []*name, t int) (rows []int, all string) {
	first := true
	for _, n := range names {
		of := n.rows[t]
		if len(of) == 0 {
			continue
		}
		all += "\x00" + strings.Join(n.tokens, " ")
		if first {
			rows, first = of, false
			continue
		}
		rows = slices.DeleteFunc(slices.Clone(rows),
			func(r int) bool { _, in := slices.BinarySearch(of, r); return !in })
	}
	return rows, all
}

// ownWords are the columns whose text the tools write. The text of other columns is the account's data: anyone may have
// written anything there, so it proves no figure.
var ownWords = map[string]bool{"details": true, "reason": true, "flags": true}

// inRow looks in the cells of a row.
func (x *evidence) inRow(f *figure, t, row int, only []columnRef) *location {
	s := &x.sources[t]
	cells := s.rows.at(row)
	restricted := slices.ContainsFunc(only, func(o columnRef) bool { return o.table == t })
	for i, column := range s.columns {
		if i >= len(cells) {
			break
		}
		cell := cells[i]
		if restricted && !slices.Contains(only, columnRef{t, i}) {
			continue
		}
		if of, ok := cellFact(column, cell); ok {
			of.location = location{FromCell, t, column.Name, row}
			if x.same(f, of, nil) {
				return &of.location
			}
			continue
		}
		if text := cell.Text(); ownWords[column.Name] && strings.ContainsAny(text, "0123456789") {
			inner, _ := prose.Find(text, x.l, x.years)
			for _, g := range inner {
				for _, r := range g.Readings {
					of := fact{value: r.Value, kind: g.Kind, currency: g.Currency, noun: g.Noun,
						location: location{FromCell, t, column.Name, row}}
					if x.same(f, of, nil) {
						return &of.location
					}
				}
			}
		}
	}
	return nil
}

// ofDays looks in the rows of the days that the clause names.
func (c *checker) ofDays(f *figure, only []columnRef) *location {
	cl := c.doc.clauses[f.clause]
	from, _ := slices.BinarySearchFunc(c.doc.dates, cl.Start,
		func(d prose.Date, start int) int { return cmp.Compare(d.Start, start) })
	for at := from; at < len(c.doc.dates) && at < from+mostNames && c.doc.dates[at].Start < cl.End; at++ {
		d := c.doc.dates[at]
		for t, rows := range c.days[d.Key] {
			for _, row := range rows {
				if p := c.inRow(f, t, row, only); p != nil {
					return p
				}
			}
		}
	}
	return nil
}

// dated reports whether the table row of a figure begins with a day of which a result has rows.
func (c *checker) dated(f *figure) bool {
	if f.cell == nil {
		return false
	}
	cl := c.doc.clauses[f.clause]
	return slices.ContainsFunc(c.doc.dates, func(d prose.Date) bool {
		return d.Start >= cl.Start && d.Start < min(cl.End, f.Start) && len(c.days[d.Key]) > 0
	})
}

// shown looks in the rows that the model was shown.
func (c *checker) shown(f *figure, only []columnRef) *location {
	for t := range c.sources {
		for row := range min(firstRows, c.sources[t].rows.count()) {
			if p := c.inRow(f, t, row, only); p != nil {
				return p
			}
		}
	}
	return nil
}
