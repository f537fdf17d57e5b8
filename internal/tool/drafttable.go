package tool

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Table returns a document's lines as a result, so that code that shows tables also shows documents: quantities and
// sums of an order or transfer, old and new prices of a price change, the arguments of a remote call. Columns that are
// empty in every line are left out. Lines that need a person's attention come first (rule R97).
func (d Document) Table(l stockhand.Language) *Result {
	r := &Result{Title: d.Title}
	if d.Call != nil {
		r = d.Call.table(r, l)
		if d.Kind == NoteChange {
			said := map[string]string{"add": l.Pick("Добавится", "Added"), "remove": l.Pick("Уберётся", "Removed")}
			r.Columns[0].Label, r.Columns[1].Label = l.Pick("Что", "What"), l.Pick("Заметка", "Note")
			for _, row := range r.Rows {
				row[0] = TextValue(said[row[0].Text()])
			}
		}
		r.MustShow = len(r.Rows)
		return r
	}
	d.Lines, r.MustShow = d.Ordered()
	type column struct {
		Column
		cell func(Line) Value
	}
	price := func(m decimal.Maybe) Value { return MaybeMoney(m, d.Currency) }
	columns := []column{
		{Column{Name: "line", Label: "№", Unit: UnitText}, func(x Line) Value { return TextValue(x.ID) }},
		{Column{Name: "product", Label: l.Pick("Товар", "Product"), Unit: UnitText},
			func(x Line) Value { return TextValue(x.Product.Name) }},
	}
	if d.Kind == PriceChange {
		columns = append(columns,
			column{Column{Name: "old_price", Label: l.Pick("Было", "Old"), Unit: UnitMoney},
				func(x Line) Value { return price(x.OldPrice) }},
			column{Column{Name: "price", Label: l.Pick("Станет", "New"), Unit: UnitMoney},
				func(x Line) Value { return price(x.Price) }},
			column{Column{Name: "change_percent", Label: l.Pick("Изменение", "Change"), Unit: UnitPercent}, change},
			column{Column{Name: "margin_before", Label: l.Pick("Маржа была", "Margin before"), Unit: UnitPercent},
				func(x Line) Value { return margin(x.OldPrice, x.Cost) }},
			column{Column{Name: "margin_after", Label: l.Pick("Маржа станет", "Margin after"), Unit: UnitPercent},
				func(x Line) Value { return margin(x.Price, x.Cost) }},
		)
	} else if d.Kind == MinimumStock {
		columns = append(columns,
			column{Column{Name: "store", Label: l.Pick("Склад", "Warehouse"), Unit: UnitText}, func(x Line) Value {
				if x.Store == nil {
					return TextValue(l.Pick("все вместе", "all together"))
				}
				return TextValue(x.Store.Name)
			}},
			column{Column{Name: "old_minimum", Label: l.Pick("Было", "Old"), Unit: UnitQuantity},
				func(x Line) Value { return MaybeNumber(x.Seen.Minimum) }},
			column{Column{Name: "quantity", Label: l.Pick("Станет", "New"), Unit: UnitQuantity},
				func(x Line) Value { return MaybeNumber(x.Quantity) }},
			column{Column{Name: "unit", Label: l.Pick("Ед.", "Unit"), Unit: UnitText},
				func(x Line) Value { return TextValue(x.Unit) }},
		)
	} else {
		columns = append(columns,
			column{Column{Name: "quantity", Label: l.Pick("Количество", "Quantity"), Unit: UnitQuantity},
				func(x Line) Value { return MaybeNumber(x.Quantity) }},
			column{Column{Name: "unit", Label: l.Pick("Ед.", "Unit"), Unit: UnitText},
				func(x Line) Value { return TextValue(x.Unit) }},
			column{Column{Name: "price", Label: l.Pick("Цена", "Price"), Unit: UnitMoney},
				func(x Line) Value { return price(x.Price) }},
			column{Column{Name: "sum", Label: l.Pick("Сумма", "Sum"), Unit: UnitMoney},
				func(x Line) Value { return price(x.Sum()) }},
		)
	}
	columns = append(columns,
		column{Column{Name: "reason", Label: l.Pick("Почему", "Why"), Unit: UnitText},
			func(x Line) Value { return TextValue(x.Reason) }},
		column{Column{Name: "flags", Label: l.Pick("Внимание", "Attention"), Unit: UnitText}, flags},
	)
	for _, c := range columns {
		filled := false
		for _, line := range d.Lines {
			filled = filled || !c.cell(line).IsEmpty()
		}
		if !filled {
			continue
		}
		r.Columns = append(r.Columns, c.Column)
		for i, line := range d.Lines {
			if len(r.Rows) <= i {
				r.Rows = append(r.Rows, Row{})
			}
			r.Rows[i] = append(r.Rows[i], c.cell(line))
		}
		total := Empty
		if c.Name == "sum" {
			total = price(d.Total)
		}
		r.Totals = append(r.Totals, total)
	}
	if !d.Total.Known {
		r.Totals = nil
	}
	return r
}

// change returns the difference between the new and the old price in percent.
func change(x Line) Value {
	if !x.Price.Known || !x.OldPrice.Known || x.OldPrice.Sign() <= 0 {
		return Empty
	}
	return Number(x.Price.Sub(x.OldPrice.Decimal).Mul(decimal.Hundred).Div(x.OldPrice.Decimal))
}

// margin returns the profit as a percentage of the price, or an empty value if either is unknown. A cost of zero means
// unknown.
func margin(price, cost decimal.Maybe) Value {
	if !price.Known || !cost.Known || price.Sign() <= 0 || cost.Sign() <= 0 {
		return Empty
	}
	return Number(price.Sub(cost.Decimal).Mul(decimal.Hundred).Div(price.Decimal))
}

func flags(x Line) Value {
	text := ""
	for _, f := range x.Flags {
		if text != "" {
			text += "; "
		}
		text += f.Message
	}
	return TextValue(text)
}

// table lists all arguments in full, because a person confirms exactly these.
func (c *Remote) table(r *Result, l stockhand.Language) *Result {
	r.Columns = []Column{
		{Name: "argument", Label: l.Pick("Аргумент", "Argument"), Unit: UnitText},
		{Name: "value", Label: l.Pick("Значение", "Value"), Unit: UnitText},
	}
	var arguments map[string]json.RawMessage
	if err := json.Unmarshal(c.Arguments, &arguments); err != nil { // they were validated when the document was created
		return r
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		value := string(arguments[name])
		var words string
		if json.Unmarshal(arguments[name], &words) == nil && words != "" {
			value = words
		}
		r.Rows = append(r.Rows, Row{TextValue(name), TextValue(value)})
	}
	return r
}
