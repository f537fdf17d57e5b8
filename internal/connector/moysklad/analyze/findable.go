package analyze

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// dayOf returns the day of a document as a number.
func dayOf(d *msapi.Order) decimal.Maybe {
	return decimal.Some(analysis.DayNumber(tool.DayOf(d.Moment.In(msapi.Moscow))))
}

// findable refuses conditions that no row can meet, because only goods without a sale in the period would: sales name
// none of them, and they have no last sale in it.
func (c *call) findable() error {
	if !slices.ContainsFunc(c.plan.By, isOfGoods) {
		return nil
	}
	for _, w := range c.plan.Rows {
		switch {
		case w.Op == analysis.IsEmpty && (w.Field == "last_sale" || w.Field == "days_since_sale") &&
			!c.needs(slices.Concat(measures.StockBases, measures.PriceBases)...):
			return account.Invalid("where", c.Pick("товары без продаж видны только рядом с остатком: добавьте stock в "+
				"measures", "goods without sales are found beside their stock: add stock to measures"))
		case w.Field == "days_since_sale" && (w.Op == analysis.Greater || w.Op == analysis.GreaterEqual):
			most := c.plan.Period.Days() - 1 // since a sale on the first day
			if w.Op == analysis.Greater {
				most--
			}
			if at, err := decimal.Parse(string(w.Values[0])); err != nil || at.Cmp(decimal.FromInt(int64(most))) > 0 {
				return account.Invalid("where",
					c.Pick("в периоде столько дней нет: возьмите период длиннее или условие "+
						"last_sale is_empty вместе с показателем stock",
						"the period has fewer days: ask for a longer one, or "+
							"for last_sale is_empty together with the measure stock"))
			}
		}
	}
	return nil
}
