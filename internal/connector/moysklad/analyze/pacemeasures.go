package analyze

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of pace and of the last sale and purchase. Days are numbers by [analysis.DayNumber].
const (
	lastSale             analysis.Base = "last_sale_day"
	lastPurchase         analysis.Base = "last_purchase_day"
	lastPurchaseSum      analysis.Base = "last_purchase_sum"
	lastPurchaseQuantity analysis.Base = "last_purchase_quantity"
	oldestStock          analysis.Base = "oldest_stock"
)

// dayOf returns the day of a document as a number.
func dayOf(d *msapi.Order) decimal.Maybe {
	return decimal.Some(analysis.DayNumber(tool.DayOf(d.Moment.In(msapi.Moscow))))
}

// pace returns the net quantity sold per day of the period. A row without sales has sold nothing: its pace is zero, and
// quantities in several units have none.
func pace(of analysis.Sums) decimal.Maybe {
	return decimal.Some(of(quantitySold).Sub(of(quantityReturned).Decimal).Div(of(analysis.Days).Decimal))
}

// cover returns how many days the free stock lasts at the pace; unknown if nothing is sold.
func cover(of analysis.Sums) decimal.Maybe {
	stock, reserve, perDay := of(inStock), of(inReserve), pace(of)
	if !stock.Known || !reserve.Known || perDay.Sign() <= 0 {
		return decimal.Maybe{}
	}
	free := stock.Sub(reserve.Decimal)
	if free.Sign() < 0 {
		return decimal.Some(decimal.Zero)
	}
	return decimal.Some(free.Div(perDay.Decimal))
}

// since returns the days from a day to the last day of the period.
func since(day analysis.Base) func(analysis.Sums) decimal.Maybe {
	return func(of analysis.Sums) decimal.Maybe {
		if last := of(day); last.Known {
			return decimal.Some(of(analysis.LastDay).Sub(last.Decimal))
		}
		return decimal.Maybe{}
	}
}

func paceMeasures() []analysis.Measure {
	sold := words("по всем дням периода, и когда товара не было; проданное в комплектах считается комплектом",
		"over all days of the period, even when it was out of stock; what bundles contain counts as the bundle")
	within := words("только в периоде; у товара без продаж в нём значения нет (is_empty)",
		"within the period only; a good without a sale in it has no value (is_empty)")
	bought := words("только в периоде", "within the period only")
	overDays := slices.Concat(ofGoods, ofSales)
	return []analysis.Measure{
		{Name: "pace", Title: words("Продаётся в день", "Sold a day"), Unit: tool.UnitQuantity, Places: 3, Adds: true,
			Whole:   true,
			Formula: words("продано минус возвращено ÷ дней периода", "sold minus returned ÷ days of the period"),
			Caution: sold, Words: called([]string{"темп продаж", "продаётся в день"}, "pace", "sales rate"),
			Bases: []analysis.Base{quantitySold, quantityReturned, analysis.Days}, Of: pace, Over: overStock},
		{Name: "days_of_cover", Title: words("Запас, дн.", "Days of cover"), Unit: tool.UnitDays, Places: 1,
			Whole:   true,
			Formula: words("свободный остаток сейчас ÷ темп продаж", "free stock now ÷ pace of sales"), Caution: sold,
			Words: called([]string{"на сколько дней хватит", "дни запаса"}, "days of cover", "days left"),
			Bases: []analysis.Base{inStock, inReserve, quantitySold, quantityReturned, analysis.Days}, Of: cover,
			Over: overStock},
		{Name: "last_sale", Title: words("Последняя продажа", "Last sale"), Unit: tool.UnitDate, Caution: within,
			Whole: true,
			Formula: words("день последней отгрузки или розничной продажи в периоде",
				"day of the last shipment or retail sale in the period"),
			Words: called([]string{"последняя продажа", "не продавался"}, "last sale", "not sold"),
			Bases: []analysis.Base{lastSale}, Over: overDays},
		{Name: "days_since_sale", Title: words("Дней без продаж", "Days since sale"), Unit: tool.UnitDays, Whole: true,
			Formula: words("дней от последней продажи до конца периода",
				"days from the last sale to the end of the period"),
			Caution: within, Words: called([]string{"дней без продаж"}, "days since sale"),
			Bases: []analysis.Base{lastSale, analysis.LastDay}, Of: since(lastSale), Over: overDays},
		{Name: "last_purchase", Title: words("Последняя закупка", "Last purchase"), Unit: tool.UnitDate,
			Formula: words("день последней приёмки в периоде", "day of the last receipt of goods in the period"),
			Caution: bought, Words: called([]string{"последняя закупка", "последняя приёмка"}, "last purchase"),
			Bases: []analysis.Base{lastPurchase}, Over: overDays},
		{Name: "last_purchase_price", Title: words("Цена последней закупки", "Last purchase price"),
			Unit: tool.UnitMoney, Places: 2, Caution: bought,
			Formula: words("сумма ÷ количество в последней приёмке", "sum ÷ quantity in the last receipt of goods"),
			Words:   called([]string{"последняя цена закупки"}, "last purchase price"),
			Bases:   []analysis.Base{lastPurchaseSum, lastPurchaseQuantity},
			Of:      ratio(just(lastPurchaseSum), just(lastPurchaseQuantity), decimal.One), Over: ofGoods},
	}
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
			!c.needs(slices.Concat(stockBases, priceBases)...):
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
