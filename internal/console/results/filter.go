package results

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Op compares a cell with a value.
type Op string

// The comparisons of filters.
const (
	Contains Op = "has"
	Equals   Op = "is"
	AtLeast  Op = "min"
	AtMost   Op = "max"
	Unknown  Op = "none"
	Known    Op = "any"
)

var ops = []struct {
	op    Op
	title text.T
}{
	{Contains, text.FilterHas}, {Equals, text.FilterIs}, {AtLeast, text.FilterMin}, {AtMost, text.FilterMax},
	{Unknown, text.FilterNone}, {Known, text.FilterAny},
}

// Filter is a condition on a column.
type Filter struct {
	Column string
	Op     Op
	Value  string // empty for Unknown and Known
}

// The fields of an address with filters: those that hold, and the parts of one that is added.
const (
	fieldWhere  = "where"
	fieldColumn = "filter"
	fieldOp     = "op"
	fieldValue  = "value"
)

// mostFilters bounds the filters of a table.
const mostFilters = 10

// String is the filter as an address has it: min:revenue:100.
func (f Filter) String() string { return string(f.Op) + ":" + f.Column + ":" + f.Value }

// filtersOf reads filters from an address, and the one that a form adds. Malformed ones count as not there.
func filtersOf(q url.Values) (all []Filter) {
	add := func(f Filter) {
		known := slices.ContainsFunc(ops, func(o struct {
			op    Op
			title text.T
		}) bool {
			return o.op == f.Op
		})
		f.Value = strings.TrimSpace(f.Value)
		if f.Op == Unknown || f.Op == Known {
			f.Value = ""
		} else if f.Value == "" {
			return
		}
		if known && f.Column != "" && len(all) < mostFilters && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	for _, s := range q[fieldWhere] {
		op, rest, _ := strings.Cut(s, ":")
		column, value, _ := strings.Cut(rest, ":")
		add(Filter{column, Op(op), value})
	}
	if q.Has(fieldColumn) {
		add(Filter{q.Get(fieldColumn), Op(q.Get(fieldOp)), q.Get(fieldValue)})
	}
	return all
}

func whereKey(all []Filter) string {
	var keys []string
	for _, f := range all {
		keys = append(keys, f.String())
	}
	return strings.Join(keys, "\x00")
}

// dropUnknown drops filters on columns that the table does not have or does not show to the person.
func (v *View) dropUnknown() {
	v.Where = slices.DeleteFunc(slices.Clone(v.Where), func(f Filter) bool { return v.column(f.Column) < 0 })
}

func (v *View) column(name string) int {
	return slices.IndexFunc(v.Table.Columns, func(c tool.Column) bool { return c.Name == name && !c.Hidden })
}

// narrowed reports whether some rows may not be shown.
func (v *View) narrowed() bool { return v.Find != "" || len(v.Where) > 0 }

// holds reports whether all filters hold for a row.
func (v *View) holds(row tool.Row) bool {
	return !slices.ContainsFunc(v.Where, func(f Filter) bool { return !f.holds(row[v.column(f.Column)]) })
}

func (f Filter) holds(cell tool.Value) bool {
	switch {
	case f.Op == Unknown || cell.IsEmpty():
		return f.Op == Unknown && cell.IsEmpty()
	case f.Op == Known:
		return true
	}
	order := 0
	if n, ok := cell.Decimal(); ok {
		wanted, err := decimal.Parse(plainNumber(f.Value))
		if err != nil {
			return false
		}
		order = n.Cmp(wanted)
	} else {
		order = compareTexts(cell.Text(), f.Value)
	}
	switch f.Op {
	case Contains:
		if _, number := cell.Decimal(); number {
			return order == 0
		}
		return strings.Contains(fold(cell.Text()), fold(f.Value))
	case Equals:
		return order == 0
	case AtLeast:
		return order >= 0
	}
	return order <= 0
}

// plainNumber returns a number that a person typed as decimals are written: "1 234,5 ₽" is 1234.5.
func plainNumber(typed string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ',':
			return '.'
		case r == '−':
			return '-'
		case r == '.' || r == '-' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, typed)
}

// compareTexts compares a cell with what a person typed: days by the calendar, other texts by their letters.
func compareTexts(cell, typed string) int {
	for _, layout := range []string{"2.1.2006", time.DateOnly, "2 Jan 2006"} {
		if t, err := time.Parse(layout, typed); err == nil {
			typed = t.Format(time.DateOnly)
			cell = cell[:min(len(cell), len(typed))] // of a moment, the day
			break
		}
	}
	return strings.Compare(fold(cell), fold(typed))
}

// words say what a filter requires: "Revenue at least 100".
func (v *View) words(ctx context.Context, f Filter) string {
	said := v.Table.Columns[v.column(f.Column)].Label
	for _, o := range ops {
		if o.op == f.Op {
			said += " " + o.title.In(ctx)
		}
	}
	return strings.TrimSpace(said + " " + f.Value)
}

// without is the choice without a filter.
func (v *View) without(f Filter) Choice {
	next := v.Choice
	next.From = 0
	next.Where = slices.DeleteFunc(slices.Clone(v.Where), func(x Filter) bool { return x == f })
	return next
}

func opsIn(ctx context.Context) (all []ui.Option) {
	for _, o := range ops {
		all = append(all, ui.Option{Value: string(o.op), Title: o.title.In(ctx)})
	}
	return all
}
