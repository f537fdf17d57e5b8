package report

import (
	"fmt"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/tool"
)

// head cuts the rows to be shown to the limit and says how many more there are. Totals are made before.
func head[T any](c *call, rows []T, limit account.Limit) []T {
	return headOf(c, rows, len(rows), limit)
}

// headOf is head of rows that are themselves the beginning of more.
func headOf[T any](c *call, rows []T, all int, limit account.Limit) []T {
	if limit <= 0 || all <= int(limit) {
		return rows
	}
	rows = rows[:min(len(rows), int(limit))]
	c.Notice(tool.NoticeTruncated,
		fmt.Sprintf("Показано строк: %d из %d; итоги — по всем.", len(rows), all),
		fmt.Sprintf("Rows shown: %d of %d; the totals cover all of them.", len(rows), all))
	return rows
}

// field describes a column of a result.
type field struct {
	name   string
	unit   tool.Unit
	ru, en string
}

// columns sets the result's columns; hidden names those that the employee may not see.
func (c *call) columns(hidden []string, fields ...field) {
	for _, f := range fields {
		c.Result.Columns = append(c.Result.Columns, tool.Column{
			Name: f.name, Label: c.Pick(f.ru, f.en), Unit: f.unit, Hidden: slices.Contains(hidden, f.name),
		})
	}
}

// details marks the columns that go first where there is no room for all.
func (c *call) details(names ...string) {
	for i := range c.Result.Columns {
		if column := &c.Result.Columns[i]; slices.Contains(names, column.Name) {
			column.Detail = true
		}
	}
}

// totals sets cells of the totals row by column name; the others stay empty.
func (c *call) totals(cells map[string]tool.Value) {
	row := make(tool.Row, len(c.Result.Columns))
	for i, column := range c.Result.Columns {
		if v, ok := cells[column.Name]; ok && !column.Hidden {
			row[i] = v
		}
	}
	c.Result.Totals = row
}
