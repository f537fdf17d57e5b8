package analyze

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

func stockMeasures() []analysis.Measure {
	now := words("сейчас, а не за период", "now, not over the period")
	return []analysis.Measure{
		{Name: "stock", Title: words("Остаток", "Stock"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("физический остаток", "physical stock"),
			Words:   called([]string{"остаток", "остатки"}, "stock"),
			Bases:   []analysis.Base{inStock}, Over: overStock},
		{Name: "reserve", Title: words("Резерв", "Reserve"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("в резерве под заказы", "reserved for orders"),
			Words:   called([]string{"резерв"}, "reserve"),
			Bases:   []analysis.Base{inReserve}, Over: overStock},
		{Name: "in_transit", Title: words("Ожидание", "On the way"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("ожидается от поставщиков", "expected from suppliers"),
			Words:   called([]string{"ожидание", "в пути"}, "on the way"),
			Bases:   []analysis.Base{onTheWay}, Over: overStock},
		{Name: "free", Title: words("Свободно", "Free"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("остаток минус резерв", "stock minus reserve"),
			Words:   called([]string{"свободный остаток"}, "free stock"),
			Bases:   []analysis.Base{inStock, inReserve}, Of: sub(inStock, inReserve), Over: overStock},
		{Name: "stock_cost", Title: words("Остаток по себестоимости", "Stock at cost"), Unit: tool.UnitMoney,
			Adds:    true,
			Formula: words("остаток × себестоимость единицы, где она известна", "stock × unit cost, where it is known"),
			Caution: now,
			Words:   called([]string{"сумма остатков", "стоимость склада"}, "stock value", "stock at cost"),
			Bases:   []analysis.Base{stockAtCost}, Over: overStock},
		{Name: "stock_price", Title: words("Остаток по цене продажи", "Stock at sale price"), Unit: tool.UnitMoney,
			Adds: true, Caution: now,
			Formula: words("остаток × цена первого типа", "stock × price of the first type"),
			Words:   called([]string{"остатки в ценах продажи"}, "stock at sale price"),
			Bases:   []analysis.Base{stockAtSale}, Over: overStock},
	}
}
