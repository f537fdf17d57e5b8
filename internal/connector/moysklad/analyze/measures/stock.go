package measures

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of minimum stocks.
const (
	MinimumStock analysis.Base = "minimum_stock"
	BelowMinimum analysis.Base = "below_minimum"
)

var (
	// StockBases are those of stock now.
	StockBases = []analysis.Base{InStock, InReserve, OnTheWay, StockAtCost, StockAtSale, OldestStock}
	// MinimumBases are those of minimum stocks.
	MinimumBases = []analysis.Base{MinimumStock, BelowMinimum}
)

func stockMeasures() []analysis.Measure {
	now := words("сейчас, а не за период", "now, not over the period")
	place := words("минимум задают складу или всем складам вместе: второй по складам — в строке без склада; у товара без "+
		"минимума значения нет", "a minimum is set for a warehouse or for all of them together: by warehouses, the "+
		"latter is in the row without a warehouse; a good without a minimum has no value")
	return []analysis.Measure{
		{Name: "stock", Title: words("Остаток", "Stock"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("физический остаток", "physical stock"),
			Words:   Called([]string{"остаток", "остатки"}, "stock"),
			Bases:   []analysis.Base{InStock}, Over: overStock},
		{Name: "reserve", Title: words("Резерв", "Reserve"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("в резерве под заказы", "reserved for orders"),
			Words:   Called([]string{"резерв"}, "reserve"),
			Bases:   []analysis.Base{InReserve}, Over: overStock},
		{Name: "in_transit", Title: words("Ожидание", "On the way"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("ожидается от поставщиков", "expected from suppliers"),
			Words:   Called([]string{"ожидание", "в пути"}, "on the way"),
			Bases:   []analysis.Base{OnTheWay}, Over: overStock},
		{Name: "free", Title: words("Свободно", "Free"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("остаток минус резерв", "stock minus reserve"),
			Words:   Called([]string{"свободный остаток"}, "free stock"),
			Bases:   []analysis.Base{InStock, InReserve}, Of: sub(InStock, InReserve), Over: overStock},
		{Name: "available", Title: words("Доступно", "Available"), Unit: tool.UnitQuantity, Adds: true, Caution: now,
			Formula: words("остаток минус резерв плюс ожидание", "stock minus reserve plus what is on the way"),
			Words:   Called([]string{"доступно", "доступный остаток"}, "available"),
			Bases:   []analysis.Base{InStock, InReserve, OnTheWay}, Of: available, Over: overStock},
		{Name: "days_in_stock", Title: words("Дней на складе", "Days in stock"),
			Phrase: words("время на складе", "time in stock"), Unit: tool.UnitDays,
			Formula: words("сколько дней товар лежит на складе, по данным МоегоСклада; у нескольких товаров — самый старый",
				"how many days the good has been in stock, as MoySklad computes it; of several goods, the oldest"),
			Caution: words("это не дни без продаж", "these are not days without sales"),
			Words:   Called([]string{"дней на складе", "возраст остатка"}, "days in stock", "stock age"),
			Bases:   []analysis.Base{OldestStock}, Over: OfGoods},
		{Name: "stock_cost", Title: words("Остаток по себестоимости", "Stock at cost"), Unit: tool.UnitMoney,
			Adds:    true,
			Formula: words("остаток × себестоимость единицы, где она известна", "stock × unit cost, where it is known"),
			Caution: now,
			Words:   Called([]string{"сумма остатков", "стоимость склада"}, "stock value", "stock at cost"),
			Bases:   []analysis.Base{StockAtCost}, Over: overStock},
		{Name: "stock_price", Title: words("Остаток по цене продажи", "Stock at sale price"), Unit: tool.UnitMoney,
			Adds: true, Caution: now,
			Formula: words("остаток × цена первого типа цен", "stock × price of the account's first price type"),
			Words:   Called([]string{"остатки в ценах продажи"}, "stock at sale price"),
			Bases:   []analysis.Base{StockAtSale}, Over: overStock},
		{Name: "minimum", Title: words("Неснижаемый остаток", "Minimum stock"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("неснижаемый остаток из карточек товаров, по всем складам вместе",
				"minimum stock on the cards of goods, over all warehouses"),
			Caution: place, Words: Called([]string{"неснижаемый остаток", "минимальный остаток"}, "minimum stock"),
			Bases: []analysis.Base{MinimumStock}, Over: overStock},
		{Name: "shortage", Title: words("Нехватка до минимума", "Shortage"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("сколько свободного остатка не хватает до минимума, отдельно там, где минимум задан; излишек "+
				"одного склада не покрывает нехватку другого",
				"how much the free stock is below the minimum, in each place that has one; what one warehouse has "+
					"too much does not cover what another lacks"),
			Caution: place, Words: Called([]string{"нехватка", "ниже минимума", "не хватает до минимума"}, "shortage",
				"below the minimum"),
			Bases: []analysis.Base{BelowMinimum}, Over: overStock},
	}
}

// available returns stock − reserve + on the way, which includes goods that have not arrived (fact M70).
func available(of analysis.Sums) decimal.Maybe {
	stock, reserve, coming := of(InStock), of(InReserve), of(OnTheWay)
	if !stock.Known || !reserve.Known || !coming.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(stock.Sub(reserve.Decimal).Add(coming.Decimal))
}
