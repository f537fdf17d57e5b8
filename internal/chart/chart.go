// Package chart draws tables of figures as SVG: lines over time, columns, bars, Pareto charts and stacked shares.
//
// Pictures have presentation attributes and classes only, so the console's policy needs no exception for styles; the
// style sheet gives the classes their colours in both themes. Each picture is drawn twice, for a desk and for a phone,
// and the style sheet shows one of them. Figures stay exact decimals; only positions in the picture are floats.
package chart

import (
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Kind is the kind of a chart.
type Kind string

// The kinds of charts.
const (
	Line    Kind = "line"    // values that follow one another
	Columns Kind = "columns" // values side by side: hours, ages
	Bars    Kind = "bars"    // values of named things, one below the other
	Pareto  Kind = "pareto"  // bars, and what they come to together in percent
	Shares  Kind = "shares"  // parts of a whole
)

// Spec says what of a table to draw.
type Spec struct {
	Kind   Kind
	Title  string
	X      string   // the column of the points' names
	Y      []string // the columns of the figures, which have one unit; of a Pareto chart also the cumulative percentage
	Series string   // a column whose values are lines of their own; empty for none
	Before string   // one of Y that is of the period compared with; empty for none
	Most   int      // so many of the first rows; 0 is all
}

// Chart is figures to be drawn.
type Chart struct {
	Kind     Kind
	Title    string
	Label    string   // of the points
	Series   []Series // at least one
	Points   []Point
	Unit     tool.Unit
	Currency string // of amounts
	Language stockhand.Language
	Tabled   bool // a table beside the picture has the same figures
}

// Series is one line, or the bars of one colour.
type Series struct {
	Name   string
	Before bool // of the period compared with
}

// Point is a place along the axis with a figure of each series.
type Point struct {
	Label  string
	At     float64      // its place in steps of time; its index otherwise
	Short  string       // the label beside the axis
	Values []tool.Value // empty: unknown
	Whole  tool.Value   // of a Pareto chart: the cumulative percentage
}

// Of returns the chart of a table. It reports false if the table has nothing to draw: fewer than two known figures, or
// amounts in several currencies, which have no common axis.
func Of(r *tool.Result, s Spec, l stockhand.Language) (Chart, bool) {
	c := Chart{Kind: s.Kind, Title: s.Title, Language: l}
	x, whole := indexOf(r, s.X), -1
	if x < 0 || len(s.Y) == 0 {
		return c, false
	}
	c.Label = r.Columns[x].Label
	columns := s.Y
	if s.Kind == Pareto && len(columns) > 1 {
		whole = indexOf(r, columns[1])
		columns = columns[:1]
	}
	var ys []int
	for _, name := range columns {
		i := indexOf(r, name)
		if i < 0 || r.Columns[i].Hidden || len(ys) > 0 && r.Columns[i].Unit != r.Columns[ys[0]].Unit {
			continue
		}
		ys = append(ys, i)
		c.Series = append(c.Series, Series{r.Columns[i].Label, name == s.Before})
	}
	if len(ys) == 0 {
		return c, false
	}
	c.Unit = r.Columns[ys[0]].Unit
	rows := r.Rows
	if s.Most > 0 && len(rows) > s.Most {
		rows = rows[:s.Most]
	}
	if by := indexOf(r, s.Series); by >= 0 {
		c.spread(rows, x, by, ys[0])
	} else {
		for _, row := range rows {
			p := Point{Label: row[x].Format(r.Columns[x].Unit, l)}
			for _, i := range ys {
				p.Values = append(p.Values, row[i])
			}
			if whole >= 0 {
				p.Whole = row[whole]
			}
			c.Points = append(c.Points, p)
		}
	}
	c.place()
	return c, c.sound()
}

func indexOf(r *tool.Result, column string) int {
	if column == "" {
		return -1
	}
	return slices.IndexFunc(r.Columns, func(c tool.Column) bool { return c.Name == column })
}

// mostSeries is how many lines can be distinguished.
const mostSeries = 4

// spread makes a series of each value of a column, and a point of each value of another.
func (c *Chart) spread(rows tool.Rows, x, by, y int) {
	c.Series = nil
	point := map[string]int{}
	for _, row := range rows {
		name, label := row[by].Text(), row[x].Text()
		s := slices.IndexFunc(c.Series, func(s Series) bool { return s.Name == name })
		if s < 0 {
			if len(c.Series) == mostSeries {
				c.Series = nil // a part of the lines would look like all
				return
			}
			s, c.Series = len(c.Series), append(c.Series, Series{Name: name})
		}
		i, ok := point[label]
		if !ok {
			i = len(c.Points)
			point[label] = i
			c.Points = append(c.Points, Point{Label: label})
		}
		p := &c.Points[i]
		for len(p.Values) <= s {
			p.Values = append(p.Values, tool.Empty)
		}
		p.Values[s] = row[y]
	}
	for i := range c.Points {
		for len(c.Points[i].Values) < len(c.Series) {
			c.Points[i].Values = append(c.Points[i].Values, tool.Empty)
		}
	}
}

// sound sets the currency, and reports whether there is something to draw.
func (c *Chart) sound() bool {
	known := 0
	for _, p := range c.Points {
		for _, v := range p.Values {
			if _, ok := v.Decimal(); !ok {
				continue
			}
			if known > 0 && v.Currency() != c.Currency {
				return false
			}
			c.Currency = v.Currency()
			known++
		}
	}
	return known > 1 && len(c.Series) > 0
}

// value returns a figure for a position in the picture.
func (p Point) value(series int) (float64, bool) {
	n, ok := p.Values[series].Decimal()
	return n.Float64(), ok
}

// bounds returns the least and the greatest figure. Zero is always between them.
func (c Chart) bounds() (low, high float64) {
	for _, p := range c.Points {
		for i := range p.Values {
			if v, ok := p.value(i); ok {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high
}
