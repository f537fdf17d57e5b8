package tool

import (
	"slices"

	"github.com/stockhand/stockhand"
)

// Part is a group of consecutive rows that is shown as a table of its own: the lines of a document, its payments, its
// history. All parts of a result share its columns, so that it is stored, paged and queried like any other; the column
// [PartColumn] says which part a row belongs to.
type Part struct {
	Title   string   `json:"title"`
	Rows    int      `json:"rows"`
	Columns []string `json:"columns"`          // its columns, by name
	Hidden  []string `json:"hidden,omitempty"` // those that the employee may not see
	Totals  bool     `json:"totals,omitempty"` // the totals of the result are of this part
}

// PartColumn is the name of the column with the title of each row's part.
const PartColumn = "part"

// AddPart appends a part with these rows, and the totals of its columns if they have some. A part without rows is left
// out. Columns of the same name in several parts are one column of the result, with the label of the first, which is
// hidden if it is hidden in all of them.
func AddPart[T any](r *Result, l stockhand.Language, title Text, columns []TableColumn[T], all []T) {
	if len(all) == 0 {
		return
	}
	if len(r.Columns) == 0 {
		r.Columns = []Column{{Name: PartColumn, Label: l.Pick("Раздел", "Part"), Unit: UnitText, Detail: true}}
	}
	var own Result
	SetColumns(&own, l, columns, all)
	p := Part{Title: title.In(l), Rows: len(all)}
	at := make([]int, len(columns))
	for i, c := range own.Columns {
		if p.Columns = append(p.Columns, c.Name); c.Hidden {
			p.Hidden = append(p.Hidden, c.Name)
		}
		at[i] = slices.IndexFunc(r.Columns, func(x Column) bool { return x.Name == c.Name })
		if at[i] < 0 {
			at[i] = len(r.Columns)
			r.Columns = append(r.Columns, c)
		}
		r.Columns[at[i]].Hidden = r.Columns[at[i]].Hidden && c.Hidden
	}
	place := func(row Row) Row {
		wide := make(Row, len(r.Columns))
		for i, v := range row {
			wide[at[i]] = v
		}
		return wide
	}
	for i, row := range r.Rows {
		r.Rows[i] = append(row, make(Row, len(r.Columns)-len(row))...)
	}
	for _, x := range all {
		row := place(Cells(columns, x))
		row[0] = TextValue(p.Title)
		r.Rows = append(r.Rows, row)
	}
	if r.Totals != nil {
		r.Totals = append(r.Totals, make(Row, len(r.Columns)-len(r.Totals))...)
	} else if own.Totals != nil {
		r.Totals, p.Totals = place(own.Totals), true
	}
	r.Parts = append(r.Parts, p)
}

// Split returns the parts of a table as tables of their own, or the table itself if it has none. Only the first has the
// notices and the provenance.
func (t Table) Split() []Table {
	if len(t.Parts) == 0 {
		return []Table{t}
	}
	var tables []Table
	first := 0
	for i, p := range t.Parts {
		head := Result{Tool: t.Tool, Title: p.Title}
		if i == 0 {
			head.Answer, head.Notices, head.Provenance = t.Answer, t.Notices, t.Provenance
		}
		var at []int
		for _, name := range p.Columns { // in the part's own order
			if j := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name }); j >= 0 {
				c := t.Columns[j]
				at = append(at, j)
				c.Hidden = slices.Contains(p.Hidden, c.Name)
				head.Columns = append(head.Columns, c)
			}
		}
		if p.Totals && t.Totals != nil {
			head.Totals = choose(t.Totals, at)
		}
		count := max(0, min(p.Rows, t.Count-first))
		tables = append(tables, Table{Result: &head, Count: count, Pages: t.pagesOf(first, first+count, at)})
		first += p.Rows
	}
	return tables
}

// pagesOf returns some of the rows of a table with some of its cells.
func (t Table) pagesOf(from, to int, at []int) func(yield func(Rows, error) bool) {
	return func(yield func(Rows, error) bool) {
		seen := 0
		for rows, err := range t.Pages {
			if err != nil {
				yield(nil, err)
				return
			}
			var chosen Rows
			for i, row := range rows {
				if n := seen + i; n >= from && n < to {
					chosen = append(chosen, choose(row, at))
				}
			}
			seen += len(rows)
			if len(chosen) > 0 && !yield(chosen, nil) || seen >= to {
				return
			}
		}
	}
}

func choose(row Row, at []int) Row {
	cells := make(Row, len(at))
	for i, j := range at {
		cells[i] = row[j]
	}
	return cells
}
