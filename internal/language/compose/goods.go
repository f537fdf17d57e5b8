package compose

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// profitInStock reads "сколько прибыли лежит на складе" as what the goods in stock would bring: their worth at sale
// prices less their cost (rule R820). Profit that was made is of a period, and does not lie anywhere.
func (d *draft) profitInStock() {
	has := func(m string) bool { return slices.Contains(d.asked, m) }
	if d.Previous != nil || !has("profit") || !has("stock") && !has("stock_cost") && !has("stock_price") ||
		len(d.periods) > 0 || !d.word(lyingWords) || len(d.q.Define) > 0 {
		return
	}
	const name = "profit_in_stock"
	d.remove("profit")
	d.remove("stock")
	d.ask("stock_cost", "stock_price", name)
	d.q.Define = []analysis.Definition{{Name: name, Formula: "stock_price - stock_cost",
		Unit: analysis.Shown(tool.UnitMoney), Title: d.title("Прибыль в остатках", "Profit in stock")}}
	if d.direction != "" && d.ordered == "profit" {
		d.ordered = name
	}
}

var lyingWords = words.Set("лежит лежат лежащая сидит заложена заложено заложили заморожено остатках остатке запасах " +
	"товаре складе складах складу складам tied stock inventory")

// atPurchasePrices reads "сколько товара на складе по закупке" as what the stock costs (rule R821): nothing is said of
// what was bought.
func (d *draft) atPurchasePrices() {
	if d.Previous != nil || len(d.periods) > 0 || len(d.q.By) > 0 || d.direction != "" {
		return
	}
	for i, it := range d.Items {
		if !is(it, typed.Measure) || it.ID != "purchases" || !is(d.neighbour(i, -1), typed.Per) ||
			!purchaseCost[d.Tokens[it.End-1].Norm] ||
			!d.anyGoodsSaid() && !d.inStores() && !slices.Contains(d.asked, "stock") {
			continue
		}
		d.remove("stock")
		d.remove("sale_price")
		d.replace("purchases", "stock_cost")
		d.goods = false
		return
	}
}

var purchaseCost = words.Set("закупке закупу закупочной закуп")

// mostGoods reads "в какой группе больше всего товара" as stock, which is there now: sales would have a verb.
func (d *draft) mostGoods() bool {
	others := slices.DeleteFunc(slices.Clone(d.q.By), func(by string) bool { return by == "product" })
	if d.direction == "" || len(others) != 1 || len(d.periods) > 0 || len(d.q.Measures) > 0 || !holdsGoods[others[0]] ||
		!d.ofGoods() || d.q.Limit > 0 && len(d.q.By) > 1 {
		return false
	}
	d.q.By = others
	return true
}

// holdsGoods are the dimensions that goods are kept or sorted by.
var holdsGoods = words.Set("store group supplier")

// whichOfGoods reads "в какой группе дрель", "чей сахар", "в каком магазине дрель" as the goods with that property, or
// where they are: no figure is asked for.
func (d *draft) whichOfGoods() bool {
	if len(d.q.Measures) > 0 || d.direction != "" || len(d.periods) > 0 || !d.named("product") || len(d.q.Where) > 1 ||
		d.hasUnexplained() {
		return false
	}
	switch {
	case len(d.q.By) == 0 && whoseWords[d.first()] && len(d.Items) <= mostOfWhose:
		d.q.By = []string{"product", "supplier"}
		d.ask("stock", "sale_price")
	case len(d.q.By) == 1 && ofCard[d.q.By[0]]:
		d.q.By = []string{"product", d.q.By[0]}
		d.ask("stock", "sale_price")
	case slices.Equal(d.q.By, []string{"store"}):
		d.ask("stock")
		d.where("stock", analysis.Greater, "0")
	default:
		return false
	}
	return true
}

// mostOfWhose is how many parts "чей сахар" has: with more, something else is asked for.
const mostOfWhose = 3

var whoseWords = words.Set("чей чья чье чьи")

// ofCard are the dimensions that the card of a good says.
var ofCard = words.Set("group supplier country article barcode unit")

// howManyThere reports whether a number says how many of the goods there must be: "чай, которого больше 10", "чай
// дешевле 300, больше 10" (rule R823). The relative pronoun stands right in front of the comparison; without it, the
// goods have another condition, or the number is too small for a price.
func (d *draft) howManyThere(at int, value typed.Numeral, after *typed.Item) bool {
	if value.Unit != words.NoUnit && value.Unit != words.Quantity || d.Previous != nil || is(after, typed.Measure) {
		return false
	}
	op := d.Items[at].At
	if op > 0 && ofWhich[d.Tokens[op-1].Norm] {
		return d.ofGoods() || d.inStores()
	}
	if len(d.asked) > 0 || !amountWords[d.Tokens[op].Norm] || !d.named("product") && !d.named("group") {
		return false
	}
	for _, it := range d.Items {
		if is(it, typed.Measure) {
			return false
		}
	}
	n, err := strconv.Atoi(value.Value)
	return d.conditioned("sale_price") || err == nil && n <= mostPieces
}

// mostPieces is the largest number without a unit that is read as a number of pieces and not as a price.
const mostPieces = 200

var (
	ofWhich     = words.Set("которого которой которых")
	amountWords = words.Set("больше меньше более менее свыше fewer")
)

// netOfReserve shows free stock alone where a task asks for stock less the reserve.
func (d *draft) netOfReserve() {
	if slices.Contains(d.asked, "free") && slices.Contains(d.asked, "stock") && d.word(netWords) {
		d.remove("stock")
	}
}

var netWords = words.Set("вычетом учетом минус less minus net")

// forOrders offers what is reserved beyond the stock where a task asks what lacks for orders: no figure compares stock
// with orders (rule R827).
func (d *draft) forOrders() {
	has := func(m string) bool { return slices.Contains(d.asked, m) }
	if d.Previous != nil || !has("shortage") && !has("days_of_cover") || !has("orders") && !has("orders_sum") &&
		!has("unshipped") {
		return
	}
	d.q.Measures, d.asked, d.q.Where = nil, nil, nil
	d.ask("free", "stock", "reserve")
	d.where("free", analysis.Less, "0")
	d.q.By, d.goods = []string{"product"}, false
	d.instead = [2]string{"Сравнить остатки с заказами покупателей одним запросом нельзя. Показать товары, которых в " +
		"резерве больше, чем есть?", "Stock cannot be compared with customer orders by one query. Show the goods of " +
		"which more is reserved than there is?"}
}

// fromWhomLast takes "последний раз брали" behind "у кого" for a purchase: "у кого последний раз брали отвёртки".
func (s *sentence) fromWhomLast() {
	whom := slices.IndexFunc(s.Tokens, func(t token.Token) bool { return t.Norm == "кого" })
	if whom < 1 || s.Tokens[whom-1].Norm != "у" {
		return
	}
	for _, it := range s.Items {
		if is(it, typed.Measure) && (it.ID == "latest_sale" || it.ID == "last_sale") && it.At > whom &&
			slices.ContainsFunc(s.Tokens[it.At:it.End], func(t token.Token) bool { return tookWords[t.Norm] }) {
			it.ID, s.lastFrom = "last_purchase", true
		}
	}
}

// latestFirst ranks suppliers by their last purchase.
func (d *draft) latestFirst() {
	if !d.lastFrom || !slices.Equal(d.asked, []string{"last_purchase"}) {
		return
	}
	d.q.By, d.goods = []string{"counterparty"}, false
	d.ordered, d.direction = "last_purchase", analysis.Descending
	if len(d.periods) == 0 {
		d.q.From, d.q.To = day(d.Today.AddDate(-1, 0, 1)), day(d.Today)
	}
}

// goodsReceipts takes "receipts by supplier" for receipts of goods: sales have no suppliers, and no money comes from
// them.
func (d *draft) goodsReceipts() {
	if d.Previous != nil || !slices.Contains(d.q.By, "supplier") || len(d.asked) != 1 || !d.word(arrivedWords) ||
		d.asked[0] != "receipts" && d.asked[0] != "money_in" {
		return
	}
	d.replace(d.asked[0], "deliveries")
	d.ask("purchases")
}

var arrivedWords = words.Set("receipts receipt")

var tookWords = words.Set("брали покупали закупали взяли купили закупили заказывали заказали берем закупаем")

// priceRange reports whether "от 200 до 400" behind goods is a range of prices: the numbers are too large for pieces.
func (d *draft) priceRange(at, n int) bool {
	if len(d.asked) > 0 || d.Previous != nil || !d.named("product") && !d.named("group") ||
		!pricing[d.Tokens[d.Items[at].At].Norm] {
		return false
	}
	upper := d.upTo(d.Items[at], d.Items[n])
	if upper == nil || upper.Number.Unit != words.NoUnit {
		return false
	}
	most, err := strconv.Atoi(upper.Number.Value)
	return err == nil && most > mostPieces
}

// moneyInGoods takes "сколько денег в сладостях" for what the goods are worth: money on accounts lies in none.
func (s *sentence) moneyInGoods() {
	for i, it := range s.Items {
		if !is(it, typed.Measure) || it.ID != "balance" || it.End >= len(s.Tokens) || s.Tokens[it.End].Norm != "в" {
			continue
		}
		for _, x := range s.Items[i+1:] {
			if x.Kind == typed.Named && x.At == it.End+1 && !slices.ContainsFunc(x.Name.Meanings,
				func(n connector.Name) bool {
					return n.Kind != connector.NameGroup && n.Kind != connector.NameProduct
				}) {
				it.ID = "stock_cost"
				return
			}
		}
	}
}
