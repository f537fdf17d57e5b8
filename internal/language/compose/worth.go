package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// worthOfStock reads a word for money beside words for what lies in the warehouses as what the stock is worth at cost,
// in any order: "во сколько оценивается склад", "по складам сколько товара в деньгах", "стоимость посуды на остатках"
// (rule R881). Prices, sales and purchases have words of their own.
func (d *draft) worthOfStock() {
	if d.Previous != nil || len(d.periods) > 0 || d.hasPeriod() || d.conditioned("price_type") || !d.stems(lyingStems) {
		return
	}
	for _, m := range d.q.Measures {
		if !mayBeWorth[m] {
			return
		}
	}
	if slices.Contains(d.asked, "balance") && !d.inStores() || slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Joining || it.Kind == typed.InUnits
	}) {
		return // "остаток денег", "остатки в рублях и штуках"
	}
	var says []*typed.Item
	for _, it := range d.Items {
		if it.Kind == typed.Named || it.Kind == typed.Period || it.Kind == typed.Number {
			continue
		}
		for _, t := range d.Tokens[it.At:it.End] {
			if worthStems[t.Stem] {
				says = append(says, it)
				break
			}
		}
	}
	if len(says) == 0 || d.stems(otherWorth) {
		return
	}
	for _, it := range says {
		it.Used = true
	}
	for _, m := range slices.Clone(d.asked) {
		if m != "stock_cost" && mayBeWorth[m] {
			d.remove(m)
		}
	}
	d.ask("stock_cost")
	if d.direction == "" {
		d.goods = false
	}
	d.q.By = slices.DeleteFunc(slices.Clone(d.q.By), func(by string) bool { return by == "hour" })
}

// mayBeWorth are the measures that words for the worth of the stock are read as, each by itself.
var mayBeWorth = words.Set("stock stock_cost sale_price balance quantity cost")

var (
	// lyingStems are stems of words for the stock and its places.
	lyingStems = token.Stems("остаток остатки остатков остатках остаткам запас запасы запасов запасах склад склады " +
		"складе складах складу складам склада складов stock inventory warehouse warehouses")
	// worthStems are stems of words for money.
	worthStems = token.Stems("стоимость стоимости оценка оценку оценки оценивается оценены оценен оценить обошелся " +
		"обошлась обошлось обошлись денег деньги деньгах деньгам сумма сумму суммой рублях рублей бабла бабки worth " +
		"value valued valuation")
	// otherWorth are stems of words that say which other worth or money is meant.
	otherWorth = token.Stems("продажи продаж продажной розничной рознице розничным розничных опту оптовой " +
		"оптовым прибыль " +
		"маржа счет счетах счету касса кассе кассах банк банке retail selling cash bank profit неликвид цена цене " +
		"ценам ценах отгрузка закупить заказать докупить")
)
