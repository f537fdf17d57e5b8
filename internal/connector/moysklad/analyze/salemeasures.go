package analyze

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func saleMeasures() []analysis.Measure {
	profit := func(of analysis.Sums) decimal.Maybe {
		c, r := of(costs), of(covered)
		if !c.Known || !r.Known {
			return decimal.Maybe{}
		}
		return decimal.Some(r.Sub(c.Decimal))
	}
	return []analysis.Measure{
		{Name: "revenue", Title: words("Выручка − возвраты", "Net revenue"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("продажи минус возвраты", "sales minus returns"),
			Words:   called([]string{"выручка", "продажи", "оборот"}, "revenue", "net sales", "turnover"),
			Bases:   []analysis.Base{sales, returns}, Of: sub(sales, returns), Over: overReport},
		{Name: "sales", Title: words("Продажи", "Sales"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("отгрузки и розничные продажи до возвратов", "shipments and retail sales before returns"),
			Words:   called([]string{"продажи без возвратов"}, "gross sales"),
			Bases:   []analysis.Base{sales}, Over: overReport},
		{Name: "returns", Title: words("Возвраты", "Returns"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("возвраты покупателей", "customer returns"),
			Words:   called([]string{"возвраты"}, "returns"),
			Bases:   []analysis.Base{returns}, Over: overReport},
		{Name: "return_rate", Title: words("Доля возвратов", "Return rate"), Unit: tool.UnitPercent, Places: 1,
			Formula: words("возвраты ÷ продажи", "returns ÷ sales"),
			Words:   called([]string{"доля возвратов", "процент возвратов"}, "return rate"),
			Bases:   []analysis.Base{returns, sales}, Of: ratio(just(returns), just(sales), decimal.Hundred),
			Over: overReport},
		{Name: "quantity", Title: words("Количество", "Quantity"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("продано минус возвращено", "sold minus returned"),
			Words:   called([]string{"количество", "штук", "сколько продано"}, "quantity", "units sold"),
			Bases:   []analysis.Base{quantitySold, quantityReturned}, Of: sub(quantitySold, quantityReturned),
			Over: overSales},
		{Name: "quantity_returned", Title: words("Возвращено", "Returned"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("возвращённое количество", "quantity returned"),
			Words:   called([]string{"возвращено"}, "quantity returned"),
			Bases:   []analysis.Base{quantityReturned}, Over: overSales},
		{Name: "receipts", Title: words("Чеков и отгрузок", "Receipts"), Unit: tool.UnitCount, Adds: true,
			Formula: words("число документов продажи", "number of documents of sale"),
			Caution: words("по товарам чек стоит в строке каждого своего товара, а в итоге — один раз",
				"by goods, a receipt is in the row of each of its goods, and once in the total"),
			Words: called([]string{"чеки", "число продаж"}, "receipts", "number of sales"),
			Bases: []analysis.Base{receipts}, Over: overReport},
		{Name: "average_receipt", Title: words("Средний чек", "Average receipt"), Unit: tool.UnitMoney, Places: 2,
			Formula: words("продажи ÷ число чеков", "sales ÷ number of receipts"),
			Words:   called([]string{"средний чек"}, "average receipt", "average order value"),
			Bases:   []analysis.Base{sales, receipts}, Of: ratio(just(sales), just(receipts), decimal.One),
			Over: overOrders},
		{Name: "lines_per_receipt", Title: words("Позиций в чеке", "Lines per receipt"), Unit: tool.UnitCount,
			Places:  2,
			Formula: words("позиции ÷ число чеков", "lines ÷ number of receipts"),
			Words:   called([]string{"позиций в чеке", "глубина чека"}, "lines per receipt"),
			Bases:   []analysis.Base{saleLines, receipts}, Of: ratio(just(saleLines), just(receipts), decimal.One),
			Over: slices.Concat(ofSales, ofTime, recurring)},
		{Name: "average_price", Title: words("Средняя цена", "Average price"), Unit: tool.UnitMoney, Places: 2,
			Formula: words("продажи ÷ проданное количество", "sales ÷ quantity sold"),
			Words:   called([]string{"средняя цена"}, "average price"),
			Bases:   []analysis.Base{sales, quantitySold}, Of: ratio(just(sales), just(quantitySold), decimal.One),
			Over: overSales},
		{Name: "discount", Title: words("Скидки", "Discounts"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма по ценам до скидки минус продажи", "sum at prices before discount minus sales"),
			Words:   called([]string{"скидки"}, "discounts"),
			Bases:   []analysis.Base{discounts}, Over: overSales},
		{Name: "cost", Title: words("Себестоимость", "Cost"), Unit: tool.UnitMoney, Adds: true, With: "cost_coverage",
			Formula: words("себестоимость проданного минус возвращённого", "cost of goods sold minus returned"),
			Words:   called([]string{"себестоимость"}, "cost"),
			Bases:   []analysis.Base{costs}, Over: overCosts},
		{Name: "profit", Title: words("Прибыль", "Profit"), Unit: tool.UnitMoney, Adds: true, With: "cost_coverage",
			Formula: words("выручка с известной себестоимостью минус себестоимость",
				"revenue whose cost is known minus that cost"),
			Words: called([]string{"прибыль", "валовая прибыль"}, "profit", "gross profit"),
			Bases: []analysis.Base{covered, costs}, Of: profit, Over: overCosts},
		{Name: "margin", Title: words("Маржа", "Margin"), Unit: tool.UnitPercent, Places: 1, With: "cost_coverage",
			Formula: words("прибыль ÷ выручка с известной себестоимостью", "profit ÷ revenue whose cost is known"),
			Words:   called([]string{"маржа", "маржинальность", "рентабельность"}, "margin"),
			Bases:   []analysis.Base{covered, costs}, Of: ratio(profit, just(covered), decimal.Hundred),
			Over: overCosts},
		{Name: "markup", Title: words("Наценка", "Markup"), Unit: tool.UnitPercent, Places: 1, With: "cost_coverage",
			Formula: words("прибыль ÷ себестоимость", "profit ÷ cost"),
			Words:   called([]string{"наценка"}, "markup"),
			Bases:   []analysis.Base{covered, costs}, Of: ratio(profit, just(costs), decimal.Hundred),
			Over: overCosts},
		{Name: "cost_coverage", Title: words("Себест. известна", "Cost known"), Unit: tool.UnitPercent, Places: 1,
			Formula: words("выручка с известной себестоимостью ÷ выручка", "revenue whose cost is known ÷ revenue"),
			Words:   called([]string{"доля известной себестоимости"}, "cost coverage"),
			Bases:   []analysis.Base{covered, sales, returns},
			Of:      ratio(just(covered), sub(sales, returns), decimal.Hundred), Over: overCosts},
	}
}
