package report

import (
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// column is a column of a report whose rows are values of type T.
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

// percentage returns a column of percentages rounded to one decimal place.
func percentage[T any](name, ru, en string, cell func(T) decimal.Maybe) column[T] {
	return cells(name, tool.UnitPercent, ru, en, func(x T) tool.Value { return account.Rounded(cell(x), 1) })
}

// money returns a column of amounts in main units of one currency.
func money[T any](name, ru, en, currency string, cell func(T) decimal.Maybe) column[T] {
	return cells(name, tool.UnitMoney, ru, en, func(x T) tool.Value { return tool.MaybeMoney(cell(x), currency) })
}

// withSumByUnit adds a total to a column of quantities if all have the same unit of measure.
func withSumByUnit[T any](c column[T], unit func(T) string) column[T] {
	c.Total = func(rows []T) tool.Value { return sumByUnit(rows, unit, c.Cell).Total() }
	return c
}

// sumByUnit adds up the known numbers by unit.
func sumByUnit[T any](rows []T, unit func(T) string, cell func(T) tool.Value) account.QuantityByUnit {
	sums := account.QuantityByUnit{}
	for _, x := range rows {
		if n, ok := cell(x).Decimal(); ok {
			sums.Add(unit(x), n)
		}
	}
	return sums
}

// show fills the table: the columns, the totals over all rows, and as many rows as the limit allows.
func show[T any](c *call, columns []column[T], all []T, limit account.Limit) {
	tool.SetColumns(c.Result, c.Lang, columns, all)
	tool.AddRows(c.Result, columns, head(c, all, limit))
}

// head returns the rows up to the limit and adds a notice about the rest.
func head[T any](c *call, rows []T, limit account.Limit) []T {
	return headOf(c, rows, len(rows), limit)
}

// headOf is like head for rows that are themselves the first of all.
func headOf[T any](c *call, rows []T, all int, limit account.Limit) []T {
	if limit <= 0 || all <= int(limit) {
		return rows
	}
	rows = rows[:min(len(rows), int(limit))]
	c.Noticef(tool.NoticeTruncated, "Показано строк: %d из %d; итоги — по всем.",
		"Rows shown: %d of %d; the totals cover all of them.", len(rows), all)
	return rows
}
