package results

import (
	"cmp"
	"context"
	"iter"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/tool"
)

// id is the table's in the page.
func (v View) id() string {
	id := "t-" + string(v.ID)
	if v.Part > 0 {
		id += "-" + strconv.Itoa(v.Part)
	}
	return id
}

func (v View) title(ctx context.Context) string { return cmp.Or(v.Table.Title, text.TableOf.In(ctx)) }

// path is the address of the table with another choice.
func (v View) path(c Choice) string {
	c.Part, c.Extra = v.Part, v.Extra
	if v.Page != "" {
		return v.Page + c.Query()
	}
	return page.Path(v.Org, "results", string(v.ID)) + c.Query()
}

// paper is the address of all rows as they are printed (rule R695); empty if they are shown.
func (v View) paper() string {
	if v.Paper || v.Expired || len(v.Rows) == v.Matched {
		return ""
	}
	c := v.Choice
	c.From, c.Few, c.Paper, c.Part, c.Extra = 0, false, true, v.Part, nil
	return page.Path(v.Org, "results", string(v.ID)) + c.Query()
}

// cut says that not all rows are printed; empty if they are.
func (v View) cut(ctx context.Context) string {
	if !v.Paper || v.Matched <= len(v.Rows) {
		return ""
	}
	n := func(i int) string { return tool.Count(i).Format(tool.UnitCount, text.Language(ctx)) }
	return text.PaperCut.With(ctx, n(len(v.Rows)), n(v.Matched))
}

// bare is the address of the table without a choice, for forms that carry their own.
func (v View) bare() string { return cmp.Or(v.Page, page.Path(v.Org, "results", string(v.ID))) }

// Download is the address of the whole result as a spreadsheet.
func (v View) Download(form string) string {
	return page.Path(v.Org, "results", string(v.ID), "file") + "?format=" + form
}

func (v View) open() string { return page.Path(v.Org, "results", string(v.ID), "open") }

// kept are the parts of the choice that a search does not change.
func (v View) kept() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for name, value := range map[string]string{"sort": v.Sort, "down": map[bool]string{true: "1"}[v.Down],
			"part": strings.TrimPrefix(strconv.Itoa(v.Part), "0")} {
			if value != "" && !yield(name, value) {
				return
			}
		}
		for _, f := range v.Where {
			if !yield(fieldWhere, f.String()) {
				return
			}
		}
		for name, values := range v.Extra {
			for _, value := range values {
				if !yield(name, value) {
					return
				}
			}
		}
	}
}

func (v View) shows(column int) bool {
	for _, i := range v.Shown {
		if i == column {
			return true
		}
	}
	return false
}

// details reports whether there are columns that are not shown.
func (v View) details() bool { return len(v.All) > len(v.Shown) }

// totals reports whether the shown columns have totals. Of rows that were searched for there are none, and one row is
// its own total.
func (v View) totals() bool {
	if v.Table.Totals == nil || v.narrowed() || v.Count == 1 {
		return false
	}
	for _, i := range v.Shown {
		if !v.total(i).IsEmpty() {
			return true
		}
	}
	return false
}

// total is the total of a column. The last of several days and the greatest of several ages are none (rule R690).
func (v View) total(column int) tool.Value {
	if u := v.Table.Columns[column].Unit; dated(u) || u == tool.UnitDays {
		return tool.Empty
	}
	return v.Table.Totals[column]
}

// sortedBy is the choice after a click on a heading: greatest first for figures, then the other way.
func (v View) sortedBy(c tool.Column) Choice {
	next := v.Choice
	next.From, next.Few = 0, false
	if v.Sort == c.Name {
		next.Down = !v.Down
	} else {
		next.Sort, next.Down = c.Name, numeric(c.Unit)
	}
	return next
}

func (v View) at(from int) Choice {
	next := v.Choice
	next.From = max(from, 0)
	return next
}

func (v View) direction() string {
	if v.Down {
		return "descending"
	}
	return "ascending"
}

func (v View) arrow() string {
	if v.Down {
		return " ↓"
	}
	return " ↑"
}

// span says which rows are shown: "51–100 of 1,204".
func (v View) span(ctx context.Context) string {
	l := text.Language(ctx)
	n := func(i int) string { return tool.Count(i).Format(tool.UnitCount, l) }
	return text.RowsOf.With(ctx, n(min(v.From, v.Matched)+1), n(min(v.From, v.Matched)+len(v.Rows)), n(v.Matched))
}

// numeric reports whether a column has figures.
func numeric(u tool.Unit) bool { return u != tool.UnitText && !dated(u) }

func dated(u tool.Unit) bool { return u == tool.UnitDate || u == tool.UnitMoment }

func negative(v tool.Value) bool {
	n, ok := v.Decimal()
	return ok && n.Sign() < 0
}
