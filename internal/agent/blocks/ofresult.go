package blocks

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/tool"
)

// OfResult returns the blocks of an answer that is one result: its sentence, key figures if they are all it has, and
// its tables, each after a chart if people would rather look at one. Text is the sentence as the answer shows it.
func OfResult(id stockhand.ResultID, t tool.Table, text string, l stockhand.Language) ([]Block, error) {
	out := Of(text)
	first := 0
	for i, part := range t.Split() {
		head, err := part.First(1)
		if err != nil {
			return nil, err
		}
		at := first
		first += part.Count
		if len(head.Rows) == 0 {
			continue
		}
		if part.Count == 1 && render.OnlyFigures(head) {
			out = append(out, keyFigures(id, head, at, l))
			continue
		}
		b := Block{Type: Table, Title: head.Title, Result: id, Columns: render.Columns(head), Offset: at,
			Limit: min(part.Count, render.ShownRows)}
		if len(t.Parts) > 0 {
			b.Part = &i
		}
		if c, ok := chartOf(head, b, part.Count); ok {
			out = append(out, c)
		}
		out = append(out, b)
	}
	return out, nil
}

// keyFigures shows the only row of a table. Row is its index in the result.
func keyFigures(id stockhand.ResultID, r *tool.Result, row int, l stockhand.Language) Block {
	b := Block{Type: KPI, Title: r.Title}
	for i, c := range r.Columns {
		if !slices.Contains(render.Columns(r), c.Name) {
			continue
		}
		b.Figures = append(b.Figures, figureOf(c, r.Rows[0][i], Source{id, c.Name, &row}, l))
	}
	return b
}

// figureOf returns the key figure of a cell.
func figureOf(c tool.Column, v tool.Value, from Source, l stockhand.Language) Figure {
	value, err := json.Marshal(v)
	if err != nil { // an invalid number, which no column has
		value = []byte("null")
	}
	return Figure{Label: c.Label, Text: v.Format(c.Unit, l), Value: value, Unit: c.Unit, Class: Read, Source: from}
}

// The bounds of a chart.
const (
	leastPoints = 3
	mostPoints  = 400
	mostBars    = 25
	mostLines   = 4
)

// ofTime are the columns of a time axis, and whether their values follow one another.
var ofTime = map[string]bool{"day": true, "date": true, "week": true, "month": true, "quarter": true, "year": true,
	"weekday": false, "hour": false}

// chartOf returns the chart of a table: a line over time, bars of a comparison, parts of a whole, or a Pareto chart of
// cumulative shares.
func chartOf(r *tool.Result, table Block, count int) (Block, bool) {
	c := Block{Type: Chart, Title: table.Title, Result: table.Result, Part: table.Part, Offset: table.Offset,
		Limit: count}
	keys := keysOf(r)
	if len(keys) == 0 || count < leastPoints {
		return c, false
	}
	if days := ofDays(r); days != "" && !ranked(r) {
		return histogram(c, r, days, count)
	}
	if len(keys) != 1 && !ranked(r) {
		return c, false
	}
	c.X = keys[0]
	follows, time := ofTime[c.X]
	values := valuesOf(r)
	if len(values) == 0 {
		return c, false
	}
	c.Y = alike(r, values)
	if has(r, values[0]+"_before") {
		c.Y = []string{values[0], values[0] + "_before"}
	}
	switch {
	case time && follows && count <= mostPoints:
		c.Chart = Line
	case time:
		c.Chart = Bar
	case ranked(r):
		c.Chart, c.Limit = Pareto, min(count, mostBars)
		c.Y = []string{values[0], cumulative(r)}
	case has(r, values[0]+"_before"):
		c.Chart, c.Limit = Bar, min(count, mostBars)
	case has(r, "share"):
		c.Chart, c.Y = Shares, values[:1]
	default:
		return c, false
	}
	return c, count <= mostPoints
}

// ranked reports whether rows come with what they and those before them are of the whole.
func ranked(r *tool.Result) bool { return cumulative(r) != "" }

func cumulative(r *tool.Result) string {
	for _, name := range []string{"cumulative", "cumulative_percent"} {
		if has(r, name) {
			return name
		}
	}
	return ""
}

// ages are the columns whose days people look at as a whole: how long goods have been lying, and how long they last.
var ages = []string{"stock_days", "days_of_cover"}

// mostCounted is how many rows a histogram counts.
const mostCounted = 20_000

// ofDays returns the column of a histogram; empty for none. Days beside other figures that people asked for are not
// drawn.
func ofDays(r *tool.Result) string {
	for _, name := range ages {
		if has(r, name) && !has(r, name+"_before") && slices.Contains(render.Columns(r), name) {
			return name
		}
	}
	return ""
}

// histogram returns the chart of days: of the money in goods that have been lying, or else of how many there are, for
// which Y is X.
func histogram(c Block, r *tool.Result, days string, count int) (Block, bool) {
	c.Chart, c.X, c.Y = Histogram, days, []string{days}
	if days == "stock_days" && has(r, "cost_sum") {
		c.Y = []string{"cost_sum"}
	}
	return c, count <= mostCounted
}

// endOfSpan is the column with the last day of a span of days, which begins on the day of another column.
const endOfSpan = "through"

// keysOf returns the columns that say what a row is about, without IDs, details and the ends of spans.
func keysOf(r *tool.Result) []string {
	var out []string
	for _, c := range r.Columns {
		switch c.Unit {
		case tool.UnitText, tool.UnitDate, tool.UnitMoment:
			if !c.Detail && !c.Hidden && c.Name != "id" && c.Name != endOfSpan && !strings.HasSuffix(c.Name, "_id") {
				out = append(out, c.Name)
			}
		default:
		}
	}
	return out
}

// derived are the endings of columns that are computed from the others of their row.
var derived = []string{"_before", "_change", "_percent", "share", "cumulative"}

// valuesOf returns the columns of figures that a chart can show, without those computed from others. Amounts come
// first: people look for the money.
func valuesOf(r *tool.Result) []string {
	var out []string
	for _, c := range r.Columns {
		if c.Hidden || c.Detail || slices.ContainsFunc(derived, func(s string) bool {
			return strings.HasSuffix(c.Name, s)
		}) {
			continue
		}
		switch c.Unit {
		case tool.UnitMoney, tool.UnitQuantity, tool.UnitCount, tool.UnitNumber, tool.UnitDays:
			out = append(out, c.Name)
		default:
		}
	}
	amount := func(name string) int {
		money := func(c tool.Column) bool { return c.Name == name && c.Unit == tool.UnitMoney }
		if slices.ContainsFunc(r.Columns, money) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b string) int { return amount(a) - amount(b) })
	return out
}

// alike returns those of the columns that have the unit of the first, which one axis can show.
func alike(r *tool.Result, columns []string) []string {
	unit := func(name string) tool.Unit {
		i := slices.IndexFunc(r.Columns, func(c tool.Column) bool { return c.Name == name })
		return r.Columns[i].Unit
	}
	var out []string
	for _, c := range columns {
		if unit(c) == unit(columns[0]) && len(out) < mostLines {
			out = append(out, c)
		}
	}
	return out
}

func has(r *tool.Result, column string) bool {
	return slices.ContainsFunc(r.Columns, func(c tool.Column) bool { return c.Name == column && !c.Hidden })
}
