package report

import (
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// column is one column of a report whose rows are values of type T.
type column[T any] = tool.TableColumn[T]

func cells[T any](name string, unit tool.Unit, ru, en string, cell func(T) tool.Value) column[T] {
	return column[T]{Name: name, Unit: unit, Label: tool.Text{RU: ru, EN: en}, Cell: cell}
}

func text[T any](name, ru, en string, cell func(T) string) column[T] {
	return cells(name, tool.UnitText, ru, en, func(x T) tool.Value { return tool.TextValue(cell(x)) })
}

func quantity[T any](name, ru, en string, cell func(T) decimal.Maybe) column[T] {
	return cells(name, tool.UnitQuantity, ru, en, func(x T) tool.Value { return tool.MaybeNumber(cell(x)) })
}

// percentage is rounded to one place.
func percentage[T any](name, ru, en string, cell func(T) decimal.Maybe) column[T] {
	return cells(name, tool.UnitPercent, ru, en, func(x T) tool.Value { return account.Rounded(cell(x), 1) })
}

// money is a column of amounts in main units of one currency.
func money[T any](name, ru, en, currency string, cell func(T) decimal.Maybe) column[T] {
	return cells(name, tool.UnitMoney, ru, en, func(x T) tool.Value { return tool.MaybeMoney(cell(x), currency) })
}

// withSumByUnit adds a column of quantities up when all are of one unit of measure: pieces are never added to
// kilograms.
func withSumByUnit[T any](c column[T], unit func(T) string) column[T] {
	c.Total = func(rows []T) tool.Value { return sumByUnit(rows, unit, c.Cell).Total() }
	return c
}

// sumByUnit adds the known numbers up, those of each unit apart.
func sumByUnit[T any](rows []T, unit func(T) string, cell func(T) tool.Value) account.QuantityByUnit {
	sums := account.QuantityByUnit{}
	for _, x := range rows {
		if n, ok := cell(x).Decimal(); ok {
			sums.Add(unit(x), n)
		}
	}
	return sums
}

// show fills the table: the columns, the totals over all rows, and as many rows as the limit lets.
func show[T any](c *call, columns []column[T], all []T, limit account.Limit) {
	tool.SetColumns(c.Result, c.Lang, columns, all)
	tool.AddRows(c.Result, columns, head(c, all, limit))
}

// head cuts the rows to be shown to the limit and says how many more there are.
func head[T any](c *call, rows []T, limit account.Limit) []T {
	return headOf(c, rows, len(rows), limit)
}

// headOf is head of rows that are themselves the beginning of more.
func headOf[T any](c *call, rows []T, all int, limit account.Limit) []T {
	if limit <= 0 || all <= int(limit) {
		return rows
	}
	rows = rows[:min(len(rows), int(limit))]
	c.Noticef(tool.NoticeTruncated, "Показано строк: %d из %d; итоги — по всем.",
		"Rows shown: %d of %d; the totals cover all of them.", len(rows), all)
	return rows
}
