package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// inStock reads pieces and worth of goods in a warehouse as those in stock: "сколько единиц посуды на всех
// складах", "сколько стоит вся посуда на складе".
func (d *draft) inStock() {
	counted := d.counted()
	if len(d.periods) > 0 || len(d.asked) != 1 || d.Previous != nil || !d.anywhere && !counted &&
		!slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
			return it.Kind == typed.Dimension && it.ID == "store" || it.Kind == typed.Named &&
				typed.DimensionOf(it.Name.Meanings[0].Kind) == "store"
		}) {
		return
	}
	all := d.word(allOf)
	for _, it := range d.Items {
		switch last := &d.Tokens[it.End-1]; {
		case !is(it, typed.Measure) || it.ID != d.asked[0]:
		case it.ID == "quantity" && pieceWords[last.Stem] && it.Order == "":
			d.replace("quantity", "stock")
			return
		case it.ID == "sale_price" && worthWords[last.Stem] && (all || d.anyGoods()):
			d.replace("sale_price", "stock_cost")
			d.goods = false
			if d.q.By = nil; d.perStore() {
				d.q.By = []string{"store"}
			}
			d.atSalePrices()
			return
		}
	}
}

// perStore reports whether the task breaks down by warehouse: "на каждом складе", and not "на складах".
func (d *draft) perStore() bool {
	for i, it := range d.Items {
		if is(it, typed.Dimension) && it.ID == "store" && (it.Each || is(d.neighbour(i, -1), typed.Per) || d.asks(it)) {
			return true
		}
	}
	return false
}

// atSalePrices reads "сколько стоит товар на витрине по рознице" as the stock at sale prices: of the first type,
// which the stock is worth.
func (d *draft) atSalePrices() {
	i := slices.IndexFunc(d.q.Where, func(w analysis.Condition) bool { return w.Field == "price_type" })
	if i < 0 || len(d.Prices) == 0 || len(d.q.Where[i].Values) != 1 ||
		string(d.q.Where[i].Values[0]) != d.Prices[0].ID {
		return
	}
	d.q.Where = slices.Delete(slices.Clone(d.q.Where), i, i+1)
	d.replace("stock_cost", "stock_price")
}

// sellsWell reads "на каком складе товар хуже всего продаётся" as the sums: pieces and kilograms of all goods have no
// sum (rule R1103). Of named goods, it is their quantity.
func (d *draft) sellsWell() {
	if slices.Equal(d.asked, []string{"quantity"}) && d.ordered == "quantity" && len(d.q.By) == 1 &&
		sellers[d.q.By[0]] && !d.named("product") && !d.word(piecesWords) {
		d.replace("quantity", "revenue")
	}
}

var piecesWords = words.Set("штук штуки шт количество количеству штукам pieces units")

// onlyInStock leaves out goods that are not there where a task has another condition on them: "игрушки до 300
// рублей в наличии" (rule R745).
func (d *draft) onlyInStock() {
	there := false
	for i := range d.Tokens {
		w, next := d.Tokens[i].Norm, ""
		if i+1 < len(d.Tokens) {
			next = d.Tokens[i+1].Norm
		}
		there = there || w == "наличии" || w == "остатке" || w == "остаток" && next == "есть" ||
			w == "есть" && next == "остаток" || w == "in" && (next == "stock" || next == "inventory")
	}
	limited := d.direction != "" || slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		_, ofMeasure := d.Catalogue.Measure(w.Field)
		return ofMeasure || w.Op == analysis.IsEmpty
	})
	if !there || !limited || d.conditioned("stock") || d.Previous != nil || !slices.Contains(d.q.Measures,
		"stock") {
		return
	}
	d.where("stock", analysis.Greater, "0")
}

// assembled reads "сколько комплектов набор № 1 можем собрать" as the stock of the named sets, which says that.
// Of all sets no query says it.
func (d *draft) assembled() {
	i := slices.IndexFunc(d.q.Where, func(w analysis.Condition) bool { return w.Field == "kind" })
	if i < 0 || !d.word(assembling) || !slices.Contains(d.asked, "stock") {
		return
	}
	if d.named("product") {
		d.q.Where = slices.Delete(slices.Clone(d.q.Where), i, i+1)
		return
	}
	for _, it := range d.Items {
		it.Used = it.Used && !(it.Kind == typed.Measure && it.ID == "stock")
	}
}

var assembling = words.Set("собрать соберем соберется насобираем")

// cheaperToBuy reads "у кого дешевле закупать гречку", "где выгоднее брать рис" as the purchase prices of
// suppliers, the lowest first (rule R746).
func (d *draft) cheaperToBuy() {
	if !d.asksToBuy() {
		return
	}
	for _, m := range slices.Clone(d.asked) {
		d.remove(m)
	}
	d.ask("purchase_price")
	d.direction, d.ordered = analysis.Ascending, "purchase_price"
	if d.word(dearerWords) {
		d.direction = analysis.Descending
	}
	for _, it := range d.Items {
		it.Used = it.Used || it.Kind == typed.Operator || it.Kind == typed.Best ||
			it.Kind == typed.Measure ||
			it.Kind == typed.Worst || it.Kind == typed.Dimension && (it.ID == "counterparty" ||
			it.ID == "supplier")
	}
}

// asksToBuy reports whether the task asks from whom goods are bought at better prices.
func (d *draft) asksToBuy() bool {
	buys := d.word(buyingVerbs) || d.word(toUs) && d.word(sellingWords) // "кто дешевле продаёт нам соль"
	if d.Previous != nil || !buys || !d.word(cheaperWords) {
		return false
	}
	return d.word(whereWords) || d.word(whomWords) || slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && (it.ID == "counterparty" || it.ID == "supplier")
	})
}

var toUs = words.Set("нам")

var (
	buyingVerbs = words.Set("закупать покупать брать закупаем покупаем берем закупали покупали брали " +
		"закупаться заказывать возить завозить закупка закупки закупке")
	cheaperWords = words.Set("дешевле выгоднее выгодней дешево дороже подешевле дешевый дешевые")
	dearerWords  = words.Set("дороже")
)

// counted reports whether a task asks how many pieces of goods there are, and says nothing of what happened to
// them: "сколько штук кепок" (rule R743).
func (d *draft) counted() bool {
	return d.word(howManyWords) && d.direction == "" && d.q.Limit == 0 &&
		(d.named("product") || d.named("group") || d.anyGoods()) &&
		!slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
			return it.Kind == typed.Measure && it.ID != "quantity" || it.Kind == typed.Per ||
				it.Kind == typed.Share
		})
}

var howManyWords = words.Set("сколько скока скок скоко how")

// classBySales puts the revenue, by which goods have their ABC class, in front of figures of now: "остатки товаров
// группы А".
func (d *draft) classBySales() {
	if !d.conditioned("abc") || d.Previous != nil || len(d.q.Measures) == 0 {
		return
	}
	for _, name := range d.q.Measures {
		if m, ok := d.Catalogue.Measure(name); !ok || !m.Now {
			return
		}
	}
	d.q.Measures = append([]string{"revenue"}, d.q.Measures...)
}

// withoutPrice reads "у чего нет оптовой цены" as goods whose price of that type is empty.
func (d *draft) withoutPrice() {
	i := slices.IndexFunc(d.q.Where, func(w analysis.Condition) bool {
		return w.Field == "price_type" && w.Op == analysis.NotIn
	})
	if i < 0 || !slices.Contains(d.asked, "sale_price") || !slices.ContainsFunc(d.Items,
		func(it *typed.Item) bool {
			return it.Kind == typed.Absent
		}) {
		return
	}
	d.q.Where = slices.Clone(d.q.Where)
	d.q.Where[i].Op = analysis.In
	d.q.Where = append(d.q.Where, analysis.Condition{Field: "sale_price", Op: analysis.IsEmpty})
}

// costing takes the verb of a price beside a condition on it: "что стоит дешевле сотни".
func (d *draft) costing() {
	for _, it := range d.Items {
		it.Used = it.Used || d.conditioned("sale_price") && it.End == it.At+1 &&
			costingWords[d.Tokens[it.At].Norm]
	}
}

var costingWords = words.Set("стоит стоят стоящие стоящий стоимостью ценой")

// atStart reads "остаток кофе на начало месяца": what was there when the month, or another unit of time, began.
func (d *draft) atStart() {
	worth := slices.Contains(d.asked, "stock_cost")
	if !slices.Contains(d.asked, "stock_at_start") || !slices.Contains(d.asked, "stock") && !worth ||
		d.Previous != nil {
		return
	}
	d.remove("stock")
	if worth { // "сколько стоил товар на начало года"
		d.remove("stock_cost")
		d.replace("stock_at_start", "stock_cost_at_start")
	} else {
		d.goods = d.goods || len(d.q.By) == 0
	}
	for _, it := range d.Items {
		unit := words.TimeUnitOf(d.Tokens[it.End-1].Norm)
		if is(it, typed.Measure) && it.ID == "stock_at_start" && unit != words.NoTime &&
			len(d.periods) == 0 {
			from := quantity.Begin(unit, d.Today)
			d.periods = append(d.periods, &typed.Item{Kind: typed.Period,
				Period: &quantity.Period{At: it.At, End: it.End, From: from, To: d.Today}})
		}
	}
}

// byPriceType shows prices of goods for each of the types that the task names, or for all of them.
func (d *draft) byPriceType() {
	if !slices.Contains(d.asked, "sale_price") || d.Previous != nil {
		return
	}
	several := slices.ContainsFunc(d.q.Where,
		func(w analysis.Condition) bool { return w.Field == "price_type" })
	if slices.Equal(d.q.By, []string{"price_type"}) ||
		several && (len(d.q.By) == 0 || slices.Equal(d.q.By, []string{"product"})) {
		d.q.By = []string{"product", "price_type"}
	}
}

// goneButSold adds the condition that something was sold where a task asks which goods are gone that were sold in a
// period: "что закончилось, но продавалось в октябре" (rule R1027).
func (d *draft) goneButSold() {
	gone := slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		return w.Field == "stock" && (w.Op == analysis.LessEqual || w.Op == analysis.Equal) && len(w.Values) == 1 &&
			w.Values[0] == "0"
	})
	if d.Previous != nil || !gone || d.direction != "" {
		return
	}
	for _, it := range d.Items {
		if is(it, typed.Measure) && it.Used && ofSelling[it.ID] && slices.ContainsFunc(d.Tokens[it.At:it.End],
			func(t token.Token) bool { return wasSold[t.Norm] }) {
			d.where(it.ID, analysis.Greater, "0")
			return
		}
	}
}

var ofSelling = words.Set("revenue quantity receipts")

var wasSold = words.Set("продается продаются покупают берут спрашивают уходят уходит расходится разбирают sells sell buy " +
	"продавалось продавались продавался продавалась продались продалось продавали продали " +
	"покупали брали купили раскупали уходило sold selling bought")

// whereMost reads "где больше всего кофе" and "где меньше всего товара": the stock of what is named by warehouse (rule
// R1105).
func (s *sentence) whereMost() {
	if s.Previous != nil || len(s.Items) < 3 || !whereWords[s.Tokens[s.Items[0].At].Norm] {
		return
	}
	var ranked, goods *typed.Item
	for _, it := range s.Items[1:] {
		switch {
		case it.Kind == typed.Best || it.Kind == typed.Worst || it.Kind == typed.Operator && it.End == len(s.Tokens):
			ranked = it
		case it.Kind == typed.Named && goodsFields[typed.DimensionOf(it.Name.Meanings[0].Kind)],
			it.Kind == typed.Dimension && it.ID == "product":
			goods = it
		case it.Kind != typed.Function:
			return
		}
	}
	if ranked != nil && goods != nil {
		s.Items[0].Kind, s.Items[0].ID = typed.Measure, "stock"
		s.whereAll = goods.Kind == typed.Dimension
	}
}

// goodsFields are the dimensions that name goods.
var goodsFields = words.Set("product variant group")

// ranksMixed ranks warehouses by the value of all of their goods, whose quantities have no common sum: "на каком складе
// больше товара" (rule R1105).
func (d *draft) ranksMixed() {
	if d.whereAll && slices.Equal(d.q.By, []string{"product", "store"}) {
		d.q.By = []string{"store"} // "где больше всего товара"
	}
	if d.Previous != nil || !slices.Equal(d.q.By, []string{"store"}) || len(d.q.Order) != 1 ||
		d.q.Order[0].Field != "stock" || !slices.Equal(d.asked, []string{"stock"}) ||
		slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
			return goodsFields[w.Field] || w.Field == "supplier"
		}) {
		return
	}
	q := d.q
	q.Measures, q.Order = []string{"stock_cost", "stock"}, slices.Clone(d.q.Order)
	q.Order[0].Field = "stock_cost"
	if query.Possible(d.Catalogue, q) {
		d.q = q
	}
}
