package measures

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of prices on cards, in main units of the account currency. A row has one only if all of its goods have the
// same.
const (
	SalePrice  analysis.Base = "sale_price"
	BuyPrice   analysis.Base = "buy_price"
	LeastPrice analysis.Base = "least_price"
	UnitCost   analysis.Base = "unit_cost"
)

var (
	PriceBases = []analysis.Base{SalePrice, BuyPrice, LeastPrice, UnitCost}

	overPriceTypes = append(slices.Clone(OfGoods), DimPriceType)
)

func priceMeasures() []analysis.Measure {
	one := words("сейчас; у строки с товарами разных цен цены нет",
		"now; a row of goods with different prices has none")
	first := words("сейчас; без разреза price_type — первый тип цен; у строки с товарами разных цен цены нет",
		"now; without the dimension price_type the account's first type; a row of goods with different prices has none")
	return []analysis.Measure{
		{Name: "sale_price", Title: words("Цена продажи", "Sale price"), Unit: tool.UnitMoney, Caution: first,
			Formula: words("цена продажи из карточки товара", "sale price on the card of the good"),
			Words:   Called([]string{"цена продажи", "розничная цена"}, "sale price", "retail price"),
			Bases:   []analysis.Base{SalePrice}, Over: overPriceTypes},
		{Name: "card_purchase_price", Title: words("Закупочная цена", "Purchase price on the card"),
			Unit: tool.UnitMoney, Caution: one,
			Formula: words("закупочная цена из карточки товара, её вводят вручную",
				"purchase price on the card of the good, typed in by people"),
			Words: Called([]string{"закупочная цена"}, "purchase price on the card"),
			Bases: []analysis.Base{BuyPrice}, Over: OfGoods},
		{Name: "minimum_price", Title: words("Минимальная цена", "Minimum price"), Unit: tool.UnitMoney, Caution: one,
			Formula: words("минимальная цена из карточки товара", "minimum price on the card of the good"),
			Words:   Called([]string{"минимальная цена"}, "minimum price"),
			Bases:   []analysis.Base{LeastPrice}, Over: OfGoods},
		{Name: "unit_cost", Title: words("Себестоимость единицы", "Unit cost"), Unit: tool.UnitMoney, Caution: one,
			Formula: words("себестоимость единицы остатка", "cost of a unit in stock"),
			Words:   Called([]string{"себестоимость единицы"}, "unit cost"),
			Bases:   []analysis.Base{UnitCost}, Over: OfGoods},
		{Name: "price_markup", Title: words("Наценка цены", "Markup of the price"), Unit: tool.UnitPercent, Places: 1,
			Formula: words("(цена продажи − закупочная цена) ÷ закупочная цена",
				"(sale price − purchase price on the card) ÷ purchase price on the card"),
			Caution: first, Words: Called([]string{"наценка цены"}, "price markup"),
			Bases: []analysis.Base{SalePrice, BuyPrice},
			Of:    ratio(sub(SalePrice, BuyPrice), just(BuyPrice), decimal.Hundred), Over: overPriceTypes},
		{Name: "price_minus_cost", Title: words("Цена − себестоимость", "Price less cost"),
			Phrase: words("цена минус себестоимость", "price less cost"), Unit: tool.UnitMoney,
			Formula: words("цена продажи минус себестоимость единицы; меньше нуля — цена ниже себестоимости",
				"sale price minus unit cost; below zero, the price is below cost"),
			Caution: first, Words: Called([]string{"цена минус себестоимость"}, "price less cost"),
			Bases: []analysis.Base{SalePrice, UnitCost}, Of: sub(SalePrice, UnitCost), Over: overPriceTypes},
	}
}
