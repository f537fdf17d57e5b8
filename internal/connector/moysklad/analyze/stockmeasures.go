package analyze

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// stockBases are those of stock now.
var stockBases = []analysis.Base{inStock, inReserve, onTheWay, stockAtCost, stockAtSale, oldestStock}

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
		{Name: "available", Title: words("Доступно", "Available"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("остаток минус резерв плюс ожидание", "stock minus reserve plus what is on the way"),
			Words:   called([]string{"доступно", "доступный остаток"}, "available"),
			Bases:   []analysis.Base{inStock, inReserve, onTheWay}, Of: available, Over: overStock},
		{Name: "days_in_stock", Title: words("Дней на складе", "Days in stock"), Unit: tool.UnitDays,
			Formula: words("сколько дней товар лежит на складе, по данным МоегоСклада; у нескольких товаров — самый старый",
				"how many days the good has been in stock, as MoySklad computes it; of several goods, the oldest"),
			Caution: words("это не дни без продаж", "these are not days without sales"),
			Words:   called([]string{"дней на складе", "возраст остатка"}, "days in stock", "stock age"),
			Bases:   []analysis.Base{oldestStock}, Over: ofGoods},
		{Name: "stock_cost", Title: words("Остаток по себестоимости", "Stock at cost"), Unit: tool.UnitMoney,
			Adds:    true,
			Formula: words("остаток × себестоимость единицы, где она известна", "stock × unit cost, where it is known"),
			Caution: now,
			Words:   called([]string{"сумма остатков", "стоимость склада"}, "stock value", "stock at cost"),
			Bases:   []analysis.Base{stockAtCost}, Over: overStock},
		{Name: "stock_price", Title: words("Остаток по цене продажи", "Stock at sale price"), Unit: tool.UnitMoney,
			Adds: true, Caution: now,
			Formula: words("остаток × цена первого типа цен", "stock × price of the account's first price type"),
			Words:   called([]string{"остатки в ценах продажи"}, "stock at sale price"),
			Bases:   []analysis.Base{stockAtSale}, Over: overStock},
	}
}

// available returns stock − reserve + on the way, which includes goods that have not arrived (fact M70).
func available(of analysis.Sums) decimal.Maybe {
	stock, reserve, coming := of(inStock), of(inReserve), of(onTheWay)
	if !stock.Known || !reserve.Known || !coming.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(stock.Sub(reserve.Decimal).Add(coming.Decimal))
}
