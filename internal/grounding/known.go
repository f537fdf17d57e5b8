package grounding

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/tool"
)

// Class says how a figure of a text is known.
type Class string

// The classes of figures.
const (
	ClassRead       Class = "read"       // it is in a result or a draft, or the user said it
	ClassComputed   Class = "computed"   // a formula over figures that were read gives it
	ClassEstimate   Class = "estimate"   // the text calls it a forecast, a proposal or an assumption
	ClassUnverified Class = "unverified" // it was found nowhere
)

// Fact is a figure and how it is known.
type Fact struct {
	Figure
	Class   Class
	Formula string // of a computed figure: "1 200 ₽ − 900 ₽"
	Source  string // ID of the result or draft; empty where there is none, or not a single one
	Column  string // name of the column; empty if not a cell or a total
	Row     int    // index of the row in the result; −1 if not a cell
	Nearest []Near // of an unverified figure: what was read that it may have meant
}

// Near is a figure that was read.
type Near struct {
	Text   string // formatted
	Source string
	Column string
	Row    string // the text of the row's first cell; empty for a total
	Period *tool.Period
}

// record adds a figure to the outcome. Plain is the text without marks.
func (c *checker) record(f *figure, plain stripped, out *Checked) {
	of := Fact{Row: -1, Figure: Figure{Text: plain.text[f.Start:f.UnitEnd], Start: plain.original(f.Start),
		End: plain.original(f.MarkAt)}}
	defer func() { out.Facts = append(out.Facts, of) }()
	switch {
	case f.found == nil && f.estimate:
		of.Class = ClassEstimate
		out.Estimates = append(out.Estimates, of.Figure)
		return
	case f.found == nil:
		of.Class, of.Nearest = ClassUnverified, c.nearest(f)
		out.Unmatched = append(out.Unmatched, of.Figure)
		return
	}
	of.Class, of.Source, of.Column, of.Row = ClassRead, c.id(f.found), f.found.column, f.found.row
	used := of.Source
	switch f.found.origin {
	case FromFigures:
		of.Class, of.Formula = ClassComputed, f.formula
		if f.formula != "" && f.exact.table >= 0 {
			used = c.sources[f.exact.table].id
		}
	case FromGroup:
		of.Class = ClassComputed
	case FromCell, FromTotal, FromCount, FromText, FromPeriod, FromArgument, FromPerson:
	}
	if used != "" && !slices.Contains(out.Used, used) {
		out.Used = append(out.Used, used)
	}
	out.Matched = append(out.Matched,
		Match{Figure: of.Figure, Origin: f.found.origin, Source: of.Source, Column: of.Column, Row: of.Row})
}

// mostNear is how many figures are returned that another may have meant.
const mostNear = 4

// nearest returns the figures that one may have meant: those of the rows that it belongs to, in the columns beside it,
// then the totals of those columns; and where its number stands instead.
func (c *checker) nearest(f *figure) []Near {
	if f.Kind == percent && len(f.only) == 0 {
		return nil
	}
	var out []Near
	add := func(of fact) {
		if n := c.asNear(of); len(out) < mostNear && n.Text != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for _, of := range c.global { // the number, with other words
		if of.origin == FromTotal && f.fits(of) && f.is(of) {
			add(of)
		}
	}
	names := c.attached(c.doc, f)
	if len(names) == 0 {
		names, _ = c.namesAbove(f)
	}
	for t := range c.sources {
		rows, _ := c.common(names, t)
		if len(names) == 0 || len(rows) > fewRows {
			continue
		}
		for _, row := range rows {
			c.nearCells(f, t, row, add)
		}
	}
	for _, of := range c.global {
		if of.origin == FromTotal && f.fits(of) && isOf(of, f.only) {
			add(of)
		}
	}
	for t := range c.sources {
		for row := range min(mostNear, c.sources[t].rows.count()) {
			c.nearCells(f, t, row, add)
		}
	}
	return out
}

// nearCells adds the cells of a row that a figure may have meant.
func (c *checker) nearCells(f *figure, t, row int, add func(fact)) {
	for i, v := range c.sources[t].rows.at(row) {
		column := c.sources[t].columns[i]
		if of, ok := cellFact(column, v); ok {
			of.location, of.measures = location{FromCell, t, column.Name, row}, []columnRef{{t, i}}
			if f.fits(of) && isOf(of, f.only) {
				add(of)
			}
		}
	}
}

// asNear formats a fact of a table; its text is empty if the fact is none.
func (c *checker) asNear(of fact) Near {
	if of.table < 0 || of.column == "" {
		return Near{}
	}
	s := &c.sources[of.table]
	i := slices.IndexFunc(s.columns, func(k tool.Column) bool { return k.Name == of.column })
	if i < 0 {
		return Near{}
	}
	v := tool.Number(of.value)
	if of.kind == money {
		v = tool.Money(of.value, of.currency)
	}
	n := Near{Text: v.Format(s.columns[i].Unit, c.l), Source: s.id, Column: of.column, Period: c.periodOf(of)}
	if of.row >= 0 {
		n.Row = strings.TrimSpace(s.rows.at(of.row)[0].Text())
	}
	return n
}
