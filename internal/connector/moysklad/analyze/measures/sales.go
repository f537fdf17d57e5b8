package measures

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func saleMeasures() []analysis.Measure {
	profit := func(of analysis.Sums) decimal.Maybe {
		c, r := of(Costs), of(Covered)
		if !c.Known || !r.Known {
			return decimal.Maybe{}
		}
		return decimal.Some(r.Sub(c.Decimal))
	}
	return []analysis.Measure{
		{Name: "revenue", Title: words("Выручка", "Net revenue"),
			Phrase: words("выручка за вычетом возвратов", "net revenue"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("продажи минус возвраты", "sales minus returns"),
			Words:   Called([]string{"выручка", "продажи", "оборот"}, "revenue", "net sales", "turnover"),
			Bases:   []analysis.Base{Sales, Returns}, Of: sub(Sales, Returns), Over: overReport},
		{Name: "sales", Title: words("Продажи", "Sales"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("отгрузки и розничные продажи до возвратов", "shipments and retail sales before returns"),
			Words:   Called([]string{"продажи без возвратов"}, "gross sales"),
			Bases:   []analysis.Base{Sales}, Over: overReport},
		{Name: "returns", Title: words("Возвраты", "Returns"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("возвраты покупателей", "customer returns"),
			Words:   Called([]string{"возвраты"}, "returns"),
			Bases:   []analysis.Base{Returns}, Over: overReport},
		{Name: "return_rate", Title: words("Доля возвратов", "Return rate"), Unit: tool.UnitPercent, Places: 1,
			Formula: words("возвраты ÷ продажи", "returns ÷ sales"),
			Words:   Called([]string{"доля возвратов", "процент возвратов"}, "return rate"),
			Bases:   []analysis.Base{Returns, Sales}, Of: ratio(just(Returns), just(Sales), decimal.Hundred),
			Over: overReport},
		{Name: "quantity", Title: words("Количество", "Quantity"),
			Phrase: words("количество проданного", "quantity sold"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("продано минус возвращено", "sold minus returned"),
			Words:   Called([]string{"количество", "штук", "сколько продано"}, "quantity", "units sold"),
			Bases:   []analysis.Base{QuantitySold, QuantityReturned}, Of: sub(QuantitySold, QuantityReturned),
			Over: overSales},
		{Name: "quantity_returned", Title: words("Возвращено", "Returned"),
			Phrase: words("количество возвращённого", "quantity returned"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("возвращённое количество", "quantity returned"),
			Words:   Called([]string{"возвращено"}, "quantity returned"),
			Bases:   []analysis.Base{QuantityReturned}, Over: overSales},
		{Name: "receipts", Title: words("Чеков и отгрузок", "Receipts"),
			Phrase: words("число чеков и отгрузок", "number of receipts"), Unit: tool.UnitCount, Adds: true,
			Formula: words("число документов продажи", "number of documents of sale"),
			Caution: words("по товарам чек стоит в строке каждого своего товара, а в итоге — один раз",
				"by goods, a receipt is in the row of each of its goods, and once in the total"),
			Words: Called([]string{"чеки", "число продаж"}, "receipts", "number of sales"),
			Bases: []analysis.Base{Receipts}, Over: overReport},
		{Name: "average_receipt", Title: words("Средний чек", "Average receipt"), Unit: tool.UnitMoney, Places: 2,
			Formula: words("продажи ÷ число чеков", "sales ÷ number of receipts"),
			Words:   Called([]string{"средний чек"}, "average receipt", "average order value"),
			Bases:   []analysis.Base{Sales, Receipts}, Of: ratio(just(Sales), just(Receipts), decimal.One),
			Over: overOrders},
		{Name: "lines_per_receipt", Title: words("Позиций в чеке", "Lines per receipt"),
			Phrase: words("среднее число позиций в чеке", "average lines per receipt"), Unit: tool.UnitCount,
			Places:  2,
			Formula: words("позиции ÷ число чеков", "lines ÷ number of receipts"),
			Words:   Called([]string{"позиций в чеке", "глубина чека"}, "lines per receipt"),
			Bases:   []analysis.Base{SaleLines, Receipts}, Of: ratio(just(SaleLines), just(Receipts), decimal.One),
			Over: slices.Concat(ofSales, ofTime, recurring)},
		{Name: "average_price", Title: words("Средняя цена", "Average price"), Unit: tool.UnitMoney, Places: 2,
			Formula: words("продажи ÷ проданное количество", "sales ÷ quantity sold"),
			Words:   Called([]string{"средняя цена"}, "average price"),
			Bases:   []analysis.Base{Sales, QuantitySold}, Of: ratio(just(Sales), just(QuantitySold), decimal.One),
			Over: overSales},
		{Name: "discount", Title: words("Скидки", "Discounts"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма по ценам до скидки минус продажи", "sum at prices before discount minus sales"),
			Words:   Called([]string{"скидки"}, "discounts"),
			Bases:   []analysis.Base{Discounts}, Over: overSales},
		{Name: "cost", Title: words("Себестоимость", "Cost"), Unit: tool.UnitMoney, Adds: true, With: "cost_coverage",
			Formula: words("себестоимость проданного минус возвращённого", "cost of goods sold minus returned"),
			Words:   Called([]string{"себестоимость"}, "cost"),
			Bases:   []analysis.Base{Costs}, Over: overCosts},
		{Name: "profit", Title: words("Прибыль", "Profit"), Unit: tool.UnitMoney, Adds: true, With: "cost_coverage",
			Formula: words("выручка с известной себестоимостью минус себестоимость",
				"revenue whose cost is known minus that cost"),
			Words: Called([]string{"прибыль", "валовая прибыль"}, "profit", "gross profit"),
			Bases: []analysis.Base{Covered, Costs}, Of: profit, Over: overCosts},
		{Name: "margin", Title: words("Маржа", "Margin"), Unit: tool.UnitPercent, Places: 1, With: "cost_coverage",
			Formula: words("прибыль ÷ выручка с известной себестоимостью", "profit ÷ revenue whose cost is known"),
			Words:   Called([]string{"маржа", "маржинальность", "рентабельность"}, "margin"),
			Bases:   []analysis.Base{Covered, Costs}, Of: ratio(profit, just(Covered), decimal.Hundred),
			Over: overCosts},
		{Name: "markup", Title: words("Наценка", "Markup"), Unit: tool.UnitPercent, Places: 1, With: "cost_coverage",
			Formula: words("прибыль ÷ себестоимость", "profit ÷ cost"),
			Words:   Called([]string{"наценка"}, "markup"),
			Bases:   []analysis.Base{Covered, Costs}, Of: ratio(profit, just(Costs), decimal.Hundred),
			Over: overCosts},
		{Name: "cost_coverage", Title: words("Себест. известна", "Cost known"), Unit: tool.UnitPercent, Places: 1,
			Formula: words("выручка с известной себестоимостью ÷ выручка", "revenue whose cost is known ÷ revenue"),
			Words:   Called([]string{"доля известной себестоимости"}, "cost coverage"),
			Bases:   []analysis.Base{Covered, Sales, Returns}, Of: coverage, Over: overCosts},
	}
}

// coverage returns the percentage of the revenue whose cost is known. Rounding must not turn a part into all of it.
func coverage(of analysis.Sums) decimal.Maybe {
	part, revenue := of(Covered), sub(Sales, Returns)(of)
	if !part.Known || !revenue.Known || revenue.Sign() == 0 {
		return decimal.Maybe{}
	}
	share, nearly := part.Mul(decimal.Hundred).Div(revenue.Decimal), decimal.MustParse("99.9")
	if share = share.Max(decimal.Zero).Min(decimal.Hundred); share.Cmp(nearly) > 0 && share.Cmp(decimal.Hundred) < 0 {
		share = nearly
	}
	return decimal.Some(share)
}
