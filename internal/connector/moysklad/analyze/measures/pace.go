package measures

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of pace and of the last sale and purchase. Days are numbers by [analysis.DayNumber].
const (
	LastSale             analysis.Base = "last_sale_day"
	LastPurchase         analysis.Base = "last_purchase_day"
	LastPurchaseSum      analysis.Base = "last_purchase_sum"
	LastPurchaseQuantity analysis.Base = "last_purchase_quantity"
	OldestStock          analysis.Base = "oldest_stock"
)

// LastPurchases are the bases of the last purchase.
var LastPurchases = []analysis.Base{LastPurchase, LastPurchaseSum, LastPurchaseQuantity}

// pace returns the net quantity sold per day of the period. A row without sales has sold nothing: its pace is zero, and
// quantities in several units have none.
func pace(of analysis.Sums) decimal.Maybe {
	return decimal.Some(of(QuantitySold).Sub(of(QuantityReturned).Decimal).Div(of(analysis.Days).Decimal))
}

// cover returns how many days the free stock lasts at the pace; unknown if nothing is sold.
func cover(of analysis.Sums) decimal.Maybe {
	stock, reserve, perDay := of(InStock), of(InReserve), pace(of)
	if !stock.Known || !reserve.Known || perDay.Sign() <= 0 {
		return decimal.Maybe{}
	}
	free := stock.Sub(reserve.Decimal)
	if free.Sign() < 0 {
		return decimal.Some(decimal.Zero)
	}
	return decimal.Some(free.Div(perDay.Decimal))
}

// perDay returns an amount divided by the days of the period.
func perDay(x func(analysis.Sums) decimal.Maybe) func(analysis.Sums) decimal.Maybe {
	return func(of analysis.Sums) decimal.Maybe {
		n := x(of)
		if !n.Known {
			return n
		}
		return decimal.Some(n.Div(of(analysis.Days).Decimal))
	}
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
	within := words("только в периоде; пусто (is_empty) — в нём продаж не было, раньше могли быть",
		"within the period only; empty (is_empty) is no sale in it, not never")
	bought := words("только в периоде; пусто — в нём закупок не было, раньше могли быть",
		"within the period only; empty is no purchase in it, not never")
	overDays := slices.Concat(OfGoods, ofSales)
	perDayCosts := slices.DeleteFunc(slices.Clone(overCosts), func(d string) bool { return slices.Contains(ofTime, d) })
	return []analysis.Measure{
		{Name: "pace", Title: words("Продаётся в день", "Sold a day"),
			Phrase: words("продажи в день", "sold a day"), Unit: tool.UnitQuantity, Places: 3, Adds: true,
			Whole:   true,
			Formula: words("продано минус возвращено ÷ дней периода", "sold minus returned ÷ days of the period"),
			Caution: sold, Words: Called([]string{"темп продаж", "продаётся в день"}, "pace", "sales rate"),
			Bases: []analysis.Base{QuantitySold, QuantityReturned, analysis.Days}, Of: pace, Over: overStock},
		{Name: "revenue_per_day", Title: words("Выручка в день", "Revenue a day"), Unit: tool.UnitMoney, Places: 2,
			Whole:   true,
			Formula: words("выручка минус возвраты ÷ дней периода", "sales minus returns ÷ days of the period"),
			Words:   Called([]string{"выручка в день"}, "revenue per day"),
			Bases:   []analysis.Base{Sales, Returns, analysis.Days}, Of: perDay(sub(Sales, Returns)), Over: overDays},
		{Name: "profit_per_day", Title: words("Прибыль в день", "Profit a day"), Unit: tool.UnitMoney, Places: 2,
			Whole: true, With: "cost_coverage",
			Formula: words("прибыль ÷ дней периода", "profit ÷ days of the period"),
			Words:   Called([]string{"прибыль в день"}, "profit per day"),
			Bases:   []analysis.Base{Covered, Costs, analysis.Days}, Of: perDay(sub(Covered, Costs)),
			Over: perDayCosts},
		{Name: "receipts_per_day", Title: words("Чеков и отгрузок в день", "Receipts a day"), Unit: tool.UnitNumber,
			Places: 1, Whole: true,
			Formula: words("число продаж ÷ дней периода", "number of sales ÷ days of the period"),
			Words:   Called([]string{"чеков в день"}, "receipts per day"),
			Bases:   []analysis.Base{Receipts, analysis.Days}, Of: perDay(just(Receipts)), Over: overDays},
		{Name: "days_of_cover", Title: words("Запас, дн.", "Days of cover"),
			Phrase: words("запас в днях", "days of cover"), Unit: tool.UnitDays, Places: 1,
			Whole:   true,
			Formula: words("свободный остаток сейчас ÷ темп продаж", "free stock now ÷ pace of sales"), Caution: sold,
			Words: Called([]string{"на сколько дней хватит", "дни запаса"}, "days of cover", "days left"),
			Bases: []analysis.Base{InStock, InReserve, QuantitySold, QuantityReturned, analysis.Days}, Of: cover,
			Over: overStock},
		{Name: "last_sale", Title: words("Последняя продажа", "Last sale"), Unit: tool.UnitDate, Caution: within,
			Whole: true,
			Formula: words("день последней отгрузки или розничной продажи в периоде",
				"day of the last shipment or retail sale in the period"),
			Words: Called([]string{"последняя продажа"}, "last sale", "not sold"),
			Bases: []analysis.Base{LastSale}, Over: overDays},
		{Name: "days_since_sale", Title: words("Дней без продаж", "Days since sale"),
			Phrase: words("время без продаж", "time without sales"), Unit: tool.UnitDays, Whole: true,
			Formula: words("дней от последней продажи до конца периода",
				"days from the last sale to the end of the period"),
			Caution: within, Words: Called([]string{"дней без продаж"}, "days since sale"),
			Bases: []analysis.Base{LastSale, analysis.LastDay}, Of: since(LastSale), Over: overDays},
		{Name: "last_purchase", Title: words("Последняя закупка", "Last purchase"), Unit: tool.UnitDate,
			Formula: words("день последней приёмки в периоде", "day of the last receipt of goods in the period"),
			Caution: bought, Words: Called([]string{"последняя закупка", "последняя приёмка"}, "last purchase"),
			Bases: []analysis.Base{LastPurchase}, Over: overDays},
		{Name: "last_purchase_price", Title: words("Цена последней закупки", "Last purchase price"),
			Unit: tool.UnitMoney, Places: 2, Caution: bought,
			Formula: words("сумма ÷ количество в последней приёмке", "sum ÷ quantity in the last receipt of goods"),
			Words:   Called([]string{"последняя цена закупки"}, "last purchase price"),
			Bases:   []analysis.Base{LastPurchaseSum, LastPurchaseQuantity},
			Of:      ratio(just(LastPurchaseSum), just(LastPurchaseQuantity), decimal.One), Over: OfGoods},
	}
}
