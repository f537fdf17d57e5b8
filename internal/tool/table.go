package tool

import (
	"github.com/stockhand/stockhand"
)

// TableColumn defines a column of a table whose rows show values of type T: its name, unit, labels, cells and total.
type TableColumn[T any] struct {
	Name   string
	Unit   Unit
	Label  Text
	Hidden bool // the employee may not see it: its cells and total stay empty
	Detail bool // shown only if there is room for all columns
	Cell   func(T) Value
	Total  func(rows []T) Value // over all rows, shown or not; nil for a column without a total
}

// AsDetail marks a column that is shown only if there is room for all columns.
func (c TableColumn[T]) AsDetail() TableColumn[T] {
	c.Detail = true
	return c
}

// HiddenIf hides a column that the employee may not see.
func (c TableColumn[T]) HiddenIf(hidden bool) TableColumn[T] {
	c.Hidden = hidden
	return c
}

// WithTotal sets a total that is already known.
func (c TableColumn[T]) WithTotal(v Value) TableColumn[T] {
	c.Total = func([]T) Value { return v }
	return c
}

// WithSum uses the sum of the cells as the total; see [SumCells].
func (c TableColumn[T]) WithSum() TableColumn[T] {
	c.Total = func(rows []T) Value { return SumCells(rows, c.Cell) }
	return c
}

// Cells returns the row for a value.
func Cells[T any](columns []TableColumn[T], x T) Row {
	row := make(Row, len(columns))
	for i, c := range columns {
		if !c.Hidden {
			row[i] = c.Cell(x)
		}
	}
	return row
}

// SetColumns sets the columns of the result and, if there are rows and a column has a total, the totals over all of
// them.
func SetColumns[T any](r *Result, l stockhand.Language, columns []TableColumn[T], all []T) {
	r.Columns = make([]Column, len(columns))
	totals := make(Row, len(columns))
	adds := false
	for i, c := range columns {
		r.Columns[i] = Column{Name: c.Name, Label: c.Label.In(l), Unit: c.Unit, Hidden: c.Hidden, Detail: c.Detail}
		if c.Total == nil || len(all) == 0 {
			continue
		}
		if adds = true; !c.Hidden {
			totals[i] = c.Total(all)
		}
	}
	if adds {
		r.Totals = totals
	}
}

// AddRows appends the rows for the values.
func AddRows[T any](r *Result, columns []TableColumn[T], shown []T) {
	rows := make(Rows, len(shown))
	for i, x := range shown {
		rows[i] = Cells(columns, x)
	}
	r.Rows = append(r.Rows, rows...)
}

// SumCells adds up the known cells of a column. It is empty if no cell is known or if the amounts are in several
// currencies.
func SumCells[T any](rows []T, cell func(T) Value) Value {
	var sum Value
	for _, x := range rows {
		v := cell(x)
		n, ok := v.Decimal()
		switch {
		case !ok:
		case sum.IsEmpty():
			sum = v
		case v.Currency() != sum.Currency():
			return Empty
		default:
			sum.number = sum.number.Add(n)
		}
	}
	return sum
}
